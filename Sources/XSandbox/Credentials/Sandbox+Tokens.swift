import Foundation

extension Sandbox {
  /// Makes a further OAuth 2.0 user access token.
  /// - Parameters:
  ///   - user: for whom.
  ///   - scopes: what it may do, such as `tweet.read`.
  ///   - expiry: when it stops being accepted, by the sandbox's clock; never unless it is given.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user isn't this sandbox's.
  public func makeOAuth2Token(
    for user: User, scopes: Set<String>, expiry: Date? = nil
  ) async throws(SandboxError) -> String {
    await credentials.oauth2Token(for: try await known(user).id, scopes: scopes, expiry: expiry)
  }

  /// Says what a user's OAuth 1.0a access token may do from now on.
  public func setPermission(_ permission: Permission, of user: User) async {
    await pipeline.authority.register { $0.accessTokens[user.accessToken]?.permission = permission }
  }

  /// Stops accepting a token: an OAuth 1.0a access token, an OAuth 2.0 one, or the app's bearer token.
  public func revoke(token: String) async {
    await pipeline.authority.register { registry in
      registry.accessTokens[token]?.isRevoked = true
      registry.bearerTokens[token]?.isRevoked = true
    }
  }
}
