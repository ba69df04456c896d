import CallsignSupport

/// A token in memory, and how long it serves.
struct CachedToken: Sendable, Equatable {
  private(set) var token: StoredToken
  /// From then on it is renewed before it is used, or is of no more use if it cannot be renewed; `nil` when it does not
  /// expire.
  private(set) var renewal: Date?
  /// The store's version of it, if known.
  private(set) var version: TokenVersion?

  /// Renewed so long before it expires, in seconds; a short-lived token at a quarter of its life.
  private static let margin: TimeInterval = 60

  /// - Parameter lifetime: How many seconds the token had left when this process got it; `nil` if the process had it from the
  ///   start.
  init(_ token: StoredToken, lifetime: TimeInterval?, version: TokenVersion? = nil) {
    self.token = token
    self.version = version
    // Only a new login replaces a person's token that came without a refresh token: it is used to its end.
    let isRenewable = token.kind != .oauth2 || token.refreshToken != nil
    let margin = isRenewable ? min(Self.margin, max(0, token.lifetime ?? lifetime ?? .infinity) / 4) : 0
    renewal = token.expires.map { $0 - margin }
  }

  /// Whether it need not be renewed yet.
  func isFresh(_ now: Date) -> Bool { renewal.map { now < $0 } ?? true }

  /// The store's token, which replaces this one. If it is the same token, it keeps the time of its renewal.
  func adopting(_ stored: CachedToken) -> CachedToken {
    guard token == stored.token else { return stored }
    return saved(as: stored.version ?? version)
  }

  /// The same token, which the store has under a version.
  func saved(as version: TokenVersion?) -> CachedToken {
    var copy = self
    copy.version = version
    return copy
  }

  /// The same token with the store's notes about it. Notes about another token do not apply.
  func noting(_ noted: StoredToken, _ version: TokenVersion) -> CachedToken {
    guard token.accessToken == noted.accessToken, token.refreshToken == noted.refreshToken else { return self }
    var copy = saved(as: version)
    copy.token = noted
    return copy
  }

  /// The same token, which is not refused.
  func accepted() -> CachedToken {
    var copy = self
    copy.token.refused = nil
    return copy
  }

  /// The same token with another time of renewal.
  func renewed(at date: Date) -> CachedToken {
    var copy = self
    copy.renewal = date
    return copy
  }
}
