import ArgumentParser
import Foundation

/// A file of a package that `callsign package` writes, and its owner.
///
/// A machine file contains a line with a checksum of all its other lines. While the checksum is right, another run may replace the
/// file. If you edit the file or remove the line, the file is yours. A people's file is written only once.
struct PackageFile {
  enum Owner {
    /// Replaced by each run until someone edits it.
    case machine(Comment)
    /// Written only if it does not exist.
    case people
  }

  /// The comment syntax of the file's language.
  enum Comment {
    case swift, markdown

    fileprivate func line(_ text: String) -> String {
      switch self {
      case .swift: "// \(text)"
      case .markdown: "<!-- \(text) -->"
      }
    }
  }

  /// The path relative to the package's folder.
  let path: String
  let owner: Owner
  /// The text without the checksum line.
  let text: String

  enum Outcome: Equatable {
    case written, unchanged
    /// Someone has edited it, or it was theirs from the beginning.
    case kept
  }

  /// Writes the file, unless it belongs to someone.
  ///
  /// - Throws: A file system error.
  func write(into folder: URL) throws -> Outcome {
    let url = folder.appendingPathComponent(path)
    let bytes = Data(marked.utf8)
    if let old = try? Data(contentsOf: url) {
      if old == bytes { return .unchanged }
      guard case .machine = owner, Self.isUnedited(String(decoding: old, as: UTF8.self)) else { return .kept }
    } else if FileManager.default.fileExists(atPath: url.path) {
      return .kept
    }
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try bytes.write(to: url, options: .atomic)
    return .written
  }

  /// The text with the checksum line. It is the second line, because SwiftPM reads the tools version from the first line of a
  /// manifest.
  private var marked: String {
    guard case .machine(let comment) = owner else { return text }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    lines.insert(
      comment.line(
        "\(Self.mark), \(Self.checksum(lines)). Running it again writes the file again until somebody edits it."),
      at: min(1, lines.count))
    return lines.joined(separator: "\n")
  }

  private static let mark = "Written by `callsign package`"

  /// Whether the text is unchanged since a run wrote it.
  static func isUnedited(_ text: String) -> Bool {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let index = lines.firstIndex(where: { $0.contains(mark) }) else { return false }
    let line = lines.remove(at: index)
    return line.contains("\(mark), \(checksum(lines)).")
  }

  /// Whether a run wrote the text, edited or not.
  static func isMarked(_ text: String) -> Bool { text.contains(mark) }

  /// The 64-bit FNV-1a hash in hexadecimal. Nobody forges such files; the line only has to detect edits.
  private static func checksum(_ lines: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in lines.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
