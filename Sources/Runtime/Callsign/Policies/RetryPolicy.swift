import CallsignHTTP
import CallsignSupport
import HTTPTypes

/// When a call is sent again, and how long to wait first.
///
/// These calls are retried, each time with a new signature:
/// - calls that may be repeated, after a lost connection or one of the ``statuses``. These are reads, PUT and DELETE,
///   which are idempotent, and those that the catalogue marks as repeatable;
/// - any call that certainly was not sent at all. Other calls, mostly POST and PATCH, end with
///   ``CallError/mayHaveSucceeded(_:)``. A server's error ends them at once, because they had arrived.
///
/// This policy does not apply to an exhausted rate limit (429); see ``RateLimitPolicy``. After an exhausted quota,
/// nothing is retried. Calls are retried only while the client's ``RetryBudget`` lasts.
public struct RetryPolicy: Sendable {
  /// The maximum number of times that a call is sent, including the first. Default: 3.
  public var attempts: Int
  /// The maximum wait before the second attempt; it doubles with each further attempt. Default: 500 milliseconds.
  public var baseDelay: Duration
  /// The limit for the doubled waits. Default: 20 seconds.
  public var maximumDelay: Duration
  /// The maximum wait that a server may request with `Retry-After`. If it requests more, the call fails at once.
  /// Default: 60 seconds.
  public var maximumRetryAfter: Duration
  /// The statuses after which a repeatable call is sent again; 429 and 420 have no effect here. Default: 408, 500, 502, 503,
  /// 504.
  public var statuses: Set<Int>
  /// A factor from 0 to 1 for each wait, so that clients that failed together do not come back together ("full
  /// jitter"). Default: random.
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

  /// The wait before an attempt after a refusal, no shorter than its `Retry-After`; `nil` if that is too long.
  package func delay(before attempt: Int, after headers: HTTPFields, now: Date) -> Duration? {
    let wait = delay(before: attempt)
    guard let asked = RetryAfter.delay(headers, now: now) else { return wait }
    return asked <= maximumRetryAfter ? max(asked, wait) : nil
  }

  /// Whether a repeatable call may succeed when it is sent again after an error of this status. A 429 or 420 that is
  /// not about a rate limit means that a quota is used up.
  package func allows(_ status: HTTPResponse.Status) -> Bool {
    statuses.contains(status.code) && !status.isRateLimited
  }

  /// Whether a repeatable call may succeed when it is sent again after this.
  package func allows(_ error: TransportError, timeouts: Timeouts) -> Bool {
    switch error.kind {
    case .cannotResolveHost, .cannotConnect, .connectionLost: true
    // A caller that limits a transfer's time wants to know when it is over.
    case .timedOut: timeouts.total == nil
    case .invalidRequest, .tls, .proxy, .protocolViolation, .bodyTooLarge, .bodySource, .cancelled, .other: false
    }
  }
}

/// The total number of retries that a client may make, so that it does not hammer a failing server. It works like a
/// bucket of tokens: each retry takes one. While the bucket is empty, calls fail at once.
///
/// All clients that are derived from one share its bucket.
public struct RetryBudget: Sendable, Hashable {
  /// The maximum number of tokens in the bucket, which starts full. Default: 20.
  public var capacity: Double
  /// The fraction of a token that each successful call puts back. Default: 0.2, so that in the long run at most every
  /// sixth request is a retry.
  public var perSuccess: Double
  /// The number of tokens that come back each second, so that infrequent calls are retried too. Default: 0.2.
  public var perSecond: Double

  /// Makes a budget; see the properties for the defaults.
  public init(capacity: Double = 20, perSuccess: Double = 0.2, perSecond: Double = 0.2) {
    self.capacity = capacity
    self.perSuccess = perSuccess
    self.perSecond = perSecond
  }

  /// No limit.
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

  /// Returns the share of the budget that a success earns.
  func reward() {
    state.withLock { $0.tokens = min(budget.capacity, $0.tokens + budget.perSuccess) }
  }

  /// Takes a token, if there is one.
  func take(now: Date) -> Bool {
    state.withLock { state in
      // A clock that was set back adds nothing.
      let seconds = max(0, state.filled.map(now.timeIntervalSince) ?? 0)
      state.filled = now
      state.tokens = min(budget.capacity, state.tokens + seconds * budget.perSecond)
      guard state.tokens >= 1 else { return false }
      state.tokens -= 1
      return true
    }
  }
}
