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

  /// A file or folder of the corpora, if it is there.
  static func item(_ path: String) -> URL? {
    guard let url = folder?.appendingPathComponent(path), FileManager.default.fileExists(atPath: url.path) else {
      return nil
    }
    return url
  }
}
