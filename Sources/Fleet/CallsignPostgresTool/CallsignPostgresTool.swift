import ArgumentParser
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import Foundation

/// `callsign-postgres`: manages the schema of a fleet's database and the tokens in it.
@main
struct CallsignPostgresTool: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "callsign-postgres",
    abstract: "Makes and looks after the tables that CallsignPostgres keeps tokens, rate limits and streams in.",
    discussion: """
      The database is named by --database, else by CALLSIGN_POSTGRES, else by libpq's own environment (PGHOST and others). \
      The password comes from CALLSIGN_POSTGRES_PASSWORD, PGPASSWORD or libpq's password file, never from an argument, \
      which other users of the machine can see.
      """,
    subcommands: [Migrate.self, Check.self, Tokens.self, Reseal.self])
}

struct DatabaseOptions: ParsableArguments {
  @Option(help: "A connection string, such as postgresql://callsign@db1,db2/fleet.")
  var database: String?

  @Option(help: "The schema with the tables.")
  var schema = "callsign"

  func open() throws -> PostgresDatabase {
    let environment = ProcessInfo.processInfo.environment
    let configuration = try PostgresConfiguration(
      database ?? environment["CALLSIGN_POSTGRES"] ?? "",
      password: environment["CALLSIGN_POSTGRES_PASSWORD"].map { Secret($0) })
    return try PostgresDatabase(configuration, schema: PostgresSchema(schema))
  }

  /// The keys from the environment.
  func keys() throws -> SealingKeys {
    let environment = ProcessInfo.processInfo.environment
    guard let current = environment["CALLSIGN_SEALING_KEY"] else {
      throw ValidationError("CALLSIGN_SEALING_KEY is not set; set it to the current sealing key's secret")
    }
    let previous = (environment["CALLSIGN_SEALING_KEYS_PREVIOUS"] ?? "").split(separator: ",").map(String.init)
    return try SealingKeys(SealingKey(Secret(current)), previous: previous.map { try SealingKey(Secret($0)) })
  }
}

struct Migrate: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Makes the schema, or brings it up to this version. Any number may run at once.")
  @OptionGroup var options: DatabaseOptions

  func run() async throws {
    let database = try options.open()
    defer { database.close() }
    let applied = try await database.migrate()
    print(
      applied.isEmpty
        ? "\(database.place): nothing to do"
        : "\(database.place): applied \(applied.map(String.init).joined(separator: ", "))")
  }
}

struct Check: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Says whether the schema is the one that this version needs.")
  @OptionGroup var options: DatabaseOptions

  func run() async throws {
    let database = try options.open()
    defer { database.close() }
    try await database.check()
    print("\(database.place): in order")
  }
}

struct Tokens: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the stored tokens without their secrets, the longest unused first.")
  @OptionGroup var options: DatabaseOptions
  @Option(help: "Only those of this service.") var service: String?
  @Option(help: "Only those unused for this many days.") var unusedDays: Int?
  @Option(help: "Only those in this state: valid, expired, leased, refused or lost.") var state: String?
  @Option(help: "The most lines.") var limit: Int = 100

  func run() async throws {
    let database = try options.open()
    defer { database.close() }
    var wanted: StoredTokenRecord.State?
    if let state {
      wanted = StoredTokenRecord.State(rawValue: state)
      guard wanted != nil else {
        throw ValidationError("unknown state `\(state)`; write valid, expired, leased, refused or lost")
      }
    }
    // Nothing is opened, so any key works.
    let store = try PostgresTokenStore(database, keys: SealingKeys(SealingKey()))
    let since = unusedDays.map { Date() - Double($0) * 86_400 }
    for record in try await store.records(service: service, unusedSince: since, state: wanted, limit: limit) {
      let expiry = record.expires.map { "expires \($0.ISO8601Format())" } ?? "does not expire"
      let loss = record.lostWith.map { "  with \($0.printable)" } ?? ""
      print(
        """
        \(record.key)  \(record.state)\(loss)  last used \(record.lastUse.ISO8601Format())  \(expiry)  \
        key \(record.sealingKey)
        """)
    }
  }
}

struct Reseal: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Seals every token with the current key.",
    discussion: """
      CALLSIGN_SEALING_KEY has the current key's secret, CALLSIGN_SEALING_KEYS_PREVIOUS those of before, separated by \
      commas. Servers go on meanwhile.
      """)
  @OptionGroup var options: DatabaseOptions

  func run() async throws {
    let database = try options.open()
    defer { database.close() }
    print("sealed again: \(try await PostgresTokenStore(database, keys: options.keys()).reseal())")
  }
}
