import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation

/// A folder of a test's own, removed with it, with a place for a store in it.
final class TestFolder: Sendable {
  let url: URL
  var tokens: URL { url.appendingPathComponent("tokens") }
  var store: FileTokenStore { FileTokenStore(folder: tokens) }

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-tokens-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  /// The names of the files of the store, sorted.
  func names() throws -> [String] { try FileManager.default.contentsOfDirectory(atPath: tokens.path).sorted() }

  /// The only token's file.
  func tokenFile() throws -> URL {
    guard let name = try names().first(where: { $0.hasSuffix(".json") }) else { throw CocoaError(.fileNoSuchFile) }
    return tokens.appendingPathComponent(name)
  }

  static func mode(_ url: URL) throws -> Int {
    try FileManager.default.attributesOfItem(atPath: url.path)[.posixPermissions] as? Int ?? -1
  }
}
