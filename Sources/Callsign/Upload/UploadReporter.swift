import CallsignHTTP

/// Where an upload tells how far it has come, in order and without waiting for whoever listens: if that is slow, it gets
/// the latest state only.
public final class UploadReporter: Sendable {
  private struct State {
    var latest: UploadProgress?
    /// The most bytes of each chunk that any attempt has read.
    var chunks: [Int: Int] = [:]
  }

  private let state = Locked(State())
  private let continuation: AsyncStream<UploadProgress>.Continuation?

  /// One to whom nobody listens.
  public static var silent: UploadReporter { UploadReporter(nil) }

  init(_ continuation: AsyncStream<UploadProgress>.Continuation?) { self.continuation = continuation }

  /// Runs an upload, and tells a closure how far it has come. The closure's last call is over when this returns.
  ///
  /// - Parameters:
  ///   - observe: Is called for each step forward, one call at a time.
  ///   - upload: Carries the upload out.
  public static func observing<Value: Sendable>(
    _ observe: (@Sendable (UploadProgress) -> Void)?,
    _ upload: (UploadReporter) async throws(UploadError) -> Value
  ) async throws(UploadError) -> Value {
    guard let observe else { return try await upload(UploadReporter(nil)) }
    let (progress, continuation) = AsyncStream.makeStream(
      of: UploadProgress.self, bufferingPolicy: .bufferingNewest(1))
    let observer = Task { for await step in progress { observe(step) } }
    do throws(UploadError) {
      let value = try await upload(UploadReporter(continuation))
      continuation.finish()
      await observer.value
      return value
    } catch {
      continuation.finish()
      await observer.value
      throw error
    }
  }

  /// Begins to count, from the bytes that the API already has.
  func begin(sent: [Int: Int], total: Int) {
    state.withLock { state in
      state.chunks = sent
      let bytes = sent.values.reduce(0, +)
      tell(UploadProgress(phase: .sending, sentBytes: bytes, totalBytes: total), &state)
    }
  }

  /// An attempt has read so many bytes of a chunk.
  func read(_ bytes: Int, ofChunk index: Int) {
    state.withLock { state in
      let known = state.chunks[index] ?? 0
      guard bytes > known, var progress = state.latest else { return }
      state.chunks[index] = bytes
      progress.sentBytes += bytes - known
      tell(progress, &state)
    }
  }

  /// All bytes are sent.
  func enter(_ phase: UploadProgress.Phase) {
    state.withLock { state in
      guard var progress = state.latest, progress.phase != phase else { return }
      progress.phase = phase
      progress.sentBytes = progress.totalBytes
      tell(progress, &state)
    }
  }

  /// Under the lock, so that the steps go out in order.
  private func tell(_ progress: UploadProgress, _ state: inout State) {
    state.latest = progress
    continuation?.yield(progress)
  }
}
