import CallsignSupport
import Dispatch

/// Makes a call from code that is not asynchronous, and passes its result to the main actor.
///
/// ```swift
/// perform { try await x.getUsersMe() } onMain: { result in
///   label.text = (try? result.get())?.data.name
/// }
/// ```
///
/// - Parameters:
///   - work: One call, or several.
///   - completion: Receives the result, even if the task was cancelled. Then the result is mostly
///     ``CallError/cancelled``, or ``CallError/mayHaveSucceeded(_:)`` for a write that was under way.
///     ``CallError/isCancellation`` is true for both. A call that got a response before that has its own result.
/// - Returns: The task, which you can use to cancel the work.
@discardableResult
public func perform<Value: Sendable>(
  _ work: @escaping @Sendable () async throws(CallError) -> Value,
  onMain completion: @escaping @MainActor @Sendable (Result<Value, CallError>) -> Void
) -> Task<Void, Never> {
  perform(work, handingOver: { result in await completion(result) })
}

/// Makes a call from code that is not asynchronous, and passes its result to a queue.
///
/// - Parameters:
///   - queue: The queue that the completion runs on.
///   - work: One call, or several.
///   - completion: Receives the result, even if the task was cancelled. Then the result is mostly
///     ``CallError/cancelled``, or ``CallError/mayHaveSucceeded(_:)`` for a write that was under way.
///     ``CallError/isCancellation`` is true for both. A call that got a response before that has its own result.
/// - Returns: The task, which you can use to cancel the work.
@discardableResult
public func perform<Value: Sendable>(
  on queue: DispatchQueue, _ work: @escaping @Sendable () async throws(CallError) -> Value,
  completion: @escaping @Sendable (Result<Value, CallError>) -> Void
) -> Task<Void, Never> {
  perform(work, handingOver: { result in queue.async { completion(result) } })
}

/// Makes a call from code that is not asynchronous, and passes its result to an actor.
///
/// - Parameters:
///   - actor: The actor that the completion runs on; it is the completion's first argument.
///   - work: One call, or several.
///   - completion: Receives the result, even if the task was cancelled. Then the result is mostly
///     ``CallError/cancelled``, or ``CallError/mayHaveSucceeded(_:)`` for a write that was under way.
///     ``CallError/isCancellation`` is true for both. A call that got a response before that has its own result.
/// - Returns: The task, which you can use to cancel the work.
@discardableResult
public func perform<Value: Sendable, Target: Actor>(
  on actor: Target, _ work: @escaping @Sendable () async throws(CallError) -> Value,
  completion: @escaping @Sendable (isolated Target, Result<Value, CallError>) -> Void
) -> Task<Void, Never> {
  perform(work, handingOver: { result in await completion(actor, result) })
}

private func perform<Value: Sendable>(
  _ work: @escaping @Sendable () async throws(CallError) -> Value,
  handingOver: @escaping @Sendable (Result<Value, CallError>) async -> Void
) -> Task<Void, Never> {
  Task {
    let result: Result<Value, CallError>
    do throws(CallError) { result = .success(try await work()) } catch { result = .failure(error) }
    await handingOver(result)
  }
}
