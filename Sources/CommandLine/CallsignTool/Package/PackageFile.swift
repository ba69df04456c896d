import ArgumentParser
import Foundation

/// A file of a package that `callsign package` writes, and whose it is afterwards.
///
/// A file of the machine's has a line with a checksum of all its other lines. As long as that is right, a re-run may
/// write the file anew; whoever edits the file, or removes the line, makes it their own. A file of people's is only begun.
struct PackageFile {
  enum Owner {
    /// Written anew by each run, until somebody edits it.
    case machine(Comment)
    /// Written where there is none.
    case people
  }

  /// The form of comments in the file's language.
  enum Comment {
    case swift, markdown

    fileprivate func line(_ text: String) -> String {
      switch self {
      case .swift: "// \(text)"
      case .markdown: "<!-- \(text) -->"
      }
    }
  }

  /// Relative to the package's folder.
  let path: String
  let owner: Owner
  /// Without the line with the checksum.
  let text: String

  enum Outcome: Equatable {
    case written, unchanged
    /// Somebody has edited it, or it was theirs from the beginning.
    case kept
  }

  /// Writes the file, unless it is somebody's.
  ///
  /// - Throws: An error of the file system.
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

  /// The text with the line. It is the second one: SwiftPM takes the first line of a manifest for the version of its tools.
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

  /// Whether the text is as a run has left it.
  static func isUnedited(_ text: String) -> Bool {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    guard let index = lines.firstIndex(where: { $0.contains(mark) }) else { return false }
    let line = lines.remove(at: index)
    return line.contains("\(mark), \(checksum(lines)).")
  }

  /// Whether a run has written the text, edited or not.
  static func isMarked(_ text: String) -> Bool { text.contains(mark) }

  /// The 64 bits of FNV-1a in hexadecimal digits. Nobody forges such files; the line only has to notice edits.
  private static func checksum(_ lines: [String]) -> String {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for byte in lines.joined(separator: "\n").utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
