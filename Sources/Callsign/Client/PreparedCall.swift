import CallsignHTTP
import Foundation
import HTTPTypes

/// A call with everything settled but its credentials: what each attempt is made from.
package struct PreparedCall: Sendable {
  /// Which credentials go along.
  package enum Credentials: Sendable, Hashable {
    /// Those that one of these alternatives asks for; without alternatives, whichever there are.
    case accepted([AuthRequirement])
    /// None, as the caller wishes.
    case unsigned
  }

  /// For errors and logs: the endpoint's name, or the method and path of a free call.
  var name: String
  var method: HTTPRequest.Method
  /// The URL that is meant, by which credentials are bounded.
  var url: AbsoluteURL
  /// The URL that the request goes to.
  var address: AbsoluteURL
  /// Whether the called API's catalogue names the host of ``url``.
  var isNamedByCatalogue: Bool
  var headers: HTTPFields
  var body: RequestBody
  var timeouts: Timeouts
  var credentials: Credentials
  var isRepeatable: Bool
  /// What the call does differently from its client.
  var options: CallOptions

  package init(
    name: String, method: HTTPRequest.Method, url: AbsoluteURL, address: AbsoluteURL, isNamedByCatalogue: Bool,
    headers: HTTPFields, body: RequestBody, timeouts: Timeouts, credentials: Credentials, isRepeatable: Bool,
    options: CallOptions
  ) {
    self.name = name
    self.method = method
    self.url = url
    self.address = address
    self.isNamedByCatalogue = isNamedByCatalogue
    self.headers = headers
    self.body = body
    self.timeouts = timeouts
    self.credentials = credentials
    self.isRepeatable = isRepeatable
    self.options = options
  }

  /// Takes an answer of any kind, unless the call itself asks for one.
  mutating func acceptAnything() {
    if headers[.accept] == ClientConfiguration.acceptedByDefault { headers[.accept] = "*/*" }
  }

  /// A request for one attempt, without credentials.
  func request(to address: AbsoluteURL) -> TransportRequest {
    let head = HTTPRequest(
      method: method, scheme: address.scheme, authority: address.authority, path: address.target,
      headerFields: headers)
    return TransportRequest(head: head, body: body, timeouts: timeouts)
  }
}
