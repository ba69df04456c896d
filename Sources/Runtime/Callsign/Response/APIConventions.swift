import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The conventions of an API that are not part of its endpoints: the header fields for rate limits, the format of
/// errors, advice on them, and the message that ends a stream.
///
/// Every requirement has a default that follows the RFCs and common practice. For an API that differs, write a type and
/// name it in its ``APIClient/conventions``.
public protocol APIConventions: Sendable {
  /// Reads the state of an endpoint's rate limit; `nil` if the header fields state none.
  func rateLimit(in headers: HTTPFields) -> RateLimit?

  /// Reads the problems that an error's XML body states; empty if it states none. Bodies of JSON and plain text are read without
  /// this.
  func problems(inXML body: Data) -> [ProblemDetails]

  /// Whether an error says that a limit is used up although its status is neither 429 nor 420.
  func isRateLimited(_ error: APIError) -> Bool

  /// Whether an error of status 429 or 420 means that a quota is used up, such as what a plan includes for a month. A
  /// quota is not a window's limit, so it does not come back when a window ends. Such a call fails like any other
  /// ``CallError/api(_:)``, and nothing waits for it.
  func isQuotaExceeded(_ error: APIError) -> Bool

  /// The members of a successful response. At least one of them is not null. An object with none of them but with `errors` means
  /// that the call failed, whatever its status. Leave this empty, the default, if the status is enough to know.
  var resultMembers: [String] { get }

  /// Advice on an error, in one sentence; `nil` if there is none.
  func advice(for error: APIError) -> String?

  /// The problem that explains why the API refused the credentials; `nil` if a 403 is about the requested resource
  /// instead. A 401 is always about the credentials.
  func credentialProblem(in error: APIError) -> ProblemDetails?

  /// Advice on one problem, in one sentence; `nil` if there is none.
  func advice(for problem: ProblemDetails) -> String?

  /// Reads the record that a stream sends before it disconnects; `nil` for any other record. This is called for every
  /// record, so it must return quickly. The record may be a slice, whose indices do not begin with zero.
  func disconnect(in record: Data) -> StreamDisconnect?

  /// When a stream's record was created, by the server's clock, for APIs whose IDs contain the time; otherwise `nil`. The stream
  /// uses it to know how far it has read, whenever the record arrives.
  func date(ofRecordWithID id: String) -> Date?

  /// The query parameters that limit a call to a time span, if they are the same for all calls; `nil` if there are
  /// none. A stream uses them to know that it ends, and polling uses them to ask for new elements.
  var timeSpan: TimeSpanParameters? { get }
}

extension APIConventions {
  /// Reads the `RateLimit` fields of the IETF draft, and `x-ratelimit-*` as GitHub and many others send them.
  public func rateLimit(in headers: HTTPFields) -> RateLimit? { RateLimit(standardFields: headers) }

  /// None are read: APIs that send errors as XML have their own elements.
  public func problems(inXML body: Data) -> [ProblemDetails] { [] }

  /// Always `false`: only the statuses 429 and 420 mean a rate limit.
  public func isRateLimited(_ error: APIError) -> Bool { false }

  /// Always `false`: each 429 and 420 is about a window.
  public func isQuotaExceeded(_ error: APIError) -> Bool { false }

  /// Empty: a successful status means that the call was carried out.
  public var resultMembers: [String] { [] }

  /// The advice on the first problem that has any.
  public func advice(for error: APIError) -> String? {
    error.problems.lazy.compactMap { advice(for: $0) }.first
  }

  /// Always `nil`.
  public func credentialProblem(in error: APIError) -> ProblemDetails? { nil }

  /// Always `nil`.
  public func advice(for problem: ProblemDetails) -> String? { nil }

  /// Always `nil`: streams end without a message.
  public func disconnect(in record: Data) -> StreamDisconnect? { nil }

  /// Always `nil`: ids do not contain a time.
  public func date(ofRecordWithID id: String) -> Date? { nil }

  /// Always `nil`.
  public var timeSpan: TimeSpanParameters? { nil }
}

/// The query parameters that limit a call to a time span. Their values are RFC 3339 dates.
public struct TimeSpanParameters: Sendable, Hashable {
  /// The parameter for the start of the time span.
  public var start: String
  /// The parameter for the end of the time span.
  public var end: String

  /// Names both parameters.
  public init(start: String, end: String) {
    self.start = start
    self.end = end
  }
}

/// The conventions of an API that follows the RFCs and adds nothing to them.
public struct StandardConventions: APIConventions {
  /// The defaults of every requirement.
  public init() {}
}

extension APIConventions where Self == StandardConventions {
  /// The defaults of every requirement.
  public static var standard: StandardConventions { StandardConventions() }
}

/// An API's message, in a stream, that it is about to disconnect.
public struct StreamDisconnect: Sendable, Hashable {
  /// The number of the cause, for APIs that have one.
  public var code: Int?
  /// The kind of disconnection in the API's words, for APIs that name it.
  public var kind: String?
  /// The reason in the API's words, if it gives one.
  public var reason: String?
  /// The name of the stream, if it has one.
  public var streamName: String?
  /// The complete message.
  public var document: JSONValue
  /// The kind of failure that this counts as. ``ReconnectPolicy`` uses it to choose the wait before the next
  /// connection.
  public var cause: DisconnectReason

  /// Describes a message.
  public init(
    code: Int? = nil, kind: String? = nil, reason: String? = nil, streamName: String? = nil, document: JSONValue,
    cause: DisconnectReason = .httpError
  ) {
    self.code = code
    self.kind = kind
    self.reason = reason
    self.streamName = streamName
    self.document = document
    self.cause = cause
  }
}

/// The kinds of failure that ``ReconnectPolicy`` distinguishes.
public enum DisconnectReason: Hashable, Sendable {
  /// The server ended the response.
  case end
  /// The connection was lost, or fell silent.
  case network
  /// The server refused the connection with an error that may be temporary.
  case httpError
  /// The server refused the connection because of a rate limit.
  case rateLimit
}
