import Foundation

/// Other people's test data, which this package does not hold: the folder named by `CALLSIGN_CORPORA`, else
/// `shared/corpora` beside the package or beside its parent.
enum Corpus {
  private static let folder: URL? = {
    if let path = ProcessInfo.processInfo.environment["CALLSIGN_CORPORA"] { return URL(fileURLWithPath: path) }
    var parent = URL(fileURLWithPath: #filePath)
    for _ in 0..<6 {
      parent.deleteLastPathComponent()
      let candidate = parent.appendingPathComponent("shared/corpora")
      if FileManager.default.fileExists(atPath: candidate.path) { return candidate }
    }
    return nil
  }()

  static func file(_ path: String) -> URL? {
    guard let url = folder?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else {
      return nil
    }
    return url
  }

  /// The objects of a file with one JSON object a line, parsed without Callsign.
  static func lines(_ path: String) throws -> [[String: Any]] {
    guard let url = file(path) else { return [] }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").compactMap {
      try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
    }
  }
}
