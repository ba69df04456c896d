import Foundation

/// All keys, tokens and secrets that the sandbox accepts.
struct CredentialRegistry: Sendable {
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
  }

  /// By consumer key.
  var consumerSecrets: [String: String] = [:]
  /// OAuth 1.0a access tokens.
  var accessTokens: [String: AccessToken] = [:]
  var bearerTokens: [String: BearerToken] = [:]
}
