import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// The rules for sending a call again, and for the waits before.
///
/// These are repeated, each time signed anew:
/// - calls that may be repeated (those that read, PUT and DELETE, which say the same twice, and those that the catalogue
///   says so of), after a lost connection or one of the ``statuses``;
/// - any call of which it is certain that nothing of it was sent. Other calls, POST and PATCH mostly, end with
///   ``CallError/mayHaveSucceeded(_:)``, and a server's error ends them at once: they had arrived.
///
/// An exhausted rate limit, 429, is no matter of this policy but of ``RateLimitPolicy``, and after an exhausted quota
/// nothing is repeated. Calls are repeated only while the client's ``RetryBudget`` lasts.
public struct RetryPolicy: Sendable {
  /// The most times that a call is sent, the first included. Default: 3.
  public var attempts: Int
  /// The longest wait before the second attempt; it doubles with each further one. Default: 500 milliseconds.
  public var baseDelay: Duration
  /// The longest wait that doubling leads to. Default: 20 seconds.
  public var maximumDelay: Duration
  /// The longest wait that a server may ask for by `Retry-After`. When it asks for more, the error is thrown at once.
  /// Default: 60 seconds.
  public var maximumRetryAfter: Duration
  /// The statuses after which a repeatable call is sent again; 429 and 420 have no effect here. Default: 408, 500, 502, 503,
  /// 504.
  public var statuses: Set<Int>
  /// A number from 0 to 1 by which each wait is multiplied, so that clients that failed together do not come back together
  /// ("full jitter"). Default: random.
  public var jitter: @Sendable () -> Double

  /// Makes a policy; see the properties for the defaults.
  public init(
    attempts: Int = 3, baseDelay: Duration = .milliseconds(500), maximumDelay: Duration = .seconds(20),
    maximumRetryAfter: Duration = .seconds(60), statuses: Set<Int> = Self.defaultStatuses,
    jitter: @escaping @Sendable () -> Double = { .random(in: 0...1) }
  ) {
    self.attempts = attempts
    self.baseDelay = baseDelay
    self.maximumDelay = maximumDelay
    self.maximumRetryAfter = maximumRetryAfter
    self.statuses = statuses
    self.jitter = jitter
  }

  /// Three attempts; see the properties.
  public static let `default` = RetryPolicy()
  /// One attempt.
  public static let never = RetryPolicy(attempts: 1)
  /// 408, 500, 502, 503 and 504.
  public static let defaultStatuses: Set<Int> = [408, 500, 502, 503, 504]
}

extension RetryPolicy {
  /// The wait before attempt number `attempt`, 2 or more.
  package func delay(before attempt: Int) -> Duration {
    var longest = min(baseDelay, maximumDelay)
    var doublings = min(attempt - 2, 64)
    while doublings > 0, longest < maximumDelay {
      longest = longest > maximumDelay / 2 ? maximumDelay : longest * 2
      doublings -= 1
    }
    let factor = jitter()
    return max(.zero, longest * (factor.isFinite ? min(max(factor, 0), 1) : 1))
  }

  /// The wait before an attempt after a refusal, no shorter than its `Retry-After` says; `nil` where that is too long.
  package func delay(before attempt: Int, after headers: HTTPFields, now: Date) -> Duration? {
    let wait = delay(before: attempt)
    guard let asked = RetryAfter.delay(headers, now: now) else { return wait }
    return asked <= maximumRetryAfter ? max(asked, wait) : nil
  }

  /// Whether a repeatable call may succeed when it is sent again after an error of this status. One of 429 or 420 that is no
  /// rate limit's says that a quota is used up.
  package func allows(_ status: HTTPResponse.Status) -> Bool {
    statuses.contains(status.code) && !status.isRateLimited
  }

  /// Whether a repeatable call may succeed when it is sent again after this.
  package func allows(_ error: TransportError, timeouts: Timeouts) -> Bool {
    switch error.kind {
    case .cannotResolveHost, .cannotConnect, .connectionLost: true
    // Who bounds a transfer's time wants to know when it is over.
    case .timedOut: timeouts.total == nil
    case .invalidRequest, .tls, .proxy, .protocolViolation, .bodyTooLarge, .bodySource, .cancelled, .other: false
    }
  }
}

/// The repetitions that a client affords in all, so that a server that fails is not hammered: a bucket of tokens, of
/// which each repetition takes one. An empty one lets calls fail at once.
///
/// The bucket is shared by all clients that are derived from one.
public struct RetryBudget: Sendable, Hashable {
  /// The most tokens that the bucket holds, and how many it begins with. Default: 20.
  public var capacity: Double
  /// The part of a token that each successful call puts back. Default: 0.2, so that at most every sixth request repeats
  /// another for long.
  public var perSuccess: Double
  /// The tokens that come back with each second, so that rare calls are repeated too. Default: 0.2.
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
