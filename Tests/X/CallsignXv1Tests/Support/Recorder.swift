import Callsign
import CallsignTesting
import CallsignX
import CallsignXv1
import Foundation
import HTTPTypes
import Testing

/// A client whose requests are recorded and responded without a socket.
struct Recorder {
  let v1: XAPIv1
  let transport: InMemoryTransport

  /// - Parameter response: The body of every response.
  init(_ response: String = "{}", status: HTTPResponse.Status = .ok, auth: [any Authenticator] = [AnyCredentials()]) {
    self.init(auth: auth) { _ in .json(response, status: status) }
  }

  init(auth: [any Authenticator] = [AnyCredentials()], respond: @escaping InMemoryTransport.Responder) {
    transport = InMemoryTransport(respond: respond)
    v1 = XAPIv1(auth: auth, configuration: ClientConfiguration(transport: transport, retry: .never))
  }

  /// The requests so far as `METHOD authority/path?query body`; a body that is not text by its length.
  func lines() async throws -> [String] {
    var lines: [String] = []
    for request in transport.requests {
      let head = request.head
      let body = String(decoding: try await request.body.collect(), as: UTF8.self)
      lines.append(
        "\(head.method) \(head.authority ?? "")\(head.path ?? "")" + (body.isEmpty ? "" : " " + body))
    }
    return lines
  }

  /// The one request that `call` sends. The response does not matter.
  static func sent(_ call: (XAPIv1) async throws -> Void) async throws -> String {
    let recorder = Recorder()
    // `{}` is not what every method expects.
    do { try await call(recorder.v1) } catch CallError.decoding {} catch CallError.unreadableResult {}
    let lines = try await recorder.lines()
    #expect(lines.count == 1)
    return try #require(lines.first)
  }

  /// The error of a call that must not succeed, and how many requests were sent.
  static func failure(
    _ response: String = "{}", status: HTTPResponse.Status = .ok, _ call: (XAPIv1) async throws(CallError) -> Void
  ) async -> (error: CallError?, count: Int) {
    let recorder = Recorder(response, status: status)
    do throws(CallError) {
      try await call(recorder.v1)
      return (nil, recorder.transport.requests.count)
    } catch { return (error, recorder.transport.requests.count) }
  }
}

/// Accepts everything, so that tests need no signatures.
struct AnyCredentials: Authenticator {
  var hosts: AllowedHosts { .catalogue }
  var identity: CredentialIdentity { CredentialIdentity("test", account: "") }

  func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {}
}

/// Small responses that are what the methods expect.
enum Sample {
  static let user = #"{"id":12,"id_str":"12","screen_name":"jack"}"#
  static let tweet = #"{"created_at":"Tue Mar 21 20:50:14 +0000 2006","id":20,"id_str":"20","text":"just setting up"}"#
}
