import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// A record of a stream that has been stored and not handled yet.
public struct InboxRecord: Sendable, Hashable {
  /// The record's ID. If that has more than 512 bytes, a hash of it; if there is none, a hash of the record's bytes.
  public let id: String
  /// The partition that it came from.
  public let partition: Int
  /// A number that increases with each stored record.
  public let position: Int
  /// The record's bytes.
  public let bytes: Data

  /// Decodes the record.
  public func value<Value: JSONDecodable>(_ type: Value.Type = Value.self) throws(JSONError) -> Value {
    try Value(jsonData: bytes)
  }
}

/// The records of a stream that a ``StreamCoordinator`` has stored, for the servers that handle them.
///
/// ```swift
/// let inbox = StreamInbox(database, stream: "posts")
/// try await inbox.run { records in
///   records.map { PostgresStatement("INSERT INTO posts (id, body) VALUES ($1, $2)", [.text($0.id), .bytes($0.bytes)]) }
/// }
/// ```
///
/// One transaction contains both the statements that the closure returns and the fact that the records were handled. Each record
/// therefore has its effect exactly once, whatever fails in between. Anything else that the closure does may happen twice.
public struct StreamInbox: Sendable {
  let database: PostgresDatabase
  let name: String

  /// Creates an inbox.
  ///
  /// - Parameters:
  ///   - database: The database that all servers share.
  ///   - stream: The stream's name in the database.
  public init(_ database: PostgresDatabase, stream: String) {
    self.database = database
    name = stream
  }

  private var schema: String { database.schema.quoted }

  /// Stores records under the lease of their partition. Existing records are skipped.
  ///
  /// - Parameter covered: The time, by the database's clock, before which everything from the API is stored with these records;
  ///   `nil` if it is unknown.
  /// - Returns: The number of new records.
  func store(
    _ records: [(id: String?, bytes: Data)], _ partition: Int, _ fence: String, covered: Date?
  ) async throws(PostgresError) -> Int {
    var seen: Set<String> = []
    var values: [String] = []
    var parameters: [PostgresStatement.Value] = [.text(name), .int(partition)]
    for (id, bytes) in records {
      let id = id.map { StoredID.of($0.replacing("\0", with: "")) } ?? StoredID.hash(bytes)
      guard seen.insert(id).inserted else { continue }
      values.append("($1, $\(parameters.count + 1), $2::integer, $\(parameters.count + 2))")
      parameters += [.text(id), .bytes(bytes)]
    }
    let own = PostgresStatement(
      """
      WITH held AS (
        UPDATE \(schema).stream_partitions SET covered = CASE WHEN $5::double precision IS NULL THEN covered
          ELSE greatest(covered, least(clock_timestamp(), to_timestamp($5::double precision))) END
        WHERE stream = $1 AND partition = $2::integer AND owner = $3 AND fence = $4::bigint RETURNING 1
      ) SELECT \(schema).require(EXISTS (SELECT 1 FROM held))
      """,
      [.text(name), .int(partition), .text(database.server), .text(fence), .seconds(covered)])
    let insert = PostgresStatement(
      """
      INSERT INTO \(schema).inbox (stream, id, partition, record) VALUES \(values.joined(separator: ", "))
      ON CONFLICT DO NOTHING
      """, parameters)
    let notify = PostgresStatement("SELECT pg_notify($1, $2)", [.text(database.schema.channel), .text("i\(name)")])
    let results = try await database.run([own, insert, notify], within: .seconds(5))
    return results.count > 1 ? results[1].changed : 0
  }

