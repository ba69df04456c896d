import CallsignSupport
import Foundation

/// All apps, accounts and tokens of a sandbox.
struct CredentialRegistry: Sendable {
  /// An app and its settings.
  struct RegisteredApp: Sendable {
    var app: SandboxApp
    var configuration: SandboxAppConfiguration
  }

  /// The user name and password for a user's login.
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
    var permission: SandboxPermission = .readWrite
    var isRevoked = false
    /// The OAuth 2.0 login of its last exchange.
    var exchange: Int?
  }

  struct BearerToken: Sendable {
    var consumerKey: String
    /// The user; `nil` for an app-only token.
    var user: Identifier?
    var scopes: Set<String> = []
    var expiry: Date?
    var isRevoked = false
    /// The login that issued it; `nil` if a test made it.
    var login: Int?
  }

  /// Further URLs that requests may be signed for.
  var publicURLs: [URL] = []
  /// The apps, by consumer key.
  var apps: [String: RegisteredApp] = [:]
  /// The accounts, by lowercase user name.
  var accounts: [String: Account] = [:]
  var accessTokens: [String: AccessToken] = [:]
  var bearerTokens: [String: BearerToken] = [:]

  var requestTokens: [String: RequestToken] = [:]
  /// The requests, by nonce.
  var reverseAuthentications: [String: ReverseAuthenticationRequest] = [:]

  /// The requests, by the authenticity token of the page that asks the user.
  var authorizationRequests: [String: AuthorizationRequest] = [:]
  var authorizationCodes: [String: AuthorizationCode] = [:]
  var refreshTokens: [String: RefreshToken] = [:]
  var lastLogin = 0

  func app(clientID: String) -> RegisteredApp? { apps.values.first { $0.app.clientID == clientID } }

  func account(of user: Identifier) -> Account? { accounts.values.first { $0.id == user } }

  /// Revokes the tokens from OAuth 1.0a token exchanges for a user and an app.
  mutating func revokeExchanges(for user: Identifier, consumerKey: String) {
    let logins = accessTokens.values.filter { $0.user == user && $0.consumerKey == consumerKey }.compactMap(\.exchange)
    for login in logins { revoke(login: login) }
  }

  /// Revokes all tokens of an OAuth 2.0 login.
  mutating func revoke(login: Int) {
    for (token, grant) in bearerTokens where grant.login == login { bearerTokens[token]?.isRevoked = true }
    for (token, grant) in refreshTokens where grant.login == login { refreshTokens[token]?.isRevoked = true }
  }
}

/// Temporary credentials (RFC 5849 §2.1).
struct RequestToken: Sendable {
  var secret: String
  var consumerKey: String
  /// The callback; `oob` for a PIN.
  var callback: String
  var permission: SandboxPermission
  var expiry: Date
  /// The authenticity token of the page that asks the user.
  var authenticityToken: String
  var decision = Decision.pending

  enum Decision: Sendable {
    case pending
    case approved(user: Identifier, verifier: String)
    case denied
  }

  var isOutOfBand: Bool { callback == "oob" }
}

/// The first step of reverse auth, which the device's account forwards.
struct ReverseAuthenticationRequest: Sendable {
  var consumerKey: String
  /// The text that was issued and must come back unchanged.
  var text: String
  var expiry: Date
}

/// A client's request for a user's authorization (RFC 6749 §4.1.1).
struct AuthorizationRequest: Sendable {
  var consumerKey: String
  var redirectURI: String
  var scopes: [String]
  var state: String
  var challenge: CodeChallenge
  var expiry: Date
}

/// A code that a client can exchange for tokens once.
struct AuthorizationCode: Sendable {
  var consumerKey: String
  var redirectURI: String
  var scopes: [String]
  var challenge: CodeChallenge
  var user: Identifier
  var expiry: Date
  /// Set after the code is used. A second use ends that login.
  var login: Int?
}

