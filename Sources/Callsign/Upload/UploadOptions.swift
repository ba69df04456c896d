/// How an upload is carried out.
public struct UploadOptions: Sendable {
  /// How many bytes go in one request. Default: 4 MiB. It is raised for a file that would have more chunks than the API
  /// takes.
  public var chunkSize: Int
  /// How many chunks are sent at the same time. Default: 4.
  public var concurrency: Int
  /// How many times a chunk is sent before the upload fails, the first included. Default: 5.
  public var attempts: Int
  /// How long the API's processing is waited for in all. Default: 15 minutes. `.zero`: it is not waited for, and the
  /// upload ends with the answer to its last request.
  public var processingTimeout: Duration
  /// The most bytes that may be uploaded; `nil`, the default, means the limit that the API publishes.
  public var sizeLimit: Int?
  /// What each of the requests does differently from its client.
  public var call: CallOptions

  /// Makes options; see the properties for the defaults.
  public init(
    chunkSize: Int = 4 << 20, concurrency: Int = 4, attempts: Int = 5, processingTimeout: Duration = .seconds(15 * 60),
    sizeLimit: Int? = nil, call: CallOptions = CallOptions()
  ) {
    self.chunkSize = chunkSize
    self.concurrency = concurrency
    self.attempts = attempts
    self.processingTimeout = processingTimeout
    self.sizeLimit = sizeLimit
    self.call = call
  }
}
