import CallsignHTTP
import CallsignSupport

/// One call of an API, as its catalogue describes it. Generated code holds one for each endpoint.
///
/// Declare it once, as a `static let`: it keeps its URL and its credentials in the form that calls need.
public final class Endpoint: Sendable {
  /// The format of the parameters in the body.
  public enum Body: UInt8, Sendable, Hashable {
    /// The call has no body, or one parameter is the whole of it.
    case none
    /// A JSON object, sent as `{}` when every member is left out (RFC 8259).
    case json
    /// `application/x-www-form-urlencoded`.
    case form
    /// `multipart/form-data` (RFC 7578).
    case multipart
  }

  /// The operation's name in the catalogue, such as `updateLists`.
  public let name: String
  /// The HTTP method in capitals (RFC 9110 §9).
  public let method: String
  /// Scheme, host and path prefix, such as `https://api.example.com`.
  public let baseURL: String
  /// The path after ``baseURL``, with `{placeholders}`.
  public let path: String
  /// The kinds of credentials that the API accepts, such as `oauth1 | oauth2(pets.write pets.read)`. Any one of them is enough. If
  /// this is empty, the catalogue does not say, so the client sends any credentials that it has.
  public let auth: String
  /// Whether the call may be sent again after its response was lost.
  public let isRepeatable: Bool
  /// The format of the body.
  public let body: Body
  /// The framing that separates the records of an endless response; `nil` for an ordinary response.
  public let stream: StreamFraming?
  /// The parameter that makes an endless response send again what a lost connection has missed; `nil` if there is none.
  public let backfill: StreamBackfill?
  /// Facts that few endpoints have, one per line: a word, a space and a value.
  ///
  /// - `content`: the media type of the body, such as `application/merge-patch+json`;
  /// - `accept`: the media type to ask for;
  /// - `idempotency`: the header field for a key that lets the API recognize a repeated call;
  /// - `end`: the data of the event that ends a stream, such as `[DONE]`;
  /// - `whole`: a stream's record is the whole event: an object with `event`, `id` and `data`.
  public let details: String

  /// The facts in ``details``.
  private let facts: EndpointDetails
  /// The compiled endpoint; `nil` if ``baseURL`` has variables.
  private let fixed: Result<CompiledEndpoint, InvalidCall>?
  /// The compiled endpoint for each base URL, if it has variables, after they have their values.
  private let compiled = Locked<[String: CompiledEndpoint]>([:])
  private static let hostLimit = 256

  /// Describes an endpoint.
  ///
  /// - Parameters:
  ///   - name: The operation's name.
  ///   - method: The HTTP method, in capitals.
  ///   - baseURL: Scheme, host and path prefix, without a slash at the end.
  ///   - path: The path, with `{placeholders}`.
  ///   - auth: The accepted credentials, separated by `|`.
  ///   - repeatable: Whether it may be sent again after its response was lost.
  ///   - body: The format of the body.
  ///   - stream: The framing of the records, for an endless response.
  ///   - backfill: How an endless response sends again what was missed.
  ///   - details: Facts that few endpoints have; see ``details``.
  public init(
    _ name: String, _ method: String, _ baseURL: String, _ path: String, auth: String = "", repeatable: Bool = false,
    body: Body = .none, stream: StreamFraming? = nil, backfill: StreamBackfill? = nil, details: String = ""
  ) {
    self.name = name
    self.method = method
    self.baseURL = baseURL
    self.path = path
    self.auth = auth
    self.isRepeatable = repeatable
    self.body = body
    self.stream = stream
    self.backfill = backfill
    self.details = details
    let facts: EndpointDetails = details.isEmpty ? .none : EndpointDetails(details)
    self.facts = facts
    guard !HostTemplate.hasVariables(baseURL) else {
      fixed = nil
      return
    }
    fixed = Result { () throws(InvalidCall) in
      try CompiledEndpoint(
        name: name, method: method, url: baseURL + path, auth: auth, isRepeatable: repeatable, body: body,
        details: facts)
    }
  }

  /// The endpoint with its method, URL and credentials checked and parsed. If ``baseURL`` has variables, the first call for
  /// each of their values does this.
  ///
  /// - Parameter hostVariables: The client's values of the variables in ``baseURL``.
  /// - Throws: ``InvalidCall`` if the method or the URL cannot be used.
  func compiled(_ hostVariables: [String: String]) throws(InvalidCall) -> CompiledEndpoint {
    if let fixed { return try fixed.get() }
    let url = try HostTemplate.filled(baseURL, hostVariables, endpoint: name)
    if let known = compiled.withLock({ $0[url] }) { return known }
    let endpoint = try CompiledEndpoint(
      name: name, method: method, url: url + path, auth: auth, isRepeatable: isRepeatable, body: body, details: facts)
    compiled.withLock { table in
      // A server may make calls for any number of tenants.
      if table.count >= Self.hostLimit { table = [:] }
      table[url] = endpoint
    }
    return endpoint
  }
}

/// The framing that separates the records of an endless response.
public enum StreamFraming: UInt8, Sendable, Hashable {
  /// One record a line, ended by CR LF or LF; empty lines keep the connection alive.
  case lines
  /// A line with the decimal byte count of the record, then as many bytes.
  case length
  /// Server-sent events, as the WHATWG HTML standard describes event streams. A record is an event's data.
  case events
  /// One JSON array, whose elements are the records. The array's end is the stream's.
  case array
}

/// The parameter that makes a stream's endpoint send again what a lost connection has missed.
public struct StreamBackfill: Sendable {
  /// The query parameter for the number of minutes to send again.
  public let parameter: String
  /// The maximum number of minutes.
  public let limit: Int
  /// The dotted path of a record's id, such as `data.id`; `nil` for records without an id, which are compared as a
  /// whole.
  public let id: String?

  /// Describes a parameter whose value is a number of minutes, from 1.
  ///
  /// - Parameters:
  ///   - parameter: Its name.
  ///   - limit: The maximum number of minutes.
  ///   - id: The dotted path of a record's id.
  public static func minutes(_ parameter: String, upTo limit: Int, id: String? = nil) -> StreamBackfill {
    StreamBackfill(parameter: parameter, limit: limit, id: id)
  }

  init(parameter: String, limit: Int, id: String?) {
    self.parameter = parameter
    self.limit = limit
    self.id = id
  }
}
