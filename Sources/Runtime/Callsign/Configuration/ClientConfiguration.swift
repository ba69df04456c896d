import CallsignHTTP
import CallsignJSON
import CallsignSupport
import Logging

/// The configuration of a ``Client``.
public struct ClientConfiguration: Sendable {
  /// The transport that carries requests. By default one that all clients of the process share.
  public var transport: any Transport
  /// The URLs that base URLs really lead to; by default their own.
  public var hosts: BaseURLOverrides
  /// The values of the variables that the API's base URLs have, by name, such as a tenant's: in the place of the catalogue's
  /// defaults. Where a base URL has any, the generated client takes them as arguments. Default: none.
  public var hostVariables: [String: String]
  /// The time that transfers may take; ``CallOptions/timeouts`` overrides it for one call.
  public var timeouts: Timeouts
  /// The most bytes that a response may have that is read whole. Default: 64 MiB.
  public var responseLimit: Int
  /// The most bytes that one record of a stream may have. Default: 16 MiB.
  public var recordLimit: Int
  /// The `User-Agent` field.
  public var userAgent: String
  /// Header fields that every call of the client carries, such as an API key's or a tenant's. What a call sets itself,
  /// by its parameters or ``CallOptions/headers``, is in their place. They go to every host that the client calls: a
  /// secret that is for one host alone is an ``Authenticator``'s. Default: none.
  public var headers: [String: String]
  /// Query parameters that every call to the API's hosts carries, such as a tenant's name. What a call sets itself, by its
  /// parameters or ``CallOptions/query``, is in their place, and they are in the place of the catalogue's. A secret is an
  /// ``APIKey`` instead. Default: none.
  public var query: [String: String]
  /// The rules for sending a call again; ``CallOptions/retry`` overrides it for one call. Default: up to three
  /// attempts.
  public var retry: RetryPolicy
  /// The repetitions that all calls together may have. It counts from the configuration that a client is made with.
  public var retryBudget: RetryBudget
  /// The reaction to an exhausted rate limit; ``CallOptions/rateLimitPolicy`` overrides it for one call. Default: the
  /// call fails.
  public var rateLimitPolicy: RateLimitPolicy
  /// The way in which responses that are not what the catalogue says are read. Default: as far as they can be read.
  public var decoding: DecodingPolicy
  /// Called with the parts of a response or record that were passed over, and the endpoint's name. It is called while the
  /// response is read, so it should be quick. Default: none is called.
  public var reportIssues: (@Sendable (_ issues: [DecodingIssue], _ endpoint: String) -> Void)?
  /// The store of the state of rate limits. `nil`, the default: a ``RateLimitLedger`` of the client's own, which those
  /// that are derived from it share.
  public var rateLimitStore: (any RateLimitStore)?
  /// The longest that a whole call may take, repetitions and waits included; ``CallOptions/deadline`` overrides it for one
  /// call, and has the details. `nil`, the default: no bound.
  public var deadline: Duration?
  /// The middleware around each attempt of every call, the first outermost. Default: none.
  public var middleware: [any Middleware]
  /// Those who stand around whole calls, the first outermost, and are told what they amount to. Default: none.
  public var observers: [any CallObserver]
  /// The source of the time. Default: the system.
  public var time: any TimeSource
  /// The rules by which logs show or hide header fields and parameters.
  public var redaction: Redaction
  /// Logs each attempt at level `debug`: endpoint, host, status and duration; at level `trace` the path and the header
  /// fields that ``redaction`` shows; at level `info` repetitions; at level `warning` parts of responses that are not what
  /// the catalogue says, once for each endpoint and path. Never a query, body or credential. By default nothing is logged.
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

  /// The `Accept` field of calls that get JSON.
  static let acceptedByDefault = "application/json"

  /// A logger that drops every message.
  public static let silentLogger = Logger(label: "callsign") { _ in SwiftLogNoOpLogHandler() }
}
