import Foundation

/// The policy for test data and programs that a machine may lack: without them a suite is skipped, but with `CI` set it
/// runs and fails.
enum Requirement {
  static let isEnforced = ProcessInfo.processInfo.environment["CI"] != nil
}

/// Test data that is not part of the package.
enum Corpora {
  /// The folder named by `CALLSIGN_CORPORA`, else `shared/corpora` beside or above the package.
  static let folder: URL? = {
    if let named = ProcessInfo.processInfo.environment["CALLSIGN_CORPORA"] {
      return existing(URL(fileURLWithPath: named))
    }
    var parent = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    while parent.path != "/" {
      if let folder = existing(parent.appendingPathComponent("shared/corpora")) { return folder }
      parent.deleteLastPathComponent()
    }
    return nil
  }()

  private static func existing(_ url: URL) -> URL? {
    FileManager.default.fileExists(atPath: url.path) ? url : nil
  }

  /// Whether tests that need a file run: it is there, or `CI` is set, where its absence is a failure.
  static func has(_ path: String) -> Bool { Requirement.isEnforced || lines(path) != nil }

  static func lines(_ path: String) -> [String]? {
    guard let url = folder?.appendingPathComponent(path), let text = try? String(contentsOf: url, encoding: .utf8)
    else { return nil }
    return text.split(separator: "\n").map(String.init)
  }
}
