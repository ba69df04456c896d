import Foundation

/// All that has to do with credentials: who makes a request, and how credentials come about and end.
struct AuthorizationServer: Sendable {
  var registry = CredentialRegistry()
  var nonces = NonceMemory()
  var generator: CredentialGenerator
  var counts = Sandbox.AuthorizationCounts()
  let configuration: Sandbox.Configuration

  init(configuration: Sandbox.Configuration) {
    self.configuration = configuration
    generator = CredentialGenerator(seed: configuration.credentialSeed)
  }

  var now: Date { configuration.clock.now() }

  mutating func makeApp(_ configuration: Sandbox.AppConfiguration) -> Sandbox.App {
    let kind = configuration.isConfidential ? "ci" : "na"
    let app = Sandbox.App(
      consumerKey: generator.text(length: 25), consumerSecret: generator.secret(length: 50),
      bearerToken: makeBearerToken(),
      // X's ids tell in this way what kind of client they are for.
      clientID: Data("\(generator.text(length: 21)):1:\(kind)".utf8).base64EncodedString()
        .replacingOccurrences(of: "=", with: ""),
      clientSecret: configuration.isConfidential ? generator.secret(length: 50) : nil)
    registry.apps[app.consumerKey] = .init(app: app, configuration: configuration)
    registry.bearerTokens[app.bearerToken] = .init(consumerKey: app.consumerKey)
    return app
  }

  mutating func addAccount(_ record: UserRecord) -> CredentialRegistry.Account {
    let account = CredentialRegistry.Account(
      id: record.id, username: record.username, password: generator.secret(length: 16))
    registry.accounts[record.username.lowercased()] = account
    return account
  }

  mutating func makeBearerToken() -> String { "AAAAAAAAAAAAAAAAAAAAA" + generator.secret(length: 80) }

  /// As X does, an app gets the same token for a user each time, until it is revoked.
  mutating func accessToken(
    for user: Identifier, consumerKey: String, permission: Sandbox.Permission
  ) -> Sandbox.AccessToken {
    let existing = registry.accessTokens.first {
      $0.value.user == user && $0.value.consumerKey == consumerKey && $0.value.permission == permission
        && !$0.value.isRevoked
    }
    if let existing { return .init(token: existing.key, secret: existing.value.secret) }
    let token = Sandbox.AccessToken(
      token: "\(user)-\(generator.secret(length: 40))", secret: generator.secret(length: 45))
    registry.accessTokens[token.token] = .init(
      secret: token.secret, consumerKey: consumerKey, user: user, permission: permission)
    return token
  }

  mutating func oauth2Token(
    for user: Identifier, consumerKey: String, scopes: Set<String>, expiry: Date?, login: Int?
  ) -> String {
    let token = generator.secret(length: 91)
    registry.bearerTokens[token] = .init(
      consumerKey: consumerKey, user: user, scopes: scopes, expiry: expiry, login: login)
    return token
  }

  /// The account whose name and password these are.
  func account(username: String, password: String) -> CredentialRegistry.Account? {
    let name = username.trimmingCharacters(in: .whitespaces).lowercased()
    guard let account = registry.accounts[name.hasPrefix("@") ? String(name.dropFirst()) : name],
      ConstantTime.equal(Array(account.password.utf8), Array(password.utf8))
    else { return nil }
    return account
  }
}
