import Callsign
import CallsignAuth
import CallsignPostgres
import CallsignX
import Foundation
import XCore

/// The orders to the processes of a fleet, as one argument of JSON. It holds no password.
struct FleetSettings: Codable, Sendable {
  /// How a process keeps tokens and limits.
  enum Mode: String, Codable { case shared, alone }

  /// The load of a process.
  enum Load: String, Codable {
    /// Many accounts, tight limits, streams.
    case mixed
    /// As many calls of one account as possible.
    case calls
  }

  var index = 0
  /// Decides what the process does and when.
  var seed: UInt64 = 0
  var accounts: Int
  /// The accounts that receive half of the calls.
  var hotAccounts: Int
  var mode = Mode.shared
  /// The number of the comparison, from 0: a process that keeps its own tokens spends those of an account for good.
  var comparison = 0
  var load = Load.mixed
  /// How far the process's clock is ahead, in seconds.
  var clockOffset: TimeInterval = 0
  /// Calls a second, at most.
  var rate = 20.0
  var connection: String
  var schema = "fleet"
  var sealingKey: String
  var sandbox = ""
  var clientID = ""
  var clientSecret: String?
  var bearerToken = ""
  /// Somebody to ask about.
  var userID = ""

  static let passwordVariable = "FLEET_POSTGRES_PASSWORD"
  static let stream = "sample"
  static let partitions = 2
  static let comparisons = 3
  static let streamLease = Duration.seconds(5)
  static let tokenLease = Duration.seconds(5)
  /// The longest that a refresh may take. Others wait a quarter longer for its response.
  static let refreshTimeout = Duration.seconds(12)
  static let grantLifetime = Duration.seconds(5)
  /// How long access tokens last, in seconds.
  static let tokenLifetime: TimeInterval = 8
  /// The calls of an account in a window, and the window in seconds.
  static let (limit, window) = (25, 10)

  /// The `User-Agent` of a process's requests for tokens.
  static func agent(_ process: Int32) -> String { "Fleet/\(process)" }

  func database() throws -> PostgresDatabase {
    let password = ProcessInfo.processInfo.environment[Self.passwordVariable].map { Secret($0) }
    var configuration = try PostgresConfiguration(connection, password: password)
    configuration.maximumConnections = 2
    return try PostgresDatabase(
      configuration, schema: PostgresSchema(schema), name: "worker\(index)", time: OffsetTime(seconds: clockOffset),
      logger: ClientConfiguration().logger)
  }

  func store(_ database: PostgresDatabase) throws -> PostgresTokenStore {
    PostgresTokenStore(database, keys: try SealingKeys(SealingKey(Secret(sealingKey))))
  }

  /// The client whose tokens a store keeps.
  func oauth2(_ store: some TokenStore) -> OAuth2 {
    var provider = OAuth2Provider.x
    provider.refreshTimeout = Self.refreshTimeout
    return OAuth2(
      clientID: clientID, clientSecret: clientSecret.map { Secret($0) }, store: store, provider: provider)
  }

  /// - Parameter onBrokenRequest: Called when a request for a token got no response.
  func clientConfiguration(
    limits: (any RateLimitStore)?, middleware: [any Middleware] = [],
    onBrokenRequest: @escaping @Sendable () -> Void = {}
  ) -> ClientConfiguration {
    ClientConfiguration(
      transport: NamedTransport(
        name: Self.agent(ProcessInfo.processInfo.processIdentifier), onBrokenRequest: onBrokenRequest),
      hosts: .all(to: sandbox),
      timeouts: Timeouts(connect: .seconds(5), idle: .seconds(20)), retry: .never,
      rateLimitPolicy: .wait(upTo: .seconds(2)), rateLimitStore: limits, middleware: middleware,
      time: OffsetTime(seconds: clockOffset))
  }
}

/// Says in each request which process sends it, also in those for tokens.
struct NamedTransport: Transport {
  let name: String
  let onBrokenRequest: @Sendable () -> Void

  func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    var request = request
    request.head.headerFields[.userAgent] = name
    do throws(TransportError) { return try await DefaultTransport.shared.send(request) } catch {
      if request.head.path?.contains("oauth2/token") == true { onBrokenRequest() }
      throw error
    }
  }
}

/// A clock that is wrong by a fixed time.
struct OffsetTime: TimeSource {
  let seconds: TimeInterval

  func now() -> Date { Date() + seconds }
  func sleep(for duration: Duration) async throws(CancellationError) { try await SystemTime().sleep(for: duration) }
}

/// The statistics of a process so far. It prints them twice a second, so that little is lost when it is killed.
struct WorkerReport: Codable, Sendable {
  var calls = 0
  var succeeded = 0
  /// Not sent, because a limit is used up.
  var heldBack = 0
  /// Responses of the API with status 429.
  var refused = 0
  var failures: [String: Int] = [:]
  /// When they came, in seconds since 1970 by the machine's clock; the first thousand.
  var refusals: [Double] = []
  var requests = 0
  var limitRequests = 0
  var records = 0

  static func + (left: WorkerReport, right: WorkerReport) -> WorkerReport {
    var sum = left
    sum.calls += right.calls
    sum.succeeded += right.succeeded
    sum.heldBack += right.heldBack
    sum.refused += right.refused
    sum.failures.merge(right.failures, uniquingKeysWith: +)
    sum.refusals += right.refusals
    sum.requests += right.requests
    sum.limitRequests += right.limitRequests
    sum.records += right.records
    return sum
  }
}
