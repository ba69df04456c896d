import Foundation

/// The package that the tests belong to.
package enum PackageFolder {
  /// A file or folder of the package, by its path there.
  package static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()
}

/// Other people's test data, which this package does not contain: the folder that `CALLSIGN_CORPORA` names, otherwise
/// `shared/corpora` next to the package.
package enum Corpora {
  private static let folder: URL = {
    if let path = ProcessInfo.processInfo.environment["CALLSIGN_CORPORA"], !path.isEmpty {
      return URL(fileURLWithPath: path)
    }
    return PackageFolder.url("../shared/corpora").standardizedFileURL
  }()

  /// A file or folder of the corpora; `nil` when it is missing.
  package static func url(_ path: String) -> URL? {
    let url = folder.appendingPathComponent(path)
    return FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// The lines of a file; none when it is missing.
  package static func lines(_ path: String) throws -> [String] {
    guard let url = url(path) else { return [] }
    return try String(contentsOf: url, encoding: .utf8).split(separator: "\n").map(String.init)
  }

  /// The objects of a file with one JSON object a line, parsed without Callsign; none when it is missing.
  package static func objects(_ path: String) throws -> [[String: Any]] {
    try lines(path).compactMap { try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
  }
}
