import CallsignHTTP
import CallsignSupport

/// The rate limits of one process, and the calls that wait for them. To let several clients share limits, pass them the
/// same ledger as ``ClientConfiguration/rateLimitStore``; clients that are derived from each other share it anyway.
///
/// When a window begins, the calls that wait for it start one after the other: the first finds out how many calls the
/// window allows, and that many follow. A call may also wait for the responses of other calls, which may leave room for
/// it. It waits until its deadline, and for a second in any case. In a new window it then goes ahead without them, if
/// the previous window had room for that many. If nobody knows how many that is, one call goes each second.
///
/// Memory is bounded: limits that are over are forgotten. A limit that is used up is kept until it is over.
public final class RateLimitLedger: RateLimitStore {
  /// A call that waits, in the line of the first limit that holds it up.
  struct Waiter {
    let keys: [RateLimitKey]
    let deadline: Date
    /// When it joined the queue.
    var since = Date.distantPast
    let admission = CancellableWait<RateLimitAdmission>()
  }

  struct Entry {
    var window = RateLimitWindow()
    var waiters: [Waiter] = []
    /// Checks the line when the window ends, or when the first call in it loses patience.
    var timer: Task<Void, Never>?
    var timerDate: Date?

    /// Whether one more call may be sent now, and nobody came before it.
    func admits(at now: Date) -> Bool { waiters.isEmpty && window.admits(at: now) }
  }

  struct State {
    var entries: [RateLimitKey: Entry] = [:]
    /// The number of limits that triggers the next search for expired ones.
    var bound = RateLimitLedger.capacity
  }

  /// The seconds that a call waits for the responses of others, even past its deadline. That is not yet a limit: if
  /// they arrive in time, no call is refused.
  package static let patience: TimeInterval = 1

  /// The most limits to remember, not counting those that are used up or in use.
  static let capacity = 4096

  let state = Locked(State())
  let time: any TimeSource

  /// Makes an empty ledger.
  ///
  /// - Parameter time: The clock for the end of windows; pass that of the clients that use the ledger.
  public init(time: any TimeSource = SystemTime()) { self.time = time }

  /// The number of remembered limits about which something is known.
  package var count: Int { state.withLock { $0.entries.values.count { !$0.window.isBlank || !$0.waiters.isEmpty } } }

  /// Lets a call through, at once or when its turn has come.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first; then the call was not let through.
  public func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission {
    if Task.isCancelled { throw CancellationError() }
    guard let deadline else { return state.withLock { begin(keys, &$0) } }
    let waiter = Waiter(keys: keys, deadline: deadline)
    if let admission = state.withLock({ begin(waiter, &$0) }) { return admission }
    do { return try await waiter.admission.value() } catch {
      state.withLock { state in
        for key in keys {
          guard let line = state.entries[key]?.waiters.firstIndex(where: { $0.admission === waiter.admission }) else {
            continue
          }
          state.entries[key]?.waiters.remove(at: line)
          if state.entries[key]?.waiters.isEmpty ?? false { state.entries[key]?.cancelTimer() }
          // Calls behind it may have waited only for this one.
          admitWaiters(key, &state)
        }
      }
      throw error
    }
  }

  /// Lets a call through unless a known limit delays it.
  ///
  /// - Returns: Whether it was let through. If not, ``admit(_:until:)`` decides what happens to it.
  func admitAtOnce(_ keys: [RateLimitKey]) -> Bool {
    state.withLock { state in
      let now = time.now()
      // By index, which copies no key.
      for index in keys.indices {
        // Found once and changed in place: this is done several times for each call.
        guard let place = state.entries.index(forKey: keys[index]) else {
          state.enter(keys[index], at: now)
          continue
        }
        guard state.entries.values[place].admits(at: now) else {
          for key in keys[..<index] { state.entries[key]?.window.leave() }
          return false
        }
        state.entries.values[place].window.enter()
      }
      return true
    }
  }

  /// Counts a call that another store has let through, whatever is known here. ``settle(_:_:)`` reports its end.
  package func enter(_ keys: [RateLimitKey]) {
    let now = time.now()
    state.withLock { enter(keys, &$0, now) }
  }

  /// Records the end of a call.
  public func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async { merge(report, of: keys) }

  /// The same without a change of executors.
  func merge(_ report: RateLimitReport, of keys: [RateLimitKey]) {
    let now = time.now()
    state.withLock { state in
      for index in keys.indices {
        guard let place = state.entries.index(forKey: keys[index]) else {
          var entry = Entry()
          Self.end(keys[index], of: keys, report, now, &entry)
          if !entry.window.isBlank {
            state.makeRoom(for: keys[index], at: now)
            state.entries[keys[index]] = entry
          }
          continue
        }
        Self.end(keys[index], of: keys, report, now, &state.entries.values[place])
        // A blank limit stays until there are many: the next call would only create it again.
        if !state.entries.values[place].waiters.isEmpty {
          admitWaiters(keys[index], &state)
        } else if state.entries.values[place].timer != nil {
          state.entries.values[place].cancelTimer()
        }
      }
    }
  }
}

