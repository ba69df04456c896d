import Foundation

/// The settings of a sandbox.
public struct SandboxConfiguration: Sendable {
  /// The loopback port. Default: 0, which takes any free one.
  public var port: UInt16 = 0
  /// The clock for rate windows, timestamps and dates. Default: the system's.
  public var clock: any SandboxClock = SandboxSystemClock()
  /// Rate limits by operation, such as `["GET /2/users/me": 3]`. Other operations keep X's published limits.
  public var limits: [String: SandboxRateLimit] = [:]
  /// The names of members in v2 responses. Default: those of X's document.
  public var dialect = SandboxDialect.document
  /// Further URLs that requests may be signed for, such as `https://api.x.com`. Use it for clients that reach the sandbox through a
  /// proxy, or whose base URL cannot be set. Default: none.
  public var publicURLs: [URL] = []
  /// The largest body to read, in bytes. Larger ones get a 413. Default: 8 MiB.
  public var maximumBodySize = 8 << 20
  /// The maximum number of requests that ``Sandbox/requests()`` remembers. Default: 10,000.
  public var requestLogCapacity = 10_000
  /// How long a stream is silent before it sends an empty line. Default: 20 seconds.
  public var streamKeepAlive: Duration = .seconds(20)
  /// The maximum number of connections of an app to the filtered stream. Default: one.
  public var streamConnectionLimit = 1
  /// The maximum number of records that a stream keeps for a slow reader before it disconnects. Default: 10,000.
  public var streamBacklogLimit = 10_000
  /// Whether streams are sent with `Content-Encoding: gzip` to clients that accept it. Default: `true`.
  public var compressesStreams = true
  /// The seed of all keys and tokens: the same seed gives the same ones. Default: 1.
  public var credentialSeed: UInt64 = 1
  /// Whether responses are compressed for clients that accept gzip or deflate. Default: `false`.
  public var compressesResponses = false
  /// The settings of the sandbox's own app, ``Sandbox/app``.
  public var app = SandboxAppConfiguration()
  /// The lifetime of a request token and of an OAuth 2.0 authorization page, in seconds. Default: 10 minutes.
  public var requestTokenLifetime: TimeInterval = 600
  /// The lifetime of an OAuth 2.0 authorization code in seconds. Default: 30, as on X.
  public var authorizationCodeLifetime: TimeInterval = 30
  /// The lifetime of an OAuth 2.0 access token in seconds. Default: 2 hours, as on X.
  public var accessTokenLifetime: TimeInterval = 7200
  /// The lifetime of an OAuth 2.0 refresh token in seconds. Default: 180 days.
  public var refreshTokenLifetime: TimeInterval = 180 * 86_400
  /// Whether reusing a refresh token ends the whole login, as RFC 9700 §4.14.2 requires. X only refuses the reuse. Default:
  /// `false`, as on X.
  public var revokesOnRefreshTokenReuse = false

  /// Creates a configuration with the defaults.
  public init() {}
}

/// The number of requests that an operation accepts in a window.
public struct SandboxRateLimit: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// The number of requests per window for each user.
  public var user: Int
  /// The number of requests per window for each app with app-only credentials.
  public var app: Int
  /// The length of a window in seconds.
  public var window: Int
  /// The number of requests in 24 hours for each user, shown in the headers `x-user-limit-24hour-*`. Default: no such limit.
  public var userPerDay: Int?
  /// The number of requests in 24 hours for each app, for all its users together, shown in the headers `x-app-limit-24hour-*`.
  /// Default: no such limit.
  public var appPerDay: Int?

  /// Creates a limit.
  /// - Parameters:
  ///   - user: The number of requests per window for each user.
  ///   - app: The number of requests per window for each app. Default: the same as for a user.
  ///   - window: The length of a window in seconds. Default: 15 minutes.
  ///   - userPerDay: The number of requests in 24 hours for each user.
  ///   - appPerDay: The number of requests in 24 hours for each app, for all its users together.
  public init(user: Int, app: Int? = nil, window: Int = 900, userPerDay: Int? = nil, appPerDay: Int? = nil) {
    self.user = user
    self.app = app ?? user
    self.window = window
    self.userPerDay = userPerDay
    self.appPerDay = appPerDay
  }

  /// Creates a limit with the same number for users and apps, in windows of 15 minutes.
  public init(integerLiteral value: Int) { self.init(user: value) }
}

/// The settings of a developer's app.
public struct SandboxAppConfiguration: Sendable, Hashable {
  /// The name shown on login pages.
  public var name: String
  /// Whether the app can keep a secret (RFC 6749 §2.1). A public client has no client secret and identifies itself only by its
  /// client ID.
  public var isConfidential: Bool
  /// The URLs that logins can return to, for OAuth 1.0a and OAuth 2.0. An entry such as `myapp://` allows every URL with its
  /// scheme; any other entry allows only itself, with any query. As on X, you must register loopback URLs with their port.
  /// `http://127.0.0.1:*` allows any port and path of that host, for tests that take a free port.
  public var callbacks: [String]
  /// Whether the app can exchange passwords for tokens (xAuth) and take part in reverse auth.
  public var isEntitledToXAuth: Bool
  /// The maximum rights of this app's OAuth 1.0a tokens.
  public var permission: SandboxPermission
  /// The public half of the app's key for `RSA-SHA1` signatures, in PEM format; `nil` if it cannot sign that way.
  public var publicKey: String?

  /// The scheme `sandbox://`, and `http://127.0.0.1:8765/callback`, which command-line programs listen on.
  public static let defaultCallbacks = ["sandbox://", "http://127.0.0.1:8765/callback"]

  /// Creates a configuration.
  /// - Parameters:
  ///   - name: The name shown on login pages.
  ///   - isConfidential: Whether the app has a client secret.
  ///   - callbacks: The URLs that logins can return to. Default: ``defaultCallbacks``.
  ///   - isEntitledToXAuth: Whether the app can exchange passwords for tokens.
  ///   - permission: The maximum rights of this app's OAuth 1.0a tokens.
  ///   - publicKey: The public half of the app's key for `RSA-SHA1` signatures, in PEM format.
  public init(
    name: String = "Sandbox App", isConfidential: Bool = true, callbacks: [String] = Self.defaultCallbacks,
    isEntitledToXAuth: Bool = false, permission: SandboxPermission = .readWrite, publicKey: String? = nil
  ) {
    self.name = name
    self.isConfidential = isConfidential
    self.callbacks = callbacks
    self.isEntitledToXAuth = isEntitledToXAuth
    self.permission = permission
    self.publicKey = publicKey
  }
}

/// The rights of an OAuth 1.0a access token.
public enum SandboxPermission: Sendable, Hashable {
  /// Read only: writes get a 403.
  case read
  /// Reading and writing.
  case readWrite
}
