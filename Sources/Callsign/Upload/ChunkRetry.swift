import Foundation

/// Whether a step that may be repeated is worth repeating, and when. The client itself repeats no write.
enum ChunkRetry {
  private static let statuses: Set<Int> = [408, 500, 502, 503, 504]
  private static let base = Duration.milliseconds(500)
  private static let longest = Duration.seconds(16)
  private static let longestAskedFor = 60

  /// How long to wait before the next attempt, at random up to a bound that doubles; as long as `Retry-After` says where
  /// there is one. `nil`: another attempt is of no use.
  static func delay(after error: CallError, attempt: Int) -> Duration? {
    guard isTransient(error) else { return nil }
    if let field = error.answer?.headers[.retryAfter], let seconds = Int(field.trimmingCharacters(in: .whitespaces)) {
      return seconds <= longestAskedFor ? .seconds(max(0, seconds)) : nil
    }
    let bound = min(longest, base * (1 << min(max(attempt - 1, 0), 8)))
    return bound * Double.random(in: 0...1)
  }

  private static func isTransient(_ error: CallError) -> Bool {
    switch error {
    case .transport(let error), .mayHaveSucceeded(let error):
      switch error.kind {
      case .cannotResolveHost, .cannotConnect, .timedOut, .connectionLost: true
      case .invalidRequest, .tls, .proxy, .protocolViolation, .bodyTooLarge, .bodySource, .cancelled, .other: false
      }
    case .api(let error): statuses.contains(error.answer.status.code)
    case .unexpectedContent(let content): content.kind == .truncated
    case .rateLimited, .authorization, .decoding, .cancelled, .invalidCall: false
    }
  }
}
