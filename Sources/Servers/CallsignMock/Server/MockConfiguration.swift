/// The behaviour of a mock that the catalogue does not determine.
public struct MockConfiguration: Sendable {
  /// The seed of all responses: the same seed gives the same responses. Default: 1.
  public var seed: UInt64
  /// The delay before each response. Default: none.
  public var latency: Duration
  /// Whether to reject parameters and members that are not in the catalogue. Default: they are ignored.
  public var isStrict: Bool
  /// Whether a call needs credentials of a kind that its operation accepts. Default: yes.
  public var requiresCredentials: Bool
  /// Whether responses use the catalogue's examples if these fit. Default: yes.
  public var usesExamples = true
  /// The number of elements in a list with pages. Default: 25.
  public var listLength: Int
  /// The number of elements on a page if the request does not say. Default: 10.
  public var pageSize: Int
  /// The pause between two records of a stream. Default: 100 milliseconds.
  public var recordInterval: Duration
  /// The number of records of a stream. With `nil`, the default, a stream has 10 records if the operation defines how it ends, for
  /// example with an event or the end of an array. Other streams do not end.
  public var streamLength: Int?
  /// The maximum size of a request's body in bytes. Default: 64 MiB.
  public var maximumBodySize: Int
  /// The maximum number of recorded requests; the oldest are dropped first. Default: 10,000.
  public var requestLogCapacity: Int
  /// The maximum total size of recorded bodies in bytes. Beyond it, the oldest requests lose their bodies and everything read from
  /// them. Default: 256 MiB.
  public var requestLogBodyCapacity = 256 << 20
  /// Called with each request after its response is known.
  public var onRequest: (@Sendable (MockRequest) -> Void)?

  /// Creates a configuration; the properties list the defaults.
  ///
  /// - Parameters:
  ///   - seed: The seed of all responses.
  ///   - latency: The delay before each response.
  ///   - isStrict: Whether to reject parameters and members that are not in the catalogue.
  ///   - requiresCredentials: Whether calls need credentials.
  public init(
    seed: UInt64 = 1, latency: Duration = .zero, isStrict: Bool = false, requiresCredentials: Bool = true
  ) {
    self.seed = seed
    self.latency = latency
    self.isStrict = isStrict
    self.requiresCredentials = requiresCredentials
    listLength = 25
    pageSize = 10
    recordInterval = .milliseconds(100)
    maximumBodySize = 64 << 20
    requestLogCapacity = 10_000
  }
}
