import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import ChildProcesses
import Foundation
import TestSupport
import XCore

/// A provider in Python. `oauthlib`, which shares no code with this project, checks the signatures.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
final class Provider: @unchecked Sendable {
  enum Failure: Error { case didNotStart(String) }

  static let appSecret: Secret = "c&nsumer s3cr3t %+"
  static let password: Secret = "pass wörd&s3cr3t"

  let url: String
  /// A token of Alice's that was issued to the app `device`.
  let deviceToken: OAuth1Token
  private let process = Process()
  private let input = Pipe.forChildProcess()

  /// Starts a provider, passes it on, and always ends it.
  static func with(_ body: (Provider) async throws -> Void) async throws {
    await places.enter()
    do {
      try await start(body)
      await places.leave()
    } catch {
      await places.leave()
      throw error
    }
  }

  /// All tests begin at once, and each process takes memory.
  private static let places = Places(6)

  private static func start(_ body: (Provider) async throws -> Void) async throws {
    let provider = try await withCheckedThrowingContinuation { continuation in
      // Starting it blocks, which the concurrency pool's few threads must not.
      Thread.detachNewThread { continuation.resume(with: Result { try Provider() }) }
    }
    // A child inherits the blocked signals of the thread that starts it, so nothing less is sure to arrive.
    defer { kill(provider.process.processIdentifier, SIGKILL) }
    try await body(provider)
  }

  /// Blocks until the provider listens. It ends when its standard input does, so it cannot outlive the tests.
  private init() throws {
    let output = Pipe.forChildProcess()
    let program = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../Provider/provider.py")
    process.executableURL = Python.interpreter
    process.arguments = [program.path]
    process.standardInput = input
    process.standardOutput = output
    try process.start()
    let line = output.fileHandleForReading.availableData
    guard let start = try? JSONValue(jsonData: line), let port = start["port"]?.int,
      let device = start["device"]?.string
    else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure.didNotStart(String(decoding: line, as: UTF8.self))
    }
    url = "http://127.0.0.1:\(port)"
    deviceToken = try OAuth1Token(tokenString: Secret(device))
  }

  // MARK: - Clients

  /// Sends requests for X to the provider, once.
  func configuration(_ change: (inout ClientConfiguration) -> Void = { _ in }) -> ClientConfiguration {
    var configuration = ClientConfiguration(hosts: .all(to: url), retry: .never)
    change(&configuration)
    return configuration
  }

  func login(app: String = "app") -> OAuth1App {
    OAuth1App(.x, key: app, secret: Self.appSecret, configuration: configuration())
  }

  /// Signs with a token of the app's.
  func credentials(_ token: OAuth1Token, app: String = "app") -> OAuth1 {
    OAuth1(consumerKey: app, consumerSecret: Self.appSecret, token: token, hosts: ["api.x.com"])
  }

  /// A token of Alice's, by xAuth.
  func token(app: String = "app") async throws -> OAuth1Token {
    try await login(app: app).xAuth(username: "alice", password: Self.password)
  }

  func client(_ auth: some Authenticator) -> Client { Client(auth: auth, configuration: configuration()) }

  /// A form login at the provider.
  var forms: FormLogin { FormLogin(hosts: [authority]) }

  /// Host and port.
  var authority: String { String(url.dropFirst("http://".count)) }

  /// The requests that arrived since the start: method, path, query, where the signature was, realm.
  func log() async throws -> [JSONValue] {
    let client = Client(auth: [], configuration: ClientConfiguration())
    return try await client.call(.get, "\(url)/log", auth: .none).value.array ?? []
  }

  /// How often a path was requested.
  func count(_ path: String) async throws -> Int { try await log().count { $0["path"]?.string == path } }
}
