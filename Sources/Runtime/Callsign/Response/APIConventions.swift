import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The conventions of an API beside its endpoints: the header fields that state its limits, its wording of errors, the
/// advice on them, and the goodbye of a stream.
///
/// Every requirement has a default that follows the RFCs and what most APIs do. An API that differs has a type of its own,
/// which its ``APIClient/conventions`` names.
public protocol APIConventions: Sendable {
  /// Reads the state of an endpoint's rate limit; `nil` where the header fields state none.
  func rateLimit(in headers: HTTPFields) -> RateLimit?

  /// Reads the problems that an error's XML body states; empty if it states none. Bodies of JSON and plain text are read without
  /// this.
  func problems(inXML body: Data) -> [ProblemDetails]

  /// Whether an error says that a limit is used up although its status is neither 429 nor 420.
  func isRateLimited(_ error: APIError) -> Bool

  /// Whether an error of status 429 or 420 says that a quota is used up, such as what a plan includes for a month, and not
  /// the limit of a window: no window's end is the end of it. Such a call is refused, as by any other ``CallError/api(_:)``,
  /// and not waited for.
  func isQuotaExceeded(_ error: APIError) -> Bool

  /// The members of a successful response, of which it has at least one that is not null. An object that has none of them
  /// and states `errors` says that the call failed, whatever its status. Empty, the default, if the status says it.
  var resultMembers: [String] { get }

  /// Advice on an error, in one sentence; `nil` where nothing is known of it.
  func advice(for error: APIError) -> String?

  /// Advice by the problem that says why the API refused the credentials; `nil` where a 403 is about what was asked for
  /// instead. A 401 is always about the credentials.
  func credentialProblem(in error: APIError) -> ProblemDetails?

  /// Advice on one problem, in one sentence; `nil` where nothing is known of it.
  func advice(for problem: ProblemDetails) -> String?

  /// Reads the record by which a stream announces that it disconnects; `nil` for any other record. It is asked about every
  /// record, so it must be quick to say no. The record may be a slice, whose indices do not begin with zero.
  func disconnect(in record: Data) -> StreamDisconnect?

  /// The time at which a stream's record was made, by the server's clock, for APIs whose ids tell; `nil` where they do
  /// not. By this a stream knows how far it has read, whenever the record arrives.
  func date(ofRecordWithID id: String) -> Date?

  /// The query parameters that bound a call to a span of time, where all calls have the same; `nil` where they have none. By
  /// these a stream knows that it ends, and a poll how to ask for what is new.
  var timeSpan: TimeSpanParameters? { get }
}

extension APIConventions {
  /// Reads the `RateLimit` fields of the IETF draft, and `x-ratelimit-*` as GitHub and many others send them.
  public func rateLimit(in headers: HTTPFields) -> RateLimit? { RateLimit(standardFields: headers) }

  /// None are read: APIs that send errors as XML have their own elements.
  public func problems(inXML body: Data) -> [ProblemDetails] { [] }

  /// No other status than 429 and 420 says so.
  public func isRateLimited(_ error: APIError) -> Bool { false }

  /// None is known: each 429 and 420 is about a window.
  public func isQuotaExceeded(_ error: APIError) -> Bool { false }

  /// None is known: a successful status says that the call was carried out.
  public var resultMembers: [String] { [] }

  /// The advice on the first problem that there is advice for.
  public func advice(for error: APIError) -> String? {
    error.problems.lazy.compactMap { advice(for: $0) }.first
  }

  /// None is known.
  public func credentialProblem(in error: APIError) -> ProblemDetails? { nil }

  /// None is known.
  public func advice(for problem: ProblemDetails) -> String? { nil }

  /// Streams end without a word.
  public func disconnect(in record: Data) -> StreamDisconnect? { nil }

  /// Ids tell no time.
  public func date(ofRecordWithID id: String) -> Date? { nil }

  /// There are none.
  public var timeSpan: TimeSpanParameters? { nil }
}

/// The query parameters that bound a call to a span of time. Their values are dates as RFC 3339 has them.
public struct TimeSpanParameters: Sendable, Hashable {
  /// The parameter of the moment from which on things are wanted.
  public var start: String
  /// The parameter of the moment up to which they are wanted.
  public var end: String

  /// Names both.
  public init(start: String, end: String) {
    self.start = start
    self.end = end
  }
}

/// The conventions of an API that follows the RFCs and has none of its own.
public struct StandardConventions: APIConventions {
  /// The defaults of every requirement.
  public init() {}
}

extension APIConventions where Self == StandardConventions {
  /// The defaults of every requirement.
  public static var standard: StandardConventions { StandardConventions() }
}

/// An API's announcement, in a stream, that it disconnects.
public struct StreamDisconnect: Sendable, Hashable {
  /// The number of the cause, for APIs that have one.
  public var code: Int?
  /// The kind of disconnection in the API's words, for APIs that name it.
  public var kind: String?
  /// The reason in the API's words, where it gives one.
  public var reason: String?
  /// The name of the stream, where it has one.
  public var streamName: String?
  /// All that the API says.
  public var document: JSONValue
  /// The kind of failure that it counts as, by which ``ReconnectPolicy`` waits before the next connection.
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

/// The kinds of failure that ``ReconnectPolicy`` tells apart.
public enum DisconnectReason: Hashable, Sendable {
  /// The server ended the response.
  case end
  /// The connection was lost, or fell silent.
  case network
  /// The server refused the connection with an error that may pass.
  case httpError
  /// The server refused the connection for a rate limit.
  case rateLimit
}
