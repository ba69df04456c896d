import Callsign
import CallsignHTTP
import CallsignSupport

/// Something that happened to a server's share of a stream.
public enum StreamCoordinatorEvent: Sendable {
  /// This server reads the partition from now on; whatever the API sent before the date was stored by others.
  case took(partition: Int, since: Date?)
  /// This server does not read the partition any more: it has given it back, or has lost it.
  case lost(partition: Int)
  /// So many records were stored, and so many were there already.
  case stored(partition: Int, new: Int, known: Int)
  /// The reading has ended with an error; after a while some server tries again.
  case failed(partition: Int, CallError)
  /// The database could not be asked.
  case unavailable(PostgresError)
}

/// Shares the partitions of a stream, or the one connection that an app has, among the servers of a fleet. Each partition is
/// read by one server, which stores the records in the ``StreamInbox`` of that name.
///
/// ```swift
/// let coordinator = StreamCoordinator(database, stream: "posts", partitions: 2) { partition in
///   x.streamPostsSample10(partition: partition)
/// }
/// try await coordinator.run()  // on every server, until the task is cancelled
/// ```
///
/// A partition is owned under a lease, with a number that keeps who lost it from storing. When its server dies, another
/// takes it over once the lease has ended, and asks the API to send again what came since the last stored record, where the
/// endpoint can; what comes twice is stored once. Partitions are spread evenly over the servers that run.
///
/// A partition whose reading ends with an error is given back, and this server does not take it again for a lease; after
/// each further failure without a record between them for twice as long, up to a minute.
public final class StreamCoordinator<Value: JSONDecodable & Sendable>: Sendable {
  let database: PostgresDatabase
  let name: String
  let partitions: Int
  let lease: Duration
  let open: @Sendable (Int) -> EventStream<Value>
  let report: @Sendable (StreamCoordinatorEvent) -> Void
  private let clock: DatabaseClock

  /// Describes a server's part. Nothing is sent before ``run()``.
  ///
  /// - Parameters:
  ///   - database: The database, with its schema.
  ///   - stream: The stream's name in the database: the same on all servers.
  ///   - partitions: How many connections the stream is read by; 1 by default. Partitions count from 1.
  ///   - lease: How long a server's part lasts after it was last heard of. Shorter means a faster handover and more writes.
  ///     Default: 6 seconds.
  ///   - report: Called with what happens.
  ///   - open: Makes the stream of a partition.
  public init(
    _ database: PostgresDatabase, stream: String, partitions: Int = 1, lease: Duration = .seconds(6),
    report: @escaping @Sendable (StreamCoordinatorEvent) -> Void = { _ in },
    open: @escaping @Sendable (_ partition: Int) -> EventStream<Value>
  ) {
    self.database = database
    name = stream
    self.partitions = max(1, partitions)
    self.lease = max(.seconds(1), lease)
    self.report = report
    self.open = open
    clock = DatabaseClock(database.time)
  }

  private struct Share {
    let fence: String
    let reading: PartitionReading<Value>
  }

