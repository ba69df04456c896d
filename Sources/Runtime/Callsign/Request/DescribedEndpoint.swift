import CallsignHTTP
import CallsignSupport

/// An endpoint that is described at run time, by a catalogue that was read, instead of by the literals of generated
/// code.
///
/// A call of it goes the same way as one of an ``Endpoint`` with the same facts.
package final class DescribedEndpoint: Sendable {
  /// The operation's name in the catalogue.
  package let name: String
  /// The HTTP method in capitals.
  package let method: String
  /// Scheme, host and path prefix; variables as ``HostTemplate`` has them.
  package let baseURL: String
  /// The path after ``baseURL``, with `{placeholders}`.
  package let path: String
  /// The accepted credentials, separated by `|`.
  package let auth: String
  let traits: EndpointTraits
  private let details: EndpointDetails
  /// The endpoint taken apart, by the base URL with the values of its variables.
  private let compiled = Locked<[String: CompiledEndpoint]>([:])
  private static let hostLimit = 256

  /// Describes an endpoint, as ``Endpoint`` does.
  ///
  /// - Parameters:
  ///   - name: The operation's name.
  ///   - method: The HTTP method, in capitals.
  ///   - baseURL: Scheme, host and path prefix, without a slash at the end.
  ///   - path: The path, with `{placeholders}`.
  ///   - auth: The accepted credentials, separated by `|`.
  ///   - repeatable: Whether it may be sent again when its response was lost.
  ///   - body: The form of the body.
  ///   - stream: How records are told apart, for an endless response.
  ///   - backfill: How an endless response sends again what was missed.
  ///   - details: Facts that few endpoints have; see ``Endpoint/details``.
  package init(
    _ name: String, _ method: String, _ baseURL: String, _ path: String, auth: String, repeatable: Bool,
    body: Endpoint.Body, stream: StreamFraming?, backfill: StreamBackfill?, details: String
  ) {
    self.name = name
    self.method = method
    self.baseURL = baseURL
    self.path = path
    self.auth = auth
    traits = EndpointTraits(body: body, stream: stream, backfill: backfill, isRepeatable: repeatable)
    self.details = details.isEmpty ? .none : EndpointDetails(details)
  }

  /// The endpoint taken apart, which happens on the first call of it.
  ///
  /// - Throws: ``InvalidCall`` when its method or URL cannot be used.
  func compiled(_ hostVariables: [String: String]) throws(InvalidCall) -> CompiledEndpoint {
    let url = try baseURL.contains("{") ? HostTemplate.filled(baseURL, hostVariables, endpoint: name) : baseURL
    if let known = compiled.withLock({ $0[url] }) { return known }
    let endpoint = try CompiledEndpoint(
      name: name, method: method, url: url + path, auth: auth, isRepeatable: traits.isRepeatable, body: traits.body,
      details: details)
    compiled.withLock { table in
      // A server may call for any number of tenants.
      if table.count >= Self.hostLimit { table = [:] }
      table[url] = endpoint
    }
    return endpoint
  }
}

/// The facts of an endpoint by which pages and streams go on.
package struct EndpointTraits: Sendable {
  package let body: Endpoint.Body
  package let stream: StreamFraming?
  package let backfill: StreamBackfill?
  package let isRepeatable: Bool

  init(body: Endpoint.Body, stream: StreamFraming?, backfill: StreamBackfill?, isRepeatable: Bool) {
    self.body = body
    self.stream = stream
    self.backfill = backfill
    self.isRepeatable = isRepeatable
  }

  init(_ endpoint: Endpoint) {
    self.init(
      body: endpoint.body, stream: endpoint.stream, backfill: endpoint.backfill, isRepeatable: endpoint.isRepeatable)
  }
}
