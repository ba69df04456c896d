/// How an upload is carried out.
public struct UploadOptions: Sendable {
  /// How many bytes go in one request. Default: 4 MiB. It is raised for a file that would have more chunks than the API
  /// takes.
  public var chunkSize: Int
  /// How many chunks are sent at the same time. Default: 4.
  public var concurrency: Int
  /// When a chunk is sent again, and each other request of the upload. Default: five attempts. To repeat them is safe, so
  /// this applies to writes too.
  public var retry: RetryPolicy
  /// How long the API's processing is waited for in all. Default: 15 minutes. `.zero`: it is not waited for, and the
  /// upload ends with the answer to its last request.
  public var processingTimeout: Duration
  /// The most bytes that may be uploaded; `nil`, the default, means the limit that the API publishes.
  public var sizeLimit: Int?
  /// What each of the requests does differently from its client. Of its `retry`, only what adds alternative text and
  /// subtitles is subject; ``retry`` here decides about the other requests.
  public var call: CallOptions

  /// Makes options; see the properties for the defaults.
  public init(
    chunkSize: Int = 4 << 20, concurrency: Int = 4, retry: RetryPolicy = RetryPolicy(attempts: 5),
    processingTimeout: Duration = .seconds(15 * 60),
    sizeLimit: Int? = nil, call: CallOptions = CallOptions()
  ) {
    self.chunkSize = chunkSize
    self.concurrency = concurrency
    self.retry = retry
    self.processingTimeout = processingTimeout
    self.sizeLimit = sizeLimit
    self.call = call
  }

  /// For requests that the upload itself repeats: were the client to repeat them too, the numbers would multiply.
  public var callOnce: CallOptions {
    var options = call
    options.retry = .never
    return options
  }
}
