import CallsignAuth
import CallsignHTTP
import CallsignSupport

/// Stores tokens in a PostgreSQL database that the servers of a fleet share.
///
/// ```swift
/// let store = try PostgresTokenStore(database, keys: SealingKeys(SealingKey(Secret(key))))
/// let x = XAPI(auth: .oauth2(OAuth2(clientID: "…", store: store, account: "42")))
/// ```
///
/// Each token is a row, sealed so that neither a database dump nor the owner of another row can read it. A lease is part of the
/// row. It ends by the database's clock and has a number that no other lease ever has. Servers' clocks therefore do not matter, a
/// server that was paused cannot overwrite a token, and no connection is held. A notification tells the other servers what one
/// server saves; without it, the lease still keeps them correct.
///
/// A save is as durable as the database's commits. If a failover must not lose a login, use a synchronous standby
/// (`synchronous_standby_names`).
public struct PostgresTokenStore: ListableTokenStore, ObservableTokenStore {
  /// The database.
  public let database: PostgresDatabase
  /// How long ``lease(_:lasting:)`` waits for others that hold the lease, as long as the holder stays the same.
  public let lockTimeLimit: Duration
  let keys: SealingKeys
  private let observers: TokenObservers
  private let turns = KeyedAsyncLock<TokenKey>()

  /// Creates a store. Nothing is sent before the first use.
  ///
  /// - Parameters:
  ///   - database: The database, with its schema.
  ///   - keys: The keys that seal and open the tokens.
  ///   - lockTimeLimit: How long to wait for a lease; a minute by default.
  public init(_ database: PostgresDatabase, keys: SealingKeys, lockTimeLimit: Duration = .seconds(60)) {
    self.database = database
    self.keys = keys
    self.lockTimeLimit = lockTimeLimit
    observers = TokenObservers(database.notifications)
  }

  /// The location of the database.
  public var place: String { "postgresql \(database.place)" }

  private var table: String { "\(database.schema.quoted).tokens" }
  /// How many seconds two clocks can differ, or a load can take, before a date is converted.
  private static let clockTolerance: TimeInterval = 2
  private static let isKey = "service = $1 AND account = $2 AND scheme = $3 AND client_id = $4"

  /// The token stored under a key.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/wrongKey``, ``TokenStoreError/Reason/damaged``,
  ///   ``TokenStoreError/Reason/newerVersion``, ``TokenStoreError/Reason/unavailable`` with a ``PostgresError`` as its cause.
  public func load(_ key: TokenKey) async throws(TokenStoreError) -> VersionedToken? {
    let row = try await rows(
      """
      SELECT sealed, sealing_key, version, used < now() - interval '1 hour', extract(epoch FROM expires - clock_timestamp())
      FROM \(table)
      WHERE \(Self.isKey) AND sealed IS NOT NULL
      """, key.columns
    ).first
    guard let row, let sealed = row.bytes(0), let mark = row.text(1), let version = row.text(2) else { return nil }
    var token = try open(sealed, mark, key)
    if let left = row.double(4) {
      // The server that saved it may have another clock than this one. The database's clock links the two.
      let expires = database.time.now() + left
      if let written = token.expires, abs(written.timeIntervalSince(expires)) > Self.clockTolerance {
        token.expires = expires
      }
    }
    if row.bool(3) {
      // This information is for operators and not worth waiting for.
      let statement = PostgresStatement("UPDATE \(table) SET used = now() WHERE \(Self.isKey)", key.columns)
      Task { [database] in try? await database.run(statement, within: .seconds(5)) }
    }
    return VersionedToken(token, version: TokenVersion(rawValue: version))
  }

