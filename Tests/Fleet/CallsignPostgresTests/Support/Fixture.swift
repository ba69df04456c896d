import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import Foundation
import PostgresServer
import TestSupport
import Testing

/// The server that most tests share; each test has its own schema.
enum Fixture {
  private static let shared = Result { try PostgresServer() }

  static func server() async throws -> PostgresServer { try await onThread { try shared.get() } }

  static func configuration(
    _ server: PostgresServer, password: String = PostgresServer.password, name: String = "test"
  ) throws -> PostgresConfiguration {
    var configuration = try PostgresConfiguration(
      "\(server.url)?application_name=\(name)", password: Secret(password))
    configuration.requestTimeout = .seconds(30)
    return configuration
  }

  /// A database with a schema that no other test has.
  static func database(
    on server: PostgresServer? = nil, schema: PostgresSchema? = nil, migrated: Bool = true,
    time: any TimeSource = SystemTime()
  ) async throws -> PostgresDatabase {
    let schema = try schema ?? newSchema()
    let shared = try await self.server()
    let database = try PostgresDatabase(
      configuration(server ?? shared, name: schema.description), schema: schema, name: "test", time: time)
    if migrated { try await database.migrate() }
    return database
  }

  /// Cuts all connections that tests have to a schema.
  static func cut(_ database: PostgresDatabase) async throws {
    try await sql(
      "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = '\(database.schema)'")
  }

  static func newSchema() throws -> PostgresSchema {
    try PostgresSchema("Test.\(String(UInt32.random(in: .min ... .max), radix: 36))")
  }

  private static let sealingKey = "a-sealing-key-of-the-tests-0123456789"
  static let keys = Result { try SealingKeys(SealingKey(Secret(sealingKey))) }

  /// Another process that uses the tokens of a database.
  static func probe(_ database: PostgresDatabase, _ command: String, _ number: Int) async throws -> ProbeProcess {
    try ProbeProcess(
      "\(try await server().url)#\(database.schema)", command, number,
      environment: ["PROBE_PASSWORD": PostgresServer.password, "PROBE_SEALING_KEY": sealingKey])
  }

  static func store(_ database: PostgresDatabase) throws -> PostgresTokenStore {
    PostgresTokenStore(database, keys: try keys.get())
  }

  /// Runs a statement as the database's owner.
  @discardableResult static func sql(_ text: String, on server: PostgresServer? = nil) async throws -> String {
    let shared = try await self.server()
    return try await onThread { try (server ?? shared).sql(text) }
  }

  /// Locks a table in a separate session until it is released.
  static func lock(_ table: String) async throws -> TableLock {
    let session = Task { _ = try? await sql("BEGIN; LOCK TABLE \(table); SELECT pg_sleep(600); COMMIT") }
    let lock = TableLock(table: table, session: session)
    try await eventually { try await sql("SELECT count(*) \(lock.holder)") == "1" }
    return lock
  }

  /// Whether a statement of a database's connections waits for a lock.
  static func waitsForLock(_ database: PostgresDatabase) async throws -> Bool {
    try await sql(
      """
      SELECT count(*) > 0 FROM pg_stat_activity
      WHERE application_name = '\(database.schema)' AND wait_event_type = 'Lock'
      """) == "t"
  }

  /// Cancels work while the database's statement for it waits for a table, and lets the statement go on after that.
  ///
  /// - Returns: The error that ended the work.
  static func cancel(
    whileLocked table: String, of database: PostgresDatabase, _ work: @escaping @Sendable () async throws -> Void
  ) async throws -> (any Error)? {
    let lock = try await lock("\(database.schema.quoted).\(table)")
    let task = Task { try await work() }
    try await eventually { try await waitsForLock(database) }
    task.cancel()
    try await lock.release()
    let result = await task.result
    try await eventually { try await !waitsForLock(database) }
    if case .failure(let error) = result { return error }
    return nil
  }
}

/// A table that another session keeps locked.
struct TableLock: Sendable {
  let table: String
  let session: Task<Void, Never>

  fileprivate var holder: String {
    "FROM pg_locks WHERE relation = '\(table)'::regclass AND mode = 'AccessExclusiveLock' AND granted"
  }

  func release() async throws {
    try await Fixture.sql("SELECT pg_cancel_backend(pid) \(holder)")
    await session.value
  }
}

/// The database's error that the work ends with, also as the cause of a token store's.
func databaseError(_ work: () async throws -> Void) async -> PostgresError? {
  do { try await work() } catch {
    return error as? PostgresError ?? (error as? TokenStoreError)?.cause as? PostgresError
  }
  return nil
}

/// The token store's error that the work ends with.
func storeError(_ work: () async throws -> Void) async -> TokenStoreError? {
  do { try await work() } catch { return error as? TokenStoreError }
  return nil
}

extension TokenKey {
  static let ann = TokenKey(service: "api.example", scheme: .oauth2, clientID: "client", account: "ann")
  /// The one that `TokenStoreProbe` uses.
  static let probe = TokenKey(service: "api.example", account: "probe")
  static let bob = TokenKey(service: "api.example", scheme: .oauth2, clientID: "client", account: "bob")
}

extension StoredToken {
  static func sample(_ name: String, expires: Date? = nil) -> StoredToken {
    StoredToken(
      kind: .oauth2, accessToken: Secret("access-s3cr3t-\(name)"), refreshToken: Secret("refresh-s3cr3t-\(name)"),
      expires: expires, scopes: ["tweet.read"], clientID: "client", username: name)
  }
}
