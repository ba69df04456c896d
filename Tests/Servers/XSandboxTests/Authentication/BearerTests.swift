import Foundation
import Testing

@testable import XSandbox

@Suite("Bearer tokens and their rights")
struct BearerTests {
  @Test("App-only tokens read public data, and act for no user")
  func appOnly() async throws {
    try await withSandbox { (sandbox) async throws in
      let app = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      #expect(try await app.get("/2/users/\(sandbox.users.bob.id)").data?["username"] == "bob")
      let refused = try await app.get("/2/users/me")
      #expect(refused.status == 403)
      #expect(refused.json["title"] == "Unsupported Authentication")
      #expect(refused.json["type"] == "https://api.x.com/2/problems/unsupported-authentication")
      #expect(refused.json["detail"]?.string?.contains("OAuth 2.0 Application-Only is forbidden") == true)
      #expect(try await app.post("/2/tweets", #"{"text":"hi"}"#).status == 403)
    }
  }

  @Test("Unknown, revoked and expired tokens are refused")
  func refused() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock()
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      #expect(try await TestClient(sandbox, .bearer("unknown")).get("/2/users/me").reason == "unknown_token")
      let token = try await sandbox.makeOAuth2Token(
        for: sandbox.users.alice, scopes: ["tweet.read", "users.read"], expiry: clock.now().addingTimeInterval(7200))
      let client = TestClient(sandbox, .bearer(token))
      #expect(try await client.get("/2/users/me").status == 200)
      clock.advance(by: 7200)
      let expired = try await client.get("/2/users/me")
      #expect((expired.status, expired.reason) == (401, "expired_token"))
      await sandbox.revoke(token: sandbox.app.bearerToken)
      let revoked = try await TestClient(sandbox, .bearer(sandbox.app.bearerToken)).get("/2/users?ids=1")
      #expect((revoked.status, revoked.reason) == (401, "revoked_token"))
    }
  }

  @Test("Missing scopes are named")
  func scopes() async throws {
    try await withSandbox { (sandbox) async throws in
      let token = try await sandbox.makeOAuth2Token(for: sandbox.users.alice, scopes: ["tweet.read", "users.read"])
      let refused = try await TestClient(sandbox, .bearer(token)).post("/2/tweets", #"{"text":"hi"}"#)
      #expect(refused.status == 403)
      #expect(refused.json["sandbox"]?["missing_scopes"] == ["tweet.write"])
    }
  }

  @Test("A read-only access token cannot write")
  func readOnly() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = sandbox.users.alice
      await sandbox.setPermission(.read, of: alice)
      let client = TestClient(sandbox, .oauth1(alice))
      #expect(try await client.get("/2/users/me").status == 200)
      let refused = try await client.post("/2/tweets", #"{"text":"hi"}"#)
      #expect(refused.status == 403)
      #expect(refused.json["type"] == "https://api.x.com/2/problems/oauth1-permissions")
    }
  }

  @Test("A user cannot act for another")
  func impersonation() async throws {
    try await withSandbox { (sandbox) async throws in
      let post = try await sandbox.addPost("hello", by: sandbox.users.bob)
      let refused = try await TestClient.alice(sandbox)
        .post("/2/users/\(sandbox.users.bob.id)/likes", #"{"tweet_id":"\#(post)"}"#)
      #expect(refused.status == 400)
      #expect(refused.messages.first?.contains("must be the same as the authenticating user") == true)
    }
  }

  @Test("Descriptions show no secrets")
  func descriptions() async throws {
    try await withSandbox { (sandbox) async throws in
      var dumped = ""
      dump(sandbox.app, to: &dumped)
      dump(sandbox.users, to: &dumped)
      dumped += "\(sandbox.app) \(sandbox.users.alice)"
      for secret in [
        sandbox.app.consumerSecret, sandbox.app.bearerToken, sandbox.users.alice.accessToken,
        sandbox.users.alice.accessTokenSecret, sandbox.users.alice.oauth2AccessToken,
      ] {
        #expect(!dumped.contains(secret))
      }
    }
  }
}
