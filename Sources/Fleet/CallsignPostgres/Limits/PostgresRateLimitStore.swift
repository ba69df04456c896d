import Callsign
import CallsignHTTP
import CallsignSupport

/// Rate limits that the servers of a fleet share through a PostgreSQL database.
///
/// ```swift
/// let configuration = ClientConfiguration(rateLimitStore: PostgresRateLimitStore(database))
/// ```
///
/// A server takes places in advance, so that most calls are admitted without asking the database. It takes up to ``batch`` of what
/// is left, and fewer if others also want some. It returns places that it has not used for a second, and immediately if others
/// wait. The places of a server that died are freed when its grants expire. Waiting servers get places in the order in which they
/// asked. The API's responses correct how much is left.
///
/// While the database cannot be reached, each process uses what it has observed itself, like a ``RateLimitLedger``.
///
/// Limits are identified by ``RateLimitKey/description``, so credentials must have the same name in all processes. Credentials with
/// a token store do; those that hash secrets do not.
public final class PostgresRateLimitStore: RateLimitStore {
  /// The maximum number of places to take at once.
  public let batch: Int
  /// How long the places of a server that died stay taken.
  public let grantLifetime: Duration

  let database: PostgresDatabase
  private let state: Locked<LimitPlaces>
  private let fallback: RateLimitLedger
  private let listening = Locked<PostgresNotifications.Listening?>(nil)
  /// The task that waits for the next request to the database, and its number.
  private let alarm = Locked<(number: Int, task: Task<Void, Never>)?>(nil)

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - database: The database, with its schema.
  ///   - batch: The maximum number of places to take at once. Default: 20.
  ///   - grantLifetime: How long the places of a server that died stay taken. It must be longer than a call takes. Default: 20
  ///     seconds.
  public init(_ database: PostgresDatabase, batch: Int = 20, grantLifetime: Duration = .seconds(20)) {
    self.database = database
    state = Locked(LimitPlaces(time: database.time))
    fallback = RateLimitLedger(time: database.time)
    self.batch = max(1, batch)
    self.grantLifetime = max(.seconds(1), grantLifetime)
    let listening = database.notifications.add { [weak self] event in self?.take(event) }
    self.listening.withLock { $0 = listening }
  }

  deinit { alarm.withLock { $0 }?.task.cancel() }

  /// Counts of the work so far.
  package struct Counts: Sendable, Hashable {
    package var admitted = 0
    package var requests = 0
    package var fallbacks = 0
  }

  package var counts: Counts { state.withLock { $0.counts } }

  /// Admits a call, immediately or when there are places under all keys.
  public func admit(_ keys: [RateLimitKey], until deadline: Date?) async throws -> RateLimitAdmission {
    if Task.isCancelled { throw CancellationError() }
    let waiter = LimitWaiter(keys, deadline: deadline)
    let outcome: LimitWaiter.Outcome
    if let known = state.withLock({ $0.begin(waiter, batch) }) {
      outcome = known
    } else {
      start()
      do { outcome = try await waiter.outcome.value() } catch {
        state.withLock { $0.remove(waiter) }
        throw error
      }
    }
    switch outcome {
    case .admission(let admission):
      // The ledger is told about the ends of all calls, so it must know each start.
      if admission == .admitted { fallback.enter(keys) }
      return admission
    case .unavailable:
      state.withLock { $0.counts.fallbacks += 1 }
      let admission = try await fallback.admit(keys, until: deadline)
      if admission == .admitted {
        state.withLock { $0.enterUnshared(keys) }
        start()
      }
      return admission
    }
  }

  /// Records the end of a call. Its report is sent to the database with the next request, or soon.
  public func settle(_ keys: [RateLimitKey], _ report: RateLimitReport) async {
    await fallback.settle(keys, report)
    state.withLock { $0.settle(keys, report) }
    start()
  }

