import Foundation

extension RateLimitLedger {
  /// Lets a call through, at once or when its turn has come.
  ///
  /// - Parameters:
  ///   - key: What is called.
  ///   - deadline: A window that ends later is not waited for.
  /// - Throws: `CancellationError` when the task is cancelled first; then the call was not let through.
  func enter(_ key: RateLimitKey, until deadline: Date) async throws(CancellationError) -> Admission {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let admission = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Admission?, Never>) in
        let waiter = Waiter(number: number, deadline: deadline, continuation: continuation)
        let beginning: Beginning = state.withLock { state in
          state.cancelled.remove(number) != nil ? .over(nil) : begin(key, waiter, &state)
        }
        if case .over(let admission) = beginning { continuation.resume(returning: admission) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        guard let index = state.entries[key]?.waiters.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        let waiter = state.entries[key]?.waiters.remove(at: index)
        if state.entries[key]?.waiters.isEmpty ?? false { state.entries[key]?.silence() }
        return waiter
      }
      waiter?.continuation.resume(returning: nil)
    }
    // A cancellation after the answer leaves its mark behind.
    state.withLock { _ = $0.cancelled.remove(number) }
    guard let admission else { throw CancellationError() }
    return admission
  }

  private enum Beginning {
    /// It need not wait; `nil` when its task was cancelled already.
    case over(Admission?)
    case waits
  }

  private func begin(_ key: RateLimitKey, _ waiter: Waiter, _ state: inout State) -> Beginning {
    let now = time.now()
    var entry = state.entries[key] ?? Entry()
    defer { state.entries[key] = entry }
    if entry.waiters.isEmpty, entry.window.admits(at: now) {
      entry.window.enter()
      return .over(.admitted)
    }
    if let reset = entry.window.reset, reset > waiter.deadline, entry.window.isExhausted(at: now) {
      return .over(.exhausted(entry.window.limit, until: reset))
    }
    entry.waiters.append(waiter)
    setAlarm(key, &entry, now)
    return .waits
  }

  /// Takes those from the queue who need wait no longer, in the order in which they came.
  func release(_ key: RateLimitKey, _ state: inout State) -> [(Waiter, Admission)] {
    guard var entry = state.entries[key], !entry.waiters.isEmpty else { return [] }
    let now = time.now()
    var released: [(Waiter, Admission)] = []
    while !entry.waiters.isEmpty, entry.window.admits(at: now) {
      entry.window.enter()
      released.append((entry.waiters.removeFirst(), .admitted))
    }
    if let reset = entry.window.reset, entry.window.isExhausted(at: now) {
      let late = entry.waiters.filter { $0.deadline < reset }
      released += late.map { ($0, .exhausted(entry.window.limit, until: reset)) }
      entry.waiters.removeAll { $0.deadline < reset }
    }
    if entry.waiters.isEmpty { entry.silence() } else { setAlarm(key, &entry, now) }
    state.entries[key] = entry
    return released
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
    let released = state.withLock { state in
      // A cancelled alarm may still ring; the queue is looked at again, which does no harm.
      state.entries[key]?.silence()
      return release(key, &state)
    }
    for (waiter, admission) in released { waiter.continuation.resume(returning: admission) }
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
