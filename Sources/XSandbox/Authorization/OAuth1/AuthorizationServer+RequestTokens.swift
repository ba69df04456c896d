extension AuthorizationServer {
  /// What becomes of a user's decision.
  enum Decision: Sendable {
    /// The browser goes there.
    case redirect(String)
    /// The user reads it and types it into the app.
    case pin(String)
    /// The user has refused, and there is nowhere to tell the app of it.
    case refusedWithoutCallback
  }

  /// A request token about which nobody has decided yet.
  func pendingRequestToken(_ token: String) -> RequestToken? {
    guard let grant = registry.requestTokens[token], grant.expiry > now, case .pending = grant.decision else {
      return nil
    }
    return grant
  }

  /// - Returns: `nil` if the token is unknown, used or expired.
  mutating func approve(requestToken token: String, user: Identifier) -> Decision? {
    guard let grant = pendingRequestToken(token) else { return nil }
    let verifier = grant.isOutOfBand ? generator.pin() : generator.secret(length: 32)
    registry.requestTokens[token]?.decision = .approved(user: user, verifier: verifier)
    if grant.isOutOfBand { return .pin(verifier) }
    return .redirect(
      CallbackAddress.adding([("oauth_token", token), ("oauth_verifier", verifier)], to: grant.callback))
  }

  /// - Returns: `nil` if the token is unknown, used or expired.
  mutating func deny(requestToken token: String) -> Decision? {
    guard let grant = pendingRequestToken(token) else { return nil }
    registry.requestTokens[token]?.decision = .denied
    if grant.isOutOfBand { return .refusedWithoutCallback }
    return .redirect(CallbackAddress.adding([("denied", token)], to: grant.callback))
  }
}
