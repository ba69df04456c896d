/// A task's wait, which ends with a value from elsewhere or when the task is cancelled, whichever comes first.
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

extension Task where Failure == Never {
  /// The task's value. The waiting task can be cancelled without cancelling this one.
  ///
  /// - Throws: `CancellationError` if the waiting task is cancelled first.
  package func cancellableValue() async throws(CancellationError) -> Success {
    let wait = CancellableWait<Success>()
    Task<Void, Never> { wait.end(with: await value) }
    return try await wait.value()
  }
}
