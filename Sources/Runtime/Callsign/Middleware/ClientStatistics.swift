import CallsignHTTP

/// Counts of what a client has done so far, by endpoint: see ``Client/statistics``.
public struct ClientStatistics: Sendable, Hashable {
  /// The counts of one endpoint, or of several together.
  public struct Counts: Sendable, Hashable {
    /// Calls that have ended, streams that were opened among them; without those that could not be sent as they stood.
    public var calls = 0
    /// Those of them that ended with an error.
    public var failures = 0
    /// Requests that were sent, or that a middleware responded itself: repetitions, redirects and requests with renewed
    /// credentials too.
    public var attempts = 0
    /// Bytes of request bodies, as far as their lengths are known beforehand.
    public var bytesSent = 0
    /// Bytes of responses' bodies, decompressed; those of streams and downloads as they are read.
    public var bytesReceived = 0
    /// The total time that calls waited for rate limits.
    public var rateLimitWait = Duration.zero
    /// The total time that calls waited before retries.
    public var retryWait = Duration.zero

    static func += (left: inout Counts, right: Counts) {
      left.calls += right.calls
      left.failures += right.failures
      left.attempts += right.attempts
      left.bytesSent += right.bytesSent
      left.bytesReceived += right.bytesReceived
      // Most calls wait for nothing.
      if right.rateLimitWait != .zero { left.rateLimitWait.addClamping(right.rateLimitWait) }
      if right.retryWait != .zero { left.retryWait.addClamping(right.retryWait) }
    }
  }

  /// By the endpoint's name, such as `getUsersMe`; an untyped call's is its method and the shape of its path. Beyond a
  /// thousand names, further ones are counted together under `(others)`.
  public internal(set) var endpoints: [String: Counts] = [:]

  /// The counts of all endpoints.
  public var total: Counts {
    var total = Counts()
    for counts in endpoints.values { total += counts }
    return total
  }

  private static let others = "(others)"
  private static let nameLimit = 1_000

  mutating func add(_ counts: Counts, to name: String) {
    if let place = endpoints.index(forKey: name) { return endpoints.values[place] += counts }
    endpoints[endpoints.count < Self.nameLimit ? name : Self.others, default: Counts()] += counts
  }
}
