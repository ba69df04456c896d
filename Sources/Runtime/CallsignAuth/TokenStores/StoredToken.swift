import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// A token as a ``TokenStore`` stores it. Its secrets print as `‹redacted›`.
public struct StoredToken: Sendable, Equatable {
  /// The kind of token.
  public enum Kind: String, Sendable, Hashable {
    /// An access token of OAuth 1.0, with a secret.
    case oauth1
    /// An access token of OAuth 2.0 that acts for a user.
    case oauth2
    /// An app's bearer token.
    case bearer
    /// A username and password of HTTP Basic, joined by a colon (RFC 7617 §2) in place of the access token.
    case basic
  }

  /// The kind of token.
  public var kind: Kind
  /// The access token; in OAuth 1.0 its identifier.
  public var accessToken: Secret
  /// The secret of an OAuth 1.0 token.
  public var tokenSecret: Secret?
  /// The token that refreshes an OAuth 2.0 token. If the provider rotates it, it can be used only once.
  public var refreshToken: Secret?
  /// When the access token expires; `nil` if unknown.
  public var expires: Date?
  /// The token's original lifetime in seconds, if the provider stated it. Every process that has the token renews a
  /// short-lived one later, that is, closer to its end, than others.
  public var lifetime: TimeInterval?
  /// The scopes of an OAuth 2.0 token; `nil` if they are not known.
  public var scopes: Set<String>?
  /// The client ID or consumer key that it was issued to. This is not a secret.
  public var clientID: String?
  /// The account's id, if the provider stated it.
  public var userID: String?
  /// The account's name, if the provider stated it.
  public var username: String?
  /// The other fields that an OAuth 1.0 provider returned with the token, by its names. They are as secret as the
  /// token.
  public var fields: [String: String] = [:]
  /// A random mark of the login that created the token; it stays when the token is refreshed. It keeps the responses
  /// and limits of one person separate from those of the next who logs in to the same account name. `nil` if the app
  /// saved the token itself.
  public var login: String?
  /// The refresh token, or if there was none the access token, that the provider is known not to accept any more. A
  /// token that has a different one since then is not refused.
  package var refused: Secret?
  /// The name of the process that may have received the provider's last response, if the token was refused after that.
  package var lostWith: String?
  /// The members of the encoded form that this version of the library does not know. They are written back, so that a
  /// newer version finds them.
  var unknownMembers: [String: JSONValue] = [:]

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - kind: The kind of token.
  ///   - accessToken: The access token.
  ///   - tokenSecret: The secret of an OAuth 1.0 token.
  ///   - refreshToken: The token that refreshes it.
  ///   - expires: When it expires.
  ///   - lifetime: Its original lifetime in seconds.
  ///   - scopes: The scopes that it permits.
  ///   - clientID: The id of the client that it was issued to.
  ///   - userID: The account's id.
  ///   - username: The account's name.
  ///   - login: The mark of the login that created it.
  public init(
    kind: Kind, accessToken: any SecretConvertible, tokenSecret: (any SecretConvertible)? = nil,
    refreshToken: (any SecretConvertible)? = nil, expires: Date? = nil,
    lifetime: TimeInterval? = nil, scopes: Set<String>? = nil, clientID: String? = nil, userID: String? = nil,
    username: String? = nil,
    login: String? = nil
  ) {
    self.kind = kind
    self.accessToken = Secret(accessToken)
    self.tokenSecret = tokenSecret.map { Secret($0) }
    self.refreshToken = refreshToken.map { Secret($0) }
    self.expires = expires
    self.lifetime = lifetime
    self.scopes = scopes
    self.clientID = clientID
    self.userID = userID
    self.username = username
    self.login = login
  }

  /// The secret that keeps the login alive: the refresh token, or if there is none the access token.
  package var renewableSecret: Secret { refreshToken ?? accessToken }

  /// The lifetime in seconds that a provider states. `nil` for zero and less, which some providers state for tokens
  /// that do not expire, and for a century and more, which is a mistake.
  package static func lifetime(_ seconds: Double?) -> TimeInterval? {
    seconds.flatMap { $0 > 0 && $0 < 3_155_760_000 ? $0 : nil }
  }

  /// Whether the provider or its API has permanently refused it.
  package var isRefused: Bool { refused == renewableSecret }
}

extension StoredToken: RedactedStringConvertible {
  /// Only the kind.
  public var description: String { "StoredToken(\(kind.rawValue), \(Secret.redacted))" }
}

/// The stored form of tokens: a JSON object with a `version`, the same in every store.
///
/// Your own store only has to keep bytes:
///
/// ```swift
/// func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
///   guard let row = rows[key] else { return nil }
///   return VersionedToken(try StoredToken(encoded: row.bytes), version: TokenVersion(rawValue: "\(row.number)"))
/// }
/// ```
extension StoredToken {
  /// The version that ``encoded()`` writes. New members do not need a new version: versions of the library that do not
  /// know them keep them.
  static let currentVersion = 1

