import CallsignHTTP
import Foundation
import HTTPTypes

/// What is known of all limits, and who waits for which. Shared by the clients of a family.
final class RateLimitLedger: Sendable {
  /// What became of a call that wanted to be let through.
  enum Admission: Sendable {
    /// It may be sent, and must be followed by ``settle(_:_:wasAdmitted:)`` or ``leave(_:)``.
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

  /// Takes in an answer.
  ///
  /// - Parameters:
  ///   - key: What it answers.
  ///   - head: Its head.
  ///   - told: The limit that it states.
  ///   - isRefusal: Whether it says that the limit is used up.
  ///   - wasAdmitted: Whether the call was let through by this ledger.
  func settle(
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
  func leave(_ key: RateLimitKey) { change(key) { $0.window.leave() } }

  private func change(_ key: RateLimitKey, _ body: (inout Entry) -> Void) {
    state.withLock { state in
      if state.entries[key] == nil { state.makeRoom(Self.capacity) }
      body(&state.entries[key, default: Entry()])
      release(key, &state)
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
