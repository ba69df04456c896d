import CallsignHTTP
import Foundation

/// Why a call has no result. Every generated method throws this and nothing else.
public indirect enum CallError: Error, Sendable {
  /// The API answered with an error.
  case api(APIError)
  /// The API refuses further calls for now; ``RateLimit/reset`` says until when, where the API does. Without an answer, the
  /// call was not sent: the limit is known to be used up, for longer than ``RateLimitPolicy`` waits.
  case rateLimited(RateLimit?, APIError?)
  /// The call lacks credentials or permission; ``AuthorizationError/advice`` says what to do.
  case authorization(AuthorizationError)
  /// The request or its answer was lost on the way, and the call may be repeated.
  case transport(TransportError)
  /// The answer's JSON is not what the catalogue says.
  case decoding(DecodingFailure)
  /// The answer is not JSON, or not whole.
  case unexpectedContent(UnexpectedContent)
  /// The task was cancelled, and the transfer ended.
  case cancelled
  /// The answer to a call that must not be sent twice was lost: ask the API before calling again.
  case mayHaveSucceeded(TransportError)
  /// The call cannot be sent as it stands. Nothing was sent.
  case invalidCall(InvalidCall)
}

extension CallError {
  /// The API's answer, where there was a whole one: status, headers and body.
  public var answer: RawResponse? {
    switch self {
    case .api(let error): error.answer
    case .rateLimited(_, let error): error?.answer
    case .authorization(let error): error.response?.answer
    case .decoding(let error): error.answer
    case .unexpectedContent(let error): error.answer
    case .transport, .cancelled, .mayHaveSucceeded, .invalidCall: nil
    }
  }

  /// What the API says is wrong, in its own words; empty where the API did not answer, or said nothing.
  public var problems: [Problem] {
    switch self {
    case .api(let error): error.problems
    case .rateLimited(_, let error): error?.problems ?? []
    case .authorization(let error): error.response?.problems ?? []
    case .transport, .decoding, .unexpectedContent, .cancelled, .mayHaveSucceeded, .invalidCall: []
    }
  }
}

extension CallError {
  /// How many requests were sent for the call, redirects and repetitions included, as far as the error knows: 0 where
  /// nothing was sent.
  public var attempts: Int {
    switch self {
    case .api(let error): error.attempts
    case .rateLimited(_, let error): error?.attempts ?? 0
    case .transport(let error), .mayHaveSucceeded(let error): error.attempts
    case .authorization(let error): error.response?.attempts ?? 0
    case .decoding, .unexpectedContent: 1
    case .cancelled, .invalidCall: 0
    }
  }

  /// The same error, which tells how many requests were sent.
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
    case .authorization, .decoding, .unexpectedContent, .cancelled, .invalidCall: return self
    }
  }
}
