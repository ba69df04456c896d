/// What a client knows of rate limits at a moment: one state for each endpoint and credentials that were told of in an
/// answer. See ``Client/rateLimits``.
public struct RateLimits: Sendable, RandomAccessCollection {
  /// The state of one limit.
  public struct Element: Sendable, Hashable {
    /// The endpoint's name in the catalogue, or the method and path of a free call.
    public let endpoint: String
    /// Whose limit it is; `nil` for calls without credentials.
    public let credential: CredentialIdentity?
    /// What the last answer told.
    public let limit: RateLimit
  }

  private let elements: [Element]

  init(_ elements: [Element]) {
    self.elements = elements.sorted {
      ($0.endpoint, $0.credential?.description ?? "") < ($1.endpoint, $1.credential?.description ?? "")
    }
  }

  /// 0
  public var startIndex: Int { elements.startIndex }
  /// How many states there are.
  public var endIndex: Int { elements.endIndex }
  /// The state at a position, ordered by endpoint.
  public subscript(position: Int) -> Element { elements[position] }

  /// The limit of an endpoint for some credentials; `nil` where no answer has told it.
  ///
  /// - Parameters:
  ///   - endpoint: The endpoint's name in the catalogue, or the method and path of a free call.
  ///   - credential: An authenticator's ``Authenticator/identity``; `nil` for calls without credentials.
  public subscript(_ endpoint: String, _ credential: CredentialIdentity?) -> RateLimit? {
    elements.first { $0.endpoint == endpoint && $0.credential == credential }?.limit
  }

  /// The limit of an endpoint; that with the fewest calls left where several credentials were used.
  public subscript(_ endpoint: String) -> RateLimit? {
    elements.lazy.filter { $0.endpoint == endpoint }.map(\.limit)
      .min { ($0.remaining ?? .max) < ($1.remaining ?? .max) }
  }
}

extension Client {
  /// The rate limits as the answers so far have told them, to this client and those that it is derived from or that are
  /// derived from it.
  public var rateLimits: RateLimits { state.rateLimits.snapshot }
}
