import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import CallsignX
import Foundation
import HTTPTypes
import PostgresServer
import XCore

/// The cost of tokens and limits of many accounts: times, writes, bytes, vacuum and start-up, with a synchronous standby that
/// writes to the disk as in production. The provider and the API are in memory, so that only the database is measured.
@MainActor final class FleetMeasurement {
  private let accounts: Int
  private let primary: PostgresServer
  private let standby: PostgresServer
  private var settings: FleetSettings
  private let provider = InMemoryTransport { request in
    if request.head.path?.hasPrefix("/2/oauth2") == true {
      let mark = UInt64.random(in: .min ... .max)
      return .json(
        #"{"access_token":"a\#(mark)","refresh_token":"r\#(mark)","token_type":"bearer","expires_in":7200}"#)
    }
    var headers = HTTPFields()
    let values = ["limit": 900, "remaining": 899, "reset": Int(Date().timeIntervalSince1970) + 900]
    for (name, value) in values {
      if let name = HTTPField.Name("x-rate-limit-\(name)") { headers[name] = "\(value)" }
    }
    return .json(#"{"data":{"id":"1","name":"A","username":"a"}}"#, headerFields: headers)
  }

  init(accounts: Int) throws {
    self.accounts = accounts
    primary = try PostgresServer(settings: ["fsync": "on", "shared_buffers": "'256MB'"])
    standby = try PostgresServer(standbyOf: primary)
    settings = FleetSettings(
      accounts: accounts, hotAccounts: 1,
      connection: "host=127.0.0.1 port=\(primary.port) user=\(PostgresServer.user) dbname=callsign",
      sealingKey: String((0..<48).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "x" }))
    settings.clientID = "client-with-an-id-of-usual-length"
  }

  func run() async throws {
    setenv(FleetSettings.passwordVariable, PostgresServer.password, 1)
    let database = try settings.database()
    try await database.migrate()
    let schema = database.schema.quoted
    try await fill(database)
    row("tokens, limits", try count("\(schema).tokens") + ", " + (try count("\(schema).limits")))
    row(
      "size on disk with indexes: tokens, limits", try size("\(schema).tokens") + ", " + (try size("\(schema).limits")))
    try await startUp()

    let store = try settings.store(database)
    let oauth2 = settings.oauth2(store)
    let configuration = ClientConfiguration(transport: provider, retry: .never)
    try await measure("a token of an account that this server has not used, one at a time", 2000) { number in
      _ = try await oauth2.account(number).token(configuration: configuration)
    }
    try await measure("the same, 16 at a time", 4000, tasks: 16) { number in
      _ = try await oauth2.account(number).token(configuration: configuration)
    }
    try await measure("a refresh, one at a time", 300) { number in
      _ = try await oauth2.account(number).refresh(configuration: configuration)
    }
    let limits = PostgresRateLimitStore(database)
    var limited = configuration
    limited.rateLimitStore = limits
    let x = XAPI(auth: .oauth2(oauth2), configuration: limited)
    try await measure("a call of an account that this server has not used", 500) { number in
      _ = try await x.with(auth: .oauth2(oauth2.account(number))).getUsersMe()
    }
    let one = x.with(auth: .oauth2(oauth2.account("1")))
    try await measure("a call of an account in use", 2000) { _ in _ = try await one.getUsersMe() }
    await limits.giveBack()

    let before = try statistics(schema)
    let refreshes = try await measure("a refresh, 16 at a time", 2400, tasks: 16) { number in
      _ = try await oauth2.account(number).refresh(configuration: configuration)
    }
    try await Task.sleep(for: .seconds(1))
    let after = try statistics(schema)
    let updates = after.updates - before.updates
    row(
      "refreshes a second, and rows written a second", "\(Int(refreshes)), \(Int(refreshes * Double(updates) / 2400))")
    row("rows written, of them without touching an index", "\(updates), \(after.hot - before.hot)")
    row("dead rows before VACUUM", "\(after.dead)")
    let start = ContinuousClock.now
    try primary.sql("VACUUM (ANALYZE) \(schema).tokens")
    row("VACUUM of the tokens", milliseconds(ContinuousClock.now - start))
    row("size on disk after that", try size("\(schema).tokens"))
    let listing = ContinuousClock.now
    let records = try await store.records(limit: 100)
    row("listing the 100 tokens that were unused longest", milliseconds(ContinuousClock.now - listing))
    guard records.count == 100 else { throw FleetFailure(description: "the listing has \(records.count) tokens") }
    database.close()
  }

  /// For each account, a row as a store would write it, and a limit.
  private func fill(_ database: PostgresDatabase) async throws {
    let schema = database.schema.quoted
    let store = try settings.store(database)
    let oauth2 = settings.oauth2(store)
    let sealing = try SealingKey(Secret(settings.sealingKey))
    let mark = try sealing.mark
    let limits = PostgresRateLimitStore(database)
    let sample = oauth2.account("0")
    try await sample.save(token("0"))
    var limited = ClientConfiguration(transport: provider, retry: .never)
    limited.rateLimitStore = limits
    _ = try await XAPI(auth: .oauth2(sample), configuration: limited).getUsersMe()
    await limits.giveBack()

    let content = try token("0").encoded()
    var lines = ""
    for number in 1..<accounts {
      let key = oauth2.account("\(number)").key
      lines += "\(key.account)\t\(try sealing.seal(content, for: key.purpose).base64EncodedString())\n"
    }
    let file = primary.folder.appendingPathComponent("tokens")
    try Data(lines.utf8).write(to: file)
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file.path)
    let start = ContinuousClock.now
    try primary.sql(
      """
      CREATE TEMPORARY TABLE filling (account text, sealed text);
      COPY filling FROM '\(file.path)';
      INSERT INTO \(schema).tokens (service, account, scheme, client_id, version, sealed, sealing_key, expires, saved)
        SELECT '\(sample.key.service)', account, 'oauth2', '\(settings.clientID)',
          nextval('\(schema).token_versions'), decode(sealed, 'base64'), '\(mark)', now() + interval '2 hours', now()
        FROM filling;
      INSERT INTO \(schema).limits (key, size, remaining, reset)
        SELECT key || n, size, remaining, now() + interval '900 seconds'
        FROM \(schema).limits, generate_series(1, \(accounts - 1)) AS n;
      """)
    for table in ["tokens", "limits"] { try primary.sql("VACUUM (FULL, ANALYZE) \(schema).\(table)") }
    row("filling", milliseconds(ContinuousClock.now - start))
  }

