import Foundation

extension RateLimitLedger {
  /// Lets a call through, at once or when its turn has come.
  ///
  /// - Parameters:
  ///   - key: What is called.
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
        release(key, &state)
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
  func release(_ key: RateLimitKey, _ state: inout State) {
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

  /// Sees to it that the first of those who wait is woken when the window ends.
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
      release(key, &state)
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
