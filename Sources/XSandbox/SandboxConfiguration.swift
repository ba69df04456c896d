import Foundation

extension Sandbox {
  /// How a sandbox behaves.
  public struct Configuration: Sendable {
    /// The loopback port; 0, the default, means any free one.
    public var port: UInt16 = 0
    /// The time for rate windows, timestamps and dates; the system's unless it is given.
    public var clock: any SandboxClock = SystemClock()
    /// The API's catalogue. What is in it and isn't implemented answers 501, what isn't in it 404. What it lacks of one version
    /// altogether, `/2/` or `/1.1/`, answers 501.
    public var endpoints: [Endpoint] = []
    /// Rate limits by operation, such as `["GET /2/users/me": 3]`. The others keep X's published ones.
    public var limits: [String: RateLimit] = [:]
    /// The largest body that is read, in bytes; larger ones are answered with 413. 8 MiB unless it is given.
    public var maximumBodySize = 8 << 20
    /// How many requests ``Sandbox/requests()`` remembers; 10,000 unless it is given.
    public var requestLogCapacity = 10_000
    /// From which the keys and tokens are made: the same seed gives the same ones.
    public var credentialSeed: UInt64 = 1
    /// What is set for the sandbox's own app, ``Sandbox/app``.
    public var app = AppConfiguration()
    /// For how many seconds a login may be decided upon: the age of a request token, and of an OAuth 2.0 authorization page. 10 minutes unless it is given.
    public var requestTokenLifetime: TimeInterval = 600
    /// For how many seconds an OAuth 2.0 authorization code is good; 30 unless it is given, as at X.
    public var authorizationCodeLifetime: TimeInterval = 30
    /// For how many seconds an OAuth 2.0 access token is good; 2 hours unless it is given, as at X.
    public var accessTokenLifetime: TimeInterval = 7200
    /// For how many seconds an OAuth 2.0 refresh token is good; 180 days unless it is given.
    public var refreshTokenLifetime: TimeInterval = 180 * 86_400
    /// Whether a refresh token that comes a second time ends the whole login, as RFC 9700 §4.14.2 asks. X merely refuses it, and so does the sandbox unless this is set.
    public var revokesOnRefreshTokenReuse = false

    /// Creates a configuration with the defaults.
    public init() {}
  }

  /// A method and a path of the API's catalogue.
  public struct Endpoint: Sendable, Hashable {
    /// The HTTP method in upper case.
    public var method: String
    /// The path with `{placeholders}`, such as `/2/users/{id}`.
    public var path: String

    /// Creates an endpoint.
    public init(method: String, path: String) {
      self.method = method
      self.path = path
    }
  }
}