  /// Waits until nobody else has the lease for this key, and takes it. The tasks of a process get it in the order in which they
  /// asked. A task that neither renews nor releases it blocks the others until it ends.
  ///
  /// - Throws: ``TokenStoreError``: ``TokenStoreError/Reason/lockTimedOut``, ``TokenStoreError/Reason/cancelled``,
  ///   ``TokenStoreError/Reason/unavailable``.
  public func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let start = ContinuousClock.now
    try await waitForTurn(key, since: start)
    let id = "\(database.server)/\(String(UInt64.random(in: .min ... .max), radix: 36))"
    let (fence, pending): (String, PendingTokenRequest?)
    do throws(TokenStoreError) { (fence, pending) = try await take(key, id, lasting: duration, since: start) } catch {
      turns.finish(key)
      throw error
    }
    turns.noteProgress(of: key)
    // Ends a little later than in the database: the next task then finds that the lease is over.
    let turn = LeaseTurn(lasting: duration) { [turns] in turns.finish(key) }
    let leaseID = "\(fence) \(id)"
    return TokenLease(
      key, id: leaseID, end: database.time.now() + duration.seconds, pendingRequest: pending,
      renew: { [self] (duration) throws(TokenStoreError) in
        let end = database.time.now() + duration.seconds
        let renewed = try await rows(
          """
          UPDATE \(table) SET lease_end = clock_timestamp() + make_interval(secs => $7)
          WHERE \(Self.isKey) AND lease_id = $5 AND fence = $6::bigint RETURNING fence
          """, key.columns + [.text(id), .text(fence), .seconds(duration)])
        guard !renewed.isEmpty else { throw .leaseLost(key) }
        _ = turn.renew(for: duration)
        return end
      },
      announce: { [self] (version, duration) throws(TokenStoreError) in
        let announced = try await rows(
          """
          UPDATE \(table) SET request_id = $9, request_version = $7::bigint,
            request_end = clock_timestamp() + make_interval(secs => $8)
          WHERE \(Self.isKey) AND lease_id = $5 AND fence = $6::bigint RETURNING fence
          """, key.columns + [.text(id), .text(fence), .text(version.rawValue), .seconds(duration), .text(leaseID)])
        guard !announced.isEmpty else { throw .leaseLost(key) }
      },
      withdraw: { [self] in
        // If that fails, others wait until the lease ends.
        let statement = PostgresStatement(
          "UPDATE \(table) SET request_id = NULL WHERE \(Self.isKey) AND request_id = $5",
          key.columns + [.text(leaseID)])
        await Task { [database] in _ = try? await database.run(statement, within: .seconds(5)) }.value
      },
      release: { [self] in
        await release(key, id, fence)
        turns.noteProgress(of: key)
        turn.finish()
      },
      abandon: { [self] in
        Task {
          await release(key, id, fence)
          turns.noteProgress(of: key)
          turn.finish()
        }
      })
  }

  /// Waits for earlier tasks of this process.
  private func waitForTurn(_ key: TokenKey, since start: ContinuousClock.Instant) async throws(TokenStoreError) {
    let isGranted: Bool
    do throws(CancellationError) {
      isGranted = try await turns.wait(for: key, since: start, timeLimit: lockTimeLimit)
    } catch { throw .cancelledWait }
    guard isGranted else {
      throw TokenStoreError(
        .lockTimedOut,
        advice: """
          another task of this process has held the lease of \(key), or waited for it, for more than \(lockTimeLimit); see \
          whether it hangs, and try again
          """)
    }
  }

  /// Requests the lease until nobody else has it.
  ///
  /// - Parameter start: When the task started to wait, including the wait for its turn.
  private func take(
    _ key: TokenKey, _ id: String, lasting duration: Duration, since start: ContinuousClock.Instant
  ) async throws(TokenStoreError) -> (fence: String, pending: PendingTokenRequest?) {
    let take = PostgresStatement(
      """
      INSERT INTO \(table) AS t (service, account, scheme, client_id, lease_id, lease_end, fence)
      VALUES ($1, $2, $3, $4, $5, clock_timestamp() + make_interval(secs => $6), nextval('\(database.schema.quoted).fences'))
      ON CONFLICT (service, account, scheme, client_id) DO UPDATE
      SET lease_id = excluded.lease_id, lease_end = excluded.lease_end, fence = excluded.fence, used = now()
      WHERE t.lease_id IS NULL OR t.lease_end <= clock_timestamp() OR t.lease_id = excluded.lease_id
      RETURNING fence, request_id, request_version, extract(epoch FROM request_end - clock_timestamp())
      """, key.columns + [.text(id), .seconds(duration)])
    let holder = PostgresStatement(
      "SELECT lease_id, extract(epoch FROM lease_end - clock_timestamp()) FROM \(table) WHERE \(Self.isKey)",
      key.columns)
    var pause = 0.005
    var progress = max(start, turns.progress(of: key) ?? start)
    var lastHolder: String?
    while true {
      let results: [PostgresResult]
      do throws(PostgresError) {
        results = try await database.take([take, holder]) { results in
          if let fence = results.first?.rows.first?.text(0) { await release(key, id, fence) }
        }
      } catch { throw TokenStoreError(error) }
      if let row = results.first?.rows.first, let fence = row.text(0) { return (fence, PendingTokenRequest(row)) }
      let other = results.last?.rows.first
      if other?.text(0) != lastHolder {
        // The first holder seen may have had it for as long as this task waits.
        if lastHolder != nil {
          progress = .now
          turns.noteProgress(of: key)
        }
        lastHolder = other?.text(0)
      }
      guard ContinuousClock.now - progress < lockTimeLimit else {
        throw TokenStoreError(
          .lockTimedOut,
          advice: """
            the server \((lastHolder ?? "").printable) has held the lease of \(key) for more than \(lockTimeLimit); see \
            whether it hangs, and try again
            """)
      }
      // Not past the lease's end, and not so often that the waiting itself keeps the database busy.
      let wait = min(pause, max(0.005, other?.double(1) ?? pause)) * Double.random(in: 0.7...1.3)
      do { try await Task.sleep(for: .seconds(wait)) } catch { throw .cancelledWait }
      pause = min(pause * 2, 0.1)
    }
  }

  private func release(_ key: TokenKey, _ id: String, _ fence: String) async {
    let isMine = "\(Self.isKey) AND lease_id = $5 AND fence = $6::bigint"
    let parameters = key.columns + [.text(id), .text(fence)]
    let statements = [
      PostgresStatement("DELETE FROM \(table) WHERE \(isMine) AND sealed IS NULL", parameters),
      PostgresStatement("UPDATE \(table) SET lease_id = NULL, lease_end = NULL WHERE \(isMine)", parameters),
    ]
    // In a separate task, because cancelled tasks also release leases. If that fails, the lease ends by itself.
    await Task { [database] in _ = try? await database.run(statements, within: .seconds(5)) }.value
  }

  /// Stores a token under the lease's key.
  ///
  /// If the connection is lost, the save is repeated. The second attempt detects whether the first one succeeded.
  public func save(
    _ token: StoredToken, replacing expected: TokenPrecondition, under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    let content = try token.encoded()
    let sealed: Data
    do throws(CryptographyError) { sealed = try keys.current.seal(content, for: lease.key.purpose) } catch {
      throw TokenStoreError(.system, advice: "\(error); check the system's random source and libcrypto", cause: error)
    }
    // Sent as remaining time, because servers' clocks differ.
    let start = ContinuousClock.now
    let left = token.expires.map { min($0.timeIntervalSince(database.time.now()), 1e9) }
    let version = try await change(
      to: [.bytes(sealed), .text(keys.currentMark), left.map { .text(String($0)) } ?? .null], refusal: token,
      replacing: expected, under: lease)
    let delay = (ContinuousClock.now - start).seconds
    if let left, delay > 1 {
      // Counted from the moment when the database carried it out, the remaining time would be too long.
      _ = try? await rows(
        """
        UPDATE \(table) SET expires = clock_timestamp() + make_interval(secs => $5::double precision)
        WHERE \(Self.isKey) AND version = $6::bigint
        """, lease.key.columns + [.text(String(left - delay)), .text(version.rawValue)])
    }
    return version
  }

  /// Deletes the token under the lease's key.
  public func delete(_ expected: TokenPrecondition, under lease: TokenLease) async throws(TokenStoreError) {
    _ = try await change(to: [.null, .null, .null], refusal: nil, replacing: expected, under: lease)
  }

  private func change(
    to values: [PostgresStatement.Value], refusal token: StoredToken?, replacing expected: TokenPrecondition,
    under lease: TokenLease
  ) async throws(TokenStoreError) -> TokenVersion {
    let (key, mark) = (lease.key, String(UInt64.random(in: .min ... .max), radix: 36))
    let condition: String
    var version: PostgresStatement.Value = .null
    switch expected {
    case .any: condition = "$11::bigint IS NULL"
    case .absent: condition = "sealed IS NULL AND $11::bigint IS NULL"
    case .version(let given):
      condition = "sealed IS NOT NULL AND version = $11::bigint"
      // A version from another store is not valid here.
      guard Int(given.rawValue) != nil else { throw .conflict(key) }
      version = .text(given.rawValue)
    }
    let parts = lease.id.split(separator: " ", maxSplits: 1).map(String.init)
    guard parts.count == 2, Int(parts[0]) != nil else { throw .leaseLost(key) }
    let change = PostgresStatement(
      """
      WITH changed AS (
        UPDATE \(table) SET sealed = $5, sealing_key = $6, expires = clock_timestamp() + make_interval(secs => $7::double precision), save_id = $8,
          version = nextval('\(database.schema.quoted).token_versions'), saved = now(), used = now(),
          refused = CASE WHEN $14::boolean THEN now() END, lost_with = $15::text
        WHERE \(Self.isKey) AND lease_id = $9 AND fence = $10::bigint AND \(condition) RETURNING version
      )
      SELECT version, pg_notify($12, $13 || CASE WHEN $5::bytea IS NULL THEN '-' ELSE version::text END) FROM changed
      """,
      key.columns + values + [
        .text(mark), .text(parts[1]), .text(parts[0]), version, .text(database.schema.channel),
        .text("t\(key.digest) "), .text(token?.isRefused == true ? "true" : "false"),
        .optional(token?.isRefused == true ? token?.lostWith : nil),
      ])
    let present = PostgresStatement(
      "SELECT lease_id = $5 AND fence = $6::bigint, version, save_id = $7 FROM \(table) WHERE \(Self.isKey)",
      key.columns + [.text(parts[1]), .text(parts[0]), .text(mark)])
    // An earlier attempt's commit may exist without having reached the standby yet. Waiting for a write of this attempt waits for
    // both.
    let touch = PostgresStatement(
      "UPDATE \(table) SET used = now() WHERE \(Self.isKey) AND save_id = $5 AND used <> now()",
      key.columns + [.text(mark)])
    let results: [PostgresResult]
    do throws(PostgresError) { results = try await database.run(change, touch, present) } catch {
      throw TokenStoreError(error)
    }
    let row = results.last?.rows.first
    // Also if an attempt whose response was lost has already done it.
    if let row, row.bool(2), let version = row.text(1) { return TokenVersion(rawValue: version) }
    throw row?.bool(0) == true ? .conflict(key) : .leaseLost(key)
  }

  private func open(_ sealed: Data, _ mark: String, _ key: TokenKey) throws(TokenStoreError) -> StoredToken {
    try StoredToken(encoded: try content(of: sealed, mark, key))
  }

  /// The content sealed in a row.
  func content(of sealed: Data, _ mark: String, _ key: TokenKey) throws(TokenStoreError) -> Data {
    guard let sealingKey = keys[mark] else {
      throw TokenStoreError(
        .wrongKey,
        advice: """
          the token of \(key) was sealed with the key \(mark.printable), which this process does not have; give it that key \
          among the previous ones
          """,
        cause: PostgresError(.wrongKey, advice: "a stored token was sealed with the key \(mark.printable)"))
    }
    guard let content = sealingKey.open(sealed, for: key.purpose) else {
      throw TokenStoreError(
        .damaged,
        advice: "the stored token of \(key) has been changed, or is another row's; delete it and log in again",
        cause: PostgresError(.damaged, advice: "a stored token cannot be opened with the key it was sealed with"))
    }
    return content
  }

  private func rows(_ sql: String, _ parameters: [PostgresStatement.Value]) async throws(TokenStoreError)
    -> [PostgresRow]
  {
    do throws(PostgresError) {
      return try await database.run(PostgresStatement(sql, parameters)).first?.rows ?? []
    } catch { throw TokenStoreError(error) }
  }

  /// Calls a closure within a second after each change of a key's token.
  public func observe(_ key: TokenKey, onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation {
    observers.add(key.digest, onChange)
  }
}

