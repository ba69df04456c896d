import CallsignHTTP

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
  public var progress: AsyncStream<TransferProgress> { work.progress }
  private let work: WatchedTask<TransferProgress, Value, CallError>

  /// Starts a call.
  ///
  /// - Parameter call: Makes it; its argument is for ``CallOptions/progress``.
  public init(
    _ call:
      @escaping @Sendable (_ progress: @escaping @Sendable (TransferProgress) -> Void) async throws(CallError)
      -> Value
  ) {
    work = WatchedTask { continuation throws(CallError) in try await call { continuation.yield($0) } }
  }

  /// What the call returns. When the task that waits here is cancelled, the call is.
  ///
  /// - Throws: ``CallError``.
  public var value: Value {
    get async throws(CallError) { try await work.value }
  }

  /// Ends it; ``value`` then throws ``CallError/cancelled``.
  public func cancel() { work.cancel() }
}
