import Foundation
import XSandbox

/// The keys and tokens of a sandbox, as a client needs them.
struct SandboxCredentials: Encodable {
  struct App: Encodable {
    var consumerKey: String
    var consumerSecret: String
    var bearerToken: String
    var clientID: String
    var clientSecret: String?
  }

  struct User: Encodable {
    var id: String
    var username: String
    var password: String
    var accessToken: String
    var accessTokenSecret: String
    var oauth2AccessToken: String
  }

  var url: String
  var app: App
  var users: [User]

  init(_ sandbox: Sandbox) {
    url = sandbox.url.absoluteString
    app = App(
      consumerKey: sandbox.app.consumerKey, consumerSecret: sandbox.app.consumerSecret,
      bearerToken: sandbox.app.bearerToken, clientID: sandbox.app.clientID, clientSecret: sandbox.app.clientSecret)
    users = [sandbox.users.alice, sandbox.users.bob, sandbox.users.carol].map { user in
      User(
        id: user.id, username: user.username, password: user.password, accessToken: user.accessToken,
        accessTokenSecret: user.accessTokenSecret, oauth2AccessToken: user.oauth2AccessToken)
    }
  }

  func document() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    return try encoder.encode(self)
  }
}

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that its owner alone can read, from its first byte on.
enum PrivateFile {
  /// Writes a new file beside the place and moves it there, so that neither an old file's permissions nor a link decide
  /// who reads it.
  static func write(_ contents: Data, to path: String) throws {
    let temporary = path + ".\(UInt64.random(in: 0 ... .max))"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t(0o600))
    guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
    do {
      try handle.write(contentsOf: contents)
      try handle.close()
      guard rename(temporary, path) == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    } catch {
      _ = unlink(temporary)
      throw error
    }
  }
}
