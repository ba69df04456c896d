import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// The failure of a call, which then has no result. Generated methods throw only this.
public indirect enum CallError: Error, Sendable {
  /// The API responded with an error. It refused the call, unless ``mayHaveBeenCarriedOut`` says that the outcome is
  /// unknown. That is so after a server's error (5xx), and after an earlier request of a PUT or DELETE was lost: a 404
  /// or 409 may then be its effect.
  case api(APIError)
  /// The API refuses further calls for now; ``RateLimit/reset`` says until when, if the API states it. If there is no
  /// response, the call was not sent: the limit is known to be used up, for longer than ``RateLimitPolicy`` waits. A
  /// quota that is used up, such as a monthly one, is an ``api(_:)`` error, whatever its status; see
  /// ``APIConventions/isQuotaExceeded(_:)``.
  case rateLimited(RateLimit?, APIError?)
  /// The call lacks credentials or permission; ``AuthorizationError/advice`` says what to do.
  case authorization(AuthorizationError)
  /// The request or its response was lost, and you may repeat the call: either it certainly did not arrive, or it is
  /// idempotent. A PUT or DELETE may have been carried out; see ``mayHaveBeenCarriedOut``.
  case transport(TransportError)
  /// The response's JSON does not match the catalogue, and no part is left that could be skipped.
  case decoding(DecodingFailure)
  /// The response is not JSON, is incomplete, or is a redirect that is not followed. For a call that changes something,
  /// it is a page or a redirect, and nobody knows whether the call was carried out.
  case unexpectedContent(UnexpectedContent)
  /// The task was cancelled, and the transfer ended. A call that changes something was then not sent, or was refused
  /// and waited to be sent again. If it was under way, the error is ``mayHaveSucceeded(_:)``; if it got a response, the
  /// error is that of the response.
  case cancelled
  /// The outcome is unknown: ask the API before you repeat the call. Either the response to a call that must not be
  /// sent twice, such as a POST or PATCH, was lost. Or the task was cancelled while a call that changes something,
  /// including PUT and DELETE, was under way.
  case mayHaveSucceeded(TransportError)
  /// A call that changes something was carried out, but its response cannot be read: do not repeat it.
  case unreadableResult(UnreadableResult)
  /// The call is invalid, or the file for its response cannot be created. Nothing was sent.
  case invalidCall(InvalidCall)
}

extension CallError {
  /// The API's complete response, if there was one: status, headers and body.
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

  /// Whether the task was cancelled. A call that changes something may have been carried out anyway; then the error is
  /// ``mayHaveSucceeded(_:)``.
  public var isCancellation: Bool {
    switch self {
    case .cancelled: true
    case .mayHaveSucceeded(let error): error.kind == .cancelled
    default: false
    }
  }

  /// Whether a call that changes something may have been carried out although it failed: its response was lost, cannot
  /// be read, or is a server's error (5xx), or an earlier attempt ended that way. Check before you repeat such a call,
  /// unless it is idempotent.
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

  /// The problems that the API states, in its own words; empty if the API did not respond, or stated none.
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
  /// The body of the API's response as a type of the catalogue, such as the type for errors.
  ///
  /// - Returns: `nil` if the API did not respond.
  /// - Throws: ``JSONError`` if the body is something else, or has none of the type's members.
  public func body<Body: JSONDecodable>(as type: Body.Type) throws(JSONError) -> Body? {
    guard let rawResponse else { return nil }
    return try APIError(rawResponse: rawResponse).body(as: type)
  }

  /// The number of requests that were sent for the call, including redirects and retries, as far as the error knows: 0
  /// if nothing was sent.
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

  /// The same error with the number of requests that were sent.
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
    // Their responses contain it.
    case .decoding, .unexpectedContent, .unreadableResult: return self
    case .cancelled, .invalidCall: return self
    }
  }

  /// The same error, with hidden texts that the API repeats removed from its words.
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

  /// Whether neither the API nor the client has established that the call was not carried out.
  var leavesOutcomeUnknown: Bool {
    switch self {
    case .transport(let error): error.delivery != .notSent
    case .api(let error): error.status.kind == .serverError
    case .unexpectedContent, .mayHaveSucceeded, .unreadableResult: true
    case .rateLimited, .authorization, .decoding, .cancelled, .invalidCall: false
    }
  }

  /// The same error for a call that may have been carried out.
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
    // The call was cancelled while it waited to be sent again.
    case .cancelled: return .mayHaveSucceeded(TransportError(.cancelled, delivery: .unknown))
    case .mayHaveSucceeded, .unreadableResult, .decoding, .invalidCall: return self
    }
  }
}

extension CallError {
  /// The error for a response that is not a success. The status decides, whatever the body looks like.
  ///
  /// - Parameter now: When it arrived. A limit ends as its `Retry-After` states, as in ``Client/rateLimits``.
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

  /// The error of a call whose response breaks off while it is being read.
  package init(reading error: TransportError) {
    if case .cancelled = error.kind { self = .cancelled } else { self = .transport(error) }
  }

  /// The error for a successful response that could not be decoded.
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

  /// The same error for a call that changes something: if the API has carried it out, it has not failed.
  var ofChange: CallError {
    switch self {
    case .decoding(let failure): return .unreadableResult(UnreadableResult(.decoding(failure)))
    case .unexpectedContent(let content):
      switch content.kind {
      case .empty, .truncated, .xml, .other, .characterSet:
        return .unreadableResult(UnreadableResult(.unexpectedContent(content)))
      // An HTML page instead of the response may come from a proxy, in which case nothing was carried out.
      default: return inDoubt(isRepeatable: false)
      }
    default: return self
    }
  }
}

extension RawResponse {
  /// The error for a successful response that the API's conventions count as a failure, because it has none of the
  /// ``APIConventions/resultMembers``. Any other successful response means that the call was carried out.
  ///
  /// - Parameter lacks: Whether the response's value lacks a member. The first member is checked before the body is
  ///   read.
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
  /// Whether a 403 is about the caller's credentials rather than about the requested resource.
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
