import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// Remembers which deliveries of a webhook the servers of a fleet have dealt with, so that one that is delivered twice
/// has its effect once, whichever servers get it.
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
  /// The end of a delivery.
  public enum Outcome: Sendable, Hashable {
    /// It was dealt with here.
    case handled
    /// It was dealt with before.
    case duplicate
    /// Another server deals with it at this moment, and may yet fail.
    case underway
  }

  let database: PostgresDatabase
  let source: String

  /// Names a log.
  ///
  /// - Parameters:
  ///   - database: The database that all servers share.
  ///   - source: The sender of the deliveries. The log keeps the ids of different senders apart.
  public init(_ database: PostgresDatabase, source: String) {
    self.database = database
    self.source = source
  }

  /// An id for a delivery that has none of its own: a hash of its body.
  public static func id(ofBody body: Data) throws(CryptographyError) -> String {
    try Digest.hash(Array(body), .sha256).hexadecimal
  }

  private var table: String { "\(database.schema.quoted).deliveries" }

  /// Deals with a delivery unless that was done.
  ///
  /// - Parameters:
  ///   - id: The delivery's id.
  ///   - lease: After this time another server may deal with it, when this one has died over it. Default: 30 seconds.
  ///   - handle: Deals with it, and returns what is to be written in the same transaction of the same database. When it
  ///     throws, the delivery counts as not dealt with.
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

  /// Forgets deliveries that were dealt with long ago; keep them for longer than the sender tries again.
  ///
  /// - Parameter age: How long ago; a day by default.
  /// - Returns: How many were forgotten.
  /// - Throws: ``PostgresError``.
  @discardableResult public func prune(olderThan age: Duration = .seconds(86_400)) async throws(PostgresError) -> Int {
    try await database.run(
      PostgresStatement(
        "DELETE FROM \(table) WHERE source = $1 AND done < now() - make_interval(secs => $2)",
        [.text(source), .seconds(age)])
    ).first?.changed ?? 0
  }
}
