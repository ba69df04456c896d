/// The behaviour of a mock where the catalogue does not say.
public struct MockConfiguration: Sendable {
  /// The seed from which all responses follow: the same seed gives the same responses. Default: 1.
  public var seed: UInt64
  /// The time that each response takes. Default: none.
  public var latency: Duration
  /// Whether parameters and members that the catalogue does not name are refused. Default: they are passed over.
  public var isStrict: Bool
  /// Whether a call needs credentials of a kind that its operation accepts. Default: it does.
  public var requiresCredentials: Bool
  /// Whether responses are made of the examples that the catalogue has of them, where these fit. Default: they are.
  public var usesExamples = true
  /// The number of elements of a list that comes in pages. Default: 25.
  public var listLength: Int
  /// The number of elements of a page where the request does not say. Default: 10.
  public var pageSize: Int
  /// The pause between two records of a stream. Default: 100 milliseconds.
  public var recordInterval: Duration
  /// The number of records of a stream. `nil`, the default: 10 where the operation says how a stream ends, such as by
  /// an event or the end of an array; others do not end.
  public var streamLength: Int?
  /// The most bytes of a request's body. Default: 64 MiB.
  public var maximumBodySize: Int
  /// The most requests that are kept; the oldest are forgotten first. Default: 10,000.
  public var requestLogCapacity: Int
  /// The most bytes of bodies that are kept with the requests. Beyond it the oldest requests are kept without their
  /// bodies and what was read of these. Default: 256 MiB.
  public var requestLogBodyCapacity = 256 << 20
  /// Gets each request once its response is known.
  public var onRequest: (@Sendable (MockRequest) -> Void)?

  /// A mock as the properties' defaults have it.
  ///
  /// - Parameters:
  ///   - seed: From which all responses follow.
  ///   - latency: The time that each response takes.
  ///   - isStrict: Whether what the catalogue does not name is refused.
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
