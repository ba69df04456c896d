import Foundation
import Testing

@testable import XSandbox

@Suite("App-only bearer tokens")
struct AppOnlyTests {
  @Test("The bearer token stays the same until it is invalidated")
  func token() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, app) = (LoginClient(sandbox), sandbox.app)
      let basic = LoginClient.basic(app.consumerKey, app.consumerSecret)
      let response = try await login.post("/oauth2/token", form: "grant_type=client_credentials", headers: basic)
      #expect((response.status, response.json["token_type"]) == (200, "bearer"))
      #expect(response.json["access_token"]?.string == app.bearerToken)
      #expect(response.header("Cache-Control") == "no-store")
      let ended = try await login.post(
        "/oauth2/invalidate_token", form: "access_token=\(app.bearerToken)", headers: basic)
      #expect(ended.json["access_token"]?.string == app.bearerToken)
      #expect(try await TestClient(sandbox, .bearer(app.bearerToken)).get("/2/users?ids=1").status == 401)
      let next = try await login.post("/oauth2/token", form: "grant_type=client_credentials", headers: basic)
      let token = try #require(next.json["access_token"]?.string)
      #expect(token != app.bearerToken)
      #expect(try await TestClient(sandbox, .bearer(token)).get("/2/users?ids=1").status == 200)
      #expect(await sandbox.authorizationCounts().bearerTokens == 2)
    }
  }

  @Test("The owner's signature ends the token, in the form or in the query", arguments: [true, false])
  func invalidationByOwner(isForm: Bool) async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, app, alice) = (LoginClient(sandbox), sandbox.app, sandbox.users.alice)
      let member = "access_token=\(app.bearerToken)"
      func invalidate(token: String?, secret: String) async throws -> TestClient.Response {
        try await login.signed(
          "POST", "/oauth2/invalidate_token" + (isForm ? "" : "?\(member)"), token: token, secret: secret,
          form: isForm ? member : nil)
      }
      #expect(try await invalidate(token: nil, secret: "").reason == "parameter_absent")
      #expect(try await invalidate(token: alice.accessToken, secret: "wrong").status == 401)
      #expect(try await TestClient(sandbox, .bearer(app.bearerToken)).get("/2/users?ids=1").status == 200)
      let ended = try await invalidate(token: alice.accessToken, secret: alice.accessTokenSecret)
      #expect((ended.status, ended.json["access_token"]?.string) == (200, app.bearerToken))
      #expect(try await TestClient(sandbox, .bearer(app.bearerToken)).get("/2/users?ids=1").status == 401)
    }
  }

  @Test("Refusals have X's codes")
  func refusals() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, app) = (LoginClient(sandbox), sandbox.app)
      let basic = LoginClient.basic(app.consumerKey, app.consumerSecret)
      let wrong = try await login.post(
        "/oauth2/token", form: "grant_type=client_credentials", headers: LoginClient.basic(app.consumerKey, "wrong"))
      #expect((wrong.status, wrong.code) == (403, 99))
      #expect(try await login.post("/oauth2/token", form: "grant_type=client_credentials").code == 99)
      #expect(try await login.post("/oauth2/token", form: "", headers: basic).code == 170)
      #expect(try await login.post("/oauth2/token", form: "grant_type=password", headers: basic).code == 44)
      #expect(try await login.post("/oauth2/invalidate_token", form: "", headers: basic).code == 170)
      #expect(
        try await login.post("/oauth2/invalidate_token", form: "access_token=x", headers: basic).code == 89)
      let other = await sandbox.makeApp()
      let foreign = try await login.post(
        "/oauth2/invalidate_token", form: "access_token=\(other.bearerToken)", headers: basic)
      #expect((foreign.status, foreign.code) == (403, 348))
      #expect(try await TestClient(sandbox, .bearer(other.bearerToken)).get("/2/users?ids=1").status == 200)
    }
  }
}
