/// A wait of one task, which ends with a value from elsewhere or when the task is cancelled, whichever comes first.
package final class CancellableWait<Value: Sendable>: Sendable {
  private enum State {
    case open
    case waiting(CheckedContinuation<Value?, Never>)
    /// `nil`: the task was cancelled.
    case over(Value?)
  }

  private let state = Locked(State.open)

  package init() {}

  /// Waits; only one task may, and once.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first.
  package func value() async throws(CancellationError) -> Value {
    let value = await withTaskCancellationHandler {
      await withCheckedContinuation { (continuation: CheckedContinuation<Value?, Never>) in
        let ended: Value?? = state.withLock { state in
          if case .over(let value) = state { return .some(value) }
          state = .waiting(continuation)
          return .none
        }
        if let ended { continuation.resume(returning: ended) }
      }
    } onCancel: {
      finish(nil)
    }
    guard let value else { throw CancellationError() }
    return value
  }

  /// Ends the wait.
  ///
  /// - Returns: Whether the value gets to the task that waits; not when it was cancelled before.
  @discardableResult package func end(with value: Value) -> Bool { finish(value) }

  @discardableResult private func finish(_ value: Value?) -> Bool {
    let (isFirst, waiter) = state.withLock { state -> (Bool, CheckedContinuation<Value?, Never>?) in
      defer { if case .over = state {} else { state = .over(value) } }
      return switch state {
      case .open: (true, nil)
      case .waiting(let continuation): (true, continuation)
      case .over: (false, nil)
      }
    }
    waiter?.resume(returning: value)
    return isFirst
  }
}

/// Work that is done once, however many tasks want its result while it is under way.
///
/// The work runs in a task of its own: one that waits may be cancelled without ending it for the others.
package final class SingleFlight<Value: Sendable>: Sendable {
  package init() {}

  /// Who waits; `nil` while nothing is under way.
  private let waits = Locked<[CancellableWait<Value>]?>(nil)

  /// The result of the work that is under way, or else of `work`, which is begun.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first; the work goes on.
  package func value(of work: @escaping @Sendable () async -> Value) async throws(CancellationError) -> Value {
    if Task.isCancelled { throw CancellationError() }
    return try await valueOnceBegun(of: work)
  }

  /// The same, but the work is begun also where the task has been cancelled before: for who has taken down that it begins.
  package func valueOnceBegun(
    of work: @escaping @Sendable () async -> Value
  ) async throws(CancellationError) -> Value {
    let wait = CancellableWait<Value>()
    let isFirst = waits.withLock { waits in
      defer { waits = (waits ?? []) + [wait] }
      return waits == nil
    }
    if isFirst { Task { self.finish(await work()) } }
    return try await wait.value()
  }

  private func finish(_ value: Value) {
    let ended = waits.withLock { waits in
      defer { waits = nil }
      return waits ?? []
    }
    for wait in ended { wait.end(with: value) }
  }
}

/// Lets one task at a time have a key, in the order in which they asked.
package final class KeyedAsyncLock<Key: Hashable & Sendable>: Sendable {
  private struct Line {
    /// Each ends with whether the key is the task's now.
    var waits: [CancellableWait<Bool>] = []
    var progress: ContinuousClock.Instant?
  }

  package init() {}

  /// The keys that somebody has, and who waits for each.
  private let lines = Locked<[Key: Line]>([:])

  /// Waits for the key. Each wait that returns must be followed by one ``finish(_:)``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first; then the key is not this task's.
  package func wait(for key: Key) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    guard let wait = standInLine(for: key) else { return }
    do throws(CancellationError) { _ = try await wait.value() } catch {
      leave(key, wait)
      throw error
    }
  }

  /// Waits for the key until time is up: so long after `start`, or after things have moved on.
  ///
  /// - Returns: Whether the key is this task's, which must then be followed by one ``finish(_:)``.
  /// - Throws: `CancellationError` when the task is cancelled first; then the key is not this task's.
  package func wait(
    for key: Key, since start: ContinuousClock.Instant, timeLimit: Duration
  ) async throws(CancellationError) -> Bool {
    if Task.isCancelled { throw CancellationError() }
    guard let wait = standInLine(for: key) else { return true }
    let alarm = Task { [self] in
      while true {
        let end = max(start, progress(of: key) ?? start) + timeLimit
        let left = end - .now
        guard left > .zero else { break }
        do { try await Task.sleep(for: min(left, .seconds(86_400))) } catch { return }
      }
      // Where the key was granted before, that holds.
      wait.end(with: false)
    }
    defer { alarm.cancel() }
    let isGranted: Bool
    do throws(CancellationError) { isGranted = try await wait.value() } catch {
      leave(key, wait)
      throw error
    }
    if !isGranted { leave(key, wait) }
    return isGranted
  }

  /// - Returns: `nil` when nobody has the key: then it is this task's.
  private func standInLine(for key: Key) -> CancellableWait<Bool>? {
    lines.withLock { lines in
      guard lines[key] != nil else {
        lines[key] = Line()
        return nil
      }
      let wait = CancellableWait<Bool>()
      lines[key]?.waits.append(wait)
      return wait
    }
  }

  private func leave(_ key: Key, _ wait: CancellableWait<Bool>) {
    lines.withLock { $0[key]?.waits.removeAll { $0 === wait } }
  }

  /// Passes the key on.
  package func finish(_ key: Key) {
    lines.withLock { lines in
      while let waits = lines[key]?.waits, let next = waits.first {
        lines[key]?.waits.removeFirst()
        // One that was cancelled, or whose time was up, and that has not left the line yet is passed over.
        if next.end(with: true) { return }
      }
      lines[key] = nil
    }
  }

  /// Tells those who wait for the key, and lose patience, that things move on. For the task that has the key.
  package func noteProgress(of key: Key) { lines.withLock { $0[key]?.progress = .now } }

  /// When things moved on last; `nil` when they have not since the line began.
  package func progress(of key: Key) -> ContinuousClock.Instant? { lines.withLock { $0[key]?.progress } }
}