extension TokenKey {
  /// The columns of the primary key. A key without scheme or client has empty strings there.
  var columns: [PostgresStatement.Value] {
    [.text(service), .text(account), .text(scheme?.rawValue ?? ""), .text(clientID ?? "")]
  }

  /// The data that a sealed token is bound to: it cannot be opened in another row.
  package var purpose: String {
    let parts = [service, account, scheme?.rawValue ?? "", clientID ?? ""]
    return "callsign token " + parts.map { "\($0.utf8.count):\($0)" }.joined()
  }

  /// Identifies the key in notifications, which have no room for long names.
  var digest: String {
    (try? Digest.hash(Array(purpose.utf8), .sha256).prefix(16).hexadecimal) ?? String(purpose.hashValue)
  }
}

extension TokenStoreError {
  /// The error of a store whose database failed.
  init(_ error: PostgresError) {
    switch error.reason {
    case .cancelled: self = .cancelledWait
    default: self.init(.unavailable, advice: error.advice, cause: error)
    }
  }
}

/// Passes notifications about changed tokens to the observers of their keys.
private final class TokenObservers: Sendable {
  private struct State {
    var observers: [String: [Int: @Sendable (TokenChange) -> Void]] = [:]
    var count = 0
    var isListening = false
    var listening: PostgresNotifications.Listening?
  }

