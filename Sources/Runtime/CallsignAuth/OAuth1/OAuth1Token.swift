import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// An OAuth 1.0a token, and the account that it belongs to. At most providers it does not expire; the person or the app
/// invalidates it.
public struct OAuth1Token: Sendable, Equatable {
  /// The token's identifier, `oauth_token`.
  public var token: Secret
  /// The token's secret, `oauth_token_secret`.
  public var secret: Secret
  /// The account's id, if the provider stated it.
  public var userID: String?
  /// The account's name, if the provider stated it.
  public var screenName: String?
  /// The other fields of the provider's response, by its names, such as the `oauth_session_handle` of some providers.
  public var fields: [String: String]
  /// When it expires, if the provider stated that in `oauth_expires_in` or `oauth_token_duration`; `nil` if it does not expire.
  public var expires: Date?

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - token: The token's identifier.
  ///   - secret: The token's secret.
  ///   - userID: The account's id.
  ///   - screenName: The account's name.
  ///   - fields: The other known fields.
  ///   - expires: When it expires.
  public init(
    token: any SecretConvertible, secret: any SecretConvertible, userID: String? = nil, screenName: String? = nil,
    fields: [String: String] = [:], expires: Date? = nil
  ) {
    self.token = Secret(token)
    self.secret = Secret(secret)
    self.userID = userID
    self.screenName = screenName
    self.fields = fields
    self.expires = expires
  }
}

extension OAuth1Token {
  /// Reads a stored token; `nil` if it is of another kind.
  public init?(_ stored: StoredToken) {
    guard stored.kind == .oauth1, let secret = stored.tokenSecret else { return nil }
    self.init(
      token: stored.accessToken, secret: secret, userID: stored.userID, screenName: stored.username,
      fields: stored.fields, expires: stored.expires)
  }

  /// The token in the form that a store keeps.
  ///
  /// - Parameter consumerKey: The consumer key that it was issued to. The token is useless without it.
  public func stored(consumerKey: String) -> StoredToken {
    var stored = StoredToken(
      kind: .oauth1, accessToken: token, tokenSecret: secret, expires: expires, clientID: consumerKey, userID: userID,
      username: screenName)
    stored.fields = fields
    return stored
  }
}

extension OAuth1Token: RedactedStringConvertible {}

extension OAuth1Token {
  /// The lifetime in seconds that the provider states (the extension "OAuth Session", and others).
  var lifetime: TimeInterval? {
    ["oauth_expires_in", "oauth_token_duration"].lazy
      .compactMap { StoredToken.lifetime(fields[$0].flatMap(Double.init(written:))) }.first
  }
}

extension OAuth1 {
  /// Signs with the token of a login; see
  /// ``init(consumerKey:consumerSecret:token:tokenSecret:signatureMethod:realm:placement:includesBodyHash:hosts:)``.
  public init(
    consumerKey: String, consumerSecret: any SecretConvertible, token: OAuth1Token,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1,
    realm: String? = nil, placement: OAuth1Placement = .header, includesBodyHash: Bool = false,
    hosts: AllowedHosts = .catalogue
  ) {
    self.init(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token.token.reveal(), tokenSecret: token.secret,
      signatureMethod: signatureMethod, realm: realm, placement: placement, includesBodyHash: includesBodyHash,
      hosts: hosts)
  }
}

extension OAuth1Token {
  /// Reads a token in the form that providers return and that older apps cached:
  /// `oauth_token=…&oauth_token_secret=…&user_id=…&screen_name=…`, in any order, with or without the last two.
  ///
  /// - Parameter tokenString: The text. White space around it, and a `?` before it, do not matter; `+` is a space.
  /// - Throws: ``OAuth1TokenStringError``.
  public init(tokenString: any SecretConvertible) throws(OAuth1TokenStringError) {
    var text = Secret(tokenString).reveal().trimmingWhitespace()
    if text.hasPrefix("?") { text.removeFirst() }
    self = try OAuth1Token(FormFields(text))
  }

  /// The token in the form that ``init(tokenString:)`` reads. It is as secret as the token.
  public var tokenString: Secret {
    var pairs: [(name: String, value: String)] = [
      ("oauth_token", token.reveal()), ("oauth_token_secret", secret.reveal()),
    ]
    if let userID { pairs.append(("user_id", userID)) }
    if let screenName { pairs.append(("screen_name", screenName)) }
    let named = Set(pairs.map(\.name))
    pairs += FormFields.sorted(fields).filter { !named.contains($0.name) }
    return Secret(FormFields.encode(pairs))
  }

  /// Reads the fields of a provider's response or of a cached text. Flickr uses `user_nsid` and `username`.
  init(_ fields: FormFields) throws(OAuth1TokenStringError) {
    guard fields.isReadable || !fields.pairs.isEmpty else { throw .unreadable }
    func required(_ name: String) throws(OAuth1TokenStringError) -> String {
      if fields.isContradictory(name) { throw .contradictory(name) }
      if fields.isUnreadable(name) { throw .unreadable }
      guard let value = fields.value(name) else { throw .missing(name) }
      return value
    }
    func first(_ names: [String]) -> (name: String, value: String)? {
      for name in names { if let value = fields.value(name), !value.isEmpty { return (name, value) } }
      return nil
    }
    token = Secret(try required("oauth_token"))
    if token.isEmpty { throw .missing("oauth_token") }
    // RFC 5849 §3.4.4 allows signatures with an empty secret.
    secret = Secret(try required("oauth_token_secret"))
    let user = first(["user_id", "user_nsid"])
    let name = first(["screen_name", "username"])
    userID = user?.value
    screenName = name?.value
    let known = Set(["oauth_token", "oauth_token_secret", user?.name, name?.name].compactMap { $0 })
    self.fields = Dictionary(
      fields.pairs.compactMap { pair in
        known.contains(pair.name) ? nil : pair.value.map { (pair.name, $0) }
      },
      uniquingKeysWith: { first, _ in first })
  }
}

/// The error of a text that is not a token.
public enum OAuth1TokenStringError: Error, Sendable, Hashable {
  /// It does not consist of `name=value` pairs, or a required field has a broken `%` escape.
  case unreadable
  /// It lacks this field, or `oauth_token` is empty.
  case missing(String)
  /// It has this field twice, with different values.
  case contradictory(String)
}

extension OAuth1TokenStringError: CallsignError {
  /// The problem and the advice, without the text itself.
  public var description: String {
    switch self {
    case .unreadable: "the cached token is not a text of pairs name=value; \(advice)"
    case .missing(let name): "the token has no \(name); \(advice)"
    case .contradictory(let name): "the token has two different values of \(name); \(advice)"
    }
  }

  /// Advice on what to do, in one sentence.
  public var advice: String { "discard it and log in again" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }
}
