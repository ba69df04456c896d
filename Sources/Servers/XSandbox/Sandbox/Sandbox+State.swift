import Foundation

extension Sandbox {
  /// The state of a sandbox at a moment: all that it keeps, and all tokens.
  public struct Snapshot: Sendable {
    let database: Database
    let authorization: AuthorizationServer
  }

  /// Takes a snapshot, for ``restore(_:)``.
  public func snapshot() async -> Snapshot {
    Snapshot(
      database: await pipeline.store.perform { $0 }, authorization: await pipeline.authorization.perform { $0 })
  }

  /// Returns to the state of a snapshot of this sandbox. Rate windows begin anew; streams stay open, and get no record of
  /// it.
  public func restore(_ snapshot: Snapshot) async {
    await pipeline.authorization.perform { $0 = snapshot.authorization }
    await pipeline.store.perform { $0 = snapshot.database }
    await pipeline.limiter.reset()
  }

  /// Returns to the state after the start, without faults and with the right time.
  public func reset() async {
    await restore(beginning)
    await removeFaults()
    removeStreamFaults()
    setClockOffset(0)
  }

  /// The users, posts, lists and messages as the text of a seed, which makes them again with the same ids. Uploads, tokens,
  /// groups, webhooks and stream rules are not in it: a ``Snapshot`` has these.
  public func saved() async -> String { SavedState.text(of: await pipeline.store.perform { $0 }) }

  /// Moves the sandbox's time on by so many seconds: rate windows begin anew, and tokens, polls and uploads expire.
  /// OAuth 1.0a clients must sign with the sandbox's time then, which Callsign's learn from the `Date` field.
  public func advanceTime(by seconds: TimeInterval) { pipeline.clock.advance(by: seconds) }

  /// Returns a user with the tokens that the sandbox's app holds for them; `nil` if nobody has this name.
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
