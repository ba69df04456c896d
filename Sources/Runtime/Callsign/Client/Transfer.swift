import CallsignHTTP

/// A call under way whose transfer you can watch.
///
/// ```swift
/// let transfer = Transfer { (progress) async throws(CallError) in
///   try await x.download("https://video.example/1.mp4", to: file, auth: .none, options: CallOptions(progress: progress))
/// }
/// for await step in transfer.progress { print(step.bytes, step.total ?? 0) }
/// let size = try await transfer.value.value
/// ```
///
/// Like a `Task`, it continues when nothing holds this value. Its `cancel()` ends it; `value` then throws an error
/// whose ``CallError/isCancellation`` is true: ``CallError/cancelled``, or ``CallError/mayHaveSucceeded(_:)`` for a
/// write that was under way. A call that got a response before that has its own result.
public typealias Transfer<Value: Sendable> = ProgressTask<TransferProgress, Value, CallError>

extension ProgressTask where Progress == TransferProgress, Failure == CallError {
  /// Starts a call.
  ///
  /// - Parameter call: Makes it; its argument is for ``CallOptions/progress``.
  public init(
    _ call:
      @escaping @Sendable (_ progress: @escaping @Sendable (TransferProgress) -> Void) async throws(CallError)
      -> Value
  ) {
    self.init(reporting: { continuation throws(CallError) in try await call { continuation.yield($0) } })
  }
}
