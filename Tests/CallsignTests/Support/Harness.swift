import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import CallsignTesting
import Foundation
import HTTPTypes
import Testing
import XCore

/// A call of an endpoint made for one test.
func endpoint(
  _ method: StaticString = "GET", _ path: StaticString = "/2/things", base: StaticString = "https://api.example",
  auth: StaticString = "none", repeatable: Bool = true, body: Endpoint.Body = .none, stream: StreamFraming? = nil
) -> Endpoint {
  Endpoint("testCall", method, base, path, auth: auth, repeatable: repeatable, body: body, stream: stream)
}

/// A client without credentials on a transport without sockets, that sends each call once.
func client(
  _ auth: [any Authenticator] = [], hosts: BaseURLOverrides = .identity, _ transport: any Transport
) -> Client {
  Client(
    auth: auth, configuration: ClientConfiguration(transport: transport, hosts: hosts, retry: .never), conventions: .x)
}

/// Sends a call to a server that answers `{}` and gives back what arrived there.
func sent(
  _ call: Call, auth: [any Authenticator] = [], configure: (inout ClientConfiguration) -> Void = { _ in }
) async throws -> TransportRequest {
  let transport = InMemoryTransport { _ in .json("{}") }
  var configuration = ClientConfiguration(transport: transport)
  configure(&configuration)
  let _: Response<NoContent> = try await Client(auth: auth, configuration: configuration).send(call)
  return try #require(transport.requests.first)
}

/// The error of a call that must not succeed, and how many requests went out.
func failure(
  _ call: Call, auth: [any Authenticator] = [], hosts: BaseURLOverrides = .identity,
  answer: @escaping InMemoryTransport.Answer = { _ in .json("{}") }
) async -> (error: CallError?, requests: [TransportRequest]) {
  let transport = InMemoryTransport(answer: answer)
  do throws(CallError) {
    let _: Response<JSONValue> = try await client(auth, hosts: hosts, transport).send(call)
    return (nil, transport.requests)
  } catch {
    return (error, transport.requests)
  }
}

extension TransportRequest {
  /// The body as text.
  func bodyText() async throws -> String { String(decoding: try await body.collect(), as: UTF8.self) }

  /// The `Authorization` field.
  var authorization: String? { head.headerFields[.authorization] }
}

/// A random number generator that yields the same numbers for the same seed (SplitMix64).
struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A text with a taste for the characters that make trouble.
  mutating func text(length: ClosedRange<Int>) -> String {
    let troublesome = Array("%+& =/?#;:@!$'()*,[]{}<>\"\\^`|~-._\u{0}\r\n\té漢😀👩‍👩‍👧ﬀ\u{301}")
    return String(
      (0..<Int.random(in: length, using: &self)).map { _ in
        Bool.random(using: &self)
          ? troublesome.randomElement(using: &self) ?? "a"
          : Character(Unicode.Scalar(UInt8.random(in: 0x20...0x7E, using: &self)))
      })
  }
}

/// Decoding of `application/x-www-form-urlencoded` that shares no code with what is tested.
func decodeForm(_ text: String) -> [[String]] {
  guard !text.isEmpty else { return [] }
  return text.components(separatedBy: "&").map { pair in
    pair.components(separatedBy: "=").map {
      $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "undecodable"
    }
  }
}
