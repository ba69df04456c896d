/// Work in a task of its own, whose progress can be watched. It goes on when nobody holds this value.
package struct WatchedTask<Progress: Sendable, Value: Sendable, Failure: Error>: Sendable {
  /// Its steps forward, for one reader, until the work has ended either way. A slow reader gets the latest only.
  package let progress: AsyncStream<Progress>
  private let task: Task<Result<Value, Failure>, Never>

  package init(_ work: @escaping @Sendable (AsyncStream<Progress>.Continuation) async throws(Failure) -> Value) {
    let (progress, continuation) = AsyncStream.makeStream(of: Progress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    task = Task {
      defer { continuation.finish() }
      do throws(Failure) { return .success(try await work(continuation)) } catch { return .failure(error) }
    }
  }

  /// What comes of it. When the task that waits here is cancelled, the work is.
  package var value: Value {
    get async throws(Failure) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }
  }

  package func cancel() { task.cancel() }
}
