import Callsign
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

@Suite("From OAuth 1.0a to 2.0 on the sandbox") struct TokenExchangeTests {
  private func oauth2(
    _ session: Session, app: Sandbox.App? = nil, store: some TokenStore, secret: Secret? = nil
  ) -> OAuth2 {
    let app = app ?? session.sandbox.app
    return OAuth2(clientID: app.clientID, clientSecret: secret ?? app.clientSecret.map { Secret($0) }, store: store)
  }

  private func token(_ user: Sandbox.User) -> OAuth1Token {
    OAuth1Token(
      token: Secret(user.accessToken), secret: Secret(user.accessTokenSecret), userID: user.id,
      screenName: user.username)
  }

  /// The error of an exchange that must not succeed, after which the store is as it was.
  private func refusal(
    _ session: Session, _ token: OAuth1Token, app: Sandbox.App? = nil, secret: Secret? = nil,
    scopes: [OAuth2Scope] = []
  ) async throws -> LoginError? {
    let store = MemoryTokenStore()
    let oauth2 = oauth2(session, app: app, store: store, secret: secret)
    do throws(LoginError) {
      try await oauth2.exchange(token, scopes: scopes, configuration: session.x.client.configuration)
      return nil
    } catch {
      let kept = try await store.keys(service: nil)
      #expect(kept.isEmpty)
      for secret in [token.token, token.secret] { #expect(!error.description.contains(secret.reveal())) }
      return error
    }
  }

  @Test("Exchanged, called, refreshed and found by the next run, for both kinds of clients", arguments: [true, false])
  func theWholeWay(_ isConfidential: Bool) async throws {
    try await withSession { configuration in
      configuration.app.isConfidential = isConfidential
    } _: { (session) async throws in
      let folder = try TemporaryFolder()
      let place = folder.url.appendingPathComponent("tokens")
      // The token that an app kept before.
      let app = OAuth1App(
        .x, key: session.sandbox.app.consumerKey, secret: Secret(session.sandbox.app.consumerSecret),
        configuration: session.x.client.configuration)
      let account = app.account(store: FileTokenStore(folder: place))
      try await account.save(token(session.bob))
      let before = try #require(try await account.token())

      let oauth2 = oauth2(session, store: FileTokenStore(folder: place))
      let exchanged = try await oauth2.exchange(before, configuration: session.x.client.configuration)
      #expect(exchanged.scopes?.isSuperset(of: ["tweet.write", "dm.read", "offline.access"]) == true)
      #expect(exchanged.userID == session.bob.id && exchanged.username == "bob")
      let x = session.api(.oauth2(oauth2))
      #expect(try await x.getUsersMe().data.username == "bob")
      try await x.createPosts(text: "from OAuth 2.0")

      let restarted = self.oauth2(session, store: FileTokenStore(folder: place))
      #expect(try await restarted.isAuthorized)
      await session.sandbox.revoke(token: exchanged.accessToken.reveal())
      #expect(try await session.api(.oauth2(restarted)).getUsersMe().data.username == "bob")
      #expect(await session.sandbox.refreshCount == 1)
      #expect(await session.sandbox.authorizationCounts().tokensExchanged == 1)
      // The old login goes on.
      #expect(try await session.api(account).getUsersMe().data.username == "bob")
    }
  }

  @Test("A second exchange ends the previous tokens, and their users take the new ones from the store")
  func again() async throws {
    try await withSession { (session) async throws in
      let store = MemoryTokenStore()
      let (first, second) = (oauth2(session, store: store), oauth2(session, store: store))
      let configuration = session.x.client.configuration
      let before = try await first.exchange(token(session.alice), configuration: configuration)
      let after = try await second.exchange(token(session.alice), configuration: configuration)
      #expect(before.accessToken != after.accessToken && before.login != after.login)
      #expect(try await session.api(.oauth2(first)).getUsersMe().data.username == "alice")
      #expect(await session.sandbox.refreshCount == 0)
      let old = XAPI(auth: .userToken(before.accessToken), configuration: configuration)
      #expect(await failure { () throws(CallError) in try await old.getUsersMe() } != nil)
    }
  }

  @Test("A token that X does not accept means a login; the other errors say what is wrong")
  func refusals() async throws {
    try await withSession { (session) async throws in
      let alice = token(session.alice)
      var (wrong, unknown) = (alice, alice)
      wrong.secret = "wrong-secret"
      unknown.token = "1-unknown"
      let other = await session.sandbox.makeApp()
      for (token, app) in [(wrong, nil), (unknown, nil), (alice, other)] as [(OAuth1Token, Sandbox.App?)] {
        let error = try await refusal(session, token, app: app)
        guard case .tokenRefused? = error else {
          Issue.record("\(String(describing: error))")
          continue
        }
        #expect(error?.advice.contains("log the person in") == true)
      }
      let client = try await refusal(session, alice, secret: "not-the-secret")
      guard case .refused("invalid_client", _)? = client else {
        Issue.record("\(String(describing: client))")
        return
      }
      #expect(client?.advice.contains("secret") == true)
      let scope = try await refusal(session, alice, scopes: [.usersRead, .bookmarkRead])
      guard case .refused("invalid_scope", _)? = scope else {
        Issue.record("\(String(describing: scope))")
        return
      }
      await session.sandbox.inject(.rateLimited(), for: "POST /2/oauth2/token")
      guard case .call(.rateLimited)? = try await refusal(session, alice) else {
        Issue.record("a limit is none")
        return
      }
      await session.sandbox.revoke(token: session.alice.accessToken)
      guard case .tokenRefused? = try await refusal(session, alice) else {
        Issue.record("a revoked token is accepted")
        return
      }
    }
  }

  @Test("A server that is away for a moment is asked again; a token that may only read permits only reading")
  func readOnly() async throws {
    try await withSession { (session) async throws in
      await session.sandbox.setPermission(.read, of: session.alice)
      await session.sandbox.inject(.status(503), for: "POST /2/oauth2/token")
      let oauth2 = oauth2(session, store: MemoryTokenStore())
      let exchanged = try await oauth2.exchange(
        token(session.alice), configuration: session.x.client.configuration)
      #expect(exchanged.scopes?.contains("tweet.write") == false)
      let x = session.api(.oauth2(oauth2))
      #expect(try await x.getUsersMe().data.username == "alice")
      let error = await failure { () throws(CallError) in try await x.createPosts(text: "no") }
      guard case .authorization(let problem)? = error, case .missingScopes(["tweet.write"]) = problem.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }
}
