import Foundation

extension Sandbox {
  /// A user of the sandbox, with the user's tokens for the sandbox's app. Descriptions leave the secrets out.
  public struct User: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The numeric ID, as the API writes it.
    public let id: String
    /// The handle, without `@`.
    public let username: String
    /// The display name.
    public let name: String
    /// The password for login pages.
    public let password: String
    /// The OAuth 1.0a access token.
    public let accessToken: String
    /// The secret of the OAuth 1.0a access token.
    public let accessTokenSecret: String
    /// An OAuth 2.0 user access token with all scopes.
    public let oauth2AccessToken: String

    /// The user without password and tokens.
    public var description: String { "User(id: \(id), username: \(username))" }
    /// Leaves out the password and the tokens.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "username": username, "name": name]) }
  }

  /// The initial users of every sandbox. They do not follow each other and have no posts.
  public struct Users: Sendable {
    /// Alice, `@alice`.
    public let alice: User
    /// Bob, `@bob`.
    public let bob: User
    /// Carol, `@carol`.
    public let carol: User
  }
}

extension Sandbox {
  /// Registers another app.
  public func makeApp(_ configuration: AppConfiguration = AppConfiguration()) async -> App {
    await pipeline.authorization.perform { $0.makeApp(configuration) }
  }

  /// Changes the settings of an app, starting with the next request. Its client ID and client secret stay the same.
  public func configure(_ app: App, _ change: @Sendable (inout AppConfiguration) -> Void) async {
    await pipeline.authorization.perform { server in
      guard var registered = server.registry.apps[app.consumerKey] else { return }
      change(&registered.configuration)
      server.registry.apps[app.consumerKey] = registered
    }
  }

  /// Returns the OAuth 1.0a access token that an app uses to act for a user. Issues one if there is none.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user does not belong to this sandbox.
  public func makeAccessToken(for user: User, app: App) async throws(SandboxError) -> AccessToken {
    let id = try await record(of: user).id
    return await pipeline.authorization.perform {
      $0.accessToken(for: id, consumerKey: app.consumerKey, permission: .readWrite)
    }
  }

  /// Creates another OAuth 2.0 user access token.
  /// - Parameters:
  ///   - user: The user.
  ///   - scopes: The token's scopes, such as `tweet.read`.
  ///   - expiry: When it expires, on the sandbox's clock. Default: never.
  ///   - app: The app that gets it. Default: the sandbox's own.
  /// - Throws: ``SandboxError/notFound(_:)`` if the user does not belong to this sandbox.
  public func makeOAuth2Token(
    for user: User, scopes: Set<String>, expiry: Date? = nil, app: App? = nil
  ) async throws(SandboxError) -> String {
    let id = try await record(of: user).id
    let consumerKey = (app ?? self.app).consumerKey
    return await pipeline.authorization.perform {
      $0.oauth2Token(for: id, consumerKey: consumerKey, scopes: scopes, expiry: expiry, login: nil)
    }
  }

  /// Sets the rights of a user's OAuth 1.0a access token.
  public func setPermission(_ permission: Permission, of user: User) async {
    await pipeline.authorization.perform { $0.registry.accessTokens[user.accessToken]?.permission = permission }
  }

  /// Revokes a token: an OAuth 1.0a access token, an OAuth 2.0 access or refresh token, or an app's bearer token.
  public func revoke(token: String) async {
    await pipeline.authorization.perform { server in
      server.registry.accessTokens[token]?.isRevoked = true
      server.registry.bearerTokens[token]?.isRevoked = true
      server.registry.refreshTokens[token]?.isRevoked = true
    }
  }

  /// Gives a user a password and tokens for the sandbox's own app.
  static func issueCredentials(
    to record: UserRecord, app: App, by authorization: AuthorizationService
  ) async -> User {
    await authorization.perform { server in
      let account = server.addAccount(record)
      let token = server.accessToken(for: record.id, consumerKey: app.consumerKey, permission: .readWrite)
      return User(
        id: String(record.id), username: record.username, name: record.name, password: account.password,
        accessToken: token.token, accessTokenSecret: token.secret,
        oauth2AccessToken: server.oauth2Token(
          for: record.id, consumerKey: app.consumerKey, scopes: Scopes.all, expiry: nil, login: nil))
    }
  }
}
