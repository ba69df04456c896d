import Callsign
import CallsignAuth
import Foundation
import HTTPTypes
import Workload

/// Whole typed calls, with a transport in memory or to this program's server, and the transports on their own.
struct CallBench {
  /// The port of this program's server.
  let port: Int
  /// The port of another server, whose responses have another size.
  let otherPort: Int

  func work(_ name: String) -> Work? {
    switch name {
    case "call-bearer": Self.call(Responses.bearer, Self.memory, nil)
    case "call-oauth1": Self.call(Self.oauth1, Self.memory, nil)
    case "call-fields": Self.call(Responses.bearer, Self.memory, BenchAPI.standard)
    case "http-bearer", "first-call": Self.call(Responses.bearer, loopback, nil)
    case "http-oauth1": Self.call(Self.oauth1, loopback, nil)
    case "http-fields": Self.call(Responses.bearer, loopback, BenchAPI.standard)
    case "http-bare", "first-exchange": Self.exchange(port, Responses.user.count, by: DefaultTransport.shared)
    case "transport": Self.exchange(otherPort, nil, by: DefaultTransport.shared)
    case "urlsession": Self.exchange(otherPort, nil, by: URLSessionTransport())
    default: nil
    }
  }

  private static let oauth1: any Authenticator = OAuth1(
    consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

  private static let memory = ClientConfiguration(transport: Responses.MemoryTransport())

  private var loopback: ClientConfiguration { ClientConfiguration(hosts: .all(to: "http://127.0.0.1:\(port)")) }

  private static func call(
    _ auth: any Authenticator, _ configuration: ClientConfiguration, _ userFields: [BenchAPI.UserField]?
  ) -> Work {
    let api = BenchAPI(client: Client(auth: [auth], configuration: configuration))
    return { count in
      for _ in 0..<count {
        let me = try await api.getUsersMe(userFields: userFields)
        guard me.data.id == "2244994945" else { throw Unexpected() }
      }
    }
  }

  /// The same request and response with only the transport.
  ///
  /// - Parameter length: The length of the body; `nil` for any length.
  private static func exchange(_ port: Int, _ length: Int?, by transport: any Transport) -> Work {
    var head = HTTPRequest(method: .get, scheme: "http", authority: "127.0.0.1:\(port)", path: "/2/users/me")
    head.headerFields = [.accept: "application/json", .userAgent: "Callsign/0.1", .authorization: "Bearer token"]
    let request = TransportRequest(head: head)
    return { count in
      for _ in 0..<count {
        let response = try await transport.send(request)
        let count = try await response.body.collect().count
        guard response.head.status == .ok, count == length ?? count else { throw Unexpected() }
      }
    }
  }
}