  /// Reads this server's share of the stream until the task is cancelled; then the share is given back.
  ///
  /// - Throws: ``PostgresError`` when the database refuses from the start, such as for a missing table. Later the
  ///   sharing goes on as soon as the database does.
  public func run() async throws(PostgresError) {
    try await register()
    var shares: [Int: Share] = [:]
    // The numbers of leases that are to be given back: nothing is read under them again.
    var returned: [Int: String] = [:]
    var pauses = PartitionPauses(lease: lease)
    var term = LeaseTerm(lease, from: .now)
    /// The time that something may take without a lease that this server reads under getting too old.
    func bound(_ duration: Duration) -> Duration { shares.isEmpty ? duration : min(duration, term.left) }
    while !Task.isCancelled {
      let asked = ContinuousClock.now
      do throws(PostgresError) {
        let owned = try await renew(
          shares.mapValues(\.reading), except: pauses.partitions(at: asked), within: bound(lease))
        term = LeaseTerm(lease, from: asked)
        for (partition, share) in shares {
          let isOwned = owned.rows[partition]?.fence == share.fence
          guard !isOwned || share.reading.isOver else { continue }
          await share.reading.stop()
          shares[partition] = nil
          report(.lost(partition: partition))
          // The reading has ended by itself: another server may do better.
          if isOwned { returned[partition] = share.fence }
          guard share.reading.hasFailed else { continue }
          pauses.failed(partition, wasOfUse: share.reading.hasStored, at: .now)
        }
        for (partition, row) in owned.rows where shares[partition] == nil && partition <= partitions {
          guard row.fence != returned[partition], term.left > .zero else { continue }
          let since = row.age.map { database.time.now() - $0 }
          report(.took(partition: partition, since: since))
          shares[partition] = Share(fence: row.fence, reading: read(partition, row.fence, since))
        }
        if shares.count > owned.fairShare, let partition = shares.keys.max(), let share = shares[partition] {
          await share.reading.stop()
          shares[partition] = nil
          report(.lost(partition: partition))
          returned[partition] = share.fence
        }
        for (partition, fence) in returned {
          try await release(partition, fence, within: bound(Self.releaseTime))
          returned[partition] = nil
        }
      } catch {
        if error.reason != .cancelled { report(.unavailable(error)) }
        // Not confirmed for so long, it may be another's: reading on would keep that one out.
        if term.left == .zero {
          for (partition, share) in shares {
            await share.reading.stop()
            report(.lost(partition: partition))
          }
          shares = [:]
        }
      }
      try? await Task.sleep(for: bound(lease / 4))
    }
    for (partition, share) in shares {
      await share.reading.stop()
      returned[partition] = share.fence
    }
    for (partition, fence) in returned {
      await Task { try? await self.release(partition, fence, within: Self.releaseTime) }.value
    }
    await Task { await self.leave() }.value
  }

  private static var releaseTime: Duration { .seconds(3) }

  private var schema: String { database.schema.quoted }

  private func register() async throws(PostgresError) {
    _ = try await database.run(
      PostgresStatement(
        """
        INSERT INTO \(schema).stream_partitions (stream, partition, covered)
        SELECT $1, number, clock_timestamp() FROM generate_series(1, $2::integer) AS number ON CONFLICT DO NOTHING
        """, [.text(name), .int(partitions)]))
  }

  private struct Owned {
    var rows: [Int: (fence: String, age: Double?)] = [:]
    var fairShare = 1

    /// Reads the responses to the statements of ``StreamCoordinator/renew(_:within:)``.
    init(_ results: [PostgresResult]) {
      for row in results.dropLast().last?.rows ?? [] {
        guard let partition = row.int(0), let fence = row.text(1) else { continue }
        rows[partition] = (fence, row.double(2))
      }
      if let share = results.last?.rows.first?.int(0) { fairShare = share }
    }
  }

