import CallsignHTTP
import CallsignSupport

/// The limits that the responses of a client family have stated, for ``Client/rateLimits``.
final class StatedRateLimits: Sendable {
  private struct Key: Hashable {
    let endpoint: String
    let credential: CredentialIdentity?
  }

  private struct Statement {
    var limit: RateLimit
    /// By how many seconds the server's clock is ahead of this machine's.
    var ahead: TimeInterval
    /// The time, by this machine's clock, after which it no longer applies.
    var end: Date
  }

  private struct State {
    var statements: [Key: Statement] = [:]
    var bound = StatedRateLimits.capacity
  }

  private static let capacity = 4096
  /// The seconds that a statement without a reset is kept.
  private static let keepingTime: TimeInterval = 900

  private let state = Locked(State())

  func record(_ endpoint: String, _ credential: CredentialIdentity?, _ limit: RateLimit, ahead: TimeInterval, now: Date)
  {
    let key = Key(endpoint: endpoint, credential: credential)
    var reset = limit.reset
    for other in [limit.appDay?.reset, limit.userDay?.reset] {
      if let other { reset = max(reset ?? other, other) }
    }
    let end = reset?.addingTimeInterval(-ahead) ?? now.addingTimeInterval(Self.keepingTime)
    state.withLock { state in
      if state.statements.count >= state.bound, state.statements[key] == nil {
        state.statements = state.statements.filter { $0.value.end > now }
        if state.statements.count >= Self.capacity {
          let oldest = state.statements.sorted { $0.value.end < $1.value.end }.prefix(Self.capacity / 2)
          for (key, _) in oldest { state.statements[key] = nil }
        }
        state.bound = max(Self.capacity, state.statements.count * 2)
      }
      state.statements[key] = Statement(limit: limit, ahead: ahead, end: end)
    }
  }

  /// The limit as the last response stated it, if it uses up a key's window. `nil` otherwise, and if that window is
  /// over, because another user of the limit may have begun a new one since.
  func limit(
    _ endpoint: String, _ credential: CredentialIdentity?, usedUp key: RateLimitKey, at now: Date
  ) -> RateLimit? {
    guard let statement = state.withLock({ $0.statements[Key(endpoint: endpoint, credential: credential)] }) else {
      return nil
    }
    let window = key.window(in: statement.limit)
    let end = window?.reset?.addingTimeInterval(-statement.ahead) ?? statement.end
    return window?.remaining ?? 0 <= 0 && end > now ? statement.limit : nil
  }

  var snapshot: RateLimits {
    RateLimits(
      state.withLock { state in
        state.statements.map { .init(endpoint: $0.endpoint, credential: $0.credential, limit: $1.limit) }
      })
  }
}
