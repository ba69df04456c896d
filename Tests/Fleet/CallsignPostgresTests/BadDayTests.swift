import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import PostgresServer
import TestSupport
import Testing

@testable import CallsignPostgres

/// Each of these failures has a typed error that says what to do, and ends when its cause ends.
@Suite("Bad days of a database", .needs(.postgres), .timeLimit(.minutes(10)), .serialized) struct BadDayTests {
  /// A provider whose tokens are refreshed by counting on.
  private func provider() -> InMemoryTransport {
    let count = Locked(0)
    return InMemoryTransport { request in
      if request.head.path == "/token" {
        let number = count.withLock { count in
          count += 1
          return count
        }
        return .json(
          #"{"access_token":"fresh\#(number)","refresh_token":"next\#(number)","token_type":"bearer","expires_in":7200}"#
        )
      }
      return .json("{}")
    }
  }

  private func oauth2(_ store: PostgresTokenStore) -> OAuth2 {
    OAuth2(
      clientID: "client", store: store, account: "ann",
      provider: OAuth2Provider(
        authorizeURL: "https://api.example/authorize", tokenURL: "https://api.example/token", revokeURL: nil))
  }

  @Test("Without the server, tokens in memory are used, a refresh is kept until it can be stored, and nothing is lost")
  func gone() async throws {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = try Fixture.store(database)
    let credentials = oauth2(store)
    try await store.save(.sample("ann", expires: Date() + 7200), for: credentials.key)
    let configuration = ClientConfiguration(transport: provider())
    #expect(try await credentials.token(configuration: configuration).value == "access-s3cr3t-ann")

    try await onThread { server.stop(SIGQUIT) }
    database.update(try quick(server))
    #expect(await storeError { _ = try await store.load(.bob) }?.reason == .unavailable)
    #expect(await databaseError { try await database.check() }?.reason == .unreachable)
    #expect(try await credentials.token(configuration: configuration).value == "access-s3cr3t-ann")

    try await onThread { try server.start() }
    database.update(try Fixture.configuration(server))
    try await store.save(.sample("new", expires: Date() + 7200), for: credentials.key)
    // The missed notification is made up for.
    try await eventually {
      try await credentials.token(configuration: configuration).value == "access-s3cr3t-new"
    }
  }

  @Test("The disk is full while a refreshed token is stored: it stays in memory, and is stored when there is room")
  func diskFull() async throws {
    let database = try await Fixture.database()
    let store = try Fixture.store(database)
    let credentials = oauth2(store)
    let name = database.schema.quoted
    try await store.save(.sample("ann", expires: Date() - 60), for: credentials.key)
    // PostgreSQL's message when a file cannot grow.
    try await Fixture.sql(
      """
      CREATE FUNCTION \(name).full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      RAISE EXCEPTION 'could not extend file: No space left on device' USING ERRCODE = 'disk_full'; END $$
      """)
    try await Fixture.sql(
      """
      CREATE TRIGGER full_disk BEFORE UPDATE OF sealed ON \(name).tokens FOR EACH ROW
      EXECUTE FUNCTION \(name).full()
      """)
    let transport = provider()
    let configuration = ClientConfiguration(transport: transport)
    do {
      _ = try await credentials.token(configuration: configuration)
      Issue.record("a token that could not be stored was used")
    } catch {
      #expect("\(error)".contains("disk is full") && "\(error)".contains("in memory"))
    }
    try await Fixture.sql("DROP TRIGGER full_disk ON \(name).tokens")
    #expect(try await credentials.token(configuration: configuration).value == "fresh1")
    #expect(try await store.token(for: credentials.key)?.refreshToken == "next1")
    #expect(transport.requests.count == 1)
  }

  @Test("A standby takes no writes and says so; the primary is found among both hosts, also after a failover")
  func standby() async throws {
    let primary = try await onThread { try PostgresServer() }
    let standby = try await onThread { try PostgresServer(standbyOf: primary) }
    let schema = try Fixture.newSchema()
    var both = try PostgresConfiguration(
      "host=127.0.0.1,127.0.0.1 port=\(standby.port),\(primary.port) user=\(PostgresServer.user) dbname=callsign",
      password: Secret(PostgresServer.password))
    both.requestTimeout = .seconds(40)
    let database = try PostgresDatabase(both, schema: schema)
    try await database.migrate()
    let store = try Fixture.store(database)
    try await store.save(.sample("ann"), for: .ann)

    let lone = try PostgresDatabase(try Fixture.configuration(standby), schema: schema)
    let reader = try Fixture.store(lone)
    // Until the standby has the tables, it says that they are missing.
    try await eventually { (try? await reader.token(for: .ann)) == .sample("ann") }
    lone.update(try quick(standby))
    let error = await storeError { _ = try await reader.lease(.ann, lasting: .seconds(1)) }
    #expect(error?.reason == .unavailable)
    #expect((error?.cause as? PostgresError)?.reason == .readOnly)
    #expect(error?.advice.contains("all hosts") == true)
    lone.update(try Fixture.configuration(standby))

    try await onThread {
      primary.stop(SIGKILL)
      try standby.promote()
    }
    try await store.save(.sample("after"), for: .ann)
    #expect(try await reader.token(for: .ann) == .sample("after"))
  }

  @Test("A first host that hangs does not hide the others") func hangingHost() async throws {
    let first = try await onThread { try PostgresServer() }
    let second = try await Fixture.server()
    var both = try PostgresConfiguration(
      """
      host=127.0.0.1,127.0.0.1 port=\(first.port),\(second.port) user=\(PostgresServer.user) dbname=callsign \
      target_session_attrs=any
      """, password: Secret(PostgresServer.password))
    both.connectTimeout = .seconds(2)
    both.requestTimeout = .seconds(40)
    let database = try PostgresDatabase(both, schema: try Fixture.newSchema())
    first.signalAll(SIGSTOP)
    defer { first.signalAll(SIGCONT) }
    #expect(try await database.pool.run([PostgresStatement("SELECT 7")])[0].rows[0].int(0) == 7)
    database.close()
  }

  @Test("A request does not wait for a connection past its own time") func slowConnection() async throws {
    let server = try await onThread { try PostgresServer() }
    var configuration = try Fixture.configuration(server)
    configuration.connectTimeout = .seconds(60)
    let database = try PostgresDatabase(configuration, schema: try Fixture.newSchema())
    server.signalAll(SIGSTOP)
    defer { server.signalAll(SIGCONT) }
    let error = await databaseError {
      _ = try await database.pool.run([PostgresStatement("SELECT 1")], within: .milliseconds(500))
    }
    // After the connection's own time it would be unreachable.
    #expect(error?.reason == .timedOut)
    #expect(error?.mayHaveSucceeded == false)
  }

  @Test("A changed password is named as such, open connections continue, and a new password is accepted")
  func password()
    async throws
  {
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    let store = try Fixture.store(database)
    try await store.save(.sample("ann"), for: .ann)
    try await onThread { _ = try server.sql("ALTER ROLE \(PostgresServer.user) PASSWORD 'an0ther'") }
    #expect(try await store.token(for: .ann) == .sample("ann"))
    let late = try PostgresDatabase(try Fixture.configuration(server), schema: database.schema)
    let error = await databaseError { try await late.check() }
    #expect(error?.reason == .authentication)
    #expect(error?.advice.contains(PostgresServer.password) == false)
    late.update(try Fixture.configuration(server, password: "an0ther"))
    try await late.check()
  }

  @Test("A server without TLS, or with a stranger's certificate, is refused") func certificates() async throws {
    let server = try await Fixture.server()
    let text =
      "host=127.0.0.1 port=\(server.port) user=callsign dbname=callsign sslmode=verify-full sslrootcert=/etc/hostname"
    let database = try PostgresDatabase(
      try PostgresConfiguration(text, password: Secret(PostgresServer.password)), schema: try Fixture.newSchema())
    #expect(await databaseError { try await database.check() }?.reason == .certificate)
  }

  @Test("No database of that name, no right to the schema") func rights() async throws {
    let server = try await Fixture.server()
    let missing = try PostgresDatabase(
      try PostgresConfiguration("\(server.socketURL) dbname=nowhere"), schema: .standard)
    #expect(await databaseError { try await missing.check() }?.reason == .databaseMissing)
    let database = try await Fixture.database()
    try await Fixture.sql("CREATE ROLE \"guest\(database.schema)\" LOGIN")
    let guest = try PostgresDatabase(
      try PostgresConfiguration(
        "host=\(server.folder.path) port=\(server.port) dbname=callsign user=guest\(database.schema)"),
      schema: database.schema)
    #expect(await databaseError { try await guest.check() }?.reason == .permissionDenied)
    #expect(await databaseError { try await guest.migrate() }?.reason == .permissionDenied)
  }

  /// Settings that make an error come sooner if work is retried until a time limit.
  private func quick(_ server: PostgresServer) throws -> PostgresConfiguration {
    var configuration = try Fixture.configuration(server)
    configuration.requestTimeout = .seconds(10)
    configuration.connectTimeout = .seconds(5)
    return configuration
  }
}
