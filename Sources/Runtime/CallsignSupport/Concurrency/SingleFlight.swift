/// Work that is done once, however many tasks want its result while it is under way.
///
/// The work runs in a separate task: a waiting task can be cancelled without ending it for the others.
package final class SingleFlight<Value: Sendable>: Sendable {
  package init() {}

  /// Those who wait; `nil` while nothing is under way.
  private let waits = Locked<[CancellableWait<Value>]?>(nil)

  /// The result of the work that is under way, or else of `work`, which is begun.
  ///
  /// - Throws: `CancellationError` if the task is cancelled first; the work continues.
  package func value(of work: @escaping @Sendable () async -> Value) async throws(CancellationError) -> Value {
    if Task.isCancelled { throw CancellationError() }
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