  /// Handles waiting records, the oldest first. Servers that do so at the same time get different records.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of records; 100 by default.
  ///   - lease: After this time, others may take the records if this server has died. It must be longer than the closure takes.
  ///     Default: 30 seconds.
  ///   - handle: Handles records, and returns what to write in the same transaction of the same database. If it throws, the records
  ///     stay and are returned again immediately.
  /// - Returns: The number of handled records.
  /// - Throws: ``PostgresError``; ``PostgresError/Reason/leaseLost`` if it took too long and others now have the records; and the
  ///   closure's errors.
  @discardableResult public func process(
    limit: Int = 100, lease: Duration = .seconds(30),
    _ handle: @Sendable ([InboxRecord]) async throws -> [PostgresStatement]
  ) async throws -> Int {
    let claim = String(UInt64.random(in: .min ... .max), radix: 36)
    let claiming = PostgresStatement(
      """
      WITH next AS (
        SELECT id FROM \(schema).inbox
        WHERE stream = $1 AND done IS NULL
          AND (claim_end IS NULL OR claim_end <= clock_timestamp() OR claim_id = $3)
        ORDER BY position LIMIT $2::bigint FOR UPDATE SKIP LOCKED
      ), claimed AS (
        UPDATE \(schema).inbox AS i SET claim_id = $3, claim_end = clock_timestamp() + make_interval(secs => $4)
        FROM next WHERE i.stream = $1 AND i.id = next.id RETURNING i.id, i.partition, i.position, i.record
      ) SELECT * FROM claimed ORDER BY position
      """, [.text(name), .int(max(1, limit)), .text(claim), .seconds(lease)])
    let release = PostgresStatement(
      "UPDATE \(schema).inbox SET claim_end = NULL WHERE stream = $1 AND claim_id = $2 AND done IS NULL",
      [.text(name), .text(claim)])
    let giveBack = { @Sendable [database] in _ = try? await database.run(release, within: .seconds(5)) }
    let results = try await database.take([claiming]) { _ in await giveBack() }
    let records = (results.first?.rows ?? []).compactMap(InboxRecord.init)
    if records.isEmpty { return 0 }
    let statements: [PostgresStatement]
    do { statements = try await handle(records) } catch {
      await Task { await giveBack() }.value
      throw error
    }
    let done = PostgresStatement(
      """
      WITH done AS (
        UPDATE \(schema).inbox SET done = now(), record = NULL, claim_end = NULL
        WHERE stream = $1 AND claim_id = $2 AND done IS NULL RETURNING 1
      ) SELECT \(schema).require((SELECT count(*) FROM done) = $3::bigint)
      """, [.text(name), .text(claim), .int(records.count)])
    try await database.commit(
      [done] + statements,
      unless: PostgresStatement(
        "SELECT count(*) = $3::bigint FROM \(schema).inbox WHERE stream = $1 AND claim_id = $2 AND done IS NOT NULL",
        [.text(name), .text(claim), .int(records.count)]), orElse: giveBack)
    return records.count
  }

  /// Handles records as they arrive, until the task is cancelled or the closure throws. While the database cannot be reached, it
  /// waits.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of records at once.
  ///   - handle: See ``process(limit:lease:_:)``.
  public func run(
    limit: Int = 100, _ handle: @Sendable ([InboxRecord]) async throws -> [PostgresStatement]
  ) async throws {
    let (wake, waker) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    let name = name
    let listening = database.notifications.add { event in
      if case .payload(let text) = event, text != "i\(name)" { return }
      waker.yield()
    }
    // Also checks regularly, in case a notification is lost.
    let clock = Task {
      while (try? await Task.sleep(for: .seconds(1))) != nil { waker.yield() }
      waker.finish()
    }
    defer { withExtendedLifetime(listening) { clock.cancel() } }
    waker.yield()
    for await _ in wake {
      do {
        while try await process(limit: limit, handle) > 0 { try Task.checkCancellation() }
      } catch let error as PostgresError
        where error.isPassing || error.reason == .leaseLost || error.reason == .timedOut
      {
        database.logger.warning("the inbox is looked at again", metadata: ["error": "\(error)"])
        try await Task.sleep(for: .milliseconds(200))
      }
    }
    try Task.checkCancellation()
  }