  private func token(_ account: String) -> StoredToken {
    // As long as X's.
    StoredToken(
      kind: .oauth2, accessToken: Secret(String(repeating: "a", count: 91)),
      refreshToken: Secret(String(repeating: "r", count: 91)), expires: Date() + 7200, lifetime: 7200,
      scopes: ["tweet.read", "users.read", "offline.access"], clientID: settings.clientID)
  }

  /// A server that connects, checks the schema, begins to listen and gets its first token.
  private func startUp() async throws {
    var times: [Duration] = []
    for number in 0..<20 {
      let start = ContinuousClock.now
      let database = try settings.database()
      try await database.check()
      let oauth2 = settings.oauth2(try settings.store(database))
      _ = try await oauth2.account("\(number)").token(
        configuration: ClientConfiguration(transport: provider, retry: .never))
      times.append(ContinuousClock.now - start)
      database.close()
    }
    row("start of a server until its first token: median, longest", percentiles(times, 0.5, 1))
  }

  /// Measures work on random accounts, and writes down the median and the time that one in a hundred exceeds.
  ///
  /// - Returns: The number of operations per second.
  @discardableResult private func measure(
    _ name: String, _ count: Int, tasks: Int = 1, _ work: @escaping @Sendable (String) async throws -> Void
  ) async throws -> Double {
    let accounts = accounts
    let start = ContinuousClock.now
    let times = try await withThrowingTaskGroup(of: [Duration].self) { group in
      for _ in 0..<tasks {
        group.addTask {
          var times: [Duration] = []
          for _ in 0..<(count / tasks) {
            let start = ContinuousClock.now
            try await work("\(Int.random(in: 0..<accounts))")
            times.append(ContinuousClock.now - start)
          }
          return times
        }
      }
      var all: [Duration] = []
      for try await times in group { all += times }
      return all
    }
    row("\(name): p50, p99", percentiles(times, 0.5, 0.99))
    return Double(times.count) / ((ContinuousClock.now - start) / .seconds(1))
  }

  private func percentiles(_ times: [Duration], _ parts: Double...) -> String {
    let sorted = times.sorted()
    return parts.map { part in
      milliseconds(sorted[min(sorted.count - 1, Int(Double(sorted.count) * part))])
    }.joined(separator: ", ")
  }

  private func milliseconds(_ duration: Duration) -> String { String(format: "%.1f ms", duration / .milliseconds(1)) }

  private func count(_ table: String) throws -> String { try primary.sql("SELECT count(*) FROM \(table)") }

  private func size(_ table: String) throws -> String {
    try primary.sql("SELECT pg_size_pretty(pg_total_relation_size('\(table)'))")
  }

  private func statistics(_ schema: String) throws -> (updates: Int, hot: Int, dead: Int) {
    let values = try primary.sql(
      """
      SELECT n_tup_upd, n_tup_hot_upd, n_dead_tup FROM pg_stat_user_tables WHERE relid = '\(schema).tokens'::regclass
      """
    ).split(separator: "|").compactMap { Int($0) }
    guard values.count == 3 else { throw FleetFailure(description: "PostgreSQL has no statistics of the tokens") }
    return (values[0], values[1], values[2])
  }

  private func row(_ name: String, _ value: String) {
    FileHandle.standardOutput.write(Data("| \(name) | \(value) |\n".utf8))
  }
}
