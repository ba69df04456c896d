import Callsign
import CallsignAuth
import CallsignHTTP
import ChildProcesses
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

/// A provider in Python that checks requests with `authlib`; see `authorization_server.py`.
///
/// `@unchecked Sendable`: nothing changes after `init`, and the process is only ended.
final class AuthorizationServer: @unchecked Sendable {
  enum Failure: Error { case didNotStart, noRedirect(Int, String) }

  struct API: APIClient {
    let client: Client
    static let baseURLs: [StaticString] = ["https://api.test"]
  }

  /// The provider's own address; all requests are led to the process.
  static let provider = OAuth2Provider(
    authorizeURL: "https://api.test/authorize", tokenURL: "https://api.test/token",
    revokeURL: "https://api.test/revoke")

  let url: String
  private let process = Process()
  private let input = Pipe.forChildProcess()

  /// Starts a server, passes it on, and always ends it.
  static func with(_ body: (AuthorizationServer) async throws -> Void) async throws {
    let server = try await onThread { try AuthorizationServer() }
    defer { server.stop() }
    try await body(server)
  }

  /// Blocks until the server listens. It ends when its standard input does, so it cannot outlive the tests.
  private init() throws {
    let output = Pipe.forChildProcess()
    let script = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent(
      "authorization_server.py")
    process.executableURL = Python.interpreter
    process.arguments = [script.path]
    process.standardInput = input
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    try process.start()
    let line = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard let port = UInt16(line.trimmingCharacters(in: .whitespacesAndNewlines)) else {
      kill(process.processIdentifier, SIGKILL)
      throw Failure.didNotStart
    }
    url = "http://127.0.0.1:\(port)"
  }

  private func stop() { kill(process.processIdentifier, SIGKILL) }

  /// How a client reaches the server.
  func configuration(time: any TimeSource = SystemTime()) -> ClientConfiguration {
    ClientConfiguration(hosts: .all(to: url), time: time)
  }

  /// A client of the provider's API.
  func api(_ auth: any Authenticator, time: any TimeSource = SystemTime()) -> API {
    API(client: Client(auth: [auth], configuration: configuration(time: time)))
  }

  /// Changes how the server behaves, and says what it has seen.
  @discardableResult
  func control(_ changes: JSONValue = [:]) async throws -> JSONValue {
    let client = Client(auth: [], configuration: configuration())
    return try await client.call(.post, "https://api.test/control", body: .json(changes), auth: .none).value
  }

  /// How many requests of a kind the server has seen.
  func seen(_ name: String) async throws -> Int { try await control()["seen"]?[name]?.int ?? 0 }

  /// Acts as the person: opens the page, and comes back with a redirect.
  func decide(_ page: URL, decision: String = "allow") async throws -> URL {
    let target = try #require(URLComponents(url: page, resolvingAgainstBaseURL: false))
    let response = try await DefaultTransport.shared.send(
      TransportRequest(
        head: HTTPRequest(
          method: .get, scheme: "http", authority: "127.0.0.1:\(target.port ?? 0)",
          path: "\(target.path)?\(target.percentEncodedQuery ?? "")&decision=\(decision)")))
    let body = String(decoding: try await response.body.collect(), as: UTF8.self)
    guard let location = response.head.headerFields[.location], let url = URL(string: location) else {
      throw Failure.noRedirect(response.head.status.code, body)
    }
    return url
  }

  /// Logs alice in.
  @discardableResult
  func logIn(
    _ oauth2: OAuth2, scopes: [OAuth2Scope] = [.tweetRead, .usersRead, .offlineAccess],
    time: any TimeSource = SystemTime()
  ) async throws -> StoredToken {
    let login = try oauth2.beginLogin(
      scopes: scopes, redirectURI: "myapp://login", configuration: configuration(time: time))
    return try await login.complete(redirect: try await decide(login.url))
  }
}
