import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// A stored token without its secrets, for operators of a fleet.
public struct StoredTokenRecord: Sendable, Hashable {
  /// The state of a token according to the database.
  public enum State: String, Sendable, Hashable, CaseIterable {
    /// It has not expired, or never expires.
    case valid
    /// It has expired and was not refreshed: nobody has needed it since, or refreshing failed.
    case expired
    /// A server holds its lease, usually to refresh it.
    case leased
    /// The provider no longer accepts it: the user must log in again.
    case refused
    /// The same, and a server received the provider's last response without storing it: ``StoredTokenRecord/lostWith`` names that
    /// server.
    case lost
  }

  /// The token's key.
  public var key: TokenKey
  /// The state of the token.
  public var state: State
  /// When it expires, if the provider said so.
  public var expires: Date?
  /// When it was stored.
  public var saved: Date?
  /// When a server last loaded or refreshed it, to the hour.
  public var lastUse: Date
  /// The server that holds its lease.
  public var leaseHolder: String?
  /// If the login was lost: the server that may have received the provider's last response without storing it.
  public var lostWith: String?
  /// The mark of the key that sealed it.
  public var sealingKey: String
}

extension PostgresTokenStore {
  /// The keys with tokens, sorted.
  public func keys(service: String?) async throws(TokenStoreError) -> [TokenKey] {
    try await records(service: service).map(\.key).sorted()
  }

  /// The stored tokens, those unused for the longest time first.
  ///
  /// - Parameters:
  ///   - service: Only tokens of this service; `nil` for all.
  ///   - unusedSince: Only tokens that no server has used since then.
  ///   - state: Only tokens in this state.
  ///   - limit: The maximum number of tokens; `nil` for all.
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

  /// Seals every token that was sealed with another key with the current key. Servers continue to work in the meantime, and the
  /// content of the tokens does not change.
  ///
  /// - Returns: The number of tokens sealed again.
  /// - Throws: ``TokenStoreError``; ``TokenStoreError/Reason/wrongKey`` if none of this store's keys opens a token.
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
        // A token saved in the meantime is already sealed with the current key, or is found again.
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
  /// The key in the first four columns.
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
      // It was written by a newer program.
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
