import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The failure of a call, which then has no result. Every generated method throws this and nothing else.
public indirect enum CallError: Error, Sendable {
  /// The API responded with an error. It refused the call then, unless ``mayHaveBeenCarriedOut`` says that nobody knows:
  /// after a server's error (5xx), and where an earlier request of a PUT or DELETE was lost, of which a 404 or 409 may tell.
  case api(APIError)
  /// The API refuses further calls for now; ``RateLimit/reset`` says until when, where the API does. Without a response, the
  /// call was not sent: the limit is known to be used up, for longer than ``RateLimitPolicy`` waits. A quota that is used
  /// up, such as a month's, is an ``api(_:)`` error, whatever its status; see ``APIConventions/isQuotaExceeded(_:)``.
  case rateLimited(RateLimit?, APIError?)
  /// The call lacks credentials or permission; ``AuthorizationError/advice`` says what to do.
  case authorization(AuthorizationError)
  /// The request or its response was lost on the way, and the call may be repeated: it certainly did not arrive, or it says
  /// the same twice. A PUT or DELETE may have been carried out; ``mayHaveBeenCarriedOut`` says so.
  case transport(TransportError)
  /// The response's JSON is not what the catalogue says, and nothing is left that could be passed over.
  case decoding(DecodingFailure)
  /// The response is not JSON, or not whole, or a redirect that is not followed. Of a call that changes something, it is a
  /// page or a redirect, and nobody knows whether it was carried out.
  case unexpectedContent(UnexpectedContent)
  /// The task was cancelled, and the transfer ended. A call that changes something was not sent then, or was refused and
  /// waited to be sent again; of one that was on its way, see ``mayHaveSucceeded(_:)``, and of one that got a response, the
  /// response's own error.
  case cancelled
  /// The response to a call that must not be sent twice, such as a POST or PATCH, was lost, or the task was cancelled when a
  /// call that changes something, PUT and DELETE among them, was on its way: ask the API before calling again.
  case mayHaveSucceeded(TransportError)
  /// A call that changes something was carried out, and its response cannot be read: do not call again.
  case unreadableResult(UnreadableResult)
  /// The call cannot be sent as it stands, or the file for its response cannot be made. Nothing was sent.
  case invalidCall(InvalidCall)
}

extension CallError {
  /// The API's response, where there was a whole one: status, headers and body.
  public var rawResponse: RawResponse? {
    switch self {
    case .api(let error): error.rawResponse
    case .rateLimited(_, let error): error?.rawResponse
    case .authorization(let error): error.response?.rawResponse
    case .decoding(let error): error.rawResponse
    case .unexpectedContent(let error): error.rawResponse
    case .unreadableResult(let error): error.rawResponse
    case .transport, .cancelled, .mayHaveSucceeded, .invalidCall: nil
    }
  }

  /// Whether the task was cancelled; a call that changes something may have been carried out all the same, and then the
  /// error is ``mayHaveSucceeded(_:)``.
  public var isCancellation: Bool {
    switch self {
    case .cancelled: true
    case .mayHaveSucceeded(let error): error.kind == .cancelled
    default: false
    }
  }

  /// Whether a call that changes something may have been carried out though it failed: its response was lost, cannot be
  /// read, or is a server's error (5xx), or an earlier attempt of it ended so. Look before you make such a call again,
  /// unless it says the same twice.
  public var mayHaveBeenCarriedOut: Bool {
    switch self {
    case .mayHaveSucceeded, .unreadableResult: true
    case .api(let error): error.mayBeDone
    case .rateLimited(_, let error): error?.mayBeDone ?? false
    case .authorization(let error): error.mayBeDone
    case .transport(let error): error.mayBeDone
    case .unexpectedContent(let content): content.mayBeDone
    case .decoding, .cancelled, .invalidCall: false
    }
  }

  /// The problems that the API states, in its own words; empty where the API did not respond, or said nothing.
  public var problems: [ProblemDetails] {
    switch self {
    case .api(let error): error.problems
    case .rateLimited(_, let error): error?.problems ?? []
    case .authorization(let error): error.response?.problems ?? []
    case .unreadableResult(let error): error.rawResponse.problemsBesideData
    case .transport, .decoding, .unexpectedContent, .cancelled, .mayHaveSucceeded, .invalidCall: []
    }
  }
}