  /// Returns all unused places. Call it before you stop a server.
  public func giveBack() async {
    let end = ContinuousClock.now + .seconds(5)
    while state.withLock({ $0.giveBackAll() }), ContinuousClock.now < end {
      start()
      try? await Task.sleep(for: .milliseconds(5))
    }
  }

  /// Deletes limits whose windows ended long ago, such as those of deleted accounts. The next call under a deleted limit determines
  /// it again.
  ///
  /// - Parameter age: The minimum age; a day by default.
  /// - Returns: The number of deleted limits.
  /// - Throws: ``PostgresError``.
  @discardableResult public func prune(olderThan age: Duration = .seconds(86_400)) async throws(PostgresError) -> Int {
    let schema = database.schema.quoted
    // For limits that nobody requests any more. The rows of other limits are deleted with the next request.
    for table in ["limit_waiters", "limit_grants"] {
      _ = try await database.run(
        PostgresStatement(
          "DELETE FROM \(schema).\(table) WHERE expires < now() - make_interval(secs => $1)", [.seconds(age)]))
    }
    return try await database.run(
      PostgresStatement(
        """
        DELETE FROM \(schema).limits l
        WHERE coalesce(greatest(reset, silent_until, probe_end), '-infinity') < now() - make_interval(secs => $1)
          AND NOT EXISTS (SELECT 1 FROM \(schema).limit_grants g WHERE g.key = l.key AND g.expires > now())
        """, [.seconds(age)])
    ).first?.changed ?? 0
  }

  private func take(_ event: PostgresNotifications.Event) {
    let isNews = state.withLock { state in
      switch event {
      case .listening: state.askAgain()
      case .payload(let text) where text.hasPrefix("l"): state.placesMayBeFree(String(text.dropFirst()))
      case .payload(let text) where text.hasPrefix("w"): state.placesAreWanted(String(text.dropFirst()))
      case .payload: false
      }
    }
    if isNews { start() }
  }

  /// Asks the database, now or when it is due.
  private func start() {
    let next = state.withLock { $0.schedule() }
    switch next {
    case .nothing: return
    case .now: Task { await self.synchronize() }
    case .later(let date, let number):
      let task = Task { [weak self] in
        guard (try? await Task.sleep(until: date, clock: .continuous)) != nil else { return }
        guard let self, state.withLock({ $0.alarmRings(number) }) else { return }
        start()
      }
      let overtaken = alarm.withLock { alarm -> Task<Void, Never>? in
        if let alarm, alarm.number > number { return task }
        defer { alarm = (number, task) }
        return alarm?.task
      }
      overtaken?.cancel()
    }
  }

  /// Asks and reports to the database until nothing is due.
  private func synchronize() async {
    while let round = state.withLock({ $0.collect(batch) }) {
      do throws(PostgresError) {
        let results = try await database.run(statement(for: round), within: .seconds(3))
        let rows = results.first?.rows ?? []
        state.withLock { $0.apply(rows, to: round, lifetime: grantLifetime, batch: batch) }
      } catch {
        let isNews = state.withLock { $0.fail(round) }
        if isNews {
          database.logger.warning(
            "rate limits are not shared for now; each process goes by its own", metadata: ["error": "\(error)"])
        }
      }
    }
    start()
  }

  private func statement(for round: LimitRound) -> PostgresStatement {
    let entries = round.entries
    func list<Value: CustomStringConvertible>(_ values: [Value?]) -> PostgresStatement.Value {
      .text("{\(values.map { $0.map(\.description) ?? "NULL" }.joined(separator: ","))}")
    }
    let reports = entries.map { $0.report.parameters(now: database.time.now()) }
    return PostgresStatement(
      """
      SELECT key, state, granted, size, remaining, seconds, is_stated FROM \(database.schema.quoted).sync_limits(
        $1, $2, $3::double precision, $4::text[], $5::integer[], $6::integer[], $7::text[], $8::integer[], $9::integer[],
        $10::double precision[])
      """,
      [
        .text(database.server), .text(database.schema.channel), .seconds(grantLifetime),
        .array(entries.map(\.key.text)),
        .array(entries.map(\.held)), .array(entries.map(\.wanted)), .array(reports.map(\.kind)),
        list(reports.map(\.size)), list(reports.map(\.remaining)), list(reports.map(\.seconds)),
      ])
  }
}

