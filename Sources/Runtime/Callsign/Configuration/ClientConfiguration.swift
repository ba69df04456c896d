import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

/// The configuration of a ``Client``.
public struct ClientConfiguration: Sendable {
  /// The transport that carries requests. By default, all clients of the process share one.
  public var transport: any Transport
  /// Replacements for base URLs, such as a sandbox; by default none.
  public var hosts: BaseURLOverrides
  /// The values of the variables in the API's base URLs, by name, such as a tenant's name. They replace the catalogue's
  /// defaults. If a base URL has variables, the generated client takes them as arguments. Default: none.
  public var hostVariables: [String: String]
  /// The time limits for transfers; ``CallOptions/timeouts`` overrides them for one call.
  public var timeouts: Timeouts
  /// The maximum size of a response that is read as a whole, in bytes. Default: 64 MiB.
  public var responseLimit: Int
  /// The maximum size of one record of a stream, in bytes. Default: 16 MiB.
  public var recordLimit: Int
  /// The `User-Agent` field.
  public var userAgent: String
  /// Header fields for every call of the client, such as one with an API key or a tenant. A call's own parameters and
  /// ``CallOptions/headers`` replace them. They are sent to every host that the client calls: for a secret that is only
  /// for one host, use an ``Authenticator``. Default: none.
  public var headers: [String: String]
  /// Query parameters for every call to the API's hosts, such as a tenant's name. A call's own parameters and
  /// ``CallOptions/query`` replace them, and they replace the catalogue's. For a secret, use an ``APIKey`` instead.
  /// Default: none.
  public var query: [String: String]
  /// The policy for retrying a call; ``CallOptions/retry`` overrides it for one call. Default: up to three attempts.
  public var retry: RetryPolicy
  /// The limit on the retries of all calls together. It starts full in each client that is made with this
  /// configuration.
  public var retryBudget: RetryBudget
  /// The reaction to an exhausted rate limit; ``CallOptions/rateLimitPolicy`` overrides it for one call. Default: the
  /// call fails.
  public var rateLimitPolicy: RateLimitPolicy
  /// How to read responses that do not match the catalogue. Default: as far as they can be read.
  public var decoding: DecodingPolicy
  /// Called with the skipped parts of a response or record, and the endpoint's name. It is called while the response is
  /// read, so it should be quick. Default: none.
  public var reportIssues: (@Sendable (_ issues: [DecodingIssue], _ endpoint: String) -> Void)?
  /// The store for the state of rate limits. `nil`, the default: the client's own ``RateLimitLedger``, which clients
  /// that are derived from it share.
  public var rateLimitStore: (any RateLimitStore)?
  /// The time limit for a whole call, including retries and waits; ``CallOptions/deadline`` overrides it for one call,
  /// and explains the details. `nil`, the default: no limit.
  public var deadline: Duration?
  /// The middleware around each attempt of every call, the first outermost. Default: none.
  public var middleware: [any Middleware]
  /// Observers of whole calls, the first outermost. They are informed of each call's outcome. Default: none.
  public var observers: [any CallObserver]
  /// The clock. Default: the system's.
  public var time: any TimeSource
  /// Which header fields and parameters logs show or hide.
  public var redaction: Redaction
  /// Logs each attempt. Level `debug` has endpoint, host, status and duration. Level `trace` adds the path and the
  /// header fields that ``redaction`` shows. Level `info` has retries. Level `warning` has parts of responses that do
  /// not match the catalogue, once for each endpoint and path. A query, body or credential is never logged. By default
  /// nothing is logged.
  public var logger: Logger

  /// Configures a client; see the properties for the defaults.
  public init(
    transport: any Transport = DefaultTransport.shared, hosts: BaseURLOverrides = .identity,
    hostVariables: [String: String] = [:], timeouts: Timeouts = Timeouts(),
    responseLimit: Int = 64 << 20, recordLimit: Int = 16 << 20, userAgent: String = Self.defaultUserAgent,
    headers: [String: String] = [:], query: [String: String] = [:], retry: RetryPolicy = .default,
    retryBudget: RetryBudget = RetryBudget(),
    rateLimitPolicy: RateLimitPolicy = .fail, rateLimitStore: (any RateLimitStore)? = nil, deadline: Duration? = nil,
    decoding: DecodingPolicy = .tolerant,
    reportIssues: (@Sendable (_ issues: [DecodingIssue], _ endpoint: String) -> Void)? = nil,
    middleware: [any Middleware] = [], observers: [any CallObserver] = [], time: any TimeSource = SystemTime(),
    redaction: Redaction = Redaction(), logger: Logger = Self.silentLogger
  ) {
    self.transport = transport
    self.hosts = hosts
    self.hostVariables = hostVariables
    self.timeouts = timeouts
    self.responseLimit = responseLimit
    self.recordLimit = recordLimit
    self.userAgent = userAgent
    self.headers = headers
    self.query = query
    self.retry = retry
    self.retryBudget = retryBudget
    self.rateLimitPolicy = rateLimitPolicy
    self.decoding = decoding
    self.reportIssues = reportIssues
    self.rateLimitStore = rateLimitStore
    self.deadline = deadline
    self.middleware = middleware
    self.observers = observers
    self.time = time
    self.redaction = redaction
    self.logger = logger
  }

  /// `Callsign/` and the version.
  public static let defaultUserAgent = "Callsign/0.2"

  /// The `Accept` field of calls with a JSON response.
  static let acceptedByDefault = "application/json"

  /// A logger that drops every message.
  public static let silentLogger = Logger(label: "callsign") { _ in SwiftLogNoOpLogHandler() }
}