extension CallError {
  /// The body of the API's response as a type of the catalogue, such as the one that it has for errors.
  ///
  /// - Returns: `nil` where the API did not respond.
  /// - Throws: ``JSONError`` where the body is something else, or has none of the type's members.
  public func body<Body: JSONDecodable>(as type: Body.Type) throws(JSONError) -> Body? {
    guard let rawResponse else { return nil }
    return try APIError(rawResponse: rawResponse).body(as: type)
  }

  /// The number of requests that were sent for the call, redirects and repetitions included, as far as the error knows:
  /// 0 where nothing was sent.
  public var attempts: Int {
    switch self {
    case .api(let error): error.attempts
    case .rateLimited(_, let error): error?.attempts ?? 0
    case .transport(let error), .mayHaveSucceeded(let error): error.attempts
    case .authorization(let error): error.attempts
    case .decoding(let error): error.rawResponse.attempts
    case .unexpectedContent(let error): error.rawResponse.attempts
    case .unreadableResult(let error): error.rawResponse.attempts
    case .cancelled, .invalidCall: 0
    }
  }

  /// The same error, which says how many requests were sent.
  func after(attempts: Int) -> CallError {
    switch self {
    case .api(var error):
      error.attempts = attempts
      return .api(error)
    case .rateLimited(let limit, var error):
      error?.attempts = attempts
      return .rateLimited(limit, error)
    case .transport(var error):
      error.attempts = attempts
      return .transport(error)
    case .mayHaveSucceeded(var error):
      error.attempts = attempts
      return .mayHaveSucceeded(error)
    case .authorization(var error):
      error.attempts = attempts
      return .authorization(error)
    // Their responses know.
    case .decoding, .unexpectedContent, .unreadableResult: return self
    case .cancelled, .invalidCall: return self
    }
  }

  /// The same error, whose words lack hidden texts that the API repeats.
  package func hiding(_ hidden: RedactedTexts) -> CallError {
    switch self {
    case .api(var error):
      error.hide(hidden)
      return .api(error)
    case .rateLimited(let limit, var error):
      error?.hide(hidden)
      return .rateLimited(limit, error)
    case .authorization(var error):
      error.response?.hide(hidden)
      return .authorization(error)
    case .transport, .decoding, .unexpectedContent, .cancelled, .mayHaveSucceeded, .unreadableResult, .invalidCall:
      return self
    }
  }

  /// Whether neither the API nor this side has said that the call was not carried out.
  var leavesOutcomeUnknown: Bool {
    switch self {
    case .transport(let error): error.delivery != .notSent
    case .api(let error): error.status.kind == .serverError
    case .unexpectedContent, .mayHaveSucceeded, .unreadableResult: true
    case .rateLimited, .authorization, .decoding, .cancelled, .invalidCall: false
    }
  }

  /// The same error of a call that may have been carried out.
  ///
  /// - Parameter isRepeatable: Whether the caller may make the call again.
  func inDoubt(isRepeatable: Bool) -> CallError {
    switch self {
    case .api(var error):
      error.mayBeDone = true
      error.mustNotBeRepeated = !isRepeatable
      return .api(error)
    case .rateLimited(let limit, var error):
      error?.mayBeDone = true
      return .rateLimited(limit, error)
    case .authorization(var error):
      error.mayBeDone = true
      return .authorization(error)
    case .transport(var error):
      guard isRepeatable else { return .mayHaveSucceeded(error) }
      error.mayBeDone = true
      return .transport(error)
    case .unexpectedContent(var content):
      content.mayBeDone = true
      return .unexpectedContent(content)
    // Cancelled while it waited to be sent again.
    case .cancelled: return .mayHaveSucceeded(TransportError(.cancelled, delivery: .unknown))
    case .mayHaveSucceeded, .unreadableResult, .decoding, .invalidCall: return self
    }
  }
}

