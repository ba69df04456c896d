import CallsignHTTP

/// A token of OAuth 1.0a, and whose it is. It does not expire by itself; the person or the app makes it invalid.
public struct OAuth1Token: Sendable, Equatable {
  /// The token's identifier, `oauth_token`.
  public var token: Secret
  /// The token's secret, `oauth_token_secret`.
  public var secret: Secret
  /// The account's id, where the provider told it.
  public var userID: String?
  /// The account's name, where the provider told it.
  public var screenName: String?
  /// What else the provider told with the token, by its names. A ``TokenStore`` does not keep it.
  public var fields: [String: String]

  /// Describes a token.
  ///
  /// - Parameters:
  ///   - token: The token's identifier.
  ///   - secret: The token's secret.
  ///   - userID: The account's id.
  ///   - screenName: The account's name.
  ///   - fields: What else is known.
  public init(
    token: Secret, secret: Secret, userID: String? = nil, screenName: String? = nil, fields: [String: String] = [:]
  ) {
    self.token = token
    self.secret = secret
    self.userID = userID
    self.screenName = screenName
    self.fields = fields
  }
}

extension OAuth1Token {
  /// Reads a token that a store kept; `nil` when it is of another kind.
  public init?(_ stored: StoredToken) {
    guard stored.kind == .oauth1, let secret = stored.tokenSecret else { return nil }
    self.init(token: stored.accessToken, secret: secret, userID: stored.userID, screenName: stored.username)
  }

  /// The token as a store keeps it.
  ///
  /// - Parameter consumerKey: The consumer key that it was issued to, without which it is of no use.
  public func stored(consumerKey: String) -> StoredToken {
    StoredToken(
      kind: .oauth1, accessToken: token, tokenSecret: secret, clientID: consumerKey, userID: userID,
      username: screenName)
  }
}

extension OAuth1Token: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "OAuth1Token(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension OAuth1 {
  /// Signs with a token that a login came to; see ``init(consumerKey:consumerSecret:token:tokenSecret:signatureMethod:realm:placement:includesBodyHash:hosts:)``.
  public init(
    consumerKey: String, consumerSecret: Secret, token: OAuth1Token, signatureMethod: OAuth1SignatureMethod = .hmacSHA1,
    realm: String? = nil, placement: OAuth1Placement = .header, includesBodyHash: Bool = false,
    hosts: AllowedHosts = .catalogue
  ) {
    self.init(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token.token.reveal(), tokenSecret: token.secret,
      signatureMethod: signatureMethod, realm: realm, placement: placement, includesBodyHash: includesBodyHash,
      hosts: hosts)
  }
}
