import CallsignHTTP
import CallsignSupport

/// The state of one limit, and the number of calls that it lets through. All times are those of this machine.
struct RateLimitWindow: Sendable {
  /// The limit as the last response stated it, by this machine's clock.
  private(set) var stated = RateLimit.Window()
  /// The number of calls that the server has left for this window.
  private var remaining: Int?
  /// When the window ends.
  private(set) var reset: Date?
  /// When ``reset`` was last stated.
  private var noted = Date.distantPast
  /// The number of calls that were let through and have had no response.
  private var underway = 0
  /// The number of refusals in a row.
  private var refusals = 0
  /// Whether ``reset`` is a guess, because the API refused a call without stating when to come back.
  private var isGuess = false
  /// Whether ``reset`` comes from a refusal, and not from a window's end that a response stated.
  private var isAsked = false

  /// The shortest pause after a refusal, whatever the server says.
  private static let shortestPause: TimeInterval = 1
  /// The longest pause after a refusal that does not say for how long.
  private static let longestGuess: TimeInterval = 60
  /// By how many seconds the clock may be behind ``noted``, because calls do not read it in the order of their ends. If it is
  /// further behind, it was set back, and ``reset`` no longer applies.
  private static let slack: TimeInterval = 5

  /// Whether it holds no more information than a new window.
  var isBlank: Bool { underway == 0 && refusals == 0 && remaining == nil && reset == nil }

  /// Whether nothing is lost when it is forgotten.
  func isOver(at now: Date) -> Bool { underway == 0 && hasEnded(at: now) }

  private func hasEnded(at now: Date) -> Bool {
    guard let reset else { return true }
    return now >= reset || now < noted - Self.slack
  }

  /// Whether no call is in progress and calls are left.
  var isSpare: Bool { underway == 0 && remaining.map { $0 > 0 } ?? true }

  /// Whether it is certain that nothing gets through before ``reset``.
  func isExhausted(at now: Date) -> Bool {
    guard let remaining else { return false }
    return remaining <= 0 && !hasEnded(at: now)
  }

  /// Whether the API has said that nothing gets through before ``reset``.
  func isKnownExhausted(at now: Date) -> Bool { !isGuess && isExhausted(at: now) }

  /// Whether one more call may be sent now.
  func admits(at now: Date) -> Bool {
    guard let remaining else { return true }
    if !hasEnded(at: now) { return remaining - underway > 0 }
    // A new window. After one that was used up, a single call finds out how many it allows.
    return remaining - underway > 0 || underway == 0
  }

  /// Whether one more call may get through, as far as is known: the window has ended, and no more calls are under way
  /// than it allowed.
  func mayAllow(at now: Date) -> Bool { hasEnded(at: now) && underway < stated.limit ?? .max }

  mutating func enter() { underway += 1 }

  /// A call that was let through got no response.
  mutating func leave() { underway = max(0, underway - 1) }

  /// Records what a response states.
  ///
  /// - Parameters:
  ///   - told: The limit that it states.
  ///   - now: When it arrived.
  mutating func update(_ told: RateLimit.Window?, now: Date) {
    refusals = 0
    if let told { stated = told }
    let isOver = hasEnded(at: now)
    guard let left = told?.remaining, let ending = told?.reset else {
      // The call was admitted, and the response states no limit, so there is nothing to wait for any more.
      if isOver || isGuess { (remaining, reset, isGuess) = (nil, nil, false) }
      return
    }
    noted = now
    // An API's conventions may have read a number that is not a valid count.
    let count = max(0, left)
    if !isOver, !isGuess, let reset, let remaining, abs(ending.timeIntervalSince(reset)) <= 2 {
      // Responses may arrive in another order than the server counted them.
      self.remaining = min(remaining, count)
    } else if isOver || isGuess || reset.map({ ending > $0 }) ?? true {
      (remaining, reset, isGuess, isAsked) = (count, ending, false, false)
    } else if ending > now, !isAsked {
      // Still this window. The longer a response is under way, the later the end appears by this machine's clock.
      (remaining, reset) = (min(remaining ?? count, count), ending)
    }
  }

  /// Records a refusal.
  ///
  /// - Parameters:
  ///   - told: The limit that it states.
  ///   - retryAfter: Its `Retry-After`.
  ///   - now: When it arrived.
  mutating func refuse(_ told: RateLimit.Window?, retryAfter: Duration?, now: Date) {
    refusals += 1
    if let told { stated = told }
    let asked = retryAfter.map { now.addingTimeInterval($0.seconds) }
    // If calls are left, the refusal is about something else, and has nothing to do with the window's end.
    let ending = told?.remaining ?? 0 <= 0 ? told?.reset : nil
    let known = [asked, ending].compactMap { $0 }.filter { $0 > now }.max()
    let guess = min(Self.longestGuess, TimeInterval(1 << min(refusals - 1, 6)))
    isGuess = known == nil
    isAsked = true
    remaining = 0
    noted = now
    reset = max(known ?? now.addingTimeInterval(guess), now.addingTimeInterval(Self.shortestPause))
  }
}
