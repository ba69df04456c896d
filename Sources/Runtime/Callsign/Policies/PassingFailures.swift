import CallsignHTTP
import CallsignSupport

// How streams, and others that retry without end, classify a failure.
extension CallError {
  /// The kind of failure, if it may be temporary; `nil` if trying again cannot help.
  ///
  /// - Parameters:
  ///   - wasConnected: Whether an earlier attempt has succeeded.
  ///   - failures: The number of attempts that have failed in a row, this one included.
  package func disconnectReason(wasConnected: Bool, failures: Int) -> DisconnectReason? {
    switch self {
    case .rateLimited: return .rateLimit
    case .api(let error): return error.isPassing ? .httpError : nil
    // The issuer or store of the credentials is unreachable. A missing login has no such response.
    case .authorization(let problem):
      let mayPass = problem.mayPass || problem.response?.isPassing == true
      return problem.reason == .unavailable && mayPass ? .httpError : nil
    case .transport(let error), .mayHaveSucceeded(let error):
      switch error.kind {
      // A response that is too large would be too large again, and costs a whole download.
      case .invalidRequest, .bodySource, .bodyTooLarge, .cancelled: return nil
      // A certificate that was good has been exchanged, or somebody is in between; it may pass.
      case .tls: return wasConnected ? .network : nil
      // A proxy that restarts may say such things for a while; an encoding that cannot be read stays as it is.
      case .protocolViolation: return failures < Self.longestRowOfViolations ? .network : nil
      default: return .network
      }
    case .decoding, .unexpectedContent, .unreadableResult, .cancelled, .invalidCall: return nil
    }
  }

  /// The number of responses in a row that are no HTTP, or cannot be decoded, after which nothing better is to be expected.
  private static let longestRowOfViolations = 10

  /// The wait that the API asks for, if any: from `Retry-After`, or from the reset of a limit that is used up.
  ///
  /// A reset is by the server's clock, so it is compared with the response's own `Date`, if there is one.
  package func resetWait(at now: Date) -> Duration? {
    let asked = rawResponse.flatMap { RetryAfter.delay($0.headers, now: now) }
    // The limit as the API states it: the error's has `Retry-After` in it, by the server's clock.
    guard case .rateLimited(let known, let error) = self else { return asked }
    let limit: RateLimit? = if let error { error.rawResponse.rateLimit } else { known }
    guard let reset = limit?.resetToAwait else { return asked }
    let ahead = error?.headers.serverAhead(of: now) ?? 0
    return max(asked ?? .zero, Duration(bounded: reset.timeIntervalSince(now) - ahead))
  }
}

extension APIError {
  /// Whether the server may respond otherwise after a while.
  fileprivate var isPassing: Bool {
    switch status.code {
    case 500..., 408, 425: true
    default: false
    }
  }
}
