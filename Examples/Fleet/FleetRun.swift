import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import Foundation
import PostgresServer

/// A run of the fleet: the servers that it starts, what it does to them, and what became of everything.
@MainActor final class FleetRun {
  struct Plan: Sendable {
    var seconds: Double
    var processes: Int
    var accounts: Int
    /// Calls a second of all processes together.
    var rate: Double
    var seed: UInt64
  }

  private let plan: Plan
  private let write: @Sendable (String) -> Void
  private var settings: FleetSettings
  private var generator: FleetGenerator
  private let primary: PostgresServer
  private let standby: PostgresServer
  private var isPromoted = false
  private var workers: [Int: ChildProcess] = [:]
  /// The last reports of processes that were killed.
  private var killed = WorkerReport()
  /// Accounts whose lease a process had when it was killed: its login may be lost with it.
  private var killedLeases: Set<String> = []
  private var (kills, stops, cuts, restarts) = (0, 0, 0, 0)
  private(set) var problems: [String] = []

  init(_ plan: Plan, write: @escaping @Sendable (String) -> Void) throws {
    self.plan = plan
    self.write = write
    generator = FleetGenerator(state: plan.seed)
    primary = try PostgresServer(settings: ["wal_retrieve_retry_interval": "'300ms'"])
    standby = try PostgresServer(standbyOf: primary)
    settings = FleetSettings(
      accounts: plan.accounts,
      connection:
        "host=127.0.0.1,127.0.0.1 port=\(primary.port),\(standby.port) user=\(PostgresServer.user) dbname=callsign",
      sealingKey: String((0..<48).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "x" }))
  }

  private var server: PostgresServer { isPromoted ? standby : primary }

  private func start(_ index: Int, _ change: (inout FleetSettings) -> Void = { _ in }) throws -> ChildProcess {
    var settings = settings
    settings.index = index
    settings.rate = plan.rate / Double(plan.processes)
    // Two of them live in another minute.
    settings.clockOffset = index == 1 ? 60 : index == 2 ? -60 : 0
    change(&settings)
    return try ChildProcess("--worker", settings, password: PostgresServer.password)
  }

  func run() async throws -> Bool {
    setenv(FleetSettings.passwordVariable, PostgresServer.password, 1)
    let database = try settings.database()
    try await database.migrate()
    try server.sql("CREATE TABLE \(database.schema.quoted).seen (id text NOT NULL)")
    write(
      "PostgreSQL with a synchronous standby, \(plan.accounts) accounts, \(plan.processes) processes, seed \(plan.seed)"
    )
    let sandbox = try ChildProcess("--sandbox", settings, password: PostgresServer.password)
    let address = try await sandbox.ask()
    settings.sandbox = address.url
    (settings.clientID, settings.clientSecret) = (address.clientID, address.clientSecret)
    (settings.bearerToken, settings.userID) = (address.bearerToken, address.userID)

    try await measureCalls()
    _ = try await sandbox.ask("post")
    let before = try await sandbox.ask("counts")
    for index in 1...plan.processes { workers[index] = try start(index) }
    try await calmPhase()
    try await badPhase()
    let posted = try await sandbox.ask("rest").posts
    try await Task.sleep(for: .seconds(2))
    let total = await endWorkers()
    let after = try await sandbox.ask("counts")

    try await accountForStream(posted, database)
    accountForTokens(
      total, refreshes: after.refreshes - before.refreshes, refused: after.refusedRefreshes - before.refusedRefreshes)
    try await accountForLogins(database)
    try await accountForLimits(total, database)
    database.close()
    await sandbox.end()
    write(problems.isEmpty ? "everything is accounted for" : problems.map { "FAILED: \($0)" }.joined(separator: "\n"))
    return problems.isEmpty
  }

  private func row(_ name: String, _ value: String) {
    write("  " + name.padding(toLength: 54, withPad: " ", startingAt: 0) + value)
  }

  private func require(_ holds: Bool, _ words: String) { if !holds { problems.append(words) } }

  // MARK: Measuring

  /// As many calls as get through: of one process by its own memory beside one by the database, which share the machine and
  /// whatever else it does at the time; then of several by the database.
  private func measureCalls() async throws {
    let time = max(3, plan.seconds / 20)
    func calls(_ modes: [FleetSettings.Mode]) async throws -> [WorkerReport] {
      let processes = try modes.enumerated().map { index, mode in
        try start(100 + index) { settings in
          settings.mode = mode
          settings.load = .calls
        }
      }
      // The first calls pay for connections.
      let patience = ContinuousClock.now + .seconds(30)
      while processes.contains(where: { $0.report.succeeded < 20 }), .now < patience {
        try await Task.sleep(for: .milliseconds(100))
      }
      let first = processes.map(\.report)
      try await Task.sleep(for: .seconds(time))
      let last = processes.map(\.report)
      for process in processes { await process.end() }
      return zip(first, last).map { first, last in
        var difference = last
        difference.succeeded -= first.succeeded
        difference.requests -= first.requests
        return difference
      }
    }
    func rate(_ report: WorkerReport) -> Double { Double(report.succeeded) / time }
    func cost(_ report: WorkerReport) -> Double { Double(report.requests) / Double(max(1, report.succeeded)) }
    let pair = try await calls([.alone, .shared])
    let ratio = rate(pair[1]) / max(1, rate(pair[0]))
    row(
      "calls/s side by side: own memory, database",
      "\(number(rate(pair[0]))), \(number(rate(pair[1])))  (\(Int(ratio * 100)) %)")
    require(
      ratio >= 0.8,
      "a process with the database makes \(Int(ratio * 100)) % of the calls of one without; 80 % are promised")
    for count in [1, 4, 8, 16, 32] where count <= plan.processes && (count < 8 || plan.seconds >= 300) {
      let all = try await calls(Array(repeating: .shared, count: count)).reduce(WorkerReport(), +)
      row(
        "\(count) processes: calls/s, round trips per call",
        "\(number(rate(all))), \(String(format: "%.3f", cost(all)))")
      require(cost(all) < 1, "a call costs \(cost(all)) round trips with \(count) processes")
    }
  }

  private func number(_ value: Double) -> String { String(format: "%.0f", value) }

  // MARK: What happens to the fleet

  private func calmPhase() async throws {
    try await Task.sleep(for: .seconds(max(6, plan.seconds * 0.05)))
    let first = workers.mapValues(\.report)
    try await Task.sleep(for: .seconds(plan.seconds * 0.2))
    let last = workers.mapValues(\.report)
    let counts = last.map { ($0.value.succeeded - (first[$0.key]?.succeeded ?? 0)) }
    let refused = last.values.reduce(WorkerReport(), +).refused - first.values.reduce(WorkerReport(), +).refused
    let (least, most) = (counts.min() ?? 0, counts.max() ?? 0)
    row("calm: calls of the least and most successful process", "\(least) and \(most)")
    row("calm: refused by the API for a limit", "\(refused)")
    row("calm: held back by the shared limits", "\(last.values.reduce(WorkerReport(), +).heldBack)")
    require(refused == 0, "the API refused \(refused) calls for a limit though nothing was wrong")
    require(least * 2 >= most, "between processes, calls differ from \(least) to \(most)")
    require(most > 0, "no process got a call through")
  }

  private func badPhase() async throws {
    let end = ContinuousClock.now + .seconds(plan.seconds * 0.45)
    let start = ContinuousClock.now
    var stopped: [(index: Int, until: ContinuousClock.Instant)] = []
    var count = 0
    var hasRestarted = false
    while ContinuousClock.now < end {
      for (index, until) in stopped where until <= .now { workers[index]?.kill(SIGCONT) }
      stopped.removeAll { $0.until <= .now }
      let share = (ContinuousClock.now - start) / .seconds(plan.seconds * 0.45)
      if share > 0.35, !hasRestarted {
        hasRestarted = true
        restarts += 1
        primary.stop(SIGINT)
        try primary.start()
      } else if share > 0.65, !isPromoted {
        // Pulled out of the wall; nobody can write to it any more.
        primary.stop(SIGKILL)
        try standby.promote()
        isPromoted = true
      } else {
        let candidates = workers.keys.filter { key in !stopped.contains { $0.index == key } }.sorted()
        let index = candidates[Int.random(in: 0..<candidates.count, using: &generator)]
        switch count % 4 {
        case 0, 2:
          stops += 1
          workers[index]?.kill(SIGSTOP)
          stopped.append((index, .now + FleetSettings.grantLifetime + .seconds(2)))
        case 1:
          kills += 1
          try replace(index)
        default:
          cuts += 1
          _ = try? server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'callsign'")
        }
        count += 1
      }
      try await Task.sleep(for: .seconds(max(1, plan.seconds / 60)))
    }
    for (index, _) in stopped { workers[index]?.kill(SIGCONT) }
    require(hasRestarted && isPromoted, "the time was too short for a restart and a failover")
    try await Task.sleep(for: .seconds(max(8, plan.seconds * 0.05)))
  }

  /// Kills a process and starts another in its place.
  private func replace(_ index: Int) throws {
    guard let old = workers[index] else { return }
    old.kill(SIGKILL)
    let report = old.report
    killed = killed + report
    killedLeases.formUnion(report.leased)
    workers[index] = try start(index)
  }

  private func endWorkers() async -> WorkerReport {
    await withTaskGroup(of: Void.self) { group in
      for worker in workers.values { group.addTask { await worker.end() } }
    }
    return workers.values.map(\.report).reduce(killed, +)
  }

  // MARK: Accounts

  private func accountForStream(_ posted: [String], _ database: PostgresDatabase) async throws {
    let inbox = StreamInbox(database, stream: FleetSettings.stream)
    let table = "\(database.schema.quoted).seen"
    // What the last process left behind.
    while try await inbox.process({ records in
      records.map { PostgresStatement("INSERT INTO \(table) (id) VALUES ($1)", [.text($0.id)]) }
    }) > 0 {}
    let all = try server.sql("SELECT id FROM \(table)").split(separator: "\n").map(String.init)
    let distinct = Set(all)
    let lost = Set(posted).subtracting(distinct).count
    row("stream: posts, lost, doubled", "\(posted.count), \(lost), \(all.count - distinct.count)")
    require(lost == 0, "\(lost) of \(posted.count) posts were lost")
    require(all.count == distinct.count, "\(all.count - distinct.count) posts were dealt with twice")
    require(!posted.isEmpty, "nothing was posted")
  }

  private func accountForTokens(_ total: WorkerReport, refreshes: Int, refused: Int) {
    row(
      "killed, stopped, cut off, restarts, failovers", "\(kills), \(stops), \(cuts), \(restarts), \(isPromoted ? 1 : 0)"
    )
    row("calls, succeeded, held back", "\(total.calls), \(total.succeeded), \(total.heldBack)")
    row("refreshes granted, tokens stored", "\(refreshes), \(total.refreshes)")
    row("refreshes before their time, with a spent token", "\(total.early), \(refused)")
    let expiries = max(1, refreshes - total.early)
    row("refreshes per expiry", String(format: "%.4f", Double(refreshes + refused) / Double(expiries)))
    require(total.early == 0, "\(total.early) tokens were replaced before their time")
    // A process that is killed with the answer in its hands leaves a spent token behind; each is asked about by those that
    // come after it, who cannot know.
    let explained = killedLeases.count
    require(
      refused == 0 || explained > 0, "\(refused) refreshes with a spent token, and no process was killed over one")
    for (failure, count) in total.failures.sorted(by: { $0.value > $1.value }).prefix(5) {
      row("  failed calls", "\(count) × \(failure.prefix(150))")
    }
  }

  /// Loads every token, and refreshes it.
  private func accountForLogins(_ database: PostgresDatabase) async throws {
    let store = try settings.store(database)
    let oauth2 = OAuth2(
      clientID: settings.clientID, clientSecret: settings.clientSecret.map { Secret($0) }, store: store, account: "")
    let configuration = settings.clientConfiguration(limits: nil)
    var lost: [String] = []
    try await withThrowingTaskGroup(of: String?.self) { group in
      for number in 0..<plan.accounts {
        if number >= 8, let account = try await group.next() ?? nil { lost.append(account) }
        group.addTask {
          let account = oauth2.account("\(number)")
          return (try? await account.token(configuration: configuration)) == nil ? "\(number)" : nil
        }
      }
      for try await account in group { if let account { lost.append(account) } }
    }
    let unexplained = lost.filter { !killedLeases.contains($0) }
    row("logins lost, of them with a killed process", "\(lost.count), \(lost.count - unexplained.count)")
    require(unexplained.isEmpty, "\(unexplained.count) logins were lost: accounts \(unexplained.prefix(5))")
  }

  private func accountForLimits(_ total: WorkerReport, _ database: PostgresDatabase) async throws {
    row("refused by the API for a limit, in all", "\(total.refused)")
    row(
      "round trips per call in all, of them for limits",
      String(
        format: "%.3f, %.3f", Double(total.requests) / Double(max(1, total.calls)),
        Double(total.limitRequests) / Double(max(1, total.calls))))
    require(
      Double(total.refused) <= Double(total.succeeded) * 0.02,
      "\(total.refused) of \(total.calls) calls were refused for a limit; 2 % are what kills and outages explain")
    try await Task.sleep(for: FleetSettings.grantLifetime + .seconds(1))
    let held = try server.sql(
      "SELECT coalesce(sum(held), 0) FROM \(database.schema.quoted).limit_grants WHERE expires > clock_timestamp()")
    row("reservations leaked", held)
    require(held == "0", "\(held) reservations are held by nobody")
  }
}

/// Numbers that the same seed gives again (SplitMix64).
struct FleetGenerator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