extension CallError {
  /// The error that a response stands for that is not a success. The status decides, whatever the body looks like.
  ///
  /// - Parameter now: When it arrived. A limit ends when `Retry-After` says so, as ``Client/rateLimits`` has it.
  package init(_ rawResponse: RawResponse, now: Date) {
    let error = APIError(rawResponse: rawResponse)
    func refused() -> CallError {
      .authorization(AuthorizationError(.refused, advice: RefusalAdvice.sentence(for: error), response: error))
    }
    func limited() -> CallError {
      var limit = rawResponse.rateLimit
      if let delay = RetryAfter.delay(rawResponse.headers, now: now) {
        limit = limit ?? RateLimit(remaining: 0)
        limit?.merge(retryAfter: delay, sent: rawResponse.headers.dateSent(now: now) ?? now)
      }
      return .rateLimited(limit, error)
    }
    switch rawResponse.status.code {
    case _ where rawResponse.status.isRateLimited:
      self = error.conventions.isQuotaExceeded(error) ? .api(error) : limited()
    case 401: self = refused()
    case 403 where RefusalAdvice.isAboutCredentials(error): self = refused()
    default: self = error.conventions.isRateLimited(error) ? limited() : .api(error)
    }
  }

  /// The error of a call whose response breaks off while it is read.
  package init(reading error: TransportError) {
    if case .cancelled = error.kind { self = .cancelled } else { self = .transport(error) }
  }

  /// The error that a successful response stands for that could not be decoded.
  init(_ error: JSONError, _ rawResponse: RawResponse) {
    switch ContentKind(rawResponse) {
    case .html: self = .unexpectedContent(UnexpectedContent(kind: .html, rawResponse: rawResponse))
    case .xml: self = .unexpectedContent(UnexpectedContent(kind: .xml, rawResponse: rawResponse))
    case .empty: self = .unexpectedContent(UnexpectedContent(kind: .empty, rawResponse: rawResponse))
    case .other: self = .unexpectedContent(UnexpectedContent(kind: .other, rawResponse: rawResponse))
    case .json where error.kind == .unexpectedEnd:
      self = .unexpectedContent(UnexpectedContent(kind: .truncated, rawResponse: rawResponse))
    case .json:
      self =
        rawResponse.refusal(ifItsValue: { _ in true })
        ?? .decoding(DecodingFailure(error: error, rawResponse: rawResponse))
    }
  }

  /// The same error of a call that changes something: what the API has carried out is no failure of the call.
  var ofChange: CallError {
    switch self {
    case .decoding(let failure): return .unreadableResult(UnreadableResult(.decoding(failure)))
    case .unexpectedContent(let content):
      switch content.kind {
      case .empty, .truncated, .xml, .other, .characterSet:
        return .unreadableResult(UnreadableResult(.unexpectedContent(content)))
      // A page in place of the response may come from a proxy, and then nothing was carried out.
      default: return inDoubt(isRepeatable: false)
      }
    default: return self
    }
  }
}

extension RawResponse {
  /// The error that a successful response stands for by the API's conventions, which tell it from a success by the members
  /// of ``APIConventions/resultMembers``. Any other successful response means that the call was carried out.
  ///
  /// - Parameter lacks: Whether the response's value lacks a member. It is asked about the first, before the body is read.
  package func refusal(ifItsValue lacks: (_ member: String) -> Bool) -> CallError? {
    let names = conventions.resultMembers
    guard let first = names.first, lacks(first) else { return nil }
    guard let members = (try? JSONValue(jsonData: body))?.object else { return nil }
    for name in names where members[name].map({ $0 != .null }) ?? false { return nil }
    return problemsBesideData.isEmpty ? nil : .api(APIError(rawResponse: self))
  }
}

/// Advice for callers whose credentials an API refuses.
enum RefusalAdvice {
  /// Whether a 403 is about the caller's credentials rather than about what was asked for.
  static func isAboutCredentials(_ error: APIError) -> Bool {
    error.conventions.credentialProblem(in: error) != nil || isScopeMissing(error)
  }

  /// Advice on a refusal, in one sentence.
  static func sentence(for error: APIError) -> String {
    let conventions = error.conventions
    if let known = conventions.credentialProblem(in: error).flatMap({ conventions.advice(for: $0) }) ?? error.advice {
      return known
    }
    if isScopeMissing(error) { return "the token lacks a scope that the endpoint needs; log in again and ask for it" }
    return "the API refused the credentials; check that they are complete, current, and for this API"
  }

  /// RFC 6750 §3.1.
  private static func isScopeMissing(_ error: APIError) -> Bool {
    error.headers[.wwwAuthenticate]?.contains("insufficient_scope") == true
  }
}
