import Foundation

/// One soak: everything at the same time until the time is over, then the final account.
struct SoakRun: Sendable {
  private let settings: SoakSettings
  private let control: any SandboxControl
  /// Takes each finished text.
  private let write: @Sendable (String) -> Void

  /// How many seconds the streams may take to connect, and remaining work to end, even on a busy machine.
  private static let patience = 120.0

  /// - Parameter control: Where the sandbox runs.
  init(_ settings: SoakSettings, _ control: any SandboxControl, write: @escaping @Sendable (String) -> Void) {
    self.settings = settings
    self.control = control
    self.write = write
  }

  /// - Returns: The problems found; none if every post is accounted for.
  /// - Throws: An error if the soak could not even start.
  func run() async throws -> [String] {
    let session = try await SoakSession.start(settings, control)
    do {
      let problems = try await run(session)
      await session.stop()
      return problems
    } catch {
      await session.stop()
      throw error
    }
  }

  private func run(_ session: SoakSession) async throws -> [String] {
    let pages = try await PageWork.prepare(session)
    let watch = ProcessWatch()
    let logs = Dictionary(
      uniqueKeysWithValues: PostLedger.Stream.allCases.map { ($0, StreamLog($0, session.ledger, session.tally)) })
    let table = SoakTable(session: session, logs: logs, watch: watch)
    let started = ContinuousClock.now

    let streams = logs.map { stream, log in
      Task {
        let work = StreamWork(session: session, stream: stream, log: log)
        if stream == .filtered { await work.readFiltered() } else { await (work as any RetiredStreams).readStatuses() }
      }
    }
    guard await waits(upTo: Self.patience, for: { await connections(logs) }) else {
      for stream in streams { stream.cancel() }
      return await session.tally.allProblems + ["the streams did not connect"]
    }

    try await session.sandbox.beginFaults()
    let work = workers(session, pages)
    try await watchOver(session, table, watch, since: started)

    await session.deadline.pass()
    for problem in try await session.sandbox.endFaults() { await session.tally.problem(problem) }
    let isDone = await waits(upTo: Self.patience) { await session.tally.workersAtWork == 0 }
    for worker in work { worker.cancel() }
    if !isDone { await session.tally.problem("work did not end within \(Int(Self.patience)) s of the end") }
    for worker in work { await worker.value }
    await settle(session)
    for stream in streams { stream.cancel() }
    for stream in streams { await stream.value }

    let seconds = (ContinuousClock.now - started).inSeconds
    let counts = try await session.sandbox.counts()
    write(await table.text(after: seconds, counts, isLast: true))
    return await problems(session, watch, counts, after: seconds)
  }

  private func connections(_ logs: [PostLedger.Stream: StreamLog]) async -> Bool {
    for log in logs.values where await log.connections == 0 { return false }
    return true
  }

  private func workers(_ session: SoakSession, _ pages: PageWork) -> [Task<Void, Never>] {
    let writing = WriteWork(session: session)
    var works: [@Sendable () async -> Void] = (1...settings.writers).map { number in
      { await writing.write(number) }
    }
    works += [
      writing.sweep, pages.readFollowers, pages.readPosts, pages.readTimeline, UploadWork(session: session).upload,
      RevocationWork(session: session).revoke,
    ]
    return works.map { work in
      Task {
        await session.tally.beginWork()
        await work()
        await session.tally.endWork()
      }
    }
  }

  private func watchOver(
    _ session: SoakSession, _ table: SoakTable, _ watch: ProcessWatch, since started: ContinuousClock.Instant
  ) async throws {
    var nextTable = settings.secondsBetweenTables
    while true {
      let seconds = (ContinuousClock.now - started).inSeconds
      if seconds >= settings.seconds { return }
      let counts = try await session.sandbox.counts()
      await watch.sample(counts.usage)
      await session.ledger.settle()
      if seconds >= nextTable {
        nextTable += settings.secondsBetweenTables
        write(await table.text(after: seconds, counts, isLast: false))
      }
      try? await Task.sleep(for: .seconds(min(1, max(0.05, settings.seconds - seconds))))
    }
  }

  /// Writes posts until one has arrived on each stream. Earlier posts have then arrived, too, or never will.
  private func settle(_ session: SoakSession) async {
    var chance = Chance(seed: settings.seed, for: "last posts")
    let beginning = Date()
    for _ in 0..<100 {
      await WriteWork(session: session).writeOne(&chance)
      try? await Task.sleep(for: .milliseconds(200))
      if await session.ledger.hasArrived(since: beginning) { break }
    }
    // The very last one has to arrive as well.
    _ = await waits(upTo: Self.patience) {
      for stream in PostLedger.Stream.allCases
      where await !session.ledger.account(of: stream).missing.isEmpty { return false }
      return true
    }
  }

  private func problems(
    _ session: SoakSession, _ watch: ProcessWatch, _ counts: SandboxCounts, after seconds: Double
  ) async -> [String] {
    var problems = await session.tally.allProblems
    for stream in PostLedger.Stream.allCases {
      let account = await session.ledger.account(of: stream)
      if account.received == 0 { problems.append("\(stream.name): nothing was received") }
      if account.duplicates > 0 { problems.append("\(stream.name): \(account.duplicates) records came twice") }
      if !account.missing.isEmpty {
        let numbers = account.missing.prefix(20).map(String.init).joined(separator: " ")
        problems.append("\(stream.name): \(account.missing.count) records lost without a reason: posts \(numbers)")
      }
    }
    let undecided = await session.ledger.undecided
    if !undecided.isEmpty { problems.append("\(undecided.count) writes were never resolved") }
    problems += await RefreshAccount(session, counts, after: seconds).problems
    if settings.judgesProcess { problems += await watch.problems(atRest: .now()) }
    return problems
  }
}

/// Asks again and again.
private func waits(upTo seconds: Double, for condition: () async -> Bool) async -> Bool {
  let end = ContinuousClock.now + .seconds(seconds)
  while ContinuousClock.now < end {
    if await condition() { return true }
    try? await Task.sleep(for: .milliseconds(50))
  }
  return await condition()
}

extension Duration {
  var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) / 1e18 }
}
