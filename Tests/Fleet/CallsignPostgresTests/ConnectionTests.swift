import CallsignHTTP
import Foundation
import PostgresServer
import TestSupport
import Testing

@testable import CallsignPostgres

@Suite("A connection's settings") struct ConfigurationTests {
  @Test(
    "Servers elsewhere must show a certificate; those on this machine need none",
    arguments: [
      ("postgresql://u@db.example/fleet", "verify-full"), ("host=db.example dbname=fleet", "verify-full"),
      ("host=127.0.0.1,db.example", "verify-full"), ("hostaddr=192.0.2.7", "verify-full"),
      ("host=127.0.0.1.example", "verify-full"), ("postgresql://u@db.example/fleet?sslmode=require", "require"),
      ("host=localhost", nil), ("host=/run/postgresql", nil), ("postgresql://u@127.0.0.1:5433/fleet", nil),
      ("postgresql://u@[::1]/fleet", nil), ("service=fleet", "verify-full"), ("service=fleet sslmode=prefer", "prefer"),
      // libpq treats an empty value as left out.
      ("host=db.example hostaddr=''", "verify-full"), ("host=db.example sslmode=''", "verify-full"),
      ("host=a.example,b.example hostaddr=127.0.0.1,", "verify-full"), ("host=a.example hostaddr=127.0.0.1", nil),
    ] as [(String, String?)])
  func certificates(_ text: String, _ mode: String?) throws {
    #expect(try PostgresConfiguration(text).parameters["sslmode"] == mode)
  }

  @Test(
    "A name that cannot be looked up is tried again, and a certificate that is wrong is not",
    arguments: [
      ("could not translate host name \"db1\" to address: Temporary failure in name resolution", .unreachable),
      ("server certificate for \"db1\" does not match host name \"db2\"", .certificate),
      ("could not get server's host name from server certificate", .certificate),
      ("host name must be specified for a verified SSL connection", .certificate),
      ("server does not support SSL, but SSL was required", .certificate),
      ("SSL error: certificate verify failed", .certificate),
    ] as [(String, PostgresError.Reason)])
  func reasons(_ words: String, _ reason: PostgresError.Reason) {
    #expect(PostgresError(connecting: words).reason == reason)
  }

  @Test(
    "However long a request may take, the server gets a limit that it can count",
    arguments: [
      (.seconds(Int64.max), "2147483647"), (.seconds(15), "15000"), (.microseconds(10), "1"), (.zero, "1"),
    ] as [(Duration, String)])
  func statementLimits(_ limit: Duration, _ milliseconds: String) {
    let statement = PostgresStatement.limitingStatements(to: limit, in: .session)
    #expect(statement.parameters == [.text(milliseconds), false])
  }

  @Test("Of several hosts, the one that takes writes is found") func hosts() throws {
    let several = try PostgresConfiguration("postgresql://u@db1:5432,db2:5433/fleet")
    #expect(several.parameters["target_session_attrs"] == "read-write")
    #expect(several.place == "db1,db2:5432,5433/fleet")
    #expect(try PostgresConfiguration("host=db1").parameters["target_session_attrs"] == nil)
  }

  @Test("Settings from libpq's environment cannot bypass a certificate") func environment() throws {
    func mode(_ text: String, _ environment: [String: String]) throws -> String? {
      try PostgresConfiguration(text, password: nil, environment: environment).parameters["sslmode"]
    }
    #expect(try mode("dbname=fleet", [:]) == nil)
    #expect(try mode("dbname=fleet", ["PGHOST": "db.example"]) == "verify-full")
    #expect(try mode("host=localhost", ["PGHOSTADDR": "192.0.2.7"]) == "verify-full")
    #expect(try mode("host=localhost", ["PGHOSTADDR": "127.0.0.1"]) == nil)
    #expect(try mode("host=db.example", ["PGHOSTADDR": ""]) == "verify-full")
    #expect(try mode("host=localhost", ["PGSERVICE": "fleet"]) == "verify-full")
    #expect(try mode("host=localhost sslmode=prefer", ["PGSERVICE": "fleet"]) == "prefer")
  }

