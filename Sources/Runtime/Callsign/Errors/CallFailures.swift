import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The error of a call without credentials or permission.
public struct AuthorizationError: Error, Sendable {
  /// A reason why the call has no usable credentials.
  public enum Reason: Sendable, Hashable {
    /// None of the client's authenticators suits the endpoint; `accepted` lists what it accepts.
    case noneAccepted(accepted: String)
    /// The credentials are of the right kind, but do not cover these scopes.
    case missingScopes([String])
    /// The credentials are not for this host.
    case outOfScope(host: String)
    /// The credentials would travel unencrypted.
    case insecure(host: String)
    /// The API refused them.
    case refused
    /// The authenticator could not put credentials on the request.
    case unavailable
  }

  /// The reason.
  public var reason: Reason
  /// Advice for the reader, in one sentence, without secrets.
  public var advice: String
  /// The API's response, if the API refused the call.
  public var response: APIError?
  /// The name of the process that lost the login: the provider's last response may have gone to it, and it has not
  /// stored the next refresh token. `nil` in every other case.
  public var lostWith: String?
  /// The number of requests that were sent before the call was given up; 0 if it was not sent.
  public internal(set) var attempts: Int
  /// Whether the failure may be temporary although no response indicates it: the store or provider of the credentials is
  /// unreachable.
  package var mayPass = false
  /// Whether an earlier attempt may have carried the call out; see ``CallError/mayHaveBeenCarriedOut``.
  var mayBeDone = false

  /// States what is missing.
  ///
  /// - Parameters:
  ///   - reason: The reason.
  ///   - advice: Advice for the reader. It must name no secret.
  ///   - response: The API's response, if there was one.
  public init(_ reason: Reason, advice: String, response: APIError? = nil) {
    self.reason = reason
    self.advice = advice
    self.response = response
    attempts = response?.attempts ?? 0
  }

  /// States what is missing, and whether the failure may be temporary.
  package init(_ reason: Reason, advice: String, response: APIError? = nil, mayPass: Bool) {
    self.init(reason, advice: advice, response: response)
    self.mayPass = mayPass
  }
}

/// A successful response whose JSON does not match the catalogue.
public struct DecodingFailure: Error, Sendable {
  /// The mistake and its place: the field's path and the offset in ``body``.
  public let error: JSONError
  /// The response as it arrived.
  public let rawResponse: RawResponse

  package init(error: JSONError, rawResponse: RawResponse) {
    self.error = error
    self.rawResponse = rawResponse
  }

  /// The HTTP status.
  public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  public var headers: HTTPFields { rawResponse.headers }
  /// The body as it arrived.
  public var body: Data { rawResponse.body }
}

/// The response to a call that changed something: the call was carried out, but its response cannot be read.
public struct UnreadableResult: Error, Sendable {
  /// A reason why the response cannot be read.
  public enum Cause: Sendable {
    /// Its JSON does not match the catalogue.
    case decoding(DecodingFailure)
    /// It is empty, incomplete, or not JSON.
    case unexpectedContent(UnexpectedContent)
  }

  /// The reason why the response cannot be read.
  public let cause: Cause

  /// States why a response cannot be read.
  public init(_ cause: Cause) { self.cause = cause }

  /// The response as it arrived.
  public var rawResponse: RawResponse {
    switch cause {
    case .decoding(let failure): failure.rawResponse
    case .unexpectedContent(let content): content.rawResponse
    }
  }
  /// The HTTP status.
  public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  public var headers: HTTPFields { rawResponse.headers }
  /// The body as it arrived.
  public var body: Data { rawResponse.body }
}

