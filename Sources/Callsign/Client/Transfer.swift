/// A call under way, the progress of whose transfer can be watched.
///
/// ```swift
/// let transfer = Transfer { progress in
///   try await x.download("https://video.example/1.mp4", to: file, auth: .none, options: CallOptions(progress: progress))
/// }
/// for await step in transfer.progress { print(step.bytes, step.total ?? 0) }
/// let size = try await transfer.value.value
/// ```
///
/// As a `Task` does, it goes on when nobody holds this value; ``cancel()`` ends it.
public struct Transfer<Value: Sendable>: Sendable {
  /// Its steps forward, for one reader, until the call has ended either way. A slow reader gets the latest only.
  public let progress: AsyncStream<TransferProgress>
  private let task: Task<Result<Value, CallError>, Never>

  /// Starts a call.
  ///
  /// - Parameter call: Makes it; its argument is for ``CallOptions/progress``.
  public init(
    _ call:
      @escaping @Sendable (_ progress: @escaping @Sendable (TransferProgress) -> Void) async throws(CallError)
      -> Value
  ) {
    let (progress, continuation) = AsyncStream.makeStream(
      of: TransferProgress.self, bufferingPolicy: .bufferingNewest(1))
    self.progress = progress
    task = Task {
      defer { continuation.finish() }
      do throws(CallError) { return .success(try await call { continuation.yield($0) }) } catch {
        return .failure(error)
      }
    }
  }

  /// What the call returns. When the task that waits here is cancelled, the call is.
  ///
  /// - Throws: ``CallError``.
  public var value: Value {
    get async throws(CallError) {
      let result = await withTaskCancellationHandler {
        await task.value
      } onCancel: {
        task.cancel()
      }
      return try result.get()
    }
  }

  /// Ends it; ``value`` then throws ``CallError/cancelled``.
  public func cancel() { task.cancel() }
}
