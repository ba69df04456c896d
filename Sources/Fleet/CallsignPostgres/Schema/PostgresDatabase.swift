import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

/// A PostgreSQL database that the processes of a fleet share: the connections to it, and its schema.
///
/// ```swift
/// let database = try PostgresDatabase(PostgresConfiguration("postgresql://callsign@db1,db2/fleet", password: password))
/// try await database.migrate()
/// let tokens = PostgresTokenStore(database, keys: SealingKeys(SealingKey(Secret(key))))
/// ```
///
/// Create one per process. Nothing is sent before the first use. Every request survives a lost connection, a restart or a failover,
/// within ``PostgresConfiguration/requestTimeout``.
public final class PostgresDatabase: Sendable {
  /// The schema with the tables.
  public let schema: PostgresSchema
  /// Identifies this process in rows that say who holds something. Each value is different.
  public let server: String
  let pool: PostgresPool
  let logger: Logger
  package let time: any TimeSource
  let notifications: PostgresNotifications
  private let readiness = SingleFlight<Result<Void, PostgresError>>()
  private let isReady = Locked(false)

  /// Prepares the connections.
  ///
  /// - Parameters:
  ///   - configuration: Where the database is.
  ///   - schema: The schema with the tables; `callsign` by default. If several fleets share a database, each needs its own.
  ///   - name: The prefix of ``server``, such as the machine's name.
  ///   - time: The clock of the clients that use the database. Leases and windows end by the database's clock; this one converts
  ///     those times to local time.
  ///   - logger: Receives warnings if the database cannot be reached. No password, token or stored value is logged.
  /// - Throws: ``PostgresError`` if the system has no file descriptors left.
  public init(
    _ configuration: PostgresConfiguration, schema: PostgresSchema = .standard,
    name: String = ProcessInfo.processInfo.hostName, time: any TimeSource = SystemTime(),
    logger: Logger = Logger(label: "callsign.postgres")
  ) throws(PostgresError) {
    self.schema = schema
    self.logger = logger
    self.time = time
    let mark = String(UInt64.random(in: .min ... .max), radix: 36)
    server = "\(name.printable.prefix(60))/\(ProcessInfo.processInfo.processIdentifier)/\(mark)"
    pool = try PostgresPool(configuration, schema: schema)
    notifications = PostgresNotifications(pool, logger)
  }

  deinit { pool.close() }

  /// The location, without user and password.
  public var place: String { "\(pool.configuration.place)/\(schema)" }

  /// The number of requests sent so far. Each is one round trip.
  package var requestCount: Int { pool.counts.requests }

  /// Uses new settings, such as a changed password, for connections opened from now on.
  public func update(_ configuration: PostgresConfiguration) { pool.update(configuration) }

  /// Closes all connections. Requests in progress fail, and so do all later ones.
  public func close() {
    notifications.stop()
    pool.close()
  }

  /// Checks that the database can be reached and that this program works with its schema.
  ///
  /// - Throws: ``PostgresError``: ``PostgresError/Reason/tableMissing``, ``PostgresError/Reason/schemaOutdated(found:needed:)``,
  ///   ``PostgresError/Reason/schemaNewer(found:known:)``, and errors of the connection.
  public func check() async throws(PostgresError) {
    let state = try await migrationState()
    let needed = Migration.all.count
    guard let state else {
      throw PostgresError(
        .tableMissing,
        advice: "Callsign's schema \"\(schema)\" does not exist; run `callsign-postgres migrate`, or check the name")
    }
    if state.found < needed {
      throw PostgresError(
        .schemaOutdated(found: state.found, needed: needed),
        advice: """
          the schema "\(schema)" has \(state.found) of the \(needed) migrations that this program needs; run \
          `callsign-postgres migrate` of its version
          """)
    }
    if state.oldest > needed {
      throw PostgresError(
        .schemaNewer(found: state.found, known: needed),
        advice: """
          the schema "\(schema)" has \(state.found) migrations, and this program knows \(needed); update this program
          """)
    }
  }

  /// Sends statements after the schema has been checked.
  func run(
    _ statements: PostgresStatement..., within limit: Duration? = nil, isRepeatable: Bool = true
  ) async throws(PostgresError) -> [PostgresResult] {
    try await run(statements, within: limit, isRepeatable: isRepeatable)
  }

  func run(
    _ statements: [PostgresStatement], within limit: Duration? = nil, isRepeatable: Bool = true
  ) async throws(PostgresError) -> [PostgresResult] {
    var end: ContinuousClock.Instant?
    if !isReady.withLock({ $0 }) {
      let limit = limit ?? pool.configuration.requestTimeout
      let ownEnd = ContinuousClock.now + limit
      try await prepare(within: limit, until: ownEnd)
      end = ownEnd
    }
    do throws(PostgresError) {
      return try await pool.run(statements, within: limit, until: end, isRepeatable: isRepeatable)
    } catch {
      // Another process may have changed the schema in the meantime. The next request then reports the problem.
      if error.reason == .tableMissing { isReady.withLock { $0 = false } }
      throw error
    }
  }

