import Foundation
import Testing

@testable import XSandbox

@Suite("Bearer tokens of the app alone")
struct AppOnlyTests {
  @Test("The bearer token stays the same until it is invalidated")
  func token() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, app) = (LoginClient(sandbox), sandbox.app)
      let basic = LoginClient.basic(app.consumerKey, app.consumerSecret)
      let answer = try await login.post("/oauth2/token", form: "grant_type=client_credentials", headers: basic)
      #expect((answer.status, answer.json["token_type"]) == (200, "bearer"))
      #expect(answer.json["access_token"]?.string == app.bearerToken)
      #expect(answer.header("Cache-Control") == "no-store")
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
