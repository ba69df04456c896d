import Foundation

/// All apps, passwords, keys and tokens that the sandbox accepts.
struct CredentialRegistry: Sendable {
  /// An app and what it may do.
  struct RegisteredApp: Sendable {
    var app: Sandbox.App
    var configuration: Sandbox.AppConfiguration
  }

  /// What a user logs in with.
  struct Account: Sendable {
    var id: Identifier
    var username: String
    var password: String
  }

  /// An OAuth 1.0a access token.
  struct AccessToken: Sendable {
    var secret: String
    var consumerKey: String
    var user: Identifier
    var permission: Sandbox.Permission = .readWrite
    var isRevoked = false
  }

  struct BearerToken: Sendable {
    var consumerKey: String
    /// `nil` for an app-only token.
    var user: Identifier?
    var scopes: Set<String> = []
    var expiry: Date?
    var isRevoked = false
    /// The login from which it comes; `nil` if a test made it.
    var login: Int?
  }

  /// By consumer key.
  var apps: [String: RegisteredApp] = [:]
  /// By user name in lower case.
  var accounts: [String: Account] = [:]
  var accessTokens: [String: AccessToken] = [:]
  var bearerTokens: [String: BearerToken] = [:]

  var requestTokens: [String: RequestToken] = [:]
  /// By nonce.
  var reverseAuthentications: [String: ReverseAuthentication] = [:]

  /// By the authenticity token of the page on which a user decides.
  var authorizationRequests: [String: AuthorizationRequest] = [:]
  var authorizationCodes: [String: AuthorizationCode] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var lastLogin = 0

  func app(clientID: String) -> RegisteredApp? { apps.values.first { $0.app.clientID == clientID } }

  func account(of user: Identifier) -> Account? { accounts.values.first { $0.id == user } }

  /// Revokes all that a login with OAuth 2 has yielded.
  mutating func revoke(login: Int) {
    for (token, grant) in bearerTokens where grant.login == login { bearerTokens[token]?.isRevoked = true }
    for (token, grant) in refreshTokens where grant.login == login { refreshTokens[token]?.isRevoked = true }
  }
}
