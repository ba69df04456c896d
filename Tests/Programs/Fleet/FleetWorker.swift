import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignPostgres
import CallsignSupport
import CallsignX
import Foundation

/// One server of the fleet.
final class FleetWorker: Sendable {
  private let settings: FleetSettings
  private let database: PostgresDatabase
  private let limits: PostgresRateLimitStore?
  private let report = Locked(WorkerReport())
  /// Accounts whose token is only in memory.
  private let unsaved = Locked<Set<String>>([])
  private let isOver = Locked(false)

  init(_ settings: FleetSettings) throws {
    self.settings = settings
    database = try settings.database()
    limits =
      settings.mode == .shared
      ? PostgresRateLimitStore(database, grantLifetime: FleetSettings.grantLifetime) : nil
  }

  /// Works until standard input ends, returns its leases, and reports a last time.
  func run() async throws {
    Thread.detachNewThread { [isOver] in
      while readLine() != nil {}
      isOver.withLock { $0 = true }
    }
    let reporting = Task {
      while (try? await Task.sleep(for: .milliseconds(250))) != nil { say() }
    }
    try await withThrowingTaskGroup(of: Void.self) { group in
      if settings.load == .mixed {
        group.addTask { try await self.readStream() }
        group.addTask { await self.dealWithRecords() }
      }
      try await makeCalls()
      group.cancelAll()
      while let result = await group.nextResult() {
        if case .failure(let error) = result, !(error is CancellationError) { note("\(error)") }
      }
    }
    await limits?.giveBack()
    reporting.cancel()
    say()
    database.close()
  }

  private func say() {
    let line = report.withLock { report in
      report.requests = database.requestCount
      report.limitRequests = limits?.counts.requests ?? 0
      return report
    }
    guard let text = try? JSONEncoder().encode(line) else { return }
    Self.write(text + [UInt8(ascii: "\n")])
  }

  private static let output = Locked(FileHandle.standardOutput)

  /// Writes whole lines, of one task after the other.
  fileprivate static func write(_ lines: Data) { output.withLock { $0.write(lines) } }

  private func note(_ failure: String) { report.withLock { $0.failures[failure, default: 0] += 1 } }

  // MARK: Calls

  private func makeCalls() async throws {
    let store: any TokenStore
    switch settings.mode {
    case .shared: store = try settings.store(database)
    case .alone: store = try await copiedTokens()
    }
    let tokens = LedgerTokenStore(store, database.time, unsaved, isSpoken: settings.mode == .shared)
    let oauth2 = settings.oauth2(tokens)
    let base = XAPI(
      auth: .oauth2(oauth2),
      configuration: settings.clientConfiguration(limits: limits, middleware: [RefusalCounter(report: report)]) {
        Self.write(Data(TokenEvent(.broken, "").line.utf8))
      })
    let clients = (0..<(settings.accounts + FleetSettings.comparisons)).map {
      base.with(auth: .oauth2(oauth2.account("\($0)")))
    }
    let lanes = settings.load == .mixed ? 4 : 8
    await withTaskGroup(of: Void.self) { group in
      for lane in 0..<lanes {
        group.addTask { [self] in
          var generator = FleetGenerator(state: settings.seed &+ UInt64(settings.index * 100 + lane))
          while !isOver.withLock({ $0 }) {
            let start = ContinuousClock.now
            switch settings.load {
            case .mixed:
              let isHot = Bool.random(using: &generator)
              await call(
                clients[Int.random(in: 0..<(isHot ? settings.hotAccounts : settings.accounts), using: &generator)],
                isLimited: true)
              let pause = Duration.seconds(Double(lanes) / settings.rate) - (ContinuousClock.now - start)
              if pause > .zero { try? await Task.sleep(for: pause) }
            case .calls:
              // A process that keeps its own tokens has its own login, because each refresh ends the previous token.
              await call(
                clients[settings.mode == .shared ? 0 : settings.accounts + settings.comparison], isLimited: false)
            }
          }
        }
      }
    }
    // A server that is stopped in good order waits until the database has taken everything.
    let patience = ContinuousClock.now + .seconds(25)
    while !unsaved.withLock({ $0.isEmpty }), ContinuousClock.now < patience {
      try? await Task.sleep(for: .milliseconds(50))
    }
  }

  private func call(_ x: XAPI, isLimited: Bool) async {
    report.withLock { $0.calls += 1 }
    do throws(CallError) {
      if isLimited { _ = try await x.getUsersMe() } else { _ = try await x.getUsersById(id: settings.userID) }
      report.withLock { $0.succeeded += 1 }
    } catch {
      switch error {
      case .rateLimited(_, let response) where response == nil: report.withLock { $0.heldBack += 1 }
      case .rateLimited: break
      default: note("\(error)")
      }
    }
  }

  /// The shared tokens, for a process that keeps its own.
  private func copiedTokens() async throws -> MemoryTokenStore {
    let shared = try settings.store(database)
    var tokens: [TokenKey: StoredToken] = [:]
    for key in try await shared.keys(service: nil) { tokens[key] = try await shared.token(for: key) }
    return MemoryTokenStore(tokens)
  }

