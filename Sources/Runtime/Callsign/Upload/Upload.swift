import CallsignHTTP
import CallsignSupport

/// An upload under way, whose progress can be watched.
///
/// ```swift
/// let upload = x.startUpload(file: video)
/// for await progress in upload.progress { print(progress.fractionCompleted) }
/// let media = try await upload.value
/// ```
///
/// Like a `Task`, it continues when nothing holds this value. `cancel()` ends it; `value` then throws
/// ``UploadError/Cause/cancelled``, with the data needed to resume it.
public typealias Upload<Value: Sendable> = ProgressTask<UploadProgress, Value, UploadError>

extension ProgressTask where Progress == UploadProgress, Failure == UploadError {
  /// Starts an upload.
  ///
  /// - Parameter upload: Carries it out, and reports to the argument how far it has come.
  public init(_ upload: @escaping @Sendable (UploadReporter) async throws(UploadError) -> Value) {
    self.init(reporting: { continuation throws(UploadError) in try await upload(UploadReporter(continuation)) })
  }
}

/// The progress of an upload.
public struct UploadProgress: Sendable, Hashable {
  /// The present step.
  public enum Phase: Sendable, Hashable {
    /// Chunks are sent.
    case sending
    /// Everything is sent, and the API is processing it; `percent` is the progress, if the API states it.
    case processing(percent: Int?)
    /// The API has taken the upload.
    case finished
  }

  /// The present step.
  public var phase: Phase
  /// The bytes of the file that were handed to the network. It never falls, and bytes that are sent again count once.
  public var sentBytes: Int
  /// The bytes of the whole file.
  public var totalBytes: Int

  /// Makes a step.
  public init(phase: Phase, sentBytes: Int, totalBytes: Int) {
    self.phase = phase
    self.sentBytes = sentBytes
    self.totalBytes = totalBytes
  }

  /// From 0 to 1, by the bytes sent.
  public var fractionCompleted: Double { totalBytes > 0 ? Double(sentBytes) / Double(totalBytes) : 0 }
}

/// Passes on how far an upload has come, in order and without waiting for the listener: a slow one gets the latest state
/// only.
public final class UploadReporter: Sendable {
  private struct State {
    var latest: UploadProgress?
    /// The most bytes of each chunk that any attempt has read.
    var chunks: [Int: Int] = [:]
    /// Their sum. It is less than the progress in an upload that started again.
    var counted = 0
  }

  private let state = Locked(State())
  private let continuation: AsyncStream<UploadProgress>.Continuation?

  /// A reporter without a listener.
  public static var silent: UploadReporter { UploadReporter(nil) }

  init(_ continuation: AsyncStream<UploadProgress>.Continuation?) { self.continuation = continuation }

  /// Runs an upload, and calls a closure with how far it has come. The closure's last call is over when this returns.
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

  /// Begins to count, perhaps again, from the bytes that the API already has.
  func begin(sent: [Int: Int], total: Int) {
    state.withLock { state in
      state.chunks = sent
      state.counted = sent.values.reduce(0, +)
      let bytes = max(state.counted, state.latest?.sentBytes ?? 0)
      tell(UploadProgress(phase: .sending, sentBytes: bytes, totalBytes: total), &state)
    }
  }

  /// An attempt has read this many bytes of a chunk.
  func read(_ bytes: Int, ofChunk index: Int) {
    state.withLock { state in
      let known = state.chunks[index] ?? 0
      guard bytes > known, var progress = state.latest else { return }
      state.chunks[index] = bytes
      state.counted += bytes - known
      guard state.counted > progress.sentBytes else { return }
      progress.sentBytes = state.counted
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
