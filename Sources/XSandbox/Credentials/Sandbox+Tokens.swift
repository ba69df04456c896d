import Foundation

extension Sandbox {
  /// An OAuth 1.0a access token with its secret. Descriptions leave both out.
  public struct AccessToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The token.
    public let token: String
    /// Its secret.
    public let secret: String

    /// Shows neither.
    public var description: String { "AccessToken(\(Masking.mask))" }
    /// Shows neither.
    public var customMirror: Mirror { Mirror(self, children: []) }
  }

  /// The OAuth 1.0a access token by which an app acts for a user; made if there is none.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user isn't this sandbox's.
  public func makeAccessToken(for user: User, app: App) async throws(SandboxError) -> AccessToken {
    let id = try await known(user).id
    return await pipeline.authority.perform {
      $0.accessToken(for: id, consumerKey: app.consumerKey, permission: .readWrite)
    }
  }

  /// Makes a further OAuth 2.0 user access token.
  /// - Parameters:
  ///   - user: for whom.
  ///   - scopes: what it may do, such as `tweet.read`.
  ///   - expiry: when it stops being accepted, by the sandbox's clock; never unless it is given.
  ///   - app: whose token it is; the sandbox's own app unless it is given.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user isn't this sandbox's.
  public func makeOAuth2Token(
    for user: User, scopes: Set<String>, expiry: Date? = nil, app: App? = nil
  ) async throws(SandboxError) -> String {
    await credentials.oauth2Token(for: try await known(user).id, app: app, scopes: scopes, expiry: expiry)
  }

  /// Says what a user's OAuth 1.0a access token may do from now on.
  public func setPermission(_ permission: Permission, of user: User) async {
    await pipeline.authority.perform { $0.registry.accessTokens[user.accessToken]?.permission = permission }
  }

  /// Stops accepting a token: an OAuth 1.0a access token, an OAuth 2.0 access or refresh token, or an app's bearer token.
  public func revoke(token: String) async {
    await pipeline.authority.perform { server in
      server.registry.accessTokens[token]?.isRevoked = true
      server.registry.bearerTokens[token]?.isRevoked = true
      server.registry.refreshTokens[token]?.isRevoked = true
    }
  }
}
