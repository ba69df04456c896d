import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import Logging
import TestSupport
import Testing

@Suite("Usernames and passwords stay in the request") struct PasswordSecrecyTests {
  private static let password: Secret = "pass-word-1"
  private static let hosts: AllowedHosts = ["api.example"]
  /// The password in every form in which it is sent or stored.
  private static let secrets = ["pass-word-1", Data("user-name-1:pass-word-1".utf8).base64EncodedString()]
  private static let challenge = #"Digest realm="r", nonce="n", qop="auth", algorithm=SHA-256, Basic realm="r""#

  private var authenticators: [any Authenticator] {
    [
      HTTPBasic(username: "user-name-1", password: Self.password, hosts: Self.hosts),
      HTTPDigest(username: "user-name-1", password: Self.password, hosts: Self.hosts),
    ]
  }

  private func everythingPrinted(_ value: Any) -> String {
    var dumped = ""
    dump(value, to: &dumped)
    return "\(value) \(String(reflecting: value)) \(dumped) \(Mirror(reflecting: value).children.map { "\($0)" })"
  }

  @Test("Authenticators print nothing") func authenticatorsPrintNothing() async throws {
    for authenticator in authenticators {
      // After a challenge, there is more to keep.
      let transport = InMemoryTransport { request in
        request.head.headerFields[.authorization] == nil
          ? .json("{}", status: .unauthorized, headerFields: [.wwwAuthenticate: Self.challenge]) : .json("{}")
      }
      let client = Client(auth: [authenticator], configuration: ClientConfiguration(transport: transport))
      _ = try await client.call(.get, "https://api.example/a")
      for value in [authenticator, authenticator.identity, client] as [Any] {
        let text = everythingPrinted(value)
        for secret in Self.secrets { #expect(!text.contains(secret), "\(type(of: value)) prints a secret") }
        #expect(!text.contains("user-name-1"))
      }
    }
  }

  @Test(
    "A server that repeats requests gets nothing secret into errors and logs",
    arguments: [HTTPResponse.Status.unauthorized, .forbidden, .badRequest, .internalServerError])
  func errorsAndLogs(status: HTTPResponse.Status) async throws {
    let collector = LogCollector()
    var logger = Logger(label: "test") { _ in collector }
    logger.logLevel = .trace
    let transport = InMemoryTransport { request in
      let echo = (request.head.headerFields[.authorization] ?? "").replacing("\"", with: "'")
      return .json(
        #"{"detail":"\#(echo)"}"#, status: status, headerFields: [.wwwAuthenticate: Self.challenge])
    }
    for authenticator in authenticators {
      let client = Client(
        auth: [authenticator], configuration: ClientConfiguration(transport: transport, logger: logger))
      for _ in 0..<3 {
        let error = await #expect(throws: CallError.self) { try await client.call(.get, "https://api.example/a") }
        let text = error.map { "\($0) \($0.localizedDescription) \(String(reflecting: $0))" } ?? ""
        for secret in Self.secrets { #expect(!text.contains(secret), "\(text)") }
        // Its parameter may be named, and has no value.
        #expect(!text.replacing("response='REDACTED'", with: "").contains("response='"), "\(text)")
      }
    }
    #expect(!collector.text.isEmpty)
    for secret in Self.secrets + ["user-name-1"] { #expect(!collector.text.contains(secret)) }
  }
}