extension RateLimitLedger {
  private static func end(
    _ key: RateLimitKey, of keys: [RateLimitKey], _ report: RateLimitReport, _ now: Date, _ entry: inout Entry
  ) {
    entry.window.leave()
    switch report {
    case .noResponse: break
    case .responded(let windows): entry.window.update(windows.isEmpty ? nil : windows[key], now: now)
    case .refused(let windows, let retryAfter):
      if report.isRefused(key, of: keys) {
        entry.window.refuse(windows[key], retryAfter: retryAfter, now: now)
      } else {
        entry.window.update(windows[key], now: now)
      }
    }
  }
}

extension RateLimitReport {
  /// Whether a refusal is about this limit: it is about the limits that are stated to be used up, else about the first
  /// one.
  package func isRefused(_ key: RateLimitKey, of keys: [RateLimitKey]) -> Bool {
    guard case .refused(let windows, _) = self else { return false }
    func isUsedUp(_ window: RateLimit.Window?) -> Bool { window?.remaining.map { $0 <= 0 } ?? false }
    return windows.values.contains(where: isUsedUp) ? isUsedUp(windows[key]) : key == keys.first
  }
}

extension RateLimitLedger.State {
  /// Counts a call that is on its way.
  fileprivate mutating func enter(_ key: RateLimitKey, at now: Date) {
    makeRoom(for: key, at: now)
    entries[key, default: RateLimitLedger.Entry()].window.enter()
  }

  /// Forgets limits that are over, once there are many. Then it forgets limits that nobody uses and that are not used
  /// up, beginning with the one that ends next.
  fileprivate mutating func makeRoom(for key: RateLimitKey, at now: Date) {
    guard entries.count >= bound, entries[key] == nil else { return }
    entries = entries.filter { !$0.value.waiters.isEmpty || !$0.value.window.isOver(at: now) }
    if entries.count >= RateLimitLedger.capacity {
      let spare = entries.filter { $0.value.waiters.isEmpty && $0.value.window.isSpare }
        .sorted { ($0.value.window.reset ?? .distantPast) < ($1.value.window.reset ?? .distantPast) }
      for (key, _) in spare.prefix(entries.count - RateLimitLedger.capacity / 2) { entries[key] = nil }
    }
    // The next check is far enough away to spread its cost.
    bound = max(RateLimitLedger.capacity, entries.count * 2)
  }
}

extension RateLimitLedger {
  /// Lets a call through that does not wait, unless a limit is known to be used up.
  private func begin(_ keys: [RateLimitKey], _ state: inout State) -> RateLimitAdmission {
    let now = time.now()
    if let refusal = Self.knownRefusal(of: keys, state, now) { return refusal }
    enter(keys, &state, now)
    return .admitted
  }

  /// The reply to a call if one of its limits is known to be used up; `nil` otherwise.
  private static func knownRefusal(of keys: [RateLimitKey], _ state: State, _ now: Date) -> RateLimitAdmission? {
    for key in keys {
      if let window = state.entries[key]?.window, window.isKnownExhausted(at: now), let reset = window.reset {
        return .exhausted(key, window.stated, until: reset)
      }
    }
    return nil
  }

  /// - Returns: `nil` if the call has to wait.
  private func begin(_ waiter: Waiter, _ state: inout State) -> RateLimitAdmission? {
    let now = time.now()
    var line: RateLimitKey?
    for key in waiter.keys {
      guard let entry = state.entries[key] else { continue }
      if let refusal = entry.refusal(of: key, to: waiter, at: now) { return refusal }
      if line == nil, !entry.admits(at: now) { line = key }
    }
    guard let line else {
      enter(waiter.keys, &state, now)
      return .admitted
    }
    enqueue(waiter, line, &state, now)
    return nil
  }

  private func enter(_ keys: [RateLimitKey], _ state: inout State, _ now: Date) {
    for key in keys { state.enter(key, at: now) }
  }

  private func enqueue(_ waiter: Waiter, _ key: RateLimitKey, _ state: inout State, _ now: Date) {
    var waiter = waiter
    waiter.since = now
    state.entries[key]?.waiters.append(waiter)
    guard let end = state.entries[key]?.longestWaitEnd(of: waiter, at: now) else { return }
    setTimer(key, at: end, &state, now)
  }

