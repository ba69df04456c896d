import Foundation

/// Why a call has no result. Every generated method throws this and nothing else.
public indirect enum CallError: Error, Sendable {
  /// The API answered with an error.
  case api(APIError)
  /// The API refuses further calls for now; ``RateLimit/reset`` says until when, where the API does.
  case rateLimited(RateLimit?, APIError)
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
  public var answer: Answer? {
    switch self {
    case .api(let error), .rateLimited(_, let error): error.answer
    case .authorization(let error): error.response?.answer
    case .decoding(let error): error.answer
    case .unexpectedContent(let error): error.answer
    case .transport, .cancelled, .mayHaveSucceeded, .invalidCall: nil
    }
  }
}
