import Foundation

extension Sandbox {
  /// The state of a sandbox at one moment: all data and all tokens.
  public struct Snapshot: Sendable {
    let database: Database
    let authorization: AuthorizationServer
  }

  /// Takes a snapshot, for ``restore(_:)``.
  public func snapshot() async -> Snapshot {
    Snapshot(
      database: await pipeline.store.perform { $0 }, authorization: await pipeline.authorization.perform { $0 })
  }

  /// Restores the state of a snapshot of this sandbox. Rate windows are reset. Streams stay open and receive no record about it.
  public func restore(_ snapshot: Snapshot) async {
    await pipeline.authorization.perform { $0 = snapshot.authorization }
    await pipeline.store.perform { $0 = snapshot.database }
    await pipeline.limiter.reset()
  }

  /// Restores the state after the start, without faults and with the real time.
  public func reset() async {
    await restore(beginning)
    await removeFaults()
    removeStreamFaults()
    setClockOffset(0)
  }

  /// The users, posts, lists and messages as the text of a seed that recreates them with the same IDs. It does not include uploads,
  /// tokens, groups, webhooks and stream rules. Use a ``Snapshot`` for these.
  public func saved() async -> String { SavedState.text(of: await pipeline.store.perform { $0 }) }

  /// Moves the sandbox's time forward by a number of seconds: rate windows are reset, and tokens, polls and uploads expire. OAuth
  /// 1.0a clients must then sign with the sandbox's time. Callsign's clients learn it from the `Date` field.
  public func advanceTime(by seconds: TimeInterval) { pipeline.clock.advance(by: seconds) }

  /// Returns a user with the user's tokens for the sandbox's app; `nil` if nobody has this name.
  public func user(named username: String) async -> User? {
    guard let record = await pipeline.store.perform({ $0.user(named: username) }) else { return nil }
    let key = app.consumerKey
    return await pipeline.authorization.perform { server in
      guard let account = server.registry.account(of: record.id) else { return nil }
      let token = server.accessToken(for: record.id, consumerKey: key, permission: .readWrite)
      let known = server.registry.bearerTokens.first { _, grant in
        grant.user == record.id && grant.consumerKey == key && grant.scopes == Scopes.all && grant.login == nil
          && grant.expiry == nil && !grant.isRevoked
      }
      return User(
        id: String(record.id), username: record.username, name: record.name, password: account.password,
        accessToken: token.token, accessTokenSecret: token.secret,
        oauth2AccessToken: known?.key
          ?? server.oauth2Token(for: record.id, consumerKey: key, scopes: Scopes.all, expiry: nil, login: nil))
    }
  }
}
