import Foundation

/// A client's reaction to an endpoint whose rate limit is used up.
///
/// The state of a limit is known from earlier answers to the same endpoint and credentials, whichever client of a family
/// got them. A call that was refused with 429 was not executed, so writes are repeated too.
public enum RateLimitPolicy: Sendable {
  /// Sends every call, and throws ``CallError/rateLimited(_:_:)`` when the server refuses it. The default.
  case fail
  /// Waits for the next window, as long as all waits of a call together are no longer than this; throws
  /// ``CallError/rateLimited(_:_:)`` at once when they would be.
  ///
  /// While a limit is known to be used up, nothing is sent. Calls that wait for the same window go one after the other
  /// when it begins: the first finds out how many the window allows, and that many follow.
  case wait(upTo: Duration)
  /// Asks before each wait. The closure may take its time; a call whose task is cancelled meanwhile is not sent.
  case ask(@Sendable (RateLimitWait) async -> RateLimitDecision)
}

/// A wait that a ``RateLimitPolicy/ask(_:)`` is asked about.
public struct RateLimitWait: Sendable {
  /// The endpoint's name in the catalogue, or the method and path of an untyped call.
  public let endpoint: String
  /// Whose limit it is; `nil` for calls without credentials.
  public let credential: CredentialIdentity?
  /// The limit as the API stated it; `nil` where it refused a call and stated none.
  public let limit: RateLimit?
  /// How long the wait would be.
  public let duration: Duration
  /// How long the call has waited for limits so far.
  public let waited: Duration
}

/// A decision on a ``RateLimitWait``.
public enum RateLimitDecision: Sendable, Hashable {
  /// To wait, and then to send the call.
  case wait
  /// To throw ``CallError/rateLimited(_:_:)``.
  case fail
}

/// The rate limits that a client knows at a moment: one state for each endpoint and credentials whose limit an answer
/// has stated. See ``Client/rateLimits``.
public struct RateLimits: Sendable, RandomAccessCollection {
  /// The state of one limit.
  public struct Element: Sendable, Hashable {
    /// The endpoint's name in the catalogue, or the method and path of an untyped call.
    public let endpoint: String
    /// Whose limit it is; `nil` for calls without credentials.
    public let credential: CredentialIdentity?
    /// The limit as the last answer stated it.
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
  ///   - endpoint: The endpoint's name in the catalogue, or the method and path of an untyped call.
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