extension RateLimitKey {
  /// The key of the database's row. A key too long for a notification is shortened and ends with a hash.
  var text: String {
    description.utf8.count <= 2000 ? description : "\(description.prefix(400)) \(description.stableHash)"
  }
}

extension String {
  /// FNV-1a, which is the same in every process.
  fileprivate var stableHash: String {
    String(utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }, radix: 16)
  }
}

/// A waiting call.
final class LimitWaiter: Sendable {
  enum Outcome: Sendable {
    case admission(RateLimitAdmission)
    /// The database cannot be asked.
    case unavailable
  }

  let keys: [RateLimitKey]
  /// `nil` if it does not wait for places that others hold.
  let deadline: Date?
  let outcome = CancellableWait<Outcome>()
  private let start = ContinuousClock.now

  init(_ keys: [RateLimitKey], deadline: Date?) {
    self.keys = keys
    self.deadline = deadline
  }

  /// Whether it no longer waits for places that others hold.
  func isImpatient(_ now: ContinuousClock.Instant, _ date: Date) -> Bool {
    guard let deadline else { return true }
    return deadline <= date && now - start >= .seconds(RateLimitLedger.patience)
  }
}

/// The facts that some responses give about one limit.
enum LimitReport: Sendable, Hashable {
  case none
  case silent
  case noResponse
  case stated(limit: Int?, remaining: Int, reset: Date)
  case refused(limit: Int?, until: Date?)

  /// For the database: times are in seconds from now, because clocks differ.
  func parameters(now: Date) -> (kind: String, size: Int?, remaining: Int?, seconds: Double?) {
    switch self {
    case .none: ("", nil, nil, nil)
    case .silent: ("silent", nil, nil, nil)
    case .noResponse: ("noResponse", nil, nil, nil)
    case .stated(let limit, let remaining, let reset):
      ("stated", limit.map(Self.count), Self.count(remaining), Self.seconds(reset.timeIntervalSince(now)))
    case .refused(let limit, let until):
      ("refused", limit.map(Self.count), nil, until.map { Self.seconds($0.timeIntervalSince(now)) })
    }
  }

  /// A count that fits the database's `integer`. If the database rejected a report, it would be sent again with each request.
  private static func count(_ number: Int) -> Int { min(max(number, 0), Int(Int32.max)) }

  /// A time that fits the database's `interval`.
  private static func seconds(_ number: TimeInterval) -> Double { min(max(number, -1e9), 1e9) }

  /// Merges a later report.
  mutating func merge(_ next: LimitReport, now: Date) {
    switch (self, next) {
    case (_, .none): return
    case (.stated(_, let remaining, let reset), .stated(let limit, let newRemaining, let newReset)):
      if abs(newReset.timeIntervalSince(reset)) <= 2 {
        self = .stated(limit: limit, remaining: min(remaining, newRemaining), reset: reset)
      } else if newReset > reset {
        self = next
      } else if newReset > now {
        // It is still the same window. The longer a response takes, the later its end seems on this machine's clock.
        self = .stated(limit: limit, remaining: min(remaining, newRemaining), reset: newReset)
      }
    case (.stated, .silent), (.noResponse, .silent): return
    case (.refused, .silent), (.refused, .noResponse): return
    case (.refused(_, let until?), .stated(_, _, let reset)) where reset.timeIntervalSince(until) <= 2: return
    default: self = next
    }
  }
}

/// One request to the database about some limits.
struct LimitRound: Sendable {
  struct Entry: Sendable {
    let key: RateLimitKey
    let held: Int
    let wanted: Int
    let report: LimitReport
  }

  let entries: [Entry]
  let start: ContinuousClock.Instant
}