/// A token that a client can exchange once for an access token and the next refresh token.
struct RefreshToken: Sendable {
  var consumerKey: String
  var user: Identifier
  var scopes: [String]
  var login: Int
  var expiry: Date
  /// When it was exchanged, and the `User-Agent` of the client.
  var use: (date: Date, userAgent: String?)?
  var isRevoked = false
}

/// A challenge that binds an authorization code to the client that requested it (RFC 7636).
struct CodeChallenge: Sendable {
  enum Method: String, Sendable {
    case plain
    case s256 = "S256"
  }

  var value: String
  var method: Method

  /// Whether a challenge or a verifier has the format of §4.1 and §4.2: 43 to 128 unreserved characters.
  static func isWellFormed(_ text: String) -> Bool {
    (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(PercentEncoding.isUnreserved)
  }

  func matches(verifier: String) -> Bool {
    guard Self.isWellFormed(verifier) else { return false }
    let transformed =
      switch method {
      case .plain: verifier
      case .s256:
        Data(SHA256Hash.digest(of: Data(verifier.utf8))).base64EncodedString()
          .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_")
          .replacingOccurrences(of: "=", with: "")
      }
    return ConstantTime.equal(transformed, value)
  }
}

/// The scopes of X's OAuth 2.0 API (<https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>).
enum Scopes {
  static let all: Set<String> = [
    "tweet.read", "tweet.write", "tweet.moderate.write", "users.read", "users.email", "follows.read",
    "follows.write", "offline.access", "space.read", "mute.read", "mute.write", "like.read", "like.write",
    "list.read", "list.write", "block.read", "block.write", "bookmark.read", "bookmark.write", "dm.read",
    "dm.write", "media.write", "timeline.read", "broadcast.read", "broadcast.write",
  ]

  private static let reading = [
    "tweet.read", "users.read", "follows.read", "mute.read", "block.read", "list.read", "like.read", "timeline.read",
    "broadcast.read",
  ]
  private static let writing = [
    "tweet.write", "tweet.moderate.write", "follows.write", "like.write", "list.write", "mute.write", "block.write",
    "media.write", "broadcast.write", "dm.read", "dm.write",
  ]

  /// The scopes for an OAuth 1.0a token with this permission, in addition to `offline.access`
  /// (<https://docs.x.com/fundamentals/authentication/oauth-2-0/oauth-1-0a-token-exchange>). In the sandbox, a token that can write
  /// can also send direct messages, so it gets their scopes too.
  static func exchanged(_ permission: SandboxPermission) -> [String] {
    switch permission {
    case .read: reading + [offline]
    case .readWrite: reading + writing + [offline]
    }
  }

  /// The scope that makes X issue a refresh token.
  static let offline = "offline.access"

  /// Splits a list of scopes (RFC 6749 §3.3).
  static func parse(_ text: String) -> [String] { text.split(separator: " ").map(String.init) }
}

/// A developer's app. Descriptions leave the secrets out.
public struct SandboxApp: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The consumer key (API key) of OAuth 1.0a.
  public let consumerKey: String
  /// The consumer secret (API secret) of OAuth 1.0a.
  public let consumerSecret: String
  /// The app-only bearer token. `POST /oauth2/token` returns it until it is invalidated.
  public let bearerToken: String
  /// The client ID for OAuth 2.0.
  public let clientID: String
  /// The client secret for OAuth 2.0; `nil` for a public client.
  public let clientSecret: String?

  /// The app without its secrets.
  public var description: String { "App(consumerKey: \(consumerKey), clientID: \(clientID))" }
  /// Shows no secrets.
  public var customMirror: Mirror {
    Mirror(self, children: ["consumerKey": consumerKey, "clientID": clientID])
  }
}

/// An OAuth 1.0a access token with its secret. Descriptions leave both out.
public struct SandboxAccessToken: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
  /// The token.
  public let token: String
  /// Its secret.
  public let secret: String

  /// Leaves out both.
  public var description: String { "AccessToken(\(Redaction.placeholder))" }
  /// Leaves out both.
  public var customMirror: Mirror { Mirror(self, children: []) }
}