  /// Deletes records that were handled long ago. A record that arrives again after that counts as new, so keep records for longer
  /// than the API can resend them.
  ///
  /// - Parameter age: The minimum age; an hour by default.
  /// - Returns: The number of deleted records.
  /// - Throws: ``PostgresError``.
  @discardableResult public func prune(olderThan age: Duration = .seconds(3600)) async throws(PostgresError) -> Int {
    try await database.run(
      PostgresStatement(
        "DELETE FROM \(schema).inbox WHERE stream = $1 AND done < now() - make_interval(secs => $2)",
        [.text(name), .seconds(age)])
    ).first?.changed ?? 0
  }

  /// The number of waiting records, and of handled ones that are still remembered.
  ///
  /// - Throws: ``PostgresError``.
  public func counts() async throws(PostgresError) -> (waiting: Int, done: Int) {
    let row = try await database.run(
      PostgresStatement(
        "SELECT count(*) FILTER (WHERE done IS NULL), count(*) FILTER (WHERE done IS NOT NULL) FROM \(schema).inbox WHERE stream = $1",
        [.text(name)])
    ).first?.rows.first
    return (row?.int(0) ?? 0, row?.int(1) ?? 0)
  }
}

/// IDs as stored in the tables. PostgreSQL rejects a row whose key does not fit into an index page.
enum StoredID {
  private static let longest = 512

  static func of(_ id: String) -> String { id.utf8.count <= longest ? id : hash(Data(id.utf8)) }

  static func hash(_ bytes: Data) -> String {
    "sha256:" + ((try? Digest.hash(Array(bytes), .sha256).hexadecimal) ?? bytes.base64EncodedString())
  }
}

extension InboxRecord {
  fileprivate init?(_ row: PostgresRow) {
    guard let id = row.text(0), let partition = row.int(1), let position = row.int(2), let bytes = row.bytes(3) else {
      return nil
    }
    self.init(id: id, partition: partition, position: position, bytes: bytes)
  }
}

extension PostgresDatabase {
  /// Sends a transaction that must not be carried out twice. If its response is lost, it is sent again only if the database does
  /// not contain it.
  ///
  /// - Parameter isDone: A statement whose first column says whether the database contains it.
  func commit(_ statements: [PostgresStatement], unless isDone: PostgresStatement) async throws(PostgresError) {
    let end = ContinuousClock.now + pool.configuration.requestTimeout
    while true {
      do throws(PostgresError) {
        _ = try await run(statements, isRepeatable: false)
        return
      } catch {
        guard error.mayHaveSucceeded || error.isPassing, ContinuousClock.now < end else { throw error }
        // The change may not have reached the standby yet. This statement also writes, so it waits until the change is there.
        let write = PostgresStatement("SELECT pg_logical_emit_message(true, 'callsign', '')")
        let response: [PostgresResult]
        // If nobody can tell, the transaction's own error says what is known about it.
        do throws(PostgresError) { response = try await run(isDone, write) } catch _ { throw error }
        if response.first?.rows.first?.bool(0) == true { return }
      }
    }
  }

  /// The same for finished work that was claimed. It continues even if the task is cancelled in the meantime, because otherwise
  /// what the work did outside the database would be done twice.
  ///
  /// - Parameters:
  ///   - statements: The transaction.
  ///   - isDone: A statement whose first column says whether the database contains it.
  ///   - giveBack: Ends the claim if the transaction cannot be carried out. It changes nothing if it was.
  func commit(
    _ statements: [PostgresStatement], unless isDone: PostgresStatement,
    orElse giveBack: @escaping @Sendable () async -> Void
  ) async throws(PostgresError) {
    let result = await Task { () -> Result<Void, PostgresError> in
      do throws(PostgresError) {
        try await commit(statements, unless: isDone)
        return .success(())
      } catch {
        await giveBack()
        return .failure(error)
      }
    }.value
    try result.get()
  }
}