  private let state = Locked(State())
  private let notifications: PostgresNotifications

  init(_ notifications: PostgresNotifications) { self.notifications = notifications }

  func add(_ digest: String, _ onChange: @escaping @Sendable (TokenChange) -> Void) -> TokenObservation {
    let (number, isFirst) = state.withLock { state in
      state.count += 1
      state.observers[digest, default: [:]][state.count] = onChange
      defer { state.isListening = true }
      return (state.count, !state.isListening)
    }
    if isFirst {
      let listening = notifications.add { [weak self] event in self?.take(event) }
      state.withLock { $0.listening = listening }
    }
    return TokenObservation { [weak self] in
      self?.state.withLock { state in
        state.observers[digest]?[number] = nil
        if state.observers[digest]?.isEmpty ?? false { state.observers[digest] = nil }
      }
    }
  }

  private func take(_ event: PostgresNotifications.Event) {
    switch event {
    case .listening:
      for observer in state.withLock({ $0.observers.values.flatMap(\.values) }) { observer(.unknown) }
    case .payload(let text):
      guard text.hasPrefix("t") else { return }
      let parts = text.dropFirst().split(separator: " ", omittingEmptySubsequences: false)
      guard parts.count == 2 else { return }
      let change = parts[1] == "-" ? TokenChange.deleted : .saved(TokenVersion(rawValue: String(parts[1])))
      for observer in state.withLock({ Array(($0.observers[String(parts[0])] ?? [:]).values) }) { observer(change) }
    }
  }
}

extension PendingTokenRequest {
  /// Reads the lease in a row, after the fence.
  fileprivate init?(_ row: PostgresRow) {
    guard let id = row.text(1), let version = row.text(2), let left = row.double(3) else { return nil }
    // The server's name is between the fence and the lease's own mark.
    let server = id.drop { $0 != " " }.dropFirst().split(separator: "/").dropLast().joined(separator: "/")
    self.init(
      leaseID: id, holder: "the server \(server)", version: TokenVersion(rawValue: version),
      timeLeft: Duration(bounded: max(0, left)))
  }
}
