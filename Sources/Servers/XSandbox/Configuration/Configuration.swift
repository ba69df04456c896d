import Foundation

/// The settings of a sandbox.
public struct SandboxConfiguration: Sendable {
  /// The loopback port; 0, the default, means any free one.
  public var port: UInt16 = 0
  /// The time for rate windows, timestamps and dates; the system's unless it is given.
  public var clock: any SandboxClock = SandboxSystemClock()
  /// Rate limits by operation, such as `["GET /2/users/me": 3]`. The others keep X's published ones.
  public var limits: [String: SandboxRateLimit] = [:]
  /// The names of members in the responses of v2. Those of X's document, unless others are given.
  public var dialect = SandboxDialect.document
  /// Further addresses for which requests may be signed, such as `https://api.x.com`, for clients that reach the sandbox through a
  /// proxy, or whose address cannot be set. None unless they are given.
  public var publicURLs: [URL] = []
  /// The largest body that is read, in bytes; larger ones get 413. 8 MiB unless it is given.
  public var maximumBodySize = 8 << 20
  /// The most requests that ``Sandbox/requests()`` remembers; 10,000 unless it is given.
  public var requestLogCapacity = 10_000
  /// The time that a stream is silent before it sends an empty line; 20 seconds unless it is given.
  public var streamKeepAlive: Duration = .seconds(20)
  /// The most connections that an app may have to the filtered stream; one unless it is given.
  public var streamConnectionLimit = 1
  /// The most records that a stream holds for a slow reader before it is disconnected; 10,000 unless it is given.
  public var streamBacklogLimit = 10_000
  /// Whether streams are sent with `Content-Encoding: gzip` to clients that accept it; `true` unless it is given.
  public var compressesStreams = true
  /// The seed of all keys and tokens: the same seed gives the same ones; 1 unless it is given.
  public var credentialSeed: UInt64 = 1
  /// Whether responses are compressed for clients that accept gzip or deflate; `false` unless it is given.
  public var compressesResponses = false
  /// The settings of the sandbox's own app, ``Sandbox/app``.
  public var app = SandboxAppConfiguration()
  /// The lifetime of a request token, and of an OAuth 2.0 authorization page, in seconds; 10 minutes unless it is
  /// given.
  public var requestTokenLifetime: TimeInterval = 600
  /// The lifetime of an OAuth 2.0 authorization code in seconds; 30 unless it is given, as at X.
  public var authorizationCodeLifetime: TimeInterval = 30
  /// The lifetime of an OAuth 2.0 access token in seconds; 2 hours unless it is given, as at X.
  public var accessTokenLifetime: TimeInterval = 7200
  /// The lifetime of an OAuth 2.0 refresh token in seconds; 180 days unless it is given.
  public var refreshTokenLifetime: TimeInterval = 180 * 86_400
  /// Whether the reuse of a refresh token ends the whole login, as RFC 9700 §4.14.2 requires. X only refuses the reuse,
  /// and so does the sandbox unless this is set.
  public var revokesOnRefreshTokenReuse = false

  /// Creates a configuration with the defaults.
  public init() {}
}

/// The number of requests that an operation accepts in a window.
public struct SandboxRateLimit: Sendable, Hashable, ExpressibleByIntegerLiteral {
  /// Requests a window for each user.
  public var user: Int
  /// Requests a window for each app, with app-only credentials.
  public var app: Int
  /// The length of a window in seconds.
  public var window: Int
  /// Requests in 24 hours for each user, shown in the headers `x-user-limit-24hour-*`. No such limit unless it is
  /// given.
  public var userPerDay: Int?
  /// Requests in 24 hours for each app, all its users together, shown in the headers `x-app-limit-24hour-*`. No such
  /// limit unless it is given.
  public var appPerDay: Int?

  /// Creates a limit.
  /// - Parameters:
  ///   - user: requests a window for each user.
  ///   - app: requests a window for each app; as many as for a user unless it is given.
  ///   - window: the length of a window in seconds; 15 minutes unless it is given.
  ///   - userPerDay: requests in 24 hours for each user.
  ///   - appPerDay: requests in 24 hours for each app, all its users together.
  public init(user: Int, app: Int? = nil, window: Int = 900, userPerDay: Int? = nil, appPerDay: Int? = nil) {
    self.user = user
    self.app = app ?? user
    self.window = window
    self.userPerDay = userPerDay
    self.appPerDay = appPerDay
  }

  /// The same number for users and for apps, in windows of 15 minutes.
  public init(integerLiteral value: Int) { self.init(user: value) }
}

/// The settings of a developer's app.
public struct SandboxAppConfiguration: Sendable, Hashable {
  /// The name that login pages show.
  public var name: String
  /// Whether the app can keep a secret (RFC 6749 §2.1). A public client has no client secret and names itself by its
  /// client id alone.
  public var isConfidential: Bool
  /// The addresses to which logins return, for OAuth 1.0a and OAuth 2.0. An entry such as `myapp://` allows all of its
  /// scheme; any other allows itself, with any query. Addresses on loopback have to be registered as well, with their port,
  /// as X wants it; `http://127.0.0.1:*` allows any port and path of that host, for tests that take what port is free.
  public var callbacks: [String]
  /// Whether the app may exchange passwords for tokens (xAuth), and take part in reverse auth.
  public var isEntitledToXAuth: Bool
  /// The most that OAuth 1.0a tokens of this app may do.
  public var permission: SandboxPermission
  /// The public half of the key that the app signs with by `RSA-SHA1`, in PEM form; `nil`: it cannot sign so.
  public var publicKey: String?

  /// The scheme `sandbox://`, and `http://127.0.0.1:8765/callback`, where programs on a command line listen.
  public static let defaultCallbacks = ["sandbox://", "http://127.0.0.1:8765/callback"]

  /// Creates a configuration.
  /// - Parameters:
  ///   - name: the name that login pages show.
  ///   - isConfidential: whether there is a client secret.
  ///   - callbacks: the addresses to which logins return; ``defaultCallbacks`` unless others are given.
  ///   - isEntitledToXAuth: whether the app may exchange passwords for tokens.
  ///   - permission: the most that OAuth 1.0a tokens of this app may do.
  ///   - publicKey: the public half of the key that the app signs with by `RSA-SHA1`, in PEM form.
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
  /// Reading only: writes get 403.
  case read
  /// Reading and writing.
  case readWrite
}
