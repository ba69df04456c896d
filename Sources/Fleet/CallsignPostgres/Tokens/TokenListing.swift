import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// A stored token without its secrets, for those who run a fleet.
public struct StoredTokenRecord: Sendable, Hashable {
  /// The state of a token as the database knows it.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It has not expired, or never does.
    case valid
    /// It has expired, and was not refreshed: nobody has needed it since, or it could not be refreshed.
    case expired
    /// A server holds its lease, mostly to refresh it.
    case leased
    /// The provider does not accept it any more: the person has to log in again.
    case refused
    /// The same, and the provider's last response went to a server that has not stored it:
    /// ``StoredTokenRecord/lostWith`` names it.
    case lost
  }

  /// The token's key.
  public var key: TokenKey
  /// The state of the token.
  public var state: State
  /// The time at which it expires, where the provider said so.
  public var expires: Date?
  /// The time at which it was stored.
  public var saved: Date?
  /// The time at which a server last loaded or refreshed it, to the hour.
  public var lastUse: Date
  /// The server that holds its lease.
  public var leaseHolder: String?
  /// The server that may have got the provider's last response and has not stored it, where the login was lost with it.
  public var lostWith: String?
  /// The mark of the key that it is sealed with.
  public var sealingKey: String
}

extension PostgresTokenStore {
  /// The keys under which there are tokens, sorted.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    try await records(service: service).map(\.key).sorted()
  }

  /// The tokens that are there, the one that was not used for the longest time first.
  ///
  /// - Parameters:
  ///   - service: Only those of this service; `nil` for all.
  ///   - unusedSince: Only those that no server has used since then.
  ///   - state: Only those in this state.
  ///   - limit: The most that are returned; `nil` for all.
  public func records(
    service: String? = nil, unusedSince: Date? = nil, state: StoredTokenRecord.State? = nil, limit: Int? = nil
  ) async throws(TokenStoreError) -> [StoredTokenRecord] {
    let statement = PostgresStatement(
      """
      SELECT * FROM (
        SELECT service, account, scheme, client_id,
          CASE WHEN lease_end > now() THEN 'leased' WHEN refused = saved AND lost_with IS NOT NULL THEN 'lost'
            WHEN refused = saved THEN 'refused' WHEN expires <= now() THEN 'expired' ELSE 'valid' END AS state,
          extract(epoch FROM expires), extract(epoch FROM saved), extract(epoch FROM used),
          CASE WHEN lease_end > now() THEN lease_id END, sealing_key, CASE WHEN refused = saved THEN lost_with END
        FROM \(database.schema.quoted).tokens
        WHERE sealed IS NOT NULL AND ($1::text IS NULL OR service = $1)
          AND ($2::double precision IS NULL OR used < to_timestamp($2::double precision))
        ORDER BY used
      ) AS listed WHERE $3::text IS NULL OR state = $3 LIMIT $4::bigint
      """, [.optional(service), .seconds(unusedSince), .optional(state?.rawValue), .optional(limit.map(String.init))])
    let result: [PostgresResult]
    do throws(PostgresError) { result = try await database.run(statement) } catch { throw TokenStoreError(error) }
    return (result.first?.rows ?? []).compactMap(StoredTokenRecord.init)
  }

  /// Seals every token with the current key that was sealed with another one. Servers go on meanwhile, and nothing of a
  /// token changes.
  ///
  /// - Returns: How many were sealed anew.
  /// - Throws: ``TokenStoreError``; ``TokenStoreError/Reason/wrongKey`` when none of this store's keys opens one.
  @discardableResult public func reseal() async throws(TokenStoreError) -> Int {
    let table = "\(database.schema.quoted).tokens"
    let isKey = "service = $1 AND account = $2 AND scheme = $3 AND client_id = $4"
    var count = 0
    while true {
      let rest = PostgresStatement(
        """
        SELECT service, account, scheme, client_id, version, sealed, sealing_key FROM \(table)
        WHERE sealed IS NOT NULL AND sealing_key <> $1 LIMIT 500
        """, [.text(keys.currentMark)])
      let rows: [PostgresRow]
      do throws(PostgresError) { rows = try await database.run(rest).first?.rows ?? [] } catch {
        throw TokenStoreError(error)
      }
      if rows.isEmpty { return count }
      var statements: [PostgresStatement] = []
      for row in rows {
        guard let key = TokenKey(row), let version = row.text(4), let sealed = row.bytes(5), let mark = row.text(6)
        else {
          continue
        }
        let content = try content(of: sealed, mark, key)
        let anew: Data
        do throws(CryptographyError) { anew = try keys.current.seal(content, for: key.purpose) } catch {
          throw TokenStoreError(
            .system, advice: "\(error); check the system's random source and libcrypto", cause: error)
        }
        // One that was saved meanwhile is sealed with the current key already, or comes up again.
        statements.append(
          PostgresStatement(
            "UPDATE \(table) SET sealed = $5, sealing_key = $6 WHERE \(isKey) AND version = $7::bigint",
            key.columns + [.bytes(anew), .text(keys.currentMark), .text(version)]))
      }
      if statements.isEmpty { return count }
      do throws(PostgresError) {
        count += try await database.run(statements, within: .seconds(60)).map(\.changed).reduce(0, +)
      } catch { throw TokenStoreError(error) }
    }
  }
}

extension TokenKey {
  /// The key that is in the first four columns.
  init?(_ row: PostgresRow) {
    guard let service = row.text(0), let account = row.text(1), let scheme = row.text(2), let client = row.text(3)
    else {
      return nil
    }
    if scheme.isEmpty {
      self.init(service: service, account: account)
    } else if let kind = StoredToken.Kind(rawValue: scheme) {
      self.init(service: service, scheme: kind, clientID: client, account: account)
    } else {
      // Of a newer program's.
      return nil
    }
  }
}

extension StoredTokenRecord {
  fileprivate init?(_ row: PostgresRow) {
    guard let key = TokenKey(row), let state = row.text(4).flatMap(State.init), let used = row.date(7),
      let sealingKey = row.text(9)
    else { return nil }
    self.init(
      key: key, state: state, expires: row.date(5), saved: row.date(6), lastUse: used, leaseHolder: row.text(8),
      lostWith: row.text(10), sealingKey: sealingKey)
  }
}
