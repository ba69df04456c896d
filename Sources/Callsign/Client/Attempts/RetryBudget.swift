import CallsignHTTP
import Foundation

/// How many repetitions a client affords in all, so that a server that fails is not hammered: a bucket of tokens, of
/// which each repetition takes one. An empty one lets calls fail at once.
///
/// The bucket is shared by all clients that are derived from one.
public struct RetryBudget: Sendable, Hashable {
  /// The most tokens that the bucket holds, and how many it begins with. Default: 20.
  public var capacity: Double
  /// The part of a token that each successful call puts back. Default: 0.2, so that at most every sixth request repeats
  /// another for long.
  public var perSuccess: Double
  /// What comes back with each second, so that rare calls are repeated too. Default: 0.2.
  public var perSecond: Double

  /// Makes a budget; see the properties for the defaults.
  public init(capacity: Double = 20, perSuccess: Double = 0.2, perSecond: Double = 0.2) {
    self.capacity = capacity
    self.perSuccess = perSuccess
    self.perSecond = perSecond
  }

  /// No bound.
  public static let unlimited = RetryBudget(capacity: .infinity)
}

/// The tokens of a ``RetryBudget``.
final class RetryTokens: Sendable {
  private struct State {
    var tokens: Double
    var filled: Date?
  }

  private let budget: RetryBudget
  private let state: Locked<State>

  init(_ budget: RetryBudget) {
    self.budget = budget
    state = Locked(State(tokens: budget.capacity))
  }

  /// Puts back what a success is worth.
  func reward() {
    state.withLock { $0.tokens = min(budget.capacity, $0.tokens + budget.perSuccess) }
  }

  /// Takes a token, if there is one.
  func take(now: Date) -> Bool {
    state.withLock { state in
      // A clock that was set back gives nothing.
      let seconds = max(0, state.filled.map(now.timeIntervalSince) ?? 0)
      state.filled = now
      state.tokens = min(budget.capacity, state.tokens + seconds * budget.perSecond)
      guard state.tokens >= 1 else { return false }
      state.tokens -= 1
      return true
    }
  }
}
