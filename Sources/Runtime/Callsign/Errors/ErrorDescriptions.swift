import CallsignHTTP
import CallsignSupport
import HTTPTypes

extension CallError: CallsignError {
  /// States the failure and how to solve it, in one line that is fit for a log: no body, no header, no credential.
  public var description: String {
    switch self {
    case .api(let error): error.description
    case .rateLimited(let limit, let error):
      (error.map { "the API allows no further calls for now (\($0.summary))" }
        ?? "the API allows no further calls for now, as earlier responses said; the call was not sent")
        + (limit?.resetToAwait.map { "; the limit is reset at \($0.formatted(.iso8601))" } ?? "")
        + (error?.adviceBeyondRateLimits.map { "; \($0)" } ?? "")
    case .authorization(let error): error.description
    case .transport(let error): error.summary
    case .decoding(let failure):
      "the response (\(failure.status.code)) is not what the catalogue says: \(failure.error)".printable
    case .unexpectedContent(let content): content.description
    case .cancelled: "the call was cancelled"
    case .mayHaveSucceeded(let error) where error.kind == .cancelled:
      "the call was cancelled on its way and may have succeeded; check before calling again"
    case .mayHaveSucceeded(let error):
      "the response was lost and the call may have succeeded; check before calling again (\(error.summary))"
    case .unreadableResult(let error): error.description
    case .invalidCall(let problem): problem.description
    }
  }

  /// The same as ``description``.
  public var debugDescription: String { description }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}

extension AuthorizationError: CallsignError {
  /// The advice and the API's response, in one line.
  public var description: String {
    response.map { "\(advice) (the API responded \($0.summary))" } ?? advice
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}

extension DecodingFailure: CallsignError {
  /// States the mistake and its place, in one line.
  public var description: String { CallError.decoding(self).description }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// Advice on how to continue.
  public var recoverySuggestion: String? { CallError.decoding(self).advice }
}

extension UnreadableResult: CallsignError {
  /// States that the call was carried out, and why its response cannot be read, in one line.
  public var description: String {
    let why =
      switch cause {
      case .decoding(let failure): CallError.decoding(failure).description
      case .unexpectedContent(let content): content.description
      }
    return "the call was carried out; do not repeat it: \(why)"
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// Advice on how to continue.
  public var recoverySuggestion: String? { CallError.unreadableResult(self).advice }
}

extension InvalidCall: CallsignError {
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension UnexpectedContent: CallsignError {
  /// Describes the unexpected content, in one line.
  public var description: String {
    "\(reason) (status \(status.code), \(body.count) bytes)"
      + (CallError.unexpectedContent(self).advice.map { "; \($0)" } ?? "")
  }

  /// The description without the status.
  package var reason: String {
    switch kind {
    case .html: "the response is an HTML page instead of JSON; a proxy or gateway may have sent it"
    case .xml: "the response is an XML document instead of JSON"
    case .empty: "the response is empty instead of a value"
    case .truncated: detail ?? "the response's JSON ends before it is complete"
    case .other: "the response is not JSON"
    case .characterSet: "the response's text is in a character set that is not read; take its bytes"
    case .redirect:
      "the API redirects to a place that this call does not follow" + (detail.map { ": \($0)" } ?? "")
    case .repeatedPage: "the API named a page that was read already; reading on would never end"
    case .missingPage:
      "the API says that there are more pages, but its response has nothing to request the next one with"
    case .foreignPage: "the API named a page at another host, which must not get the credentials"
    case .framing:
      "the response is not the stream that was expected, or a record of it is longer than the client accepts"
    case .missingState: "the response does not name the URL of the operation's state"
    }
  }
  /// The same as ``description``.
  public var errorDescription: String? { description }
}

extension CallError {
  /// Advice for the reader, in one sentence without secrets; `nil` if it depends on the details of the call.
  public var advice: String? {
    switch self {
    case .api(let error) where error.mustNotBeRepeated && error.status.kind == .serverError:
      "look whether it was done before you try again; the fault is the server's"
    case .api(let error):
      error.advice ?? (error.status.kind == .serverError ? "try again later; the fault is the server's" : nil)
    case .rateLimited(let limit, let error):
      error?.adviceBeyondRateLimits
        ?? (limit?.resetToAwait == nil
          ? "wait, and call less often" : "wait until the limit's reset, or give the client a policy that waits")
    case .authorization(let error): error.advice
    case .transport(let error): error.advice
    case .mayHaveSucceeded: "ask the API whether it was done before calling again"
    case .unreadableResult: "take it as done, and read what came of it from the body or by another call"
    case .decoding: "read the body; if the API has changed, correct the catalogue"
    case .unexpectedContent(let content) where content.kind == .missingPage:
      "what was read so far is not all; ask for the rest by a narrower call, or begin again later"
    case .unexpectedContent, .cancelled, .invalidCall: nil
    }
  }
}

extension APIError {
  /// The advice on a response of status 429 that is about something else than how often is called, such as too many open
  /// connections: what helps there is not the end of a window.
  fileprivate var adviceBeyondRateLimits: String? { conventions.isRateLimited(self) ? nil : advice }
}
