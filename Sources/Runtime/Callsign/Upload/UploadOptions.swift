import CallsignHTTP
import CallsignSupport

/// The sizes, limits and retries of an upload.
public struct UploadOptions: Sendable {
  /// The number of bytes in one request. Default: 4 MiB. It is raised for a file that would have more chunks than the
  /// API accepts.
  ///
  /// If the server, or a proxy in front of it, refuses such a request as too large (413, 431) and no chunk of that size
  /// has arrived, the upload starts again automatically, once, with chunks of 1 MiB. Its progress does not change until
  /// the new chunks are past that point.
  public var chunkSize: Int
  /// The number of chunks that are sent at the same time. Default: 4.
  public var concurrency: Int
  /// The policy for retrying a chunk or any other request of the upload, including the requests that add alternative
  /// text and subtitles. Default: five attempts. Retrying them is safe, so this also applies to writes.
  public var retry: RetryPolicy
  /// The longest total time that each request of the upload waits for rate limits, according to `Retry-After` or the
  /// limit's reset. A wait that would take longer ends the upload, which can be resumed. A wait does not count as an
  /// attempt. Default: 15 minutes. If ``callOptions`` or the client has a ``RateLimitPolicy`` that waits, that policy
  /// waits first.
  public var rateLimitWait: Duration
  /// The longest total time to wait for the API's processing. Default: 15 minutes. With `.zero`, the upload does not
  /// wait, and ends with the response to its last request.
  public var processingTimeout: Duration
  /// The maximum number of bytes to upload; `nil`, the default, means the limit that the API publishes.
  public var sizeLimit: Int?
  /// Options for each request that differ from its client's configuration. Their `retry` and idempotency key have no
  /// effect: ``retry`` decides when a request is sent again, and no two requests are the same call.
  public var callOptions: CallOptions

  /// Called with the point where the upload could resume: after it has started, after each chunk, and when all have arrived. The
  /// upload waits for it. Use it if the program may be killed and resume elsewhere. Default: `nil`.
  public var checkpoint: (@Sendable (UploadResumption) async -> Void)?

  /// Makes options; see the properties for the defaults.
  public init(
    chunkSize: Int = 4 << 20, concurrency: Int = 4, retry: RetryPolicy = RetryPolicy(attempts: 5),
    rateLimitWait: Duration = .seconds(15 * 60), processingTimeout: Duration = .seconds(15 * 60),
    sizeLimit: Int? = nil, callOptions: CallOptions = CallOptions(),
    checkpoint: (@Sendable (UploadResumption) async -> Void)? = nil
  ) {
    self.chunkSize = chunkSize
    self.concurrency = concurrency
    self.retry = retry
    self.rateLimitWait = rateLimitWait
    self.processingTimeout = processingTimeout
    self.sizeLimit = sizeLimit
    self.callOptions = callOptions
    self.checkpoint = checkpoint
  }

  /// The size of chunks after larger ones were refused.
  static let smallChunkSize = 1 << 20

  /// For requests that the upload itself retries: if the client also retried them, the numbers would multiply.
  public var singleAttemptOptions: CallOptions {
    var options = callOptions
    options.retry = .never
    // With one key for all, the API would take each chunk for the first.
    options.idempotencyKey = nil
    return options
  }
}

extension UploadOptions {
  /// Sends a request of an upload, and retries it if that can help.
  ///
  /// - Parameters:
  ///   - time: The clock for waits.
  ///   - request: Sends it once. Sending it again must be safe.
  package func attempt<Value: Sendable>(
    by time: any TimeSource, _ request: () async throws(CallError) -> Value
  ) async throws(CallError) -> Value {
    var number = 1
    var waitedForLimits = Duration.zero
    while true {
      do throws(CallError) {
        if Task.isCancelled { throw .cancelled }
        return try await request()
      } catch {
        if error.isCancellation { throw error }
        let pause: Duration
        if let wait = limitWait(after: error, waited: waitedForLimits, now: time.now()) {
          waitedForLimits += wait
          pause = wait
        } else if let wait = delay(after: error, attempt: number, now: time.now()) {
          number += 1
          pause = wait
        } else {
          throw error
        }
        do throws(CancellationError) { try await time.sleep(for: pause) } catch { throw .cancelled }
      }
    }
  }

  /// The wait before a step is retried: the policy's, but no shorter than `Retry-After` if there is one. `nil` if
  /// another attempt cannot help, or if this was the last.
  ///
  /// Unlike the client, which does not retry writes, an upload may: its steps are safe to repeat.
  func delay(after error: CallError, attempt: Int, now: Date) -> Duration? {
    guard attempt < retry.attempts, isTransient(error) else { return nil }
    return retry.delay(before: attempt + 1, after: error.rawResponse?.headers ?? [:], now: now)
  }

  /// The wait for the limit that refused a step; `nil` if that is too long.
  ///
  /// - Parameter waited: How long the step has waited for limits so far.
  func limitWait(after error: CallError, waited: Duration, now: Date) -> Duration? {
    guard case .rateLimited = error else { return nil }
    // If a refusal does not state its duration, the request is tried again after a while.
    let wait = max(error.resetWait(at: now) ?? Self.guessedLimitWait, Self.shortestLimitWait)
    return waited + wait <= rateLimitWait ? wait : nil
  }

  private static let guessedLimitWait = Duration.seconds(60)
  /// Whatever the API says: it must not be called in a tight loop.
  private static let shortestLimitWait = Duration.seconds(1)

  private func isTransient(_ error: CallError) -> Bool {
    switch error {
    case .transport(let error), .mayHaveSucceeded(let error):
      retry.allows(error, timeouts: callOptions.timeouts ?? Timeouts())
    case .api(let error): retry.allows(error.status)
    case .unexpectedContent(let content): content.kind == .truncated
    case .unreadableResult(let result):
      if case .unexpectedContent(let content) = result.cause { content.kind == .truncated } else { false }
    default: false
    }
  }
}

/// The point where an upload that failed or was cancelled can resume. You can store it like any `Codable` value, and pass it to a
/// later upload of the same file as long as the API keeps its chunks.
public struct UploadResumption: Sendable, Hashable, Codable {
  /// The API's id of the upload.
  public var uploadID: String
  /// The size of each chunk but the last, in bytes.
  public var chunkSize: Int
  /// The numbers of the chunks that the API has, in ascending order.
  public var finishedChunks: [Int]
  /// Whether the API knows that it has all of them.
  public var isFinished: Bool
  /// The size of the whole file, in bytes.
  public var size: Int
  /// The time of the file's last change, in whole seconds since 1970; `nil` for bytes in memory.
  public var modified: Int?
}

extension UploadResumption {
  /// Whether this belongs to such a content.
  func matches(_ content: UploadContent) -> Bool {
    size == content.size && modified == content.stamp?.modified && chunkSize > 0
  }
}
