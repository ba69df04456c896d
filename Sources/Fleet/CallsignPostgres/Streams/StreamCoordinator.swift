import Callsign
import CallsignHTTP
import CallsignSupport

/// An event in a server's share of a stream.
public enum StreamCoordinatorEvent: Sendable {
  /// This server now reads the partition. Everything that the API sent before the date was stored by others.
  case took(partition: Int, since: Date?)
  /// This server no longer reads the partition: it has returned or lost it.
  case lost(partition: Int)
  /// How many records were stored, and how many already existed.
  case stored(partition: Int, new: Int, known: Int)
  /// Reading ended with an error. After a while, some server tries again.
  case failed(partition: Int, CallError)
  /// The database could not be asked.
  case unavailable(PostgresError)
}

/// Distributes the partitions of a stream, or an app's single connection, over the servers of a fleet. One server reads each
/// partition and stores its records in the ``StreamInbox`` with the same name.
///
/// ```swift
/// let coordinator = StreamCoordinator(database, stream: "posts", partitions: 2) { partition in
///   x.streamPostsSample10(partition: partition)
/// }
/// try await coordinator.run()  // on every server, until the task is cancelled
/// ```
///
/// A partition is owned under a lease, whose number keeps a server that has lost it from storing. If the server dies, another takes
/// over after the lease has ended. If the endpoint supports it, that server asks the API to resend everything since the last stored
/// record; a record that arrives twice is stored once. Partitions are spread evenly over the running servers.
///
/// If reading a partition ends with an error, the partition is returned, and this server does not take it again for the length of a
/// lease. Each further failure without a record doubles that time, up to a minute.
public final class StreamCoordinator<Value: JSONDecodable & Sendable>: Sendable {
  let database: PostgresDatabase
  let name: String
  let partitions: Int
  let lease: Duration
  let open: @Sendable (Int) -> EventStream<Value>
  let report: @Sendable (StreamCoordinatorEvent) -> Void
  private let clock: DatabaseClock

  /// Creates one server's part. Nothing is sent before ``run()``.
  ///
  /// - Parameters:
  ///   - database: The database, with its schema.
  ///   - stream: The stream's name in the database, the same on all servers.
  ///   - partitions: The number of connections that read the stream; 1 by default. Partitions are numbered from 1.
  ///   - lease: How long a server's claim lasts after its last sign of life. A shorter lease means a faster handover and more
  ///     writes. Default: 6 seconds.
  ///   - report: Called with each event.
  ///   - open: Creates the stream of a partition.
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

  /// Reads this server's share of the stream until the task is cancelled, then returns the share.
  ///
  /// - Throws: ``PostgresError`` if the database refuses at the start, for example because of a missing table. Later failures do
  ///   not throw: the work continues as soon as the database is available.
  public func run() async throws(PostgresError) {
    try await register()
    var shares: [Int: Share] = [:]
    // The numbers of leases to return. Nothing is read under them any more.
    var returned: [Int: String] = [:]
    var pauses = PartitionPauses(lease: lease)
    var term = LeaseTerm(lease, from: .now)
    /// Limits the duration of an operation, so that no lease in use gets too old.
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
          // Reading ended by itself. Another server may have more success.
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
        // Without confirmation for this long, another server may own it, and reading on would block that server.
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

    /// Parses the responses to the statements of ``StreamCoordinator/renew(_:within:)``.
    init(_ results: [PostgresResult]) {
      for row in results.dropLast().last?.rows ?? [] {
        guard let partition = row.int(0), let fence = row.text(1) else { continue }
        rows[partition] = (fence, row.double(2))
      }
      if let share = results.last?.rows.first?.int(0) { fairShare = share }
    }
  }

  /// Reports that this server is alive, renews its leases, and takes its share.
  ///
  /// - Parameter paused: The partitions not to take.
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
      // A partition that is being read is returned after reading has ended.
      for (partition, row) in Owned(results).rows where known[partition] != row.fence {
        try? await release(partition, row.fence, within: Self.releaseTime)
      }
      await leave()
    }
    if let now = results.last?.rows.first?.date(1) { clock.note(now) }
    return Owned(results)
  }

  /// The SQL for the number of partitions in a server's share: all partitions divided by the servers heard of within a lease.
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

  /// Removes this server's share.
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

/// Converts times on this machine's clock to times on the database's clock. If in doubt, the result is too early.
final class DatabaseClock: Sendable {
  private let time: any TimeSource
  /// By how many seconds the database's clock is ahead, at least.
  private let ahead = Locked<TimeInterval?>(nil)

  init(_ time: any TimeSource) { self.time = time }

  /// Records the database's time from a response that has just arrived.
  func note(_ databaseTime: Date) {
    let difference = databaseTime.timeIntervalSince(time.now())
    ahead.withLock { $0 = difference }
  }

  /// The database's time for a local time; `nil` before the first response.
  func databaseTime(_ date: Date?) -> Date? {
    guard let date, let ahead = ahead.withLock({ $0 }) else { return nil }
    return date + ahead
  }
}

/// One server's reading of one partition: one task reads, and another stores what was read.
final class PartitionReading<Value: JSONDecodable & Sendable>: Sendable {
  private struct State {
    /// The records, each with the time before which everything from the API had been read.
    var unstored: [(record: Data, covered: Date?)] = []
    /// The size of the records in `unstored`.
    var unstoredBytes = 0
    /// The number of records received so far.
    var count = 0
    var isOver = false
    var hasFailed = false
    var hasStored = false

    var isFull: Bool { unstored.count >= capacity.records || unstoredBytes >= capacity.bytes }

    /// The next records to store.
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
  /// The number of the lease for reading.
  let fence: String

  /// The limits for records that wait to be stored, by number and bytes. At the limit, reading stops, and so does the sender.
  private static var capacity: (records: Int, bytes: Int) { (2000, 64 << 20) }
  /// The limits for one statement, unless a single record has more bytes.
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
        // More records may follow, and storing them together costs less.
        try? await Task.sleep(for: .milliseconds(20))
        while let batch = self?.state.withLock({ $0.batch }), !batch.isEmpty, !Task.isCancelled {
          do throws(PostgresError) {
            // Unread records may have been sent long ago, so the time of storing does not count.
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

  /// Whether reading has ended.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Whether it ended with an error from the API or the connection.
  var hasFailed: Bool { state.withLock { $0.hasFailed } }
  /// Whether it has returned records.
  var hasStored: Bool { state.withLock { $0.hasStored } }

  /// The local time before which everything from the API has been read and stored; `nil` if something waits to be stored.
  var covered: Date? {
    let progress = stream.progress
    // A record that was just passed on may not have arrived here yet.
    return state.withLock { $0.unstored.isEmpty && $0.count == progress.records } ? progress.covered : nil
  }

  /// Ends reading. When this returns, the connection is closed. The next reader receives the records that were not stored.
  func stop() async {
    let tasks = tasks.withLock { $0 }
    for task in tasks { task.cancel() }
    for task in tasks { await task.value }
  }
}