  /// Sends a statement that claims something for this process. If the task is cancelled in the meantime, the server still carries
  /// the statement out, and the claim is then given back.
  ///
  /// - Parameter giveBack: Called with the response that the cancelled task did not wait for.
  func take(
    _ statements: [PostgresStatement], within limit: Duration? = nil,
    orGiveBack giveBack: @escaping @Sendable ([PostgresResult]) async -> Void
  ) async throws(PostgresError) -> [PostgresResult] {
    if Task.isCancelled { throw .cancelled }
    let response = CancellableWait<Result<[PostgresResult], PostgresError>>()
    Task {
      let result: Result<[PostgresResult], PostgresError>
      do throws(PostgresError) { result = .success(try await run(statements, within: limit)) } catch {
        result = .failure(error)
      }
      if !response.end(with: result), case .success(let results) = result { await giveBack(results) }
    }
    let result: Result<[PostgresResult], PostgresError>
    do throws(CancellationError) { result = try await response.value() } catch { throw .cancelled }
    return try result.get()
  }

  /// Waits until the schema has been checked. All waiting tasks share one check, with the time limit of an ordinary request, and
  /// each waits no longer than its own request may take.
  private func prepare(within limit: Duration, until end: ContinuousClock.Instant) async throws(PostgresError) {
    try await PostgresPool.wait(within: limit, until: end) { [self] () async throws(PostgresError) -> Void in
      let result: Result<Void, PostgresError>
      do throws(CancellationError) {
        result = try await readiness.value { [self] in
          do throws(PostgresError) {
            try await check()
            isReady.withLock { $0 = true }
            return .success(())
          } catch { return .failure(error) }
        }
      } catch { throw .cancelled }
      try result.get()
    }
  }
}

extension PostgresDatabase: RedactedStringConvertible {
  /// Only the location.
  public var description: String { "PostgresDatabase(\(place))" }
}

// Migrations.
extension PostgresDatabase {
  /// Creates the schema, or updates it to what this program needs. Any number of processes can do this at the same time: one
  /// applies each step, and the others wait for it.
  ///
  /// The user needs the right to create schemas in the database, unless the schema exists and belongs to the user. Programs of the
  /// previous version continue to work during the update.
  ///
  /// - Returns: The numbers of the steps that this call applied.
  /// - Throws: ``PostgresError``.
  @discardableResult public func migrate() async throws(PostgresError) -> [Int] {
    var applied: [Int] = []
    if try await migrationState() == nil { try await makeSchema() }
    while true {
      let found = try await migrationState()?.found ?? 0
      guard let next = Migration.all.first(where: { $0.number > found }) else { break }
      let record = PostgresStatement(
        "INSERT INTO \(schema.quoted).migrations (number, oldest) VALUES ($1, $2)",
        [.int(next.number), .int(next.oldest)])
      do throws(PostgresError) {
        _ = try await pool.run(
          [lock, record] + next.statements(schema.quoted).map { PostgresStatement($0) }, within: .seconds(600))
        applied.append(next.number)
      } catch {
        // Another process has applied it while this one waited for the lock.
        guard error.reason == .server(code: "23505") else { throw error }
      }
    }
    try await check()
    return applied
  }

  /// The number of the last applied migration, and of the oldest that a program must know; `nil` without a schema.
  func migrationState() async throws(PostgresError) -> (found: Int, oldest: Int)? {
    let table = "\(schema.quoted).migrations"
    let there = try await pool.run([PostgresStatement("SELECT to_regclass($1) IS NOT NULL", [.text(table)])])
    guard there.first?.rows.first?.bool(0) == true else { return nil }
    let result = try await pool.run([
      PostgresStatement("SELECT coalesce(max(number), 0), coalesce(max(oldest), 0) FROM \(table)")
    ])
    guard let row = result.first?.rows.first else { return nil }
    return (row.int(0) ?? 0, row.int(1) ?? 0)
  }

  private func makeSchema() async throws(PostgresError) {
    let name = schema.quoted
    var statements = [lock]
    let isThere = try await pool.run([
      PostgresStatement("SELECT 1 FROM pg_namespace WHERE nspname = $1", [.text(schema.description)])
    ])
    if isThere.first?.rows.isEmpty ?? true {
      statements.append(PostgresStatement("CREATE SCHEMA IF NOT EXISTS \(name)"))
    }
    statements.append(
      PostgresStatement(
        """
        CREATE TABLE IF NOT EXISTS \(name).migrations (
          number integer PRIMARY KEY, oldest integer NOT NULL, applied timestamptz NOT NULL DEFAULT now()
        )
        """))
    _ = try await pool.run(statements, within: .seconds(600))
  }

  /// Held until the end of the transaction, so that only one process at a time changes a schema with this name.
  private var lock: PostgresStatement {
    PostgresStatement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("callsign \(schema)")])
  }
}

/// How long the holder of a lease can rely on it.
struct LeaseTerm {
  private let end: ContinuousClock.Instant

  /// - Parameter asked: When the lease was requested, before the database recorded it.
  init(_ lease: Duration, from asked: ContinuousClock.Instant) { end = asked + lease * 0.9 }

  /// The remaining time; zero when it is over.
  var left: Duration { left(at: .now) }

  /// The remaining time at another moment.
  func left(at moment: ContinuousClock.Instant) -> Duration { max(.zero, end - moment) }
}
