import Foundation

/// Makes the app's keys and the users' tokens, and lets the authority know them.
actor CredentialIssuer {
  /// All scopes of X's OAuth 2.0.
  static let allScopes: Set<String> = [
    "tweet.read", "tweet.write", "tweet.moderate.write", "users.read", "users.email", "follows.read",
    "follows.write", "offline.access", "space.read", "mute.read", "mute.write", "like.read", "like.write",
    "list.read", "list.write", "block.read", "block.write", "bookmark.read", "bookmark.write", "dm.read",
    "dm.write", "media.write", "timeline.read",
  ]

  nonisolated let app: Sandbox.App
  private let authority: Authority
  private var generator: CredentialGenerator

  init(seed: UInt64, authority: Authority) async {
    var generator = CredentialGenerator(seed: seed)
    let app = Sandbox.App(
      consumerKey: generator.text(length: 25), consumerSecret: generator.text(length: 50),
      bearerToken: "AAAAAAAAAAAAAAAAAAAAA" + generator.text(length: 80))
    self.app = app
    self.authority = authority
    self.generator = generator
    await authority.register { registry in
      registry.consumerSecrets[app.consumerKey] = app.consumerSecret
      registry.bearerTokens[app.bearerToken] = .init(consumerKey: app.consumerKey)
    }
  }

  func issue(to record: UserRecord) async -> Sandbox.User {
    let user = Sandbox.User(
      id: String(record.id), username: record.username, name: record.name,
      accessToken: "\(record.id)-\(generator.text(length: 40))", accessTokenSecret: generator.text(length: 45),
      oauth2AccessToken: generator.text(length: 91))
    await authority.register { [app] registry in
      registry.accessTokens[user.accessToken] = .init(
        secret: user.accessTokenSecret, consumerKey: app.consumerKey, user: record.id)
      registry.bearerTokens[user.oauth2AccessToken] = .init(
        consumerKey: app.consumerKey, user: record.id, scopes: Self.allScopes)
    }
    return user
  }

  func oauth2Token(for user: Identifier, scopes: Set<String>, expiry: Date?) async -> String {
    let token = generator.text(length: 91)
    await authority.register { [app] registry in
      registry.bearerTokens[token] = .init(
        consumerKey: app.consumerKey, user: user, scopes: scopes, expiry: expiry)
    }
    return token
  }
}
