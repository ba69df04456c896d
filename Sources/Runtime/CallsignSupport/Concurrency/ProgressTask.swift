/// Work in a separate task, whose progress you can watch. Like a `Task`, it continues when nothing holds this value.
public struct ProgressTask<Progress: Sendable, Value: Sendable, Failure: Error>: Sendable {
  /// The steps forward, for one reader, until the work has ended either way. A slow reader gets the latest only.
  public let progress: AsyncStream<Progress>
  private let task: Task<Result<Value, Failure>, Never>

  /// Starts the work.
  ///
  /// - Parameter work: Does it, and yields each step forward to the continuation, which it need not finish.
  package init(
    reporting work: @escaping @Sendable (AsyncStream<Progress>.Continuation) async throws(Failure) -> Value
  ) {
    let (progress, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    task = Task {
      defer { continuation.finish() }
      do throws(Failure) { return .success(try await work(continuation)) } catch { return .failure(error) }
    }
  }

  /// The result. When the task that waits here is cancelled, the work is.
  ///
  /// - Throws: The work's error.
  public var value: Value {
    get async throws(Failure) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }
  }

  /// Cancels the work; ``value`` then throws its error for that.
  public func cancel() { task.cancel() }
}
