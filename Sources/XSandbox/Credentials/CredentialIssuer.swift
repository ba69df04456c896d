import Foundation

/// Makes apps' keys and users' tokens, and lets the authority know them.
struct CredentialIssuer: Sendable {
  let app: Sandbox.App
  private let authority: Authority

  init(configuration: Sandbox.AppConfiguration, authority: Authority) async {
    self.authority = authority
    app = await authority.perform { $0.makeApp(configuration) }
  }

  func makeApp(_ configuration: Sandbox.AppConfiguration) async -> Sandbox.App {
    await authority.perform { $0.makeApp(configuration) }
  }

  /// Gives a user a password, and tokens for the sandbox's own app.
  func issue(to record: UserRecord) async -> Sandbox.User {
    await authority.perform { [app] server in
      let account = server.addAccount(record)
      let token = server.accessToken(for: record.id, consumerKey: app.consumerKey, permission: .readWrite)
      return Sandbox.User(
        id: String(record.id), username: record.username, name: record.name, password: account.password,
        accessToken: token.token, accessTokenSecret: token.secret,
        oauth2AccessToken: server.oauth2Token(
          for: record.id, consumerKey: app.consumerKey, scopes: Scopes.all, expiry: nil, login: nil))
    }
  }

  func oauth2Token(for user: Identifier, app: Sandbox.App?, scopes: Set<String>, expiry: Date?) async -> String {
    let consumerKey = (app ?? self.app).consumerKey
    return await authority.perform {
      $0.oauth2Token(for: user, consumerKey: consumerKey, scopes: scopes, expiry: expiry, login: nil)
    }
  }
}
