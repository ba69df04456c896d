import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import Foundation
import PostgresServer

/// A run of the fleet: its servers, what the run does to them, and the outcome.
@MainActor final class FleetRun {
  struct Plan: Sendable {
    var seconds: Double
    var processes: Int
    var accounts: Int
    /// The number of calls per second of all processes together.
    var rate: Double
    var seed: UInt64
    /// The number of runs; each has the next seed.
    var runs: UInt64 = 1
    /// Whether other work runs at the same time, so that rates mean nothing.
    var isBusy = false
    /// Whether two processes keep two cores busy during the run.
    var isStrained = false
    /// Whether servers, provider and database are on separate hosts, and these hosts; and whether the system drops packets.
    var isDistributed = false
    var network: FleetNetwork?
    var isShaped = false
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
  /// The tokens of killed processes, by the sandbox's name for each.
  private var killedTokens: [String: TokenAccount] = [:]
  /// When each process was killed, and from when to when it was stopped.
  private var killTimes: [String: Double] = [:]
  private var stopTimes: [String: [ClosedRange<Double>]] = [:]
  private var stopStarts: [String: Double] = [:]
  /// When the database was away.
  private var outages: [ClosedRange<Double>] = []
  private var partitions: [ClosedRange<Double>] = []
  private var relays: [ChildProcess] = []
  private let start = Date().timeIntervalSince1970
  /// Spans after which calls may be refused for a limit: a process was stopped, or the database was away.
  private var disturbances: [ClosedRange<Double>] = []
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
      // Half of the calls are twice as many as these may make, so their limits are used up in each window.
      hotAccounts: max(
        1,
        min(plan.accounts, Int(plan.rate / 2 * Double(FleetSettings.window) / Double(FleetSettings.limit) / 2))),
      connection:
        "host=127.0.0.1,127.0.0.1 port=\(primary.port),\(standby.port) user=\(PostgresServer.user) dbname=callsign",
      sealingKey: String((0..<48).map { _ in "abcdefghijklmnopqrstuvwxyz0123456789".randomElement() ?? "x" }))
  }

  private var server: PostgresServer { isPromoted ? standby : primary }

  private func start(_ index: Int, _ change: (inout FleetSettings) -> Void = { _ in }) throws -> ChildProcess {
    var settings = settings
    settings.index = index
    settings.seed = plan.seed
    settings.rate = plan.rate / Double(plan.processes)
    // Two of them live in another minute.
    settings.clockOffset = index == 1 ? 60 : index == 2 ? -60 : 0
    change(&settings)
    let host = FleetNetwork.Host.servers(index % FleetNetwork.serverHosts)
    return try ChildProcess(
      "--worker", settings, password: PostgresServer.password, namespace: plan.network?.namespace(host))
  }

  /// Lets every other host reach a port.
  private func relay(_ port: Int, of host: FleetNetwork.Host) async throws {
    guard let network = plan.network else { return }
    func start(_ arguments: [String], on host: FleetNetwork.Host) async throws {
      let relay = try ChildProcess(
        ["--relay"] + arguments, password: PostgresServer.password, namespace: network.namespace(host))
      _ = try await relay.ask()
      relays.append(relay)
    }
    try await start(FleetNetwork.outward(port, host), on: host)
    for other in FleetNetwork.hosts where other != host {
      var isDelayed = false
      if case .servers = other { isDelayed = !plan.isShaped }
      try await start(FleetNetwork.inward(port, of: host, isDelayed: isDelayed), on: other)
    }
  }

  /// Cuts some servers off from the provider's or the database's responses for five seconds.
  private func partition(_ network: FleetNetwork, from host: FleetNetwork.Host) async throws {
    let servers = FleetNetwork.Host.servers(Int.random(in: 0..<FleetNetwork.serverHosts, using: &generator))
    let start = Date().timeIntervalSince1970
    network.cut(host, to: servers)
    try await Task.sleep(for: .seconds(5))
    network.mend(host, to: servers)
    // Lost packets are sent again after growing delays.
    let span = start...(Date().timeIntervalSince1970 + 8)
    partitions.append(span)
    if host == .database { outages.append(span) }
    disturbances.append(start...(span.upperBound + Double(FleetSettings.window) + 5))
  }

  func run() async throws -> Bool {
    setenv(FleetSettings.passwordVariable, PostgresServer.password, 1)
    let database = try settings.database()
    try await database.migrate()
    try server.sql("CREATE TABLE \(database.schema.quoted).seen (id text NOT NULL)")
    write(
      "PostgreSQL with a synchronous standby, \(plan.accounts) accounts, \(plan.processes) processes, seed \(plan.seed)"
    )
    for port in [primary.port, standby.port] { try await relay(port, of: .database) }
    defer { for relay in relays { relay.kill(SIGKILL) } }
    let sandbox = try ChildProcess(
      "--sandbox", settings, password: PostgresServer.password, namespace: plan.network?.namespace(.provider))
    let address = try await sandbox.ask()
    if let port = URL(string: address.url)?.port { try await relay(port, of: .provider) }
    settings.sandbox = address.url
    (settings.clientID, settings.clientSecret) = (address.clientID, address.clientSecret)
    (settings.bearerToken, settings.userID) = (address.bearerToken, address.userID)

    let strain = try (0..<(plan.isStrained ? 2 : 0)).map { _ in
      try ChildProcess("--spin", settings, password: PostgresServer.password)
    }
    defer { for process in strain { process.kill(SIGKILL) } }
    if plan.network == nil { try await measureCalls() }
    _ = try await sandbox.ask("post")
    let before = try await sandbox.ask("counts")
    for index in 1...plan.processes { workers[index] = try start(index) }
    try await calmPhase()
    try await badPhase()
    let posted = try await sandbox.ask("rest")
    let delay = try await waitForPosts(posted.posts, database)
    let total = await endWorkers()
    let after = try await sandbox.ask("tokens")

    try await accountForStream(posted, delay, database)
    accountForTokens(refreshes: after.refreshes - before.refreshes, reuses: after.reuses)
    try await accountForLogins(database, lastGrants: after.lastGrants)
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

  /// As many calls as possible: first one process with its own memory next to one with the database, which share the machine and
  /// its other load; then several with the database.
  private func measureCalls() async throws {
    let time = max(3, plan.seconds / 30)
    func calls(_ modes: [FleetSettings.Mode], comparison: Int = 0) async throws -> [WorkerReport] {
      let processes = try modes.enumerated().map { index, mode in
        try start(100 + index) { settings in
          settings.mode = mode
          settings.comparison = comparison
          settings.load = .calls
        }
      }
      // The first calls pay for connections.
      try await wait(for: processes, calls: 20)
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
    // The machine's other load may affect either of them; the median of three counts.
    var pairs: [[WorkerReport]] = []
    for number in 0..<FleetSettings.comparisons {
      pairs.append(try await calls([.alone, .shared], comparison: number))
    }
    func ratio(_ pair: [WorkerReport]) -> Double { rate(pair[1]) / max(1, rate(pair[0])) }
    pairs.sort { ratio($0) < ratio($1) }
    let pair = pairs[1]
    let ratios = pairs.map { "\(Int(ratio($0) * 100)) %" }.joined(separator: ", ")
    row(
      "calls/s side by side: own memory, database",
      "\(number(rate(pair[0]))), \(number(rate(pair[1])))  (\(ratios))")
    let ratio = ratio(pair)
    require(
      ratio >= 0.8 || plan.isBusy,
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

  // MARK: Events of the fleet

  /// Waits until each process has made some calls; on a busy machine it takes them a while to start.
  private func wait(for processes: some Sequence<ChildProcess>, calls: Int) async throws {
    let patience = ContinuousClock.now + .seconds(180)
    while processes.contains(where: { $0.report.succeeded < calls }), .now < patience {
      try await Task.sleep(for: .milliseconds(100))
    }
  }

  private func calmPhase() async throws {
    try await wait(for: workers.values, calls: 3)
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
    require(least * 2 >= most || plan.network != nil, "between processes, calls differ from \(least) to \(most)")
    require(most > 0, "no process got a call through")
  }

  private func badPhase() async throws {
    let end = ContinuousClock.now + .seconds(plan.seconds * 0.45)
    let start = ContinuousClock.now
    var stopped: [(index: Int, until: ContinuousClock.Instant)] = []
    var count = 0
    var hasRestarted = false
    // On a busy machine, the time may be over before the database has restarted and failed over.
    while ContinuousClock.now < end || !isPromoted {
      for (index, until) in stopped where until <= .now { proceed(index) }
      stopped.removeAll { $0.until <= .now }
      let share = (ContinuousClock.now - start) / .seconds(plan.seconds * 0.45)
      if share > 0.35, !hasRestarted {
        hasRestarted = true
        restarts += 1
        let start = Date().timeIntervalSince1970
        primary.stop(SIGINT)
        try primary.start()
        noteOutage(from: start)
      } else if share > 0.65, !isPromoted {
        // As if the machine was unplugged: nobody can write to it any more.
        let start = Date().timeIntervalSince1970
        primary.stop(SIGKILL)
        try standby.promote()
        isPromoted = true
        noteOutage(from: start)
      } else {
        let candidates = workers.keys.filter { key in !stopped.contains { $0.index == key } }.sorted()
        let index = candidates[Int.random(in: 0..<candidates.count, using: &generator)]
        switch count % 4 {
        case 0, 2:
          stops += 1
          if let worker = workers[index] {
            stopStarts[worker.agent] = Date().timeIntervalSince1970
            worker.kill(SIGSTOP)
          }
          stopped.append((index, .now + FleetSettings.grantLifetime + .seconds(2)))
        case 1:
          kills += 1
          try await replace(index)
        default:
          cuts += 1
          if let network = plan.network {
            try await partition(network, from: count % 8 == 3 ? .database : .provider)
            break
          }
          _ = try? server.sql(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'callsign'")
        }
        count += 1
      }
      try await Task.sleep(for: .seconds(max(1, plan.seconds / 60)))
    }
    for (index, _) in stopped { proceed(index) }
    try await Task.sleep(for: .seconds(max(8, plan.seconds * 0.05)))
  }

  /// Continues a stopped process.
  private func proceed(_ index: Int) {
    guard let worker = workers[index] else { return }
    if let start = stopStarts.removeValue(forKey: worker.agent) {
      stopTimes[worker.agent, default: []].append(start...Date().timeIntervalSince1970)
    }
    // A call that was allowed before is sent now, and takes a place that belongs to another by then.
    disturb(from: Date().timeIntervalSince1970)
    worker.kill(SIGCONT)
  }

  /// Until the connections that it ended have been made again.
  private func noteOutage(from start: Double) {
    outages.append(start...(Date().timeIntervalSince1970 + 2))
    disturb(from: start)
  }

  /// Until the windows that are open now have ended, and what was on its way has arrived.
  private func disturb(from start: Double) {
    disturbances.append(start...(Date().timeIntervalSince1970 + Double(FleetSettings.window) + 5))
  }

  /// Kills a process and starts another in its place.
  private func replace(_ index: Int) async throws {
    guard let old = workers[index] else { return }
    killTimes[old.agent] = Date().timeIntervalSince1970
    old.kill(SIGKILL)
    killedTokens[old.agent] = await old.finalTokens()
    killed = killed + old.report
    workers[index] = try start(index)
  }

  private func endWorkers() async -> WorkerReport {
    await withTaskGroup(of: Void.self) { group in
      for worker in workers.values { group.addTask { await worker.end() } }
    }
    for worker in workers.values { _ = await worker.finalTokens() }
    return workers.values.map(\.report).reduce(killed, +)
  }

  // MARK: Accounts

  /// Waits until all posts have arrived, but no longer than a partition may be without a reader.
  ///
  /// - Returns: How long that took after the last post, in seconds; `nil` when some are missing.
  private func waitForPosts(_ posted: [String], _ database: PostgresDatabase) async throws -> Double? {
    let start = ContinuousClock.now
    let table = "\(database.schema.quoted).seen"
    while ContinuousClock.now - start < .seconds(60) {
      try await Task.sleep(for: .milliseconds(300))
      guard Int(try server.sql("SELECT count(*) FROM \(table)")) ?? 0 >= posted.count else { continue }
      let seen = Set(try server.sql("SELECT id FROM \(table)").split(separator: "\n").map(String.init))
      if seen.isSuperset(of: posted) { return (ContinuousClock.now - start) / .seconds(1) }
    }
    return nil
  }

  private func accountForStream(
    _ posted: SandboxLine, _ delay: Double?, _ database: PostgresDatabase
  ) async throws {
    let inbox = StreamInbox(database, stream: FleetSettings.stream)
    let table = "\(database.schema.quoted).seen"
    // The data that the last process left behind.
    while try await inbox.process({ records in
      records.map { PostgresStatement("INSERT INTO \(table) (id) VALUES ($1)", [.text($0.id)]) }
    }) > 0 {}
    let all = try server.sql("SELECT id FROM \(table)").split(separator: "\n").map(String.init)
    let distinct = Set(all)
    let lost = posted.posts.indices.filter { !distinct.contains(posted.posts[$0]) }
    row("stream: posts, lost, doubled", "\(posted.posts.count), \(lost.count), \(all.count - distinct.count)")
    row("stream: seconds until the last post had arrived", delay.map { String(format: "%.1f", $0) } ?? "never")
    let end = posted.postTimes.last ?? 0
    let times = lost.prefix(5).map { "number \($0), \(number(end - posted.postTimes[$0])) s before the last" }
    require(lost.isEmpty, "\(lost.count) of \(posted.posts.count) posts were lost: \(times)")
    require(all.count == distinct.count, "\(all.count - distinct.count) posts were dealt with twice")
    require(!posted.posts.isEmpty, "nothing was posted")
  }

  private var history: FleetHistory {
    var records = killedTokens.mapValues { FleetHistory.Record(tokens: $0, stops: []) }
    for worker in workers.values {
      records[worker.agent] = FleetHistory.Record(tokens: worker.tokensSoFar, stops: [])
    }
    for (agent, time) in killTimes { records[agent]?.killed = time }
    for (agent, times) in stopTimes { records[agent]?.stops = times }
    return FleetHistory(
      processes: records, outages: outages, partitions: partitions, start: start,
      patience: FleetSettings.refreshTimeout / .seconds(1) * 1.25)
  }

  private func accountForTokens(refreshes: Int, reuses: [String: [SandboxLine.Reuse]]) {
    let all = Array(killedTokens.values) + workers.values.map(\.tokensSoFar)
    let (stored, early) = (all.map(\.stored).reduce(0, +), all.map(\.early).reduce(0, +))
    let killedOver = killedTokens.values.reduce(into: Set<String>()) { $0.formUnion($1.held) }
    let delayed = all.reduce(into: Set<String>()) { $0.formUnion($1.delayed) }
    row(
      "killed, stopped, cut off, restarts, failovers", "\(kills), \(stops), \(cuts), \(restarts), \(isPromoted ? 1 : 0)"
    )
    row("refreshes granted, tokens stored", "\(refreshes), \(stored)")
    // Exactly one for each token that was due, plus those whose response was lost with its process.
    row(
      "refreshes per expiry, replaced early",
      String(format: "%.4f, %d", Double(refreshes) / Double(max(1, stored - early)), early))
    row("tokens that the database took later", "\(delayed.count)")
    let excess = refreshes - stored
    require(
      (0...killedOver.count).contains(excess),
      "\(refreshes) refreshes were granted and \(stored) tokens stored, and \(killedOver.count) were in killed hands")
    let history = history
    for event in all.flatMap({ $0.events.values.joined() }) where event.kind == .storeEarly {
      explain(
        "the token of account \(event.account), replaced before its time at \(history.time(event.time))",
        history.causeOfEarliness(event.account, event), event.account, around: event.time, history)
    }
    row("spent tokens that were sent, of accounts", "\(reuses.values.map(\.count).reduce(0, +)), \(reuses.count)")
    for (account, reuses) in reuses.sorted(by: { $0.key < $1.key }) {
      for reuse in reuses {
        let what =
          "the spent token of account \(account), by \(reuse.attempt.process) at \(history.time(reuse.attempt.time))"
        let cause = history.causeOfReuse(account, reuse)
        explain(what, cause, account, around: reuse.attempt.time, history)
      }
    }
  }

  /// Writes down a cause, or the lease's history if it shows none.
  private func explain(
    _ what: String, _ cause: String?, _ account: String, around time: Double, _ history: FleetHistory
  ) {
    write("  \(what): \(cause ?? "for no known reason")")
    guard cause == nil else { return }
    problems.append("\(what): for no known reason")
    for line in history.lines(account, around: time) { write("    \(line)") }
  }

  /// Loads every token and refreshes it. A login is lost if the provider no longer accepts its refresh token. The loss is explained
  /// if the provider's last response went to a process that was killed before it stored it.
  private func accountForLogins(
    _ database: PostgresDatabase, lastGrants: [String: SandboxLine.Grant]
  ) async throws {
    let store = try settings.store(database)
    let oauth2 = settings.oauth2(store)
    let configuration = settings.clientConfiguration(limits: nil)
    @Sendable func problem(of account: String) async -> String? {
      var last = ""
      for _ in 0..<5 {
        do throws(CallError) {
          _ = try await oauth2.account(account).refresh(configuration: configuration)
          return nil
        } catch {
          last = "\(error)"
          if case .authorization(let problem) = error, problem.reason == .refused { return last }
        }
        try? await Task.sleep(for: .seconds(1))
      }
      return last
    }
    var lost: [String: String] = [:]
    try await withThrowingTaskGroup(of: (String, String?).self) { group in
      for number in 0..<plan.accounts {
        if number >= 8, let (account, problem) = try await group.next() { lost[account] = problem }
        group.addTask { ("\(number)", await problem(of: "\(number)")) }
      }
      for try await (account, problem) in group { lost[account] = problem }
    }
    row("logins lost", "\(lost.count)")
    let history = history
    for (account, problem) in lost.sorted(by: { $0.key < $1.key }) {
      let grant = lastGrants[account]
      let what = "the login of account \(account) (\(problem.prefix(200)))"
      let cause = grant.flatMap { history.causeOfLoss(account, $0) }
      explain(what, cause, account, around: grant?.time ?? start, history)
      // Whoever runs the fleet must find it among the lost ones, and the error must say so.
      let isNamed = problem.contains("has not stored the response")
      require(cause == nil || isNamed, "the error of account \(account) does not say that its login was lost")
    }
    let listed = Set(try await store.records(state: .lost).map(\.key.account))
    require(
      listed == Set(lost.keys), "listed as lost are \(listed.sorted()), and lost are \(lost.keys.sorted())")
  }

  private func accountForLimits(_ total: WorkerReport, _ database: PostgresDatabase) async throws {
    row("calls, succeeded, held back", "\(total.calls), \(total.succeeded), \(total.heldBack)")
    for (failure, count) in total.failures.sorted(by: { $0.value > $1.value }).prefix(5) {
      row("  failed calls", "\(count) × \(failure.prefix(150))")
    }
    let unexplained = total.refusals.filter { time in !disturbances.contains { $0.contains(time) } }
    row(
      "refused by the API for a limit: in all, after no stop or outage", "\(total.refused), \(unexplained.count)")
    require(
      unexplained.isEmpty,
      "the API refused \(unexplained.count) calls for a limit, and no process was stopped and no database away")
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

/// A sequence of numbers that is the same for the same seed (SplitMix64).
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
