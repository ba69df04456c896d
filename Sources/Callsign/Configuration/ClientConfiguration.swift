import CallsignHTTP
import Foundation
import Logging

/// How a ``Client`` works.
public struct ClientConfiguration: Sendable {
  /// The transport that carries requests. By default one that all clients of the process share.
  public var transport: any Transport
  /// Where base URLs really lead; by default where they say.
  public var hosts: BaseURLOverrides
  /// How long transfers may take; ``CallOptions/timeouts`` overrides it for one call.
  public var timeouts: Timeouts
  /// The most bytes that an answer may have that is read whole. Default: 64 MiB.
  public var responseLimit: Int
  /// The most bytes that one record of a stream may have. Default: 16 MiB.
  public var recordLimit: Int
  /// The `User-Agent` field.
  public var userAgent: String
  /// When a call is sent again; ``CallOptions/retry`` overrides it for one call. Default: up to three attempts.
  public var retry: RetryPolicy
  /// How many repetitions all calls together may have. It counts from the configuration that a client is made with.
  public var retryBudget: RetryBudget
  /// The reaction to an exhausted rate limit; ``CallOptions/rateLimitPolicy`` overrides it for one call. Default: the
  /// call fails.
  public var rateLimitPolicy: RateLimitPolicy
  /// Where the state of rate limits is kept. `nil`, the default: in a ``RateLimitLedger`` of the client's own, which those
  /// that are derived from it share.
  public var rateLimitStore: (any RateLimitStore)?
  /// The longest that a whole call may take, repetitions and waits included; ``CallOptions/deadline`` overrides it for one
  /// call, and has the details. `nil`, the default: no bound.
  public var deadline: Duration?
  /// The middleware around each attempt of every call, the first outermost. Default: none.
  public var middleware: [any Middleware]
  /// Where the time comes from. Default: the system.
  public var time: any TimeSource
  /// The rules by which logs show or hide header fields and parameters.
  public var redaction: Redaction
  /// Logs each attempt at level `debug`: endpoint, host, status and duration; at level `trace` the path and the header
  /// fields that ``redaction`` shows; at level `info` repetitions. Never a query, body or credential. By default nothing
  /// is logged.
  public var logger: Logger

  /// Configures a client; see the properties for the defaults.
  public init(
    transport: any Transport = DefaultTransport.shared, hosts: BaseURLOverrides = .identity,
    timeouts: Timeouts = Timeouts(),
    responseLimit: Int = 64 << 20, recordLimit: Int = 16 << 20, userAgent: String = Self.defaultUserAgent,
    retry: RetryPolicy = .default, retryBudget: RetryBudget = RetryBudget(), rateLimitPolicy: RateLimitPolicy = .fail,
    rateLimitStore: (any RateLimitStore)? = nil, deadline: Duration? = nil,
    middleware: [any Middleware] = [], time: any TimeSource = SystemTime(), redaction: Redaction = Redaction(),
    logger: Logger = Self.silentLogger
  ) {
    self.transport = transport
    self.hosts = hosts
    self.timeouts = timeouts
    self.responseLimit = responseLimit
    self.recordLimit = recordLimit
    self.userAgent = userAgent
    self.retry = retry
    self.retryBudget = retryBudget
    self.rateLimitPolicy = rateLimitPolicy
    self.rateLimitStore = rateLimitStore
    self.deadline = deadline
    self.middleware = middleware
    self.time = time
    self.redaction = redaction
    self.logger = logger
  }

  /// `Callsign/` and the version.
  public static let defaultUserAgent = "Callsign/0.1"

  /// The `Accept` field of calls that are answered with JSON.
  static let acceptedByDefault = "application/json"

  /// A logger that drops every message.
  public static let silentLogger = Logger(label: "callsign") { _ in SwiftLogNoOpLogHandler() }
}
