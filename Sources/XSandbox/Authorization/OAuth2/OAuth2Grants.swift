import Foundation

/// What a client asks a user for (RFC 6749 §4.1.1).
struct AuthorizationRequest: Sendable {
  var consumerKey: String
  var redirectURI: String
  var scopes: [String]
  var state: String
  var challenge: CodeChallenge
  var expiry: Date
}

/// What a client exchanges for tokens, once.
struct AuthorizationCode: Sendable {
  var consumerKey: String
  var redirectURI: String
  var scopes: [String]
  var challenge: CodeChallenge
  var user: Identifier
  var expiry: Date
  /// Set when the code is used; a second use ends that login.
  var login: Int?
}

/// What a client exchanges for an access token and the next refresh token, once.
struct RefreshToken: Sendable {
  var consumerKey: String
  var user: Identifier
  var scopes: [String]
  var login: Int
  var expiry: Date
  var isUsed = false
  var isRevoked = false
}