/// A response that should have been JSON, but is not, or is incomplete.
public struct UnexpectedContent: Error, Sendable {
  /// A kind of content that arrived instead of the expected one.
  public enum Kind: Sendable, Hashable {
    /// A page, mostly by a proxy or gateway.
    case html
    /// An XML document.
    case xml
    /// Nothing, although a value was expected.
    case empty
    /// JSON that ends before it is complete.
    case truncated
    /// Something else.
    case other
    /// A redirect that is not followed: to another origin, from https to http, of a call with a body, or one too many.
    case redirect
    /// A page whose token for the next page was seen before, so that reading on would never end.
    case repeatedPage
    /// A page that says that more follow, but has nothing to request the next one with: no token or URL, or no element.
    case missingPage
    /// A page that names the next one by a URL at another host, where credentials must not go.
    case foreignPage
    /// Not a stream of the expected kind: not an array or not events, a count that is not a number, or a record longer
    /// than ``ClientConfiguration/recordLimit``.
    case framing
    /// Text in a character set that is not supported; its bytes are in ``UnexpectedContent/body``.
    case characterSet
    /// The response to a call that starts an operation, without the URL for its state.
    case missingState
  }

  /// The kind of the content.
  public let kind: Kind
  /// The response as it arrived.
  public let rawResponse: RawResponse
  /// Whether the call may have been carried out; see ``CallError/mayHaveBeenCarriedOut``.
  var mayBeDone = false

  /// More about the kind, for the text: why a redirect is not followed, or what is cut off.
  let detail: String?

  package init(kind: Kind, rawResponse: RawResponse, detail: String? = nil) {
    self.kind = kind
    self.rawResponse = rawResponse
    self.detail = detail
  }

  /// The HTTP status.
  public var status: HTTPResponse.Status { rawResponse.status }
  /// The header fields.
  public var headers: HTTPFields { rawResponse.headers }
  /// The body as it arrived.
  public var body: Data { rawResponse.body }
}

/// The error of a call that was not sent, because it is invalid or because the file for its response cannot be created.
public struct InvalidCall: Error, Sendable, Hashable {
  /// A reason why a call is invalid.
  public enum Reason: Sendable, Hashable {
    /// The placeholder of the path has no value.
    case missingPathValue
    /// The placeholder's value is empty, which would name another resource.
    case emptyPathValue
    /// The placeholder's value is `.` or `..`, which would name another resource.
    case dotPathValue
    /// Exactly one of the parameters must be given.
    case notExactlyOne(of: [String])
    /// At least one of the parameters must be given.
    case none(of: [String])
    /// All of the parameters must be given, or none.
    case notAll(of: [String])
    /// A header field's name or value has a character that HTTP does not allow.
    case headerField
    /// The header field belongs to the transfer itself and cannot be set.
    case reservedHeaderField
    /// The URL cannot be used; the text says why.
    case url(String)
    /// The value cannot be written; the text says why.
    case value(String)
    /// The body could not be created; the text says why.
    case body(String)
    /// Another iterator reads the same stream.
    case streamInUse
  }

  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public var endpoint: String
  /// The wire name of the parameter or field, if one is to blame.
  public var parameter: String?
  /// The reason.
  public var reason: Reason

  /// Creates a problem.
  public init(endpoint: String, parameter: String? = nil, reason: Reason) {
    self.endpoint = endpoint
    self.parameter = parameter
    self.reason = reason
  }
}

extension InvalidCall: CustomStringConvertible {
  /// States what to change, in one line. It never quotes a value.
  public var description: String {
    let subject = parameter.map { "`\($0)`" } ?? "the call"
    let advice =
      switch reason {
      case .missingPathValue: "\(subject) is part of the path; give it a value"
      case .emptyPathValue: "\(subject) is part of the path and is empty; give it a value"
      case .dotPathValue: "\(subject) is part of the path and cannot be `.` or `..`"
      case .notExactlyOne(let names): "give exactly one of \(names.joined(separator: ", "))"
      case .none(let names): "give at least one of \(names.joined(separator: ", "))"
      case .notAll(let names): "give all of \(names.joined(separator: ", ")), or none of them"
      case .headerField: "the header field \(subject) has a character that HTTP does not allow; remove it"
      case .reservedHeaderField: "the header field \(subject) is set by the transfer itself; leave it out"
      case .url(let why): "the URL cannot be used: \(why)"
      case .value(let why): "\(subject) cannot be sent: \(why)"
      case .body(let why): "the body cannot be sent: \(why)"
      case .streamInUse: "another iterator reads this stream; end that one first, or make a second stream"
      }
    return "\(endpoint) was not sent: \(advice)"
  }
}