  /// Reports that this server lives, renews what it has, and takes what is its share.
  ///
  /// - Parameter paused: The partitions that it does not take.
  private func renew(
    _ readings: [Int: PartitionReading<Value>], except paused: [Int], within limit: Duration
  ) async throws(PostgresError) -> Owned {
    let me: [PostgresStatement.Value] = [.text(name), .text(database.server), .seconds(lease)]
    var statements = [
      PostgresStatement(
        """
        INSERT INTO \(schema).stream_servers AS s VALUES ($1, $2, clock_timestamp())
        ON CONFLICT (stream, server) DO UPDATE SET seen = excluded.seen
        """, Array(me.prefix(2))),
      PostgresStatement(
        """
        UPDATE \(schema).stream_partitions SET lease_end = clock_timestamp() + make_interval(secs => $3)
        WHERE stream = $1 AND owner = $2
        """, me),
      PostgresStatement(
        """
        UPDATE \(schema).stream_partitions
        SET owner = $2, lease_end = clock_timestamp() + make_interval(secs => $3), fence = nextval('\(schema).fences')
        WHERE stream = $1 AND partition IN (
          SELECT partition FROM \(schema).stream_partitions
          WHERE stream = $1 AND partition <= $4::integer AND (owner IS NULL OR lease_end <= clock_timestamp())
            AND partition <> ALL ($5::integer[])
          ORDER BY partition
          LIMIT greatest(0, \(fairShare) - (
            SELECT count(*) FROM \(schema).stream_partitions WHERE stream = $1 AND owner = $2))
          FOR UPDATE SKIP LOCKED)
        """, me + [.int(partitions), .text("{\(paused.map(String.init).joined(separator: ","))}")]),
      PostgresStatement(
        "DELETE FROM \(schema).stream_servers WHERE stream = $1 AND seen < clock_timestamp() - interval '1 hour'",
        [.text(name)]),
      PostgresStatement(
        """
        SELECT partition, fence, extract(epoch FROM clock_timestamp() - covered) FROM \(schema).stream_partitions
        WHERE stream = $1 AND owner = $2
        """, Array(me.prefix(2))),
      PostgresStatement(
        "SELECT \(fairShare), extract(epoch FROM clock_timestamp()), $2::text", me + [.int(partitions)]),
    ]
    for (partition, reading) in readings {
      guard let covered = clock.databaseTime(reading.covered) else { continue }
      statements.insert(
        PostgresStatement(
          """
          UPDATE \(schema).stream_partitions
          SET covered = greatest(covered, least(clock_timestamp(), to_timestamp($3::double precision)))
          WHERE stream = $1 AND owner = $2 AND partition = $4::integer AND fence = $5::bigint
          """, [me[0], me[1], .seconds(covered), .int(partition), .text(reading.fence)]), at: 1)
    }
    let known = readings.mapValues(\.fence)
    let results = try await database.take(statements, within: limit) { [self] results in
      // What is read already is given back once the reading has ended.
      for (partition, row) in Owned(results).rows where known[partition] != row.fence {
        try? await release(partition, row.fence, within: Self.releaseTime)
      }
      await leave()
    }
    if let now = results.last?.rows.first?.date(1) { clock.note(now) }
    return Owned(results)
  }

  /// The SQL of the number of partitions that are a server's share: all, by the servers that were heard of within a
  /// lease.
  private var fairShare: String {
    """
    ceil($4::numeric / greatest(1, (
      SELECT count(*) FROM \(schema).stream_servers
      WHERE stream = $1 AND seen > clock_timestamp() - make_interval(secs => $3))))::bigint
    """
  }

  private func release(_ partition: Int, _ fence: String, within limit: Duration) async throws(PostgresError) {
    _ = try await database.run(
      PostgresStatement(
        """
        UPDATE \(schema).stream_partitions SET owner = NULL, lease_end = NULL
        WHERE stream = $1 AND partition = $2::integer AND owner = $3 AND fence = $4::bigint
        """, [.text(name), .int(partition), .text(database.server), .text(fence)]), within: limit)
  }

  /// This server has no share any more.
  private func leave() async {
    _ = try? await database.run(
      PostgresStatement(
        "DELETE FROM \(schema).stream_servers WHERE stream = $1 AND server = $2",
        [.text(name), .text(database.server)]),
      within: .seconds(3))
  }

  private func read(_ partition: Int, _ fence: String, _ since: Date?) -> PartitionReading<Value> {
    var stream = open(partition)
    if let since { stream = stream.resuming(from: since) }
    return PartitionReading(
      stream, inbox: StreamInbox(database, stream: name), partition: partition, fence: fence, clock: clock,
      report: report)
  }
}

/// Translates moments of this machine's clock into those of the database's, and rather into ones too early.
final class DatabaseClock: Sendable {
  private let time: any TimeSource
  /// By how many seconds the database's clock is ahead, at least.
  private let ahead = Locked<TimeInterval?>(nil)

  init(_ time: any TimeSource) { self.time = time }

  /// Takes note of the database's time in a response that has just come.
  func note(_ databaseTime: Date) {
    let difference = databaseTime.timeIntervalSince(time.now())
    ahead.withLock { $0 = difference }
  }

  /// The database's time at a moment; `nil` before the first response.
  func databaseTime(_ date: Date?) -> Date? {
    guard let date, let ahead = ahead.withLock({ $0 }) else { return nil }
    return date + ahead
  }
}

/// One server's reading of one partition: a task that reads, and one that stores what was read.
final class PartitionReading<Value: JSONDecodable & Sendable>: Sendable {
  private struct State {
    /// The records, and before which moment the API had sent nothing else once each was read.
    var unstored: [(record: Data, covered: Date?)] = []
    /// The size of the records in `unstored`.
    var unstoredBytes = 0
    /// The number of records that came so far.
    var count = 0
    var isOver = false
    var hasFailed = false
    var hasStored = false

