import Callsign
import Foundation
import Testing

/// A client whose requests are recorded and responded without a socket.
struct Recorder {
  let petstore: Petstore
  private let transport: InMemoryTransport

  /// - Parameter responses: The bodies of the responses, one after the other; the last one again and again.
  init(_ responses: String...) {
    let script = Script(responses)
    transport = InMemoryTransport { _ in .json(await script.next()) }
    petstore = Petstore(auth: Credentials(), configuration: ClientConfiguration(transport: transport))
  }

  /// The requests so far, as `METHOD authority/path?query`.
  var lines: [String] {
    transport.requests.map { "\($0.head.method) \($0.head.authority ?? "")\($0.head.path ?? "")" }
  }

  /// The last request's path with its query.
  func path() throws -> String { try #require(transport.requests.last?.head.path) }

  /// The last request's query, part by part.
  func query() throws -> [String] {
    let path = try path()
    guard let start = path.firstIndex(of: "?") else { return [] }
    return path[path.index(after: start)...].split(separator: "&").map(String.init)
  }

  func header(_ name: String) throws -> String? {
    try #require(transport.requests.last).head.headerFields.first { $0.name.rawName == name }?.value
  }

  /// The last request's body.
  func body() async throws -> String {
    String(decoding: try await #require(transport.requests.last).body.collect(), as: UTF8.self)
  }

  var count: Int { transport.requests.count }
}

/// Accepts everything, so that tests need no signatures.
struct Credentials: Authenticator {
  var hosts: AllowedHosts { .catalogue }
  var identity: CredentialIdentity { CredentialIdentity("test", account: "") }

  func satisfies(_ requirement: AuthRequirement) -> Bool { true }

  func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {}
}

private actor Script {
  private var responses: [String]

  init(_ responses: [String]) { self.responses = responses }

  func next() -> String { responses.count > 1 ? responses.removeFirst() : responses.first ?? "{}" }
}

/// Midnight UTC of 1 January 2020.
let newYear = Date(timeIntervalSince1970: 1_577_836_800)
/// The smallest JSON that is a pet.
let petJSON = #"{"id":"7","name":"Rex","motto":null}"#
