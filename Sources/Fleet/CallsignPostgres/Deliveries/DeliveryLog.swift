import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// Remembers which webhook deliveries the servers of a fleet have handled. A delivery that arrives twice then has its effect only
/// once, whichever servers receive it.
///
/// ```swift
/// let deliveries = DeliveryLog(database, source: "webhook")
/// try receiver.verify(body, signature: signature)
/// switch try await deliveries.once(DeliveryLog.id(ofBody: body)) { try await handle(body) } {
/// case .handled, .duplicate: respond(.ok)
/// case .underway: respond(.serviceUnavailable)  // another server is at it: delivered again, it is a duplicate or not
/// }
/// ```
public struct DeliveryLog: Sendable {
  /// The result of a delivery.
  public enum Outcome: Sendable, Hashable {
    /// This call handled it.
    case handled
    /// It has already been handled.
    case duplicate
    /// Another server is handling it right now, and may still fail.
    case underway
  }

  let database: PostgresDatabase
  let source: String

  /// Creates a log.
  ///
  /// - Parameters:
  ///   - database: The database that all servers share.
  ///   - source: The source of the deliveries. IDs from different sources are kept apart.
  public init(_ database: PostgresDatabase, source: String) {
    self.database = database
    self.source = source
  }

  /// An ID for a delivery that has none: a hash of its body.
  public static func id(ofBody body: Data) throws(CryptographyError) -> String {
    try Digest.hash(Array(body), .sha256).hexadecimal
  }

  private var table: String { "\(database.schema.quoted).deliveries" }

  /// Handles a delivery unless it has already been handled.
  ///
  /// - Parameters:
  ///   - id: The delivery's ID.
  ///   - lease: After this time, another server may handle it if this one has died. Default: 30 seconds.
  ///   - handle: Handles the delivery, and returns what to write in the same transaction of the same database. If it throws, the
  ///     delivery counts as not handled.
  /// - Throws: ``PostgresError`` and the closure's errors.
  public func once(
    _ id: String, lease: Duration = .seconds(30), _ handle: @Sendable () async throws -> [PostgresStatement]
  ) async throws -> Outcome {
    let claim = String(UInt64.random(in: .min ... .max), radix: 36)
    let parameters: [PostgresStatement.Value] = [.text(source), .text(StoredID.of(id)), .text(claim)]
    let claiming = [
      PostgresStatement(
        """
        INSERT INTO \(table) AS d (source, id, claim_id, claim_end)
        VALUES ($1, $2, $3, clock_timestamp() + make_interval(secs => $4))
        ON CONFLICT (source, id) DO UPDATE SET claim_id = excluded.claim_id, claim_end = excluded.claim_end
        WHERE d.done IS NULL AND (d.claim_end <= clock_timestamp() OR d.claim_id = excluded.claim_id) RETURNING 1
        """, parameters + [.seconds(lease)]),
      PostgresStatement(
        "SELECT done IS NOT NULL FROM \(table) WHERE source = $1 AND id = $2", Array(parameters.prefix(2))),
    ]
    let release = PostgresStatement(
      "DELETE FROM \(table) WHERE source = $1 AND id = $2 AND claim_id = $3 AND done IS NULL", parameters)
    let giveBack = { @Sendable [database] in _ = try? await database.run(release, within: .seconds(5)) }
    let results = try await database.take(claiming) { _ in await giveBack() }
    if results.first?.rows.isEmpty ?? true { return results.last?.rows.first?.bool(0) == true ? .duplicate : .underway }
    let statements: [PostgresStatement]
    do { statements = try await handle() } catch {
      await Task { await giveBack() }.value
      throw error
    }
    let done = PostgresStatement(
      """
      WITH done AS (
        UPDATE \(table) SET done = now(), claim_end = NULL
        WHERE source = $1 AND id = $2 AND claim_id = $3 AND done IS NULL RETURNING 1
      ) SELECT \(database.schema.quoted).require(EXISTS (SELECT 1 FROM done))
      """, parameters)
    try await database.commit(
      [done] + statements,
      unless: PostgresStatement(
        "SELECT done IS NOT NULL FROM \(table) WHERE source = $1 AND id = $2 AND claim_id = $3", parameters),
      orElse: giveBack)
    return .handled
  }

  /// Deletes the records of deliveries that were handled long ago. Keep them for longer than the sender retries.
  ///
  /// - Parameter age: The minimum age; a day by default.
  /// - Returns: The number of deleted records.
  /// - Throws: ``PostgresError``.
  @discardableResult public func prune(olderThan age: Duration = .seconds(86_400)) async throws(PostgresError) -> Int {
    try await database.run(
      PostgresStatement(
        "DELETE FROM \(table) WHERE source = $1 AND done < now() - make_interval(secs => $2)",
        [.text(source), .seconds(age)])
    ).first?.changed ?? 0
  }
}
