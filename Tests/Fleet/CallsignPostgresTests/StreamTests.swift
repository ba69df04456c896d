import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import CallsignX
import Foundation
import PostgresServer
import TestSupport
import Testing
import XSandbox

@testable import CallsignPostgres

@Suite("Streams, deliveries and uploads in PostgreSQL", .needs(.postgres), .timeLimit(.minutes(5)))
struct PostgresStreamTests {
  private func sandbox() async throws -> (Sandbox, XAPI) {
    var configuration = Sandbox.Configuration()
    configuration.streamKeepAlive = .milliseconds(300)
    let sandbox = try await Sandbox.start(configuration)
    let x = XAPI(
      auth: .bearer(sandbox.app.bearerToken),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    return (sandbox, x)
  }

  /// The ids that the closure of an inbox has written, in a table without a key: doubles would be there.
  private func seen(_ database: PostgresDatabase) async throws -> [String] {
    try await database.run(PostgresStatement("SELECT id FROM \(database.schema.quoted).seen"))[0].rows.compactMap {
      $0.text(0)
    }
  }

  @Test("Partitions are shared and handed over when a server goes, and every record is stored once") func handover()
    async throws
  {
    let (sandbox, x) = try await sandbox()
    defer { Task { await sandbox.stop() } }
    let first = try await Fixture.database()
    let second = try await Fixture.database(schema: first.schema, migrated: false)
    let table = "\(first.schema.quoted).seen"
    try await Fixture.sql("CREATE TABLE \(table) (id text)")
    let owners = Locked<[String: Set<Int>]>([:])
    @Sendable func coordinator(_ database: PostgresDatabase) -> Task<Void, any Error> {
      let name = database.server
      let coordinator = StreamCoordinator(database, stream: "sample", partitions: 2, lease: .seconds(2)) { event in
        owners.withLock { owners in
          switch event {
          case .took(let partition, _): owners[name, default: []].insert(partition)
          case .lost(let partition): owners[name]?.remove(partition)
          default: break
          }
        }
      } open: { partition in
        x.streamPostsSample10(partition: partition).reconnecting(
          ReconnectPolicy(afterHTTPError: .linear(from: .milliseconds(200), step: .zero, to: .seconds(1))))
      }
      return Task { try await coordinator.run() }
    }
    let one = coordinator(first)
    try await eventually { owners.withLock { $0[first.server]?.count } == 2 }
    let two = coordinator(second)
    try await eventually { owners.withLock { $0[first.server]?.count == 1 && $0[second.server]?.count == 1 } }
    let readers = [first, second].map { database in
      Task {
        try await StreamInbox(database, stream: "sample").run(limit: 7) { records in
          records.map { PostgresStatement("INSERT INTO \(table) VALUES ($1)", [.text($0.id)]) }
        }
      }
    }
    try await eventually { sandbox.openStreams == 2 }
    var posted: [String] = []
    for number in 0..<120 {
      posted.append(try await sandbox.addPost("Number \(number)", by: sandbox.users.alice))
      if number == 50 { second.close() }
      if number == 90 {
        try await Fixture.cut(first)
      }
      try await Task.sleep(for: .milliseconds(20))
    }
    try await eventually { owners.withLock { $0[first.server]?.count } == 2 }
    let expected = Set(posted)
    try await eventually { Set(try await seen(first)).isSuperset(of: expected) }
    // Posts from the minute before the stream was first read come as well.
    #expect(try await seen(first).filter(expected.contains).sorted() == posted.sorted())
    for task in readers + [one, two] { task.cancel() }
    _ = await one.result
    let inbox = StreamInbox(first, stream: "sample")
    let counts = try await inbox.counts()
    #expect(counts.waiting == 0 && counts.done >= 120)
    #expect(try await inbox.prune(olderThan: .seconds(-60)) == counts.done)
  }

  /// Records that the API sends again arrive bit by bit: a process that dies in between must not record that all of them were
  /// there.
  @Test("The next server continues from what is known to be read, not from when it was stored") func place()
    async throws
  {
    let (sandbox, x) = try await sandbox()
    defer { Task { await sandbox.stop() } }
    let database = try await Fixture.database()
    let partitions = "\(database.schema.quoted).stream_partitions"
    try await Fixture.sql(
      "INSERT INTO \(partitions) (stream, partition, covered) VALUES ('sample', 1, now() - interval '3 minutes')")
    let since = Locked<Date?>(nil)
    let coordinator = StreamCoordinator(database, stream: "sample", lease: .seconds(2)) { event in
      if case .took(_, let date) = event { since.withLock { $0 = date } }
    } open: {
      x.streamPostsSample10(partition: $0)
    }
    let reading = Task { try await coordinator.run() }
    try await eventually { sandbox.openStreams == 1 }
    #expect(since.withLock { $0.map { Date().timeIntervalSince($0) > 170 } } == true)
    for number in 0..<40 { _ = try await sandbox.addPost("Number \(number)", by: sandbox.users.alice) }
    let inbox = StreamInbox(database, stream: "sample")
    try await eventually { try await inbox.counts().waiting >= 5 }
    // The connection is too young to have proved that it has sent everything again.
    let age = try await Fixture.sql("SELECT extract(epoch FROM now() - covered)::integer FROM \(partitions)")
    #expect(try #require(Int(age)) >= 170)
    reading.cancel()
    _ = await reading.result
  }

  @Test("Ended objects no longer listen for notifications") func listeners() async throws {
    let database = try await Fixture.database()
    for _ in 0..<3 {
      let reading = Task { try await StreamInbox(database, stream: "sample").run { _ in [] } }
      try await eventually { database.notifications.listenerCount == 1 }
      reading.cancel()
      _ = await reading.result
      try await eventually { database.notifications.listenerCount == 0 }
    }
    do {
      let (limits, tokens) = (PostgresRateLimitStore(database), try Fixture.store(database))
      let observation = tokens.observe(.ann) { _ in }
      #expect(database.notifications.listenerCount == 2)
      withExtendedLifetime((limits, tokens, observation)) {}
    }
    try await eventually { database.notifications.listenerCount == 0 }
  }

  @Test("A closure that throws keeps its records, and nothing of its transaction") func failures() async throws {
    let database = try await Fixture.database()
    let name = database.schema.quoted
    try await Fixture.sql("CREATE TABLE \(name).seen (id text)")
    try await Fixture.sql(
      "INSERT INTO \(name).inbox (stream, id, partition, record) SELECT 's', n::text, 1, 'x' FROM generate_series(1, 5) n"
    )
    let inbox = StreamInbox(database, stream: "s")
    struct Stop: Error {}
    await #expect(throws: Stop.self) { try await inbox.process { _ in throw Stop() } }
    await #expect(throws: PostgresError.self) {
      try await inbox.process { _ in
        [PostgresStatement("INSERT INTO \(name).seen VALUES ('a')"), PostgresStatement("SELECT 1 / 0")]
      }
    }
    #expect(try await seen(database) == [])
    try await Fixture.sql("UPDATE \(name).inbox SET claim_end = NULL")
    #expect(
      try await inbox.process { records in
        records.map { PostgresStatement("INSERT INTO \(name).seen VALUES ($1)", [.text($0.id)]) }
      } == 5)
    #expect(try await seen(database).sorted() == ["1", "2", "3", "4", "5"])
    #expect(try await inbox.process { _ in [] } == 0)
  }

  @Test("A delivery that comes to three servers at once is dealt with once") func deliveries() async throws {
    let database = try await Fixture.database()
    let id = try DeliveryLog.id(ofBody: Data("{}".utf8))
    let handled = Locked(0)
    var outcomes: [DeliveryLog.Outcome] = []
    try await withThrowingTaskGroup(of: DeliveryLog.Outcome.self) { group in
      for _ in 0..<3 {
        let other = try await Fixture.database(schema: database.schema, migrated: false)
        group.addTask {
          try await DeliveryLog(other, source: "webhook").once(id) {
            handled.withLock { $0 += 1 }
            try await Task.sleep(for: .milliseconds(300))
            return []
          }
        }
      }
      for try await outcome in group { outcomes.append(outcome) }
    }
    #expect(handled.withLock { $0 } == 1)
    #expect(outcomes.count { $0 == .handled } == 1)
    let log = DeliveryLog(database, source: "webhook")
    #expect(try await log.once(id) { [] } == .duplicate)
    struct Stop: Error {}
    await #expect(throws: Stop.self) { _ = try await log.once("two") { throw Stop() } }
    #expect(try await log.once("two") { [] } == .handled)
    #expect(try await DeliveryLog(database, source: "other").once(id) { [] } == .handled)
    #expect(try await log.prune(olderThan: .seconds(-60)) == 2)
  }

  @Test("An ID of any length is stored, and recognized when it comes again") func longIDs() async throws {
    let database = try await Fixture.database()
    try await Fixture.sql(
      """
      INSERT INTO \(database.schema.quoted).stream_partitions (stream, partition, owner, fence)
      VALUES ('s', 1, '\(database.server)', 7)
      """)
    // Random, since the index stores what repeats in less room.
    var generator = SeededGenerator(seed: 7)
    let letters = Array("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
    let id = String((0..<4000).compactMap { _ in letters.randomElement(using: &generator) })
    let inbox = StreamInbox(database, stream: "s")
    for new in [1, 0] { #expect(try await inbox.store([(id, Data("x".utf8))], 1, "7", covered: nil) == new) }
    #expect(try await inbox.store([(id + "x", Data("x".utf8))], 1, "7", covered: nil) == 1)
    let log = DeliveryLog(database, source: "webhook")
    #expect(try await log.once(id) { [] } == .handled)
    #expect(try await log.once(id) { [] } == .duplicate)
    #expect(try await log.once(id + "x") { [] } == .handled)
  }

  @Test("Work that is cancelled while the database hands it out is free for others at once") func cancelledTakes()
    async throws
  {
    let (sandbox, x) = try await sandbox()
    defer { Task { await sandbox.stop() } }
    let database = try await Fixture.database()
    let name = database.schema.quoted
    _ = try await Fixture.cancel(whileLocked: "uploads", of: database) {
      try await SharedUploads(database).run("picture", lease: .seconds(3600)) { _, _ in }
    }
    try await eventually {
      try await Fixture.sql("SELECT count(*) FROM \(name).uploads WHERE lease_end > now()") == "0"
    }

    _ = try await Fixture.cancel(whileLocked: "deliveries", of: database) {
      _ = try await DeliveryLog(database, source: "webhook").once("1", lease: .seconds(3600)) { [] }
    }
    try await eventually { try await Fixture.sql("SELECT count(*) FROM \(name).deliveries") == "0" }

    try await Fixture.sql("INSERT INTO \(name).inbox (stream, id, partition, record) VALUES ('s', '1', 1, 'x')")
    _ = try await Fixture.cancel(whileLocked: "inbox", of: database) {
      try await StreamInbox(database, stream: "s").process(lease: .seconds(3600)) { _ in [] }
    }
    try await eventually { try await Fixture.sql("SELECT count(*) FROM \(name).inbox WHERE claim_end > now()") == "0" }

    _ = try await Fixture.cancel(whileLocked: "stream_servers", of: database) {
      try await StreamCoordinator(database, stream: "s", lease: .seconds(3600)) {
        x.streamPostsSample10(partition: $0)
      }.run()
    }
    let owned = "SELECT count(*) FROM \(name).stream_partitions WHERE owner IS NOT NULL"
    try await eventually { try await Fixture.sql(owned) == "0" }
    try await eventually { try await Fixture.sql("SELECT count(*) FROM \(name).stream_servers") == "0" }
  }

  @Test("Finished work is committed even if its task is cancelled") func cancelledCommits() async throws {
    let database = try await Fixture.database()
    let name = database.schema.quoted
    let log = DeliveryLog(database, source: "webhook")
    let delivery = try await Task {
      try await log.once("1", lease: .seconds(3600)) {
        withUnsafeCurrentTask { $0?.cancel() }
        return []
      }
    }.value
    #expect(delivery == .handled)
    #expect(try await log.once("1") { [] } == .duplicate)

    try await Fixture.sql("INSERT INTO \(name).inbox (stream, id, partition, record) VALUES ('s', '1', 1, 'x')")
    let inbox = StreamInbox(database, stream: "s")
    let count = try await Task {
      try await inbox.process(lease: .seconds(3600)) { _ in
        withUnsafeCurrentTask { $0?.cancel() }
        return []
      }
    }.value
    #expect(count == 1)
    #expect(try await Fixture.sql("SELECT count(*) FROM \(name).inbox WHERE done IS NULL") == "0")
  }

  @Test("Work whose transaction is refused can be tried again at once") func refusedCommits() async throws {
    let database = try await Fixture.database()
    let name = database.schema.quoted
    let log = DeliveryLog(database, source: "webhook")
    let refused = PostgresStatement("SELECT 1 / 0")
    do {
      _ = try await log.once("1", lease: .seconds(3600)) { [refused] }
      Issue.record("committed")
    } catch is PostgresError {}
    #expect(try await log.once("1") { [] } == .handled)

    try await Fixture.sql("INSERT INTO \(name).inbox (stream, id, partition, record) VALUES ('s', '1', 1, 'x')")
    let inbox = StreamInbox(database, stream: "s")
    do {
      _ = try await inbox.process(lease: .seconds(3600)) { _ in [refused] }
      Issue.record("committed")
    } catch is PostgresError {}
    #expect(try await inbox.process { _ in [] } == 1)
  }

  @Test("A server that cannot renew its leases stops before they have ended") func hangingDatabase() async throws {
    let (sandbox, x) = try await sandbox()
    defer { Task { await sandbox.stop() } }
    let server = try await onThread { try PostgresServer() }
    let database = try await Fixture.database(on: server)
    // Later than the waits below: only the lease's own bound can end the work before.
    var configuration = database.pool.configuration
    configuration.requestTimeout = .seconds(3600)
    database.update(configuration)
    let lease = Duration.seconds(12)
    let isUploading = Locked(false)
    let hasEnded = Locked((upload: false, reading: false))
    let upload = Task {
      try await SharedUploads(database).run("picture", lease: lease) { _, _ in
        isUploading.withLock { $0 = true }
        try? await Task.sleep(for: .seconds(3600))
        hasEnded.withLock { $0.upload = true }
      }
    }
    let isReading = Locked(false)
    let coordinator = StreamCoordinator(database, stream: "s", lease: lease) { event in
      switch event {
      case .took: isReading.withLock { $0 = true }
      case .lost: hasEnded.withLock { $0.reading = true }
      default: break
      }
    } open: {
      x.streamPostsSample10(partition: $0)
    }
    let reading = Task { try await coordinator.run() }
    try await eventually { isUploading.withLock { $0 } && isReading.withLock { $0 } }
    server.signalAll(SIGSTOP)
    defer { server.signalAll(SIGCONT) }
    try await eventually("both end while the server hangs", within: .seconds(120)) {
      hasEnded.withLock { $0.upload && $0.reading }
    }
    upload.cancel()
    reading.cancel()
    server.signalAll(SIGCONT)
    _ = (await upload.result, await reading.result)
  }

  @Test("A lease is trusted for nine tenths of its time, counted from before its request") func leaseTerm() {
    let asked = ContinuousClock.now
    let term = LeaseTerm(.seconds(12), from: asked)
    #expect(term.left(at: asked + .seconds(10)) == .milliseconds(800))
    #expect(term.left(at: asked + .milliseconds(10_700)) == .milliseconds(100))
    for late in [10_800, 11_000, 12_000] { #expect(term.left(at: asked + .milliseconds(late)) == .zero) }
  }

  @Test("An upload that stopped on one server continues on another, from the last chunk that arrived") func uploads()
    async throws
  {
    let (sandbox, _) = try await sandbox()
    defer { Task { await sandbox.stop() } }
    let alice = sandbox.users.alice
    let x = XAPI(
      auth: .oauth1(
        OAuth1(
          consumerKey: sandbox.app.consumerKey, consumerSecret: Secret(sandbox.app.consumerSecret),
          token: alice.accessToken, tokenSecret: Secret(alice.accessTokenSecret))),
      configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    let database = try await Fixture.database()
    let second = SharedUploads(try await Fixture.database(schema: database.schema, migrated: false))
    let bytes = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) + Data(repeating: 7, count: 300_000)
    let chunks = Locked(0)
    // The first server dies after two chunks: its task never reports back.
    let first = Task {
      try await SharedUploads(database).run("picture", lease: .seconds(600)) { resumption, checkpoint in
        try await x.upload(
          data: bytes, type: .png, resuming: resumption,
          options: UploadOptions(
            chunkSize: 50_000, concurrency: 1,
            checkpoint: { point in
              await checkpoint(point)
              if point.finishedChunks.count == 2 {
                chunks.withLock { $0 = 2 }
                database.close()
                try? await Task.sleep(for: .seconds(3600))
              }
            }))
      }
    }
    try await eventually { chunks.withLock { $0 } == 2 }
    #expect(try await second.unfinished().map(\.name) == ["picture"])
    try await Fixture.sql("UPDATE \(database.schema.quoted).uploads SET lease_end = now()")
    let resumed = Locked<UploadResumption?>(nil)
    let media = try await second.run("picture", lease: .seconds(600)) { resumption, checkpoint in
      resumed.withLock { $0 = resumption }
      return try await x.upload(
        data: bytes, type: .png, resuming: resumption, options: UploadOptions(checkpoint: checkpoint))
    }
    #expect(resumed.withLock { $0?.finishedChunks } == [0, 1])
    #expect(await sandbox.media(media.id)?.size == bytes.count)
    #expect(try await second.unfinished().isEmpty)
    first.cancel()
  }
}
