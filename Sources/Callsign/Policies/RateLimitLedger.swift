import CallsignHTTP
import Foundation
import HTTPTypes

/// The state of all limits, and the calls that wait for them. Shared by the clients of a family.
final class RateLimitLedger: Sendable {
  /// The outcome for a call that asked to be let through.
  enum Admission: Sendable {
    /// It may be sent, and must be followed by ``record(_:_:_:isRefusal:wasAdmitted:)`` or ``release(_:)``.
    case admitted
    /// The limit is used up until after the time that the call would have waited.
    case exhausted(RateLimit?, until: Date)
  }

  struct Waiter {
    let deadline: Date
    let admission = CancellableWait<Admission>()
  }

  struct Entry {
    var window = RateLimitWindow()
    var waiters: [Waiter] = []
    /// Wakes the first of them when the window ends.
    var alarm: Task<Void, Never>?
    var alarmDate: Date?
  }

  struct State {
    var entries: [RateLimitKey: Entry] = [:]
  }

  /// How many limits are remembered, beside those that somebody waits for.
  private static let capacity = 4096

  let state = Locked(State())
  let time: any TimeSource

  init(time: any TimeSource) { self.time = time }

  var snapshot: RateLimits {
    RateLimits(
      state.withLock { state in
        state.entries.compactMap { key, entry in
          entry.window.limit.map { .init(endpoint: key.endpoint, credential: key.credential, limit: $0) }
        }
      })
  }

  /// Records an answer.
  ///
  /// - Parameters:
  ///   - key: The endpoint and credentials of the call that it answers.
  ///   - head: Its head.
  ///   - told: The limit that it states.
  ///   - isRefusal: Whether it says that the limit is used up.
  ///   - wasAdmitted: Whether the call was let through by this ledger.
  func record(
    _ key: RateLimitKey, _ head: HTTPFields, _ told: RateLimit?, isRefusal: Bool, wasAdmitted: Bool
  ) {
    guard told != nil || isRefusal || wasAdmitted else { return }
    let now = time.now()
    // The clocks matter only where somebody may have to wait for the reset.
    let needsClock = isRefusal || wasAdmitted || told?.exhausted != nil
    let sent = needsClock ? head[.date].flatMap { HTTPDate.date($0, now: now) } : nil
    let ahead = sent.map { $0.timeIntervalSince(now) } ?? 0
    let retryAfter = isRefusal ? RetryAfter.delay(head, now: now) : nil
    change(key) { entry in
      if wasAdmitted { entry.window.leave() }
      if isRefusal {
        entry.window.refuse(told, retryAfter: retryAfter, ahead: ahead, now: now)
      } else {
        entry.window.update(told, ahead: ahead, now: now)
      }
    }
  }

  /// A call that was let through got no answer.
  func release(_ key: RateLimitKey) { change(key) { $0.window.leave() } }

  private func change(_ key: RateLimitKey, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      if state.entries[key] == nil { state.makeRoom(Self.capacity) }
      body(&state.entries[key, default: Entry()])
      admitWaiters(key, &state)
    }
  }
}

extension RateLimitLedger.State {
  /// Forgets what nobody uses once there is too much of it.
  fileprivate mutating func makeRoom(_ capacity: Int) {
    guard entries.count >= capacity else { return }
    entries = entries.filter { !$0.value.waiters.isEmpty || !$0.value.window.isUnused }
  }
}

extension RateLimitLedger {
  /// Lets a call through, at once or when its turn has come.
  ///
  /// - Parameters:
  ///   - key: The endpoint and credentials of the call.
  ///   - deadline: A window that ends later is not waited for.
  /// - Throws: `CancellationError` when the task is cancelled first; then the call was not let through.
  func enter(_ key: RateLimitKey, until deadline: Date) async throws(CancellationError) -> Admission {
    if Task.isCancelled { throw CancellationError() }
    let waiter = Waiter(deadline: deadline)
    if let admission = state.withLock({ begin(key, waiter, &$0) }) { return admission }
    do { return try await waiter.admission.value() } catch {
      state.withLock { state in
        state.entries[key]?.waiters.removeAll { $0.admission === waiter.admission }
        if state.entries[key]?.waiters.isEmpty ?? false { state.entries[key]?.silence() }
        // Who came after may have waited for this one alone.
        admitWaiters(key, &state)
      }
      throw error
    }
  }

  /// - Returns: `nil` when the call has to wait.
  private func begin(_ key: RateLimitKey, _ waiter: Waiter, _ state: inout State) -> Admission? {
    let now = time.now()
    var entry = state.entries[key] ?? Entry()
    defer { state.entries[key] = entry }
    if entry.waiters.isEmpty, entry.window.admits(at: now) {
      entry.window.enter()
      return .admitted
    }
    if let reset = entry.window.reset, reset > waiter.deadline, entry.window.isExhausted(at: now) {
      return .exhausted(entry.window.limit, until: reset)
    }
    entry.waiters.append(waiter)
    setAlarm(key, &entry, now)
    return nil
  }

  /// Lets those go on who need wait no longer, in the order in which they came. Who was cancelled is passed over.
  private func admitWaiters(_ key: RateLimitKey, _ state: inout State) {
    guard var entry = state.entries[key], !entry.waiters.isEmpty else { return }
    defer { state.entries[key] = entry }
    let now = time.now()
    while !entry.waiters.isEmpty, entry.window.admits(at: now) {
      if entry.waiters.removeFirst().admission.end(with: .admitted) { entry.window.enter() }
    }
    if let reset = entry.window.reset, entry.window.isExhausted(at: now) {
      entry.waiters.removeAll { waiter in
        guard waiter.deadline < reset else { return false }
        waiter.admission.end(with: .exhausted(entry.window.limit, until: reset))
        return true
      }
    }
    if entry.waiters.isEmpty { entry.silence() } else { setAlarm(key, &entry, now) }
  }

  /// Wakes the first of those who wait when the window ends.
  private func setAlarm(_ key: RateLimitKey, _ entry: inout Entry, _ now: Date) {
    guard let reset = entry.window.reset, reset > now else { return }
    if let ringing = entry.alarmDate, ringing <= reset { return }
    entry.silence()
    entry.alarmDate = reset
    entry.alarm = Task { [weak self, time] in
      guard (try? await time.sleep(for: Duration(bounded: reset.timeIntervalSince(time.now())))) != nil else { return }
      self?.windowEnded(key)
    }
  }

  private func windowEnded(_ key: RateLimitKey) {
    state.withLock { state in
      // A cancelled alarm may still ring; the queue is looked at again, which does no harm.
      state.entries[key]?.silence()
      admitWaiters(key, &state)
    }
  }
}

extension RateLimitLedger.Entry {
  /// Nobody waits any more.
  mutating func silence() {
    alarm?.cancel()
    alarm = nil
    alarmDate = nil
  }
}

/// One endpoint's limit for one set of credentials.
struct RateLimitKey: Sendable, Hashable {
  var endpoint: String
  var credential: CredentialIdentity?
}

/// The state of one limit, and the number of calls that it lets through. All times are those of this machine.
struct RateLimitWindow: Sendable {
  /// The limit as the last answer stated it.
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