  /// Reads a token that ``encoded()`` wrote, in this version of the library or an older one.
  ///
  /// - Throws: ``TokenStoreError`` with ``TokenStoreError/Reason/newerVersion`` or ``TokenStoreError/Reason/damaged``.
  public init(encoded bytes: Data) throws(TokenStoreError) {
    let value: JSONValue
    do { value = try JSONValue(jsonData: bytes) } catch { throw .damaged("is not JSON: \(error)") }
    try self.init(json: value)
  }

  /// The token as bytes. They contain its secrets in plain text: keep them where nobody else can read them.
  ///
  /// - Throws: ``TokenStoreError`` if ``expires`` is outside the years 0 to 9999.
  public func encoded() throws(TokenStoreError) -> Data {
    let value = try jsonValue()
    do { return try value.jsonData() } catch { throw .damaged("cannot be written: \(error)") }
  }

  init(json value: JSONValue) throws(TokenStoreError) {
    guard case .object(var members) = value else { throw .damaged("is not JSON object") }
    guard case .integer(let number) = members.removeValue(forKey: Member.version), number > 0 else {
      throw .damaged("has no `version`, or one that is not a number")
    }
    guard number <= Self.currentVersion else { throw .newerVersion }
    var reader = TokenMemberReader(members)
    guard let kindName = try reader.text(Member.kind) else { throw .damaged("has no `kind`") }
    guard let kind = Kind(rawValue: kindName) else { throw .newerVersion }
    guard let accessToken = try reader.secret(Member.accessToken) else { throw .damaged("has no `access_token`") }
    self.init(kind: kind, accessToken: accessToken)
    tokenSecret = try reader.secret(Member.tokenSecret)
    refreshToken = try reader.secret(Member.refreshToken)
    expires = try reader.date(Member.expires)
    lifetime = try reader.number(Member.lifetime)
    scopes = try reader.texts(Member.scopes)
    clientID = try reader.text(Member.clientID)
    userID = try reader.text(Member.userID)
    username = try reader.text(Member.username)
    login = try reader.text(Member.login)
    fields = try reader.textsByName(Member.fields)
    refused = try reader.secret(Member.refused)
    lostWith = try reader.text(Member.lostWith)
    unknownMembers = reader.members
  }

  func jsonValue() throws(TokenStoreError) -> JSONValue {
    var members = unknownMembers
    members[Member.version] = .integer(Self.currentVersion)
    members[Member.kind] = .string(kind.rawValue)
    members[Member.accessToken] = .string(accessToken.reveal())
    members[Member.tokenSecret] = tokenSecret.map { .string($0.reveal()) }
    members[Member.refreshToken] = refreshToken.map { .string($0.reveal()) }
    if let expires {
      guard let text = expires.exactText else {
        throw .damaged("has an expiry that is not a date; set one between the years 0 and 9999, or nil")
      }
      members[Member.expires] = .string(text)
    }
    members[Member.lifetime] = lifetime.map(JSONValue.number)
    members[Member.scopes] = scopes.map { .array(Array($0).sortedAsNames().map(JSONValue.string)) }
    members[Member.clientID] = clientID.map(JSONValue.string)
    members[Member.userID] = userID.map(JSONValue.string)
    members[Member.username] = username.map(JSONValue.string)
    members[Member.login] = login.map(JSONValue.string)
    if !fields.isEmpty { members[Member.fields] = .object(fields.mapValues(JSONValue.string)) }
    members[Member.refused] = refused.map { .string($0.reveal()) }
    members[Member.lostWith] = lostWith.map(JSONValue.string)
    return .object(members)
  }

  private enum Member {
    static let version = "version"
    static let kind = "kind"
    static let accessToken = "access_token"
    static let tokenSecret = "token_secret"
    static let refreshToken = "refresh_token"
    static let expires = "expires"
    static let lifetime = "lifetime"
    static let scopes = "scopes"
    static let clientID = "client_id"
    static let userID = "user_id"
    static let username = "username"
    static let login = "login"
    static let fields = "fields"
    static let refused = "refused_token"
    static let lostWith = "lost_with"
  }
}

extension Date {
  /// The date in RFC 3339 format, with enough digits to read back the same date.
  fileprivate var exactText: String? {
    let whole = timeIntervalSinceReferenceDate.rounded(.down)
    guard let text = DateFormat.rfc3339.string(from: Date(timeIntervalSinceReferenceDate: whole)) else { return nil }
    var exact = text
    for count in [3, 9, 15] where DateFormat.rfc3339.date(from: exact) != self {
      let scale = pow(10, Double(count))
      let digits = min(((timeIntervalSinceReferenceDate - whole) * scale).rounded(), scale - 1)
      exact = "\(text.dropLast()).\(RFC3339.padded(Int(digits), count))Z"
    }
    return exact
  }
}

extension TokenStoreError {
  package static func damaged(_ problem: String) -> TokenStoreError {
    TokenStoreError(.damaged, advice: "the stored token \(problem); delete it and log in again")
  }

  static var newerVersion: TokenStoreError {
    TokenStoreError(
      .newerVersion, advice: "the stored token was written by a newer version of Callsign; update this program")
  }
}