  /// Lets calls go ahead that need not wait any longer, in the order of their arrival. Cancelled calls are skipped.
  private func admitWaiters(_ key: RateLimitKey, _ state: inout State) {
    let now = time.now()
    while let entry = state.entries[key], let waiter = entry.waiters.first, entry.window.admits(at: now) {
      state.entries[key]?.waiters.removeFirst()
      let other = waiter.keys.first { $0 != key && !(state.entries[$0]?.window.admits(at: now) ?? true) }
      if let other, let entry = state.entries[other] {
        // Another limit holds it up now.
        if let refusal = entry.refusal(of: other, to: waiter, at: now) {
          waiter.admission.end(with: refusal)
        } else {
          enqueue(waiter, other, &state, now)
        }
      } else if waiter.admission.end(with: .admitted) {
        enter(waiter.keys, &state, now)
      }
    }
    guard let entry = state.entries[key] else { return }
    var patient: [Waiter] = []
    var isOneGone = false
    for var waiter in entry.waiters {
      if let refusal = entry.refusal(of: key, to: waiter, at: now) {
        waiter.admission.end(with: refusal)
      } else if now < entry.longestWaitEnd(of: waiter, at: now) {
        patient.append(waiter)
      } else if let refusal = refusalAfterLongestWait(of: waiter, key, state, now) {
        waiter.admission.end(with: refusal)
      } else if isOneGone, entry.window.stated.limit == nil {
        // Nobody knows how many the window allows: they go one by one.
        waiter.since = now
        patient.append(waiter)
      } else if waiter.admission.end(with: .admitted) {
        enter(waiter.keys, &state, now)
        isOneGone = true
      }
    }
    state.entries[key]?.waiters = patient
    if let end = patient.map({ entry.longestWaitEnd(of: $0, at: now) }).min() {
      setTimer(key, at: end, &state, now)
    } else {
      state.entries[key]?.cancelTimer()
    }
  }

  /// The reply to a call that has waited long enough for the responses of others; `nil` if it may go without them,
  /// because no limit is known to be used up.
  private func refusalAfterLongestWait(
    of waiter: Waiter, _ key: RateLimitKey, _ state: State, _ now: Date
  ) -> RateLimitAdmission? {
    if let refusal = Self.knownRefusal(of: waiter.keys, state, now) { return refusal }
    guard let window = state.entries[key]?.window, !window.mayAllow(at: now) else { return nil }
    return .exhausted(key, window.stated, until: window.end(after: now) ?? now.addingTimeInterval(1))
  }

  /// Sets a timer to check a line when the window ends, or at an earlier date.
  private func setTimer(_ key: RateLimitKey, at date: Date, _ state: inout State, _ now: Date) {
    guard var entry = state.entries[key] else { return }
    let date = entry.window.end(after: now).map { min($0, date) } ?? date
    if let pending = entry.timerDate, pending <= date { return }
    entry.cancelTimer()
    entry.timerDate = date
    entry.timer = Task { [weak self, time] in
      guard (try? await time.sleep(for: Duration(bounded: date.timeIntervalSince(time.now())))) != nil else { return }
      self?.timerFired(key)
    }
    state.entries[key] = entry
  }

  private func timerFired(_ key: RateLimitKey) {
    state.withLock { state in
      // A cancelled timer may still fire. Then the queue is checked once more, which does no harm.
      state.entries[key]?.cancelTimer()
      admitWaiters(key, &state)
    }
  }
}

extension RateLimitWindow {
  /// When it ends; `nil` if it has ended, or nobody knows.
  fileprivate func end(after now: Date) -> Date? { reset.flatMap { $0 > now ? $0 : nil } }
}

extension RateLimitLedger.Entry {
  /// The reply to a call that would have to wait past its deadline.
  fileprivate func refusal(
    of key: RateLimitKey, to waiter: RateLimitLedger.Waiter, at now: Date
  ) -> RateLimitAdmission? {
    guard let reset = window.reset, reset > waiter.deadline, window.isExhausted(at: now) else { return nil }
    return .exhausted(key, window.stated, until: reset)
  }

  /// The time until which a call waits for the responses of others, unless the window ends first.
  fileprivate func longestWaitEnd(of waiter: RateLimitLedger.Waiter, at now: Date) -> Date {
    // In a new window, these are the calls that find out what it allows. They could not be sent earlier.
    let start = window.reset.map { $0 > now ? waiter.since : max($0, waiter.since) } ?? waiter.since
    return max(waiter.deadline, start.addingTimeInterval(RateLimitLedger.patience))
  }

  /// Nobody waits any more.
  fileprivate mutating func cancelTimer() {
    timer?.cancel()
    timer = nil
    timerDate = nil
  }
}