  @Test("Hosts, addresses and ports change places together") func rotation() throws {
    let several = try PostgresConfiguration(
      "host=a,b,c port=1,2,3", password: nil, environment: ["PGHOSTADDR": "192.0.2.1,,192.0.2.3"])
    let rotated = several.rotated(by: 4).parameters
    #expect(rotated["host"] == "b,c,a")
    #expect(rotated["port"] == "2,3,1")
    #expect(rotated["hostaddr"] == ",192.0.2.3,192.0.2.1")
    let single = try PostgresConfiguration("host=a,b port=1", password: nil, environment: [:]).rotated(by: 1)
    #expect(single.parameters["host"] == "b,a")
    #expect(single.parameters["port"] == "1")
    #expect(single.parameters["hostaddr"] == nil)
  }

  @Test("No text shows a password") func passwords() throws {
    let configuration = try PostgresConfiguration("postgresql://u:pa55w0rd@127.0.0.1/fleet")
    #expect(configuration.parameters["password"] == nil)
    #expect(!"\(configuration) \(String(reflecting: configuration))".contains("pa55w0rd"))
    for broken in ["postgresql://u:pa55w0rd@host:nonsense=/", "host=x pa55w0rd", "password='pa55w0rd"] {
      do {
        _ = try PostgresConfiguration(broken)
        // Some of it is read only when it is used.
      } catch {
        #expect(error.reason == .configuration)
        #expect(!error.description.contains("pa55w0rd"))
      }
    }
    #expect(throws: PostgresError.self) { try PostgresConfiguration("host=x pa55w0rd") }
  }

  @Test("Names of schemas are quoted and checked") func schemas() throws {
    #expect(try PostgresSchema("Fleet-1.a").quoted == "\"Fleet-1.a\"")
    for name in ["", "a\"b", "a;b", "ü", "public", "pg_catalog", "PG_x", String(repeating: "x", count: 49), "a b"] {
      #expect(throws: PostgresError.self, "\(name)") { try PostgresSchema(name) }
    }
  }
}

