import CallsignHTTP
import CallsignSupport

/// The sizes, limits and repetitions of an upload.
public struct UploadOptions: Sendable {
  /// The number of bytes that go in one request. Default: 4 MiB. It is raised for a file that would have more chunks
  /// than the API takes.
  ///
  /// Where the server, or something before it, refuses such a request as too large (413, 431) and no chunk of that size has
  /// arrived, the upload begins anew by itself, once, with chunks of 1 MiB. Its progress stays where it is until the new
  /// chunks are past that.
  public var chunkSize: Int
  /// The number of chunks that are sent at the same time. Default: 4.
  public var concurrency: Int
  /// The rules for sending again a chunk or any other request of the upload, those that add alternative text and
  /// subtitles included. Default: five attempts. To repeat them is safe, so this applies to writes too.
  public var retry: RetryPolicy
  /// The longest that each request of the upload waits for rate limits in all, as `Retry-After` or the limit's reset
  /// says; what would end later ends the upload, which can be resumed. It counts as no attempt. Default: 15 minutes.
  /// Where ``callOptions`` or the client has a ``RateLimitPolicy`` that waits, it waits first.
  public var rateLimitWait: Duration
  /// The longest that the API's processing is waited for in all. Default: 15 minutes. `.zero`: it is not waited for,
  /// and the upload ends with the response to its last request.
  public var processingTimeout: Duration
  /// The most bytes that may be uploaded; `nil`, the default, means the limit that the API publishes.
  public var sizeLimit: Int?
  /// Deviations of each request from its client's configuration. Its `retry` and its idempotency key mean nothing here:
  /// ``retry`` decides when a request is sent again, and no two are the same call.
  public var callOptions: CallOptions

  /// Called with the point from which the upload could go on: once it is begun, after each chunk, and when all have
  /// arrived. The upload waits for it. For a program that may be killed, and goes on elsewhere. Default: `nil`.
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

  /// The chunks of an upload of which larger ones were refused.
  static let smallChunkSize = 1 << 20

  /// For requests that the upload itself repeats: were the client to repeat them too, the numbers would multiply.
  public var singleAttemptOptions: CallOptions {
    var options = callOptions
    options.retry = .never
    // By one key for all, the API would take each chunk for the first.
    options.idempotencyKey = nil
    return options
  }
}

extension UploadOptions {
  /// Sends a request of an upload, and again where that helps.
  ///
  /// - Parameters:
  ///   - time: By which it waits.
  ///   - request: Sends it once. To do so again must be safe.
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

  /// Works out how long to wait before a step is repeated: as the policy has it, and no shorter than `Retry-After` says
  /// where there is one. `nil`: another attempt is of no use, or was the last.
  ///
  /// Unlike the client, which repeats no write, an upload may: its steps are safe to repeat.
  func delay(after error: CallError, attempt: Int, now: Date) -> Duration? {
    guard attempt < retry.attempts, isTransient(error) else { return nil }
    return retry.delay(before: attempt + 1, after: error.rawResponse?.headers ?? [:], now: now)
  }

  /// The wait for the limit that refused a step; `nil` where that is too long.
  ///
  /// - Parameter waited: How long the step has waited for limits so far.
  func limitWait(after error: CallError, waited: Duration, now: Date) -> Duration? {
    guard case .rateLimited = error else { return nil }
    // A refusal that does not say how long it holds is asked about again after a while.
    let wait = max(error.resetWait(at: now) ?? Self.guessedLimitWait, Self.shortestLimitWait)
    return waited + wait <= rateLimitWait ? wait : nil
  }

  private static let guessedLimitWait = Duration.seconds(60)
  /// Whatever the API says: it must not be asked without end.
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

/// The point from which an upload that failed or was cancelled can go on. An app may keep it, as any `Codable` value,
/// and hand it to an upload of the same file later, as long as the API keeps what it has.
public struct UploadResumption: Sendable, Hashable, Codable {
  /// The API's id of the upload.
  public var uploadID: String
  /// The bytes of each chunk but the last.
  public var chunkSize: Int
  /// The numbers of the chunks that the API has, in ascending order.
  public var finishedChunks: [Int]
  /// Whether the API knows that it has all of them.
  public var isFinished: Bool
  /// The bytes of the whole file.
  public var size: Int
  /// The time at which the file was last changed, in whole seconds since 1970; `nil` for bytes in memory.
  public var modified: Int?
}

extension UploadResumption {
  /// Whether this is about such a content.
  func matches(_ content: UploadContent) -> Bool {
    size == content.size && modified == content.stamp?.modified && chunkSize > 0
  }
}
