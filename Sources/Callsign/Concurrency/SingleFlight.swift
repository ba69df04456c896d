/// Work that is done once, however many tasks want its result while it is under way.
///
/// The work runs in a task of its own: one that waits may be cancelled without ending it for the others.
final class SingleFlight<Value: Sendable>: Sendable {
  private struct State {
    /// Who waits; `nil` while nothing is under way.
    var waiters: [UInt64: CheckedContinuation<Value?, Never>]?
    var nextNumber: UInt64 = 0
    /// Those whose task was cancelled before they began to wait.
    var cancelled: Set<UInt64> = []
  }

  private let state = Locked(State())

  /// The result of the work that is under way, or else of `work`, which is begun.
  ///
  /// - Throws: `CancellationError` when the task is cancelled first; the work goes on.
  func value(of work: @escaping @Sendable () async -> Value) async throws(CancellationError) -> Value {
    let number = state.withLock { state in
      state.nextNumber += 1
      return state.nextNumber
    }
    let value: Value? = await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isFirst: Bool? = state.withLock { state in
          if state.cancelled.remove(number) != nil { return nil }
          let isFirst = state.waiters == nil
          state.waiters = state.waiters ?? [:]
          state.waiters?[number] = continuation
          return isFirst
        }
        guard let isFirst else { return continuation.resume(returning: nil) }
        if isFirst { Task { self.finish(await work()) } }
      }
    } onCancel: {
      let waiter = state.withLock { state in
        guard let waiter = state.waiters?.removeValue(forKey: number) else {
          state.cancelled.insert(number)
          return nil as CheckedContinuation<Value?, Never>?
        }
        return waiter
      }
      waiter?.resume(returning: nil)
    }
    // A cancellation after the result was there leaves its mark behind.
    state.withLock { _ = $0.cancelled.remove(number) }
    guard let value else { throw CancellationError() }
    return value
  }

  private func finish(_ value: Value) {
    let waiters = state.withLock { state in
      defer { state.waiters = nil }
      return state.waiters ?? [:]
    }
    for waiter in waiters.values { waiter.resume(returning: value) }
  }
}
