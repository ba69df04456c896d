import Foundation
import HTTPTypes

/// One endpoint's limit for one set of credentials.
struct RateLimitKey: Sendable, Hashable {
  var endpoint: String
  var credential: CredentialIdentity?
}

/// What is known of one limit, and how many calls it lets through. All times are those of this machine.
struct RateLimitWindow: Sendable {
  /// What the last answer told.
  private(set) var limit: RateLimit?
  /// How many calls the server has left for this window.
  private var remaining: Int?
  /// When the window ends.
  private(set) var reset: Date?
  /// How many calls were let through and have not been answered.
  private var underway = 0
  /// How many refusals came in a row.
  private var refusals = 0

  /// The shortest pause after a refusal, whatever the server says.
  private static let shortestPause: TimeInterval = 1
  /// The longest pause after a refusal that does not say for how long.
  private static let longestGuess: TimeInterval = 60

  var isUnused: Bool { underway == 0 }

  /// Whether it is certain that nothing gets through before ``reset``.
  func isExhausted(at now: Date) -> Bool {
    guard let remaining, let reset else { return false }
    return remaining <= 0 && now < reset
  }

  /// Whether one more call may be sent now.
  func admits(at now: Date) -> Bool {
    guard let remaining, let reset else { return true }
    if now < reset { return remaining - underway > 0 }
    // A new window. After one that was used up, a single call finds out how many it allows.
    return remaining - underway > 0 || underway == 0
  }

  mutating func enter() { underway += 1 }

  /// A call that was let through got no answer.
  mutating func leave() { underway = max(0, underway - 1) }

  /// Takes in what an answer says.
  ///
  /// - Parameters:
  ///   - told: Its rate limit fields.
  ///   - ahead: By how many seconds the server's clock is ahead of this machine's.
  ///   - now: When it arrived.
  mutating func update(_ told: RateLimit?, ahead: TimeInterval, now: Date) {
    refusals = 0
    if let told { limit = told }
    let window = told.map { $0.exhausted ?? $0.window }
    let isOver = reset.map { now >= $0 } ?? true
    guard let count = window?.remaining, let ending = window?.reset?.addingTimeInterval(-ahead) else {
      // It was let through and does not say of what: there is nothing to wait for any more.
      if isOver { (remaining, reset) = (nil, nil) }
      return
    }
    if !isOver, let reset, let remaining, abs(ending.timeIntervalSince(reset)) <= 2 {
      // Answers may arrive in another order than they were counted in.
      self.remaining = min(remaining, count)
    } else if isOver || reset.map({ ending > $0 }) ?? true {
      (remaining, reset) = (count, ending)
    }
  }

  /// Takes in a refusal.
  ///
  /// - Parameters:
  ///   - told: Its rate limit fields.
  ///   - retryAfter: Its `Retry-After`.
  ///   - ahead: By how many seconds the server's clock is ahead of this machine's.
  ///   - now: When it arrived.
  mutating func refuse(_ told: RateLimit?, retryAfter: Duration?, ahead: TimeInterval, now: Date) {
    refusals += 1
    if let told { limit = told }
    let asked = retryAfter.map { now.addingTimeInterval($0.seconds) }
    let ending = told?.exhausted?.reset?.addingTimeInterval(-ahead)
    let guess = min(Self.longestGuess, TimeInterval(1 << min(refusals - 1, 6)))
    let fallback =
      told?.reset.map { $0.addingTimeInterval(-ahead) }.flatMap { $0 > now ? $0 : nil } ?? now.addingTimeInterval(guess)
    remaining = 0
    reset = max([asked, ending].compactMap { $0 }.max() ?? fallback, now.addingTimeInterval(Self.shortestPause))
  }
}

extension Duration {
  /// In seconds.
  var seconds: TimeInterval { TimeInterval(components.seconds) + TimeInterval(components.attoseconds) * 1e-18 }

  /// From seconds, which may be beyond what a duration holds.
  init(bounded seconds: TimeInterval) {
    self = seconds.isNaN ? .zero : .seconds(min(max(seconds, -1e12), 1e12))
  }
}
