import Callsign
import CallsignHTTP
import CallsignSupport
import Logging

/// A PostgreSQL database that the processes of a fleet share: the connections to it, and the schema in it.
///
/// ```swift
/// let database = try PostgresDatabase(PostgresConfiguration("postgresql://callsign@db1,db2/fleet", password: password))
/// try await database.migrate()
/// let tokens = PostgresTokenStore(database, keys: SealingKeys(SealingKey(Secret(key))))
/// ```
///
/// Make one for each process. Nothing is sent before the first use, and every request goes on after a lost connection, a
/// restart or a failover, as long as ``PostgresConfiguration/requestTimeout`` lasts.
public final class PostgresDatabase: Sendable {
  /// The schema with the tables.
  public let schema: PostgresSchema
  /// Tells this process from others, in rows that say who holds something. Different for each value.
  public let server: String
  let pool: PostgresPool
  let logger: Logger
  package let time: any TimeSource
  let notifications: PostgresNotifications
  private let readiness = SingleFlight<Result<Void, PostgresError>>()
  private let isReady = Locked(false)

  /// Prepares connections.
  ///
  /// - Parameters:
  ///   - configuration: Where the database is.
  ///   - schema: The schema with the tables; `callsign` by default. Several fleets in one database have one each.
  ///   - name: The beginning of ``server``, such as the machine's name.
  ///   - time: That of the clients that use it. Leases and windows end by the database's clock; this one says when that is
  ///     here.
  ///   - logger: Gets warnings when the database cannot be reached. No password, token or stored value goes there.
  /// - Throws: ``PostgresError`` when the system has no descriptors left.
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

  /// The place, without user and password.
  public var place: String { "\(pool.configuration.place)/\(schema)" }

  /// The number of requests, each a round trip, that were sent so far.
  package var requestCount: Int { pool.counts.requests }

  /// Uses other settings, such as a password that was changed, for the connections that are made from now on.
  public func update(_ configuration: PostgresConfiguration) { pool.update(configuration) }

  /// Closes all connections. What is under way fails, and so does everything after it.
  public func close() {
    notifications.stop()
    pool.close()
  }

  /// Checks that the database can be reached and that its schema is one that this program works with.
  ///
  /// - Throws: ``PostgresError``: ``PostgresError/Reason/tableMissing``,
  ///   ``PostgresError/Reason/schemaOutdated(found:needed:)``, ``PostgresError/Reason/schemaNewer(found:known:)``, and
  ///   those of connecting.
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

  /// Sends statements once the schema was found to be right.
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
      // Somebody may have changed the schema meanwhile: then the next request says what is wrong with it.
      if error.reason == .tableMissing { isReady.withLock { $0 = false } }
      throw error
    }
  }

  /// Sends a statement that takes something which is this process's from then on. The server carries it out also where
  /// the task is cancelled meanwhile; then what it took is given back.
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

  /// Waits until the schema was found to be right. All who wait share one check, with the time of an ordinary request, and
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
  /// The place alone.
  public var description: String { "PostgresDatabase(\(place))" }
}

// Migrations.
extension PostgresDatabase {
  /// Makes the schema, or brings it up to what this program needs. Any number of processes may do so at once: one applies
  /// each step, the others wait for it.
  ///
  /// The user needs the right to create schemas in the database, unless the schema is there and is theirs. Programs of the
  /// version before go on meanwhile.
  ///
  /// - Returns: The numbers of the steps that this call has applied.
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
        // Somebody else has applied it while this process waited for the lock.
        guard error.reason == .server(code: "23505") else { throw error }
      }
    }
    try await check()
    return applied
  }

  /// The number of the last migration that was applied, and of the oldest that a program must know; `nil` without a schema.
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

  /// Held until the end of the transaction: one process at a time changes a schema of this name.
  private var lock: PostgresStatement {
    PostgresStatement("SELECT pg_advisory_xact_lock(hashtextextended($1, 0))", [.text("callsign \(schema)")])
  }
}

/// The time for which the holder of a lease can rely on it.
struct LeaseTerm {
  private let end: ContinuousClock.Instant

  /// - Parameter asked: When the database was asked for it, before it took it down.
  init(_ lease: Duration, from asked: ContinuousClock.Instant) { end = asked + lease * 0.9 }

  /// The time that is left; zero when it is over.
  var left: Duration { left(at: .now) }

  /// The time that was or will be left at a moment.
  func left(at moment: ContinuousClock.Instant) -> Duration { max(.zero, end - moment) }
}
