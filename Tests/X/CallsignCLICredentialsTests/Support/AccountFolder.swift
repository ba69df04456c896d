import CallsignCLICredentials
import Foundation

/// A home folder of a test's own, removed with it.
final class AccountFolder: Sendable {
  let url: URL
  var xurl: CLIAccountFile { .xurl(url.appendingPathComponent(".xurl")) }
  var twurl: CLIAccountFile { .twurl(url.appendingPathComponent(".twurlrc")) }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-accounts-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func write(_ text: String, to name: String, mode: Int = 0o600) throws {
    let file = url.appendingPathComponent(name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file.path)
  }

  /// The error that reading ends with.
  func failure(
    _ files: [CLIAccountFile]? = nil, allowingFilesOfOthers: Bool = false
  ) async -> CLIAccountError? {
    do throws(CLIAccountError) {
      _ = try await CLIAccounts.read(files ?? [xurl, twurl], allowingFilesOfOthers: allowingFilesOfOthers)
    } catch { return error }
    return nil
  }
}
