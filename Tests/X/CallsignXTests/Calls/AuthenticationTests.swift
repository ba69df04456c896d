import Callsign
import CallsignTesting
import CallsignX
import Testing
import XSandbox

@Suite("Which credentials a call gets")
struct AuthenticationTests {
  private func scheme(_ session: Session) async -> Substring? {
    await session.lastRequest()?.header("Authorization")?.prefix { $0 != " " }
  }

  @Test("Side by side, each endpoint gets the first that it accepts")
  func choice() async throws {
    try await withSession { (session) async throws in
      let x = session.api(.bearer(session.sandbox.app.bearerToken), .alice(of: session.sandbox))
      _ = try await x.getUsersById(id: session.bob.id)
      #expect(await scheme(session) == "Bearer")
      #expect(try await x.getUsersMe().data.username == "alice")
      #expect(await scheme(session) == "OAuth")
      let swapped = session.api(.alice(of: session.sandbox), .bearer(session.sandbox.app.bearerToken))
      _ = try await swapped.getUsersById(id: session.bob.id)
      #expect(await scheme(session) == "OAuth")
    }
  }

  @Test("A token of OAuth 2.0 serves the endpoints within its scopes")
  func scopes() async throws {
    try await withSession { (session) async throws in
      let x = session.api(.bearer(session.alice.oauth2AccessToken, scopes: ["tweet.read", "users.read"]))
      #expect(try await x.getUsersMe().data.username == "alice")
      let before = await session.requests().count
      let error = await failure { () throws(CallError) in try await x.createPosts(text: "no") }
      guard case .authorization(let missing)? = error, case .missingScopes(["tweet.write"]) = missing.reason else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(await session.requests().count == before, "nothing may be sent")
    }
  }

  @Test("Without credentials that an endpoint accepts, nothing is sent")
  func noneAccepted() async throws {
    try await withSession { (session) async throws in
      for x in [session.api(), session.api(.bearer(session.sandbox.app.bearerToken))] {
        let error = await failure { () throws(CallError) in try await x.getUsersMe() }
        guard case .authorization(let missing)? = error, case .noneAccepted = missing.reason else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
      #expect(await session.requests() == [])
    }
  }

  @Test("A server's refusal becomes advice without credentials")
  func refused() async throws {
    try await withSession { (session) async throws in
      let secret = "wr0ng-secret-of-alice"
      let x = session.api(
        .oauth1(
          OAuth1(
            consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret),
            token: session.alice.accessToken, tokenSecret: Secret(secret))))
      let error = await failure { () throws(CallError) in try await x.getUsersMe() }
      guard case .authorization(let refusal)? = error, refusal.reason == .refused else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.response?.status == .unauthorized)
      for text in ["\(refusal)", String(reflecting: error), "\(error.map { $0.localizedDescription } ?? "")"] {
        for hidden in [secret, session.sandbox.app.consumerSecret, session.alice.accessToken] {
          #expect(!text.contains(hidden))
        }
      }
    }
  }

  @Test("The error for a read-only token says so")
  func readOnly() async throws {
    try await withSession { (session) async throws in
      await session.sandbox.setPermission(.read, of: session.alice)
      _ = try await session.x.getUsersMe()
      let error = await failure { () throws(CallError) in try await session.x.createPosts(text: "no") }
      guard case .authorization(let refusal)? = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(refusal.advice.contains("permissions"))
    }
  }

  @Test("Every request has its own nonce")
  func nonces() async throws {
    try await withSession { (session) async throws in
      for _ in 0..<3 { _ = try await session.x.getUsersMe() }
      let nonces = await session.sandbox.requests().compactMap {
        $0.header("Authorization")?.firstMatch(of: /oauth_nonce="([^"]+)"/)?.1
      }
      #expect(Set(nonces).count == 3)
    }
  }
}