  // MARK: Streams

  private func readStream() async throws {
    let x = XAPI(
      auth: .bearer(settings.bearerToken), configuration: settings.clientConfiguration(limits: nil))
    let coordinator = StreamCoordinator(
      database, stream: FleetSettings.stream, partitions: FleetSettings.partitions, lease: FleetSettings.streamLease
    ) { partition in
      x.streamPostsSample10(partition: partition).reconnecting(
        ReconnectPolicy(
          afterHTTPError: .linear(from: .milliseconds(200), step: .zero, to: .seconds(1)),
          afterRateLimit: .linear(from: .milliseconds(200), step: .zero, to: .seconds(1))))
    }
    try await coordinator.run()
  }

  private func dealWithRecords() async {
    let table = "\(database.schema.quoted).seen"
    while !Task.isCancelled {
      do {
        try await StreamInbox(database, stream: FleetSettings.stream).run(limit: 50) { [report] records in
          report.withLock { $0.records += records.count }
          return records.map { PostgresStatement("INSERT INTO \(table) (id) VALUES ($1)", [.text($0.id)]) }
        }
      } catch {
        if !(error is CancellationError) { note("inbox: \(error)") }
        try? await Task.sleep(for: .milliseconds(500))
      }
    }
  }
}

/// Counts responses with status 429.
private struct RefusalCounter: Middleware {
  let report: Locked<WorkerReport>

  func send(
    _ request: TransportRequest, context: AttemptContext, next: Next
  ) async throws(TransportError) -> TransportResponse {
    let response = try await next(request)
    if response.head.status.code == 429 {
      report.withLock { report in
        report.refused += 1
        if report.refusals.count < 1000 { report.refusals.append(Date().timeIntervalSince1970) }
      }
    }
    return response
  }
}

/// Says which tokens are being replaced, and whether before their time. Its leases are short, so that a stopped process
/// outlives them; they are renewed as long as the process runs.
private struct LedgerTokenStore: ObservableTokenStore {
  let store: any TokenStore
  let time: any TimeSource
  let unsaved: Locked<Set<String>>
  let isSpoken: Bool

  init(_ store: any TokenStore, _ time: any TimeSource, _ unsaved: Locked<Set<String>>, isSpoken: Bool) {
    self.store = store
    self.time = time
    self.unsaved = unsaved
    self.isSpoken = isSpoken
  }

  var place: String { store.place }

  private func say(_ kind: TokenEvent.Kind, _ key: TokenKey) {
    if isSpoken { FleetWorker.write(Data(TokenEvent(kind, key.account).line.utf8)) }
  }

  func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? { try await store.load(key) }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let lease = try await store.lease(key, lasting: min(duration, FleetSettings.tokenLease))
    say(.begin, key)
    let renewals = Task {
      while (try? await Task.sleep(for: FleetSettings.tokenLease / 3)) != nil {
        try? await lease.renew(for: FleetSettings.tokenLease)
      }
    }
    return TokenLease(
      key, id: lease.id, end: lease.end, pendingRequest: lease.pendingRequest,
      renew: { (duration) throws(TokenStoreError) in
        try await lease.renew(for: min(duration, FleetSettings.tokenLease))
        return lease.end
      },
      announce: { (version, duration) throws(TokenStoreError) in
        try await lease.announceRequest(using: version, lasting: duration)
        if duration > .zero { say(.ask, key) }
      },
      withdraw: { await lease.withdrawRequest() },
      release: {
        renewals.cancel()
        if !unsaved.withLock({ $0.contains(key.account) }) { say(.end, key) }
        await lease.release()
      })
  }

  func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    let key = lease.key
    unsaved.withLock { _ = $0.insert(key.account) }
    let before = try? await store.load(key)?.token
    let version: TokenVersion
    do throws(TokenStoreError) { version = try await store.save(token, replacing: expected, under: lease) } catch {
      switch error.reason {
      case .conflict: unsaved.withLock { _ = $0.remove(key.account) }
      case .leaseLost: say(.late, key)
      default: say(.fail, key)
      }
      throw error
    }
    // Refreshed after three quarters of its life at the earliest, with a second for the transfer.
    let wouldLast = before?.expires.map { $0 > time.now() + FleetSettings.tokenLifetime / 4 + 1 } ?? false
    // A note next to the token says that it was refused or is accepted after all; the token itself does not change.
    let isNote = token.isRefused || before?.isRefused ?? false && before?.accessToken == token.accessToken
    say(isNote ? .note : wouldLast ? .storeEarly : .store, key)
    unsaved.withLock { _ = $0.remove(key.account) }
    return version
  }

  func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    try await store.delete(expected, under: lease)
  }

  func observe(_ key: TokenKey, onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation {
    (store as? any ObservableTokenStore)?.observe(key, onChange: onChange) ?? TokenObservation {}
  }
}
