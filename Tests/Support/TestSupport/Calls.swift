import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import Testing
import XCore

/// A call of an endpoint made for one test.
package func endpoint(
  _ method: String = "GET", _ path: String = "/2/things", base: String = "https://api.example",
  auth: String = "none", repeatable: Bool = true, body: Endpoint.Body = .none, stream: StreamFraming? = nil
) -> Endpoint {
  Endpoint("testCall", method, base, path, auth: auth, repeatable: repeatable, body: body, stream: stream)
}

/// A client without credentials on a transport without sockets, that sends each call once.
package func client(
  _ auth: [any Authenticator] = [], hosts: BaseURLOverrides = .identity, _ transport: any Transport
) -> Client {
  Client(
    auth: auth, configuration: ClientConfiguration(transport: transport, hosts: hosts, retry: .never), conventions: .x)
}

/// Sends a call to a server that responds with `{}` and gives back what arrived there.
package func sent(
  _ call: Call, auth: [any Authenticator] = [], configure: (inout ClientConfiguration) -> Void = { _ in }
) async throws -> TransportRequest {
  let transport = InMemoryTransport { _ in .json("{}") }
  var configuration = ClientConfiguration(transport: transport)
  configure(&configuration)
  let _: Response<NoContent> = try await Client(auth: auth, configuration: configuration).send(call)
  return try #require(transport.requests.first)
}

/// The error of a call that must not succeed, and how many requests went out.
package func failure(
  _ call: Call, auth: [any Authenticator] = [], hosts: BaseURLOverrides = .identity,
  respond: @escaping InMemoryTransport.Responder = { _ in .json("{}") }
) async -> (error: CallError?, requests: [TransportRequest]) {
  let transport = InMemoryTransport(respond: respond)
  do throws(CallError) {
    let _: Response<JSONValue> = try await client(auth, hosts: hosts, transport).send(call)
    return (nil, transport.requests)
  } catch {
    return (error, transport.requests)
  }
}

extension TransportRequest {
  /// The body as text.
  package func bodyText() async throws -> String { String(decoding: try await body.collect(), as: UTF8.self) }

  /// The `Authorization` field.
  package var authorization: String? { head.headerFields[.authorization] }
}

/// Decoding of `application/x-www-form-urlencoded` that shares no code with what is tested.
package func decodeForm(_ text: String) -> [[String]] {
  guard !text.isEmpty else { return [] }
  return text.components(separatedBy: "&").map { pair in
    pair.components(separatedBy: "=").map {
      $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? "undecodable"
    }
  }
}

/// A date as header fields have it, written by code that is not tested.
package func httpDate(_ date: Date) -> String {
  let formatter = DateFormatter()
  formatter.locale = Locale(identifier: "en_US_POSIX")
  formatter.timeZone = TimeZone(identifier: "GMT")
  formatter.dateFormat = "EEE, dd MMM yyyy HH:mm:ss 'GMT'"
  return formatter.string(from: date)
}
