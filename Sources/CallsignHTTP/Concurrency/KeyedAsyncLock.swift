/// Lets one task at a time have a key, in the order in which they asked.
package final class KeyedAsyncLock<Key: Hashable & Sendable>: Sendable {
  private struct Line {
    var waits: [CancellableWait<Void>] = []
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
    let wait: CancellableWait<Void>? = lines.withLock { lines in
      guard lines[key] != nil else {
        lines[key] = Line()
        return nil
      }
      let wait = CancellableWait<Void>()
      lines[key]?.waits.append(wait)
      return wait
    }
    do { try await wait?.value() } catch {
      lines.withLock { $0[key]?.waits.removeAll { $0 === wait } }
      throw error
    }
  }

  /// Passes the key on.
  package func finish(_ key: Key) {
    lines.withLock { lines in
      while let waits = lines[key]?.waits, let next = waits.first {
        lines[key]?.waits.removeFirst()
        // One that was cancelled and has not left the line yet is passed over.
        if next.end(with: ()) { return }
      }
      lines[key] = nil
    }
  }

  /// Tells those who wait for the key, and lose patience, that things move on. For the task that has the key.
  package func noteProgress(of key: Key) { lines.withLock { $0[key]?.progress = .now } }

  /// When things moved on last; `nil` when they have not since the line began.
  package func progress(of key: Key) -> ContinuousClock.Instant? { lines.withLock { $0[key]?.progress } }
}
