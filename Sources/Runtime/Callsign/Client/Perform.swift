import CallsignSupport
import Dispatch

/// Makes a call from code that is not asynchronous, and hands its result over on the main actor.
///
/// ```swift
/// perform { try await x.getUsersMe() } onMain: { result in
///   label.text = (try? result.get())?.data.name
/// }
/// ```
///
/// - Parameters:
///   - work: One call, or several.
///   - completion: Gets the result, also when the task was cancelled: then mostly ``CallError/cancelled``, and
///     ``CallError/mayHaveSucceeded(_:)`` of a write that was on its way. ``CallError/isCancellation`` is true of both; a
///     call that got a response before has its own result.
/// - Returns: The task, by which the work can be cancelled.
@discardableResult
public func perform<Value: Sendable>(
  _ work: @escaping @Sendable () async throws(CallError) -> Value,
  onMain completion: @escaping @MainActor @Sendable (Result<Value, CallError>) -> Void
) -> Task<Void, Never> {
  perform(work, handingOver: { result in await completion(result) })
}

/// Makes a call from code that is not asynchronous, and hands its result over on a queue.
///
/// - Parameters:
///   - queue: Where the completion runs.
///   - work: One call, or several.
///   - completion: Gets the result, also when the task was cancelled: then mostly ``CallError/cancelled``, and
///     ``CallError/mayHaveSucceeded(_:)`` of a write that was on its way. ``CallError/isCancellation`` is true of both; a
///     call that got a response before has its own result.
/// - Returns: The task, by which the work can be cancelled.
@discardableResult
public func perform<Value: Sendable>(
  on queue: DispatchQueue, _ work: @escaping @Sendable () async throws(CallError) -> Value,
  completion: @escaping @Sendable (Result<Value, CallError>) -> Void
) -> Task<Void, Never> {
  perform(work, handingOver: { result in queue.async { completion(result) } })
}

/// Makes a call from code that is not asynchronous, and hands its result over on an actor.
///
/// - Parameters:
///   - actor: Where the completion runs; it is the completion's first argument.
///   - work: One call, or several.
///   - completion: Gets the result, also when the task was cancelled: then mostly ``CallError/cancelled``, and
///     ``CallError/mayHaveSucceeded(_:)`` of a write that was on its way. ``CallError/isCancellation`` is true of both; a
///     call that got a response before has its own result.
/// - Returns: The task, by which the work can be cancelled.
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