@Suite("Connections", .needs(.postgres), .timeLimit(.minutes(5))) struct ConnectionTests {
  @Test("Values are sent and read again") func values() async throws {
    let database = try await Fixture.database(migrated: false)
    let bytes = Data((0...255).map(UInt8.init))
    let row = try await database.pool.run([
      PostgresStatement(
        "SELECT $1::text, $2::bytea, $3::bigint, $4::boolean, $5::text, to_timestamp($6::double precision)::text IS NOT NULL",
        [.text("it's \"ü\" \\ 🐈"), .bytes(bytes), -12, true, nil, .seconds(Date(timeIntervalSince1970: 1))])
    ])[0].rows[0]
    #expect(row.text(0) == "it's \"ü\" \\ 🐈")
    #expect(row.bytes(1) == bytes)
    #expect(row.int(2) == -12)
    #expect(row.bool(3))
    #expect(row.text(4) == nil && row.text(17) == nil)
    #expect(row.bool(5))
    let array = try await database.pool.run([
      PostgresStatement("SELECT unnest($1::text[])", [.array(["a,b", "\"", "\\", "", "NULL"])])
    ])
    #expect(array[0].rows.map { $0.text(0) } == ["a,b", "\"", "\\", "", "NULL"])
    let error = await databaseError {
      _ = try await database.pool.run([PostgresStatement("SELECT $1::text", ["a\0b"])])
    }
    #expect(error?.reason == .configuration)
  }

  @Test("A thousand requests at once share a few connections") func pipelining() async throws {
    let database = try await Fixture.database(migrated: false)
    let sum = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 1...1000 {
        group.addTask {
          try await database.pool.run([PostgresStatement("SELECT $1::bigint + 1", [.int(number)])])[0].rows[0].int(0)
            ?? 0
        }
      }
      return try await group.reduce(0, +)
    }
    #expect(sum == 1000 * 1001 / 2 + 1000)
    #expect(database.pool.counts.connections <= 4)
    #expect(database.pool.counts.requests == 1000)
  }

  @Test("The statements of a request are one transaction, and others' errors do not touch it") func transactions()
    async throws
  {
    let database = try await Fixture.database()
    let insert = PostgresStatement(
      "INSERT INTO \(database.schema.quoted).deliveries (source, id) VALUES ('s', $1)", ["one"])
    let error = await databaseError {
      _ = try await database.run(insert, PostgresStatement("SELECT 1 / 0"), PostgresStatement("SELECT 2"))
    }
    #expect(error?.reason == .server(code: "22012"))
    async let broken = databaseError { _ = try await database.run(PostgresStatement("nonsense")) }
    async let fine = database.run(PostgresStatement("SELECT count(*) FROM \(database.schema.quoted).deliveries"))
    #expect(await broken?.reason == .server(code: "42601"))
    #expect(try await fine[0].rows[0].int(0) == 0)
  }

  @Test("Cut connections are opened again, and requests continue") func cutConnections() async throws {
    let database = try await Fixture.database()
    let work = Task {
      for number in 0..<200 {
        let row = try await database.run(PostgresStatement("SELECT $1::bigint, pg_sleep(0.002)", [.int(number)]))
        #expect(row[0].rows[0].int(0) == number)
      }
    }
    for _ in 0..<5 {
      try await Task.sleep(for: .milliseconds(60))
      try await Fixture.cut(database)
    }
    try await work.value
  }

  @Test("A connection that nobody has used for too long is closed, except the last") func idleConnections() async throws
  {
    let database = try await Fixture.database()
    func connections() async throws -> String {
      try await Fixture.sql("SELECT count(*) FROM pg_stat_activity WHERE application_name = '\(database.schema)'")
    }
    func ask() async throws { _ = try await database.pool.run([PostgresStatement("SELECT 7")]) }
    var configuration = database.pool.configuration
    configuration.maximumConnections = 2
    configuration.idleTimeout = .seconds(3600)
    database.update(configuration)
    let table = "\(database.schema.quoted).tokens"
    let lock = try await Fixture.lock(table)
    let long = Task { try await database.pool.run([PostgresStatement("SELECT count(*) FROM \(table)")]) }
    try await eventually { try await Fixture.waitsForLock(database) }
    // A request that comes while the only connection is busy has a second one opened.
    let next = Task { try await database.pool.run([PostgresStatement("SELECT 7")]) }
    try await eventually { try await connections() == "2" }
    try await lock.release()
    _ = try await long.value
    _ = try await next.value
    for _ in 0..<5 { try await ask() }
    #expect(try await connections() == "2")

    configuration.idleTimeout = .zero
    database.update(configuration)
    try await eventually {
      try await ask()
      return try await connections() == "1"
    }
    // The last one stays, however long nobody has used it.
    let count = database.pool.counts.connections
    for _ in 0..<5 { try await ask() }
    #expect(try await connections() == "1")
    #expect(database.pool.counts.connections == count)
  }

  @Test("A copy of the settings with another password logs in after the first is refused") func otherPassword()
    async throws
  {
    let wrong = try Fixture.configuration(try await Fixture.server(), password: "wr0ng-p4ssword")
    let right = wrong.withPassword(Secret(PostgresServer.password))
    func ask(_ configuration: PostgresConfiguration) async throws -> Int? {
      let database = try PostgresDatabase(configuration, schema: try Fixture.newSchema(), name: "test")
      // Without it the connection is closed.
      defer { withExtendedLifetime(database) {} }
      return try await database.pool.run([PostgresStatement("SELECT 7")])[0].rows[0].int(0)
    }
    #expect(await databaseError { _ = try await ask(wrong) }?.reason == .authentication)
    #expect(try await ask(right) == 7)
    #expect(await databaseError { _ = try await ask(wrong) }?.reason == .authentication, "the first is as it was")
    #expect(right.parameters == wrong.parameters)
    #expect(!"\(right) \(String(reflecting: right))".contains(PostgresServer.password))
  }

  @Test("A request that takes too long ends, and the next succeeds") func timeouts() async throws {
    let database = try await Fixture.database(migrated: false)
    let error = await databaseError {
      _ = try await database.pool.run([PostgresStatement("SELECT pg_sleep(20)")], within: .milliseconds(200))
    }
    #expect(error?.reason == .timedOut)
    #expect(try await database.pool.run([PostgresStatement("SELECT 7")])[0].rows[0].int(0) == 7)
  }

  @Test("The first requests share the check of the schema, and each waits for it within its own time")
  func sharedCheck() async throws {
    let schema = try await Fixture.database().schema
    let database = try await Fixture.database(schema: schema, migrated: false)
    let lock = try await Fixture.lock("\(schema.quoted).migrations")
    let short = Task {
      await databaseError { _ = try await database.run(PostgresStatement("SELECT 1"), within: .seconds(3)) }
    }
    try await eventually { try await Fixture.waitsForLock(database) }
    let long = Task { try await database.run(PostgresStatement("SELECT 7")) }
    let shorter = await databaseError {
      _ = try await database.run(PostgresStatement("SELECT 1"), within: .milliseconds(200))
    }
    for error in [shorter, await short.value] {
      #expect(error?.reason == .timedOut)
      #expect(error?.mayHaveSucceeded == false)
    }
    try await lock.release()
    #expect(try await long.value[0].rows[0].int(0) == 7)
  }

  @Test("A request that may take longer than an ordinary one is not ended by the server before")
  func longRequests() async throws {
    let database = try await Fixture.database(migrated: false)
    var configuration = database.pool.configuration
    configuration.requestTimeout = .seconds(30)
    configuration.maximumConnections = 1
    database.update(configuration)
    let setting = PostgresStatement("SELECT setting FROM pg_settings WHERE name = 'statement_timeout'")
    func milliseconds(within limit: Duration) async throws -> Int? {
      try await database.pool.run([setting], within: limit).first?.rows.first?.int(0)
    }
    try await eventually { (try? await milliseconds(within: .seconds(30))) == 30_000 }
    let results = try await database.pool.run(
      [PostgresStatement("SELECT pg_sleep(31)"), PostgresStatement("SELECT 7")], within: .seconds(120))
    #expect(results.count == 2)
    #expect(results.last?.rows.first?.int(0) == 7)
    let long = try #require(try await milliseconds(within: .seconds(120)))
    #expect(long > 30_000 && long <= 120_000)
    #expect(try await milliseconds(within: .seconds(30)) == 30_000)
  }

  @Test("A statement that the server has ended has not succeeded") func endedStatement() async throws {
    let database = try await Fixture.database(migrated: false)
    let error = await databaseError {
      _ = try await database.pool.run([
        .limitingStatements(to: .milliseconds(100), in: .transaction), PostgresStatement("SELECT pg_sleep(600)"),
      ])
    }
    #expect(error?.reason == .timedOut)
    #expect(error?.mayHaveSucceeded == false)
  }

  @Test("A cancelled task does not wait, and the connection stays in order") func cancellation() async throws {
    let database = try await Fixture.database()
    var configuration = database.pool.configuration
    configuration.maximumConnections = 1
    database.update(configuration)
    let table = "\(database.schema.quoted).tokens"
    let lock = try await Fixture.lock(table)
    let task = Task {
      await databaseError { _ = try await database.pool.run([PostgresStatement("SELECT count(*) FROM \(table)")]) }
    }
    try await eventually { try await Fixture.waitsForLock(database) }
    task.cancel()
    #expect(await task.value?.reason == .cancelled)
    try await lock.release()
    #expect(try await database.pool.run([PostgresStatement("SELECT 7")])[0].rows[0].int(0) == 7)
    #expect(database.pool.counts.connections == 1)
  }

  @Test("A short request behind a long one ends in its own time, without affecting the long one") func shortBehindLong()
    async throws
  {
    let database = try await Fixture.database()
    var configuration = database.pool.configuration
    configuration.maximumConnections = 1
    database.update(configuration)
    let table = "\(database.schema.quoted).tokens"
    let lock = try await Fixture.lock(table)
    let long = Task { try await database.pool.run([PostgresStatement("SELECT count(*) FROM \(table)")]) }
    try await eventually { try await Fixture.waitsForLock(database) }
    let error = await databaseError {
      _ = try await database.pool.run([PostgresStatement("SELECT 1")], within: .milliseconds(200))
    }
    #expect(error?.reason == .timedOut)
    #expect(try await Fixture.waitsForLock(database))
    let next = Task { try await database.pool.run([PostgresStatement("SELECT 7")]) }
    try await lock.release()
    #expect(try await long.value[0].rows[0].int(0) == 0)
    #expect(try await next.value[0].rows[0].int(0) == 7)
    #expect(database.pool.counts.retries == 0)
    #expect(database.pool.counts.connections == 1)
  }

  @Test("A request sent on a connection that is closed may have succeeded; one that was not sent cannot have")
  func closedLinks()
    async throws
  {
    let database = try await Fixture.database()
    let table = "\(database.schema.quoted).tokens"
    let configuration = database.pool.configuration
    let link = try await onThread { try PostgresLink.connect(configuration, schema: "none") }
    let loop = try PostgresLoop()
    loop.adopt(link)
    let lock = try await Fixture.lock(table)
    let work = (0..<2).map { _ in
      Task {
        await databaseError {
          _ = try await loop.perform(
            [PostgresStatement("SELECT count(*) FROM \(table)")], on: link, within: .seconds(600))
        }
      }
    }
    try await eventually { try await Fixture.waitsForLock(database) && link.usage.withLock { $0.load == 2 } }
    loop.close(link)
    for task in work {
      let error = await task.value
      #expect(error?.reason == .unreachable)
      #expect(error?.mayHaveSucceeded == true)
    }
    let late = await databaseError {
      _ = try await loop.perform([PostgresStatement("SELECT 1")], on: link, within: .seconds(600))
    }
    #expect(late?.reason == .unreachable)
    #expect(late?.mayHaveSucceeded == false)
    loop.stop()
    let last = await databaseError {
      _ = try await loop.perform([PostgresStatement("SELECT 1")], on: link, within: .seconds(600))
    }
    #expect(last?.reason == .unreachable)
    try await lock.release()
  }

  @Test("A commit whose response was lost may have succeeded, even if the database cannot be asked about it")
  func lostCommit() async throws {
    let database = try await Fixture.database()
    let table = "\(database.schema.quoted).tokens"
    let lock = try await Fixture.lock(table)
    let commit = Task {
      await databaseError {
        try await database.commit(
          [PostgresStatement("SELECT count(*) FROM \(table)")], unless: PostgresStatement("SELECT true"))
      }
    }
    try await eventually { try await Fixture.waitsForLock(database) }
    database.close()
    #expect(await commit.value?.mayHaveSucceeded == true)
    try await lock.release()
  }

  @Test("Requests to a closed database fail at once") func closing() async throws {
    let database = try await Fixture.database()
    database.close()
    let error = await databaseError { _ = try await database.run(PostgresStatement("SELECT 1"), within: .seconds(600)) }
    #expect(error?.reason == .unreachable)
    #expect(error?.mayHaveSucceeded == false)
    #expect(database.pool.counts.retries == 0)
  }
}

