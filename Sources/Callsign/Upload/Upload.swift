import CallsignHTTP

/// An upload under way, whose progress can be watched.
///
/// ```swift
/// let upload = x.startUpload(file: video)
/// for await progress in upload.progress { print(progress.fractionCompleted) }
/// let media = try await upload.value
/// ```
///
/// As a `Task` does, it goes on when nobody holds this value; ``cancel()`` ends it.
public struct Upload<Value: Sendable>: Sendable {
  /// Its steps forward, for one reader, until the upload has ended either way. A slow reader gets the latest only.
  public var progress: AsyncStream<UploadProgress> { work.progress }
  private let work: WatchedTask<UploadProgress, Value, UploadError>

  /// Starts an upload.
  ///
  /// - Parameter upload: Carries it out, and tells the reporter how far it has come.
  public init(_ upload: @escaping @Sendable (UploadReporter) async throws(UploadError) -> Value) {
    work = WatchedTask { continuation throws(UploadError) in try await upload(UploadReporter(continuation)) }
  }

  /// What the API tells of the finished upload. When the task that waits here is cancelled, the upload is.
  ///
  /// - Throws: ``UploadError``.
  public var value: Value {
    get async throws(UploadError) { try await work.value }
  }

  /// Ends it; ``value`` then throws ``UploadError/Cause/cancelled``, with what is needed to resume it.
  public func cancel() { work.cancel() }
}
