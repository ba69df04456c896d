/// Lets one task at a time have a key, in the order of their requests.
package final class KeyedAsyncLock<Key: Hashable & Sendable>: Sendable {
  private struct Queue {
    /// Each ends with whether the key is the task's now.
    var waits: [CancellableWait<Bool>] = []
    var progress: ContinuousClock.Instant?
  }

  package init() {}

  /// The keys that somebody has, and who waits for each.
  private let queues = Locked<[Key: Queue]>([:])

  /// Waits for the key. Each wait that returns must be followed by one ``finish(_:)``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first; then the key is not this task's.
  package func wait(for key: Key) async throws(CancellationError) {
    if Task.isCancelled { throw CancellationError() }
    guard let wait = enqueue(for: key) else { return }
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
    guard let wait = enqueue(for: key) else { return true }
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

  /// - Returns: `nil` if the key is free: then this task gets it.
  private func enqueue(for key: Key) -> CancellableWait<Bool>? {
    queues.withLock { queues in
      guard queues[key] != nil else {
        queues[key] = Queue()
        return nil
      }
      let wait = CancellableWait<Bool>()
      queues[key]?.waits.append(wait)
      return wait
    }
  }

  private func leave(_ key: Key, _ wait: CancellableWait<Bool>) {
    queues.withLock { $0[key]?.waits.removeAll { $0 === wait } }
  }

  /// Passes the key on.
  package func finish(_ key: Key) {
    queues.withLock { queues in
      while let waits = queues[key]?.waits, let next = waits.first {
        queues[key]?.waits.removeFirst()
        // Cancelled or expired waiters that have not left the queue yet are skipped.
        if next.end(with: true) { return }
      }
      queues[key] = nil
    }
  }

  /// Tells those who wait for the key, and lose patience, that things move on. For the task that has the key.
  package func noteProgress(of key: Key) { queues.withLock { $0[key]?.progress = .now } }

  /// The time of the last progress; `nil` if there was none since the queue began.
  package func progress(of key: Key) -> ContinuousClock.Instant? { queues.withLock { $0[key]?.progress } }
}