    var isFull: Bool { unstored.count >= capacity.records || unstoredBytes >= capacity.bytes }

    /// The records that are stored next.
    var batch: [(record: Data, covered: Date?)] {
      var bytes = 0
      let fitting = unstored.prefix(batchCapacity.records).prefix { waiting in
        bytes += waiting.record.count
        return bytes <= batchCapacity.bytes
      }
      return Array(fitting.isEmpty ? unstored.prefix(1) : fitting)
    }
  }

  private let state = Locked(State())
  private let tasks = Locked<[Task<Void, Never>]>([])
  private let stream: EventStream<Value>
  /// The number of the lease that it reads under.
  let fence: String

  /// The most records that wait to be stored, and the most bytes of them; then the reading waits, and with it the sender.
  private static var capacity: (records: Int, bytes: Int) { (2000, 64 << 20) }
  /// The most that is stored by one statement, unless one record has more bytes.
  private static var batchCapacity: (records: Int, bytes: Int) { (200, 8 << 20) }

  init(
    _ stream: EventStream<Value>, inbox: StreamInbox, partition: Int, fence: String, clock: DatabaseClock,
    report: @escaping @Sendable (StreamCoordinatorEvent) -> Void
  ) {
    self.stream = stream
    self.fence = fence
    let earlier = stream.progress.records
    state.withLock { $0.count = earlier }
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let reading = Task { [weak self] in
      do throws(CallError) {
        for try await record in stream.undecoded {
          guard let self else { return }
          var isFull = state.withLock { state in
            state.unstored.append((record, stream.progress.covered))
            state.unstoredBytes += record.count
            state.count += 1
            return state.isFull
          }
          waker.yield()
          while isFull, !Task.isCancelled {
            try? await Task.sleep(for: .milliseconds(20))
            isFull = state.withLock { $0.isFull }
          }
        }
      } catch {
        if !error.isCancellation {
          self?.state.withLock { $0.hasFailed = true }
          report(.failed(partition: partition, error))
        }
      }
      waker.finish()
    }
    let storing = Task { [weak self] in
      for await _ in wake {
        // More may be on its way; what is stored together costs less.
        try? await Task.sleep(for: .milliseconds(20))
        while let batch = self?.state.withLock({ $0.batch }), !batch.isEmpty, !Task.isCancelled {
          do throws(PostgresError) {
            // What is yet unread may have been sent long ago, so that not the time of storing counts.
            let new = try await inbox.store(
              batch.map { (stream.recordID(in: $0.record), $0.record) }, partition, fence,
              covered: clock.databaseTime(batch.last?.covered))
            self?.state.withLock { state in
              state.unstored.removeFirst(batch.count)
              state.unstoredBytes -= batch.reduce(0) { $0 + $1.record.count }
              state.hasStored = true
            }
            report(.stored(partition: partition, new: new, known: batch.count - new))
          } catch {
            if error.reason == .leaseLost || error.reason == .cancelled {
              self?.state.withLock { $0.isOver = true }
              reading.cancel()
              return
            }
            report(.unavailable(error))
            try? await Task.sleep(for: .milliseconds(200))
          }
        }
      }
      self?.state.withLock { $0.isOver = true }
    }
    tasks.withLock { $0 = [reading, storing] }
  }

  deinit { for task in tasks.withLock({ $0 }) { task.cancel() } }

  /// Whether nothing is read any more.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether it has ended with an error of the API's, or of the way there.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }
  /// Whether it has brought records.
  var hasStored: Bool { state.withLock { $0.hasStored } }

  /// Whatever the API sent before was read and stored, by this machine's clock; `nil` where something waits to be stored.
  var covered: Date? {
    let progress = stream.progress
    // A record that was handed out a moment ago may not be here yet.
    return state.withLock { $0.unstored.isEmpty && $0.count == progress.records } ? progress.covered : nil
  }

  /// Ends the reading. When this returns, the connection is closed, and what was not stored comes again to the next reader.
  func stop() async {
    let tasks = tasks.withLock { $0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
