import CallsignHTTP
import Foundation

extension UploadOptions {
  /// How long to wait before a step is taken again, as `Retry-After` says where there is one. `nil`: another attempt is of no
  /// use, or was the last.
  ///
  /// Unlike the client, which repeats no write, an upload may: its steps are safe to repeat.
  func delay(after error: CallError, attempt: Int, now: Date) -> Duration? {
    guard attempt < retry.attempts, isTransient(error) else { return nil }
    if let headers = error.answer?.headers, let asked = RetryAfter.delay(headers, now: now) {
      return asked <= retry.maximumRetryAfter ? asked : nil
    }
    return retry.delay(before: attempt + 1)
  }

  private func isTransient(_ error: CallError) -> Bool {
    switch error {
    case .transport(let error), .mayHaveSucceeded(let error):
      retry.allows(error, timeouts: call.timeouts ?? Timeouts())
    case .api(let error): retry.statuses.contains(error.answer.status.code)
    case .unexpectedContent(let content): content.kind == .truncated
    default: false
    }
  }
}
