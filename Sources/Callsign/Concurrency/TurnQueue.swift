/// Lets one task at a time have a key, in the order in which they asked.
final class TurnQueue<Key: Hashable & Sendable>: Sendable {
  private struct Waiter {
    let number: UInt64
    let continuation: CheckedContinuation<Bool, Never>
  }

  private struct Line {
    var waiters: [Waiter] = []
    var progress: ContinuousClock.Instant?
  }

  private struct State {
    /// The keys that somebody has, and who waits for each.
    var lines: [Key: Line] = [:]
    var nextNumber: UInt64 = 0
    /// Those whose task was cancelled before they began to wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Locked(State())

  /// Waits for the key. Each wait that returns must be followed by one ``finish(_:)``.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first; then the key is not this task's.
  func wait(for key: Key) async throws(CancellationError) {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let isGranted = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let answer: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return false }
          guard state.lines[key] != nil else {
            state.lines[key] = Line()
            return true
          }
          state.lines[key]?.waiters.append(Waiter(number: number, continuation: continuation))
          return nil
        }
        if let answer { continuation.resume(returning: answer) }
      }
    } onCancel: {
      let waiter: Waiter? = state.withLock { state in
        guard let index = state.lines[key]?.waiters.firstIndex(where: { $0.number == number }) else {
          state.cancelled.insert(number)
          return nil
        }
        return state.lines[key]?.waiters.remove(at: index)
      }
      waiter?.continuation.resume(returning: false)
    }
    // A cancellation after the key was granted leaves its mark behind.
    state.withLock { _ = $0.cancelled.remove(number) }
    guard isGranted else { throw CancellationError() }
  }

  /// Passes the key on.
  func finish(_ key: Key) {
    let next: Waiter? = state.withLock { state in
      guard var line = state.lines[key], !line.waiters.isEmpty else {
        state.lines[key] = nil
        return nil
      }
      let next = line.waiters.removeFirst()
      state.lines[key] = line
      return next
    }
    next?.continuation.resume(returning: true)
  }

  /// Tells those who wait for the key, and lose patience, that things move on. For the task that has the key.
  func noteProgress(of key: Key) { state.withLock { $0.lines[key]?.progress = .now } }

  /// When things moved on last; `nil` when they have not since the line began.
  func progress(of key: Key) -> ContinuousClock.Instant? { state.withLock { $0.lines[key]?.progress } }
}