@Suite("Migrations", .needs(.postgres), .timeLimit(.minutes(5))) struct MigrationTests {
  @Test("Of eight that migrate at once, one does") func onceOnly() async throws {
    let schema = try Fixture.newSchema()
    let applied = try await withThrowingTaskGroup(of: [Int].self) { group in
      for _ in 0..<8 {
        group.addTask { try await Fixture.database(schema: schema, migrated: false).migrate() }
      }
      return try await group.reduce([], +)
    }
    #expect(applied.sorted() == Migration.all.map(\.number))
    let again = try await Fixture.database(schema: schema, migrated: false)
    #expect(try await again.migrate() == [])
    try await again.check()
    // A schema of the version before.
    try await Fixture.sql("DELETE FROM \(schema.quoted).migrations WHERE number > 1")
    let columns = ["request_id", "request_version", "request_end", "refused", "lost_with"]
    try await Fixture.sql(
      "ALTER TABLE \(schema.quoted).tokens \(columns.map { "DROP COLUMN \($0)" }.joined(separator: ", "))")
    #expect(try await again.migrate() == Migration.all.map(\.number).filter { $0 > 1 })
  }

  @Test("A schema that is missing, too old, too new or damaged is reported as such") func states() async throws {
    let missing = try await Fixture.database(migrated: false)
    let error = await databaseError { try await missing.check() }
    #expect(error?.reason == .tableMissing)
    #expect(error?.advice.contains("callsign-postgres migrate") == true)
    #expect(await storeError { _ = try await Fixture.store(missing).load(.ann) }?.reason == .unavailable)

    let database = try await Fixture.database()
    let name = database.schema.quoted
    let count = Migration.all.count
    try await Fixture.sql("INSERT INTO \(name).migrations VALUES (99, 1)")
    try await database.check()
    try await Fixture.sql("UPDATE \(name).migrations SET oldest = 99 WHERE number = 99")
    #expect(await databaseError { try await database.check() }?.reason == .schemaNewer(found: 99, known: count))
    try await Fixture.sql("DELETE FROM \(name).migrations")
    #expect(await databaseError { try await database.check() }?.reason == .schemaOutdated(found: 0, needed: count))

    let other = try await Fixture.database()
    try await Fixture.store(other).save(.sample("ann"), for: .ann)
    try await Fixture.sql("DROP TABLE \(other.schema.quoted).tokens")
    let lost = await storeError { _ = try await Fixture.store(other).load(.ann) }
    #expect(lost?.reason == .unavailable)
    #expect((lost?.cause as? PostgresError)?.reason == .tableMissing)
  }
}
