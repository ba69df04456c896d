import Foundation
import Testing

@testable import XSandbox

@Suite("Logging in with OAuth 1.0a")
struct OAuth1LoginTests {
  @Test("A login with a callback leads over page, form and redirect to an access token")
  func callback() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let bob = sandbox.users.bob
      let response = try await login.signed(
        "POST", "/oauth/request_token", extra: [("oauth_callback", "http://127.0.0.1:8765/callback?a=b")])
      #expect(response.status == 200)
      #expect(response.form["oauth_callback_confirmed"] == "true")
      let token = (token: response.form["oauth_token"] ?? "", secret: response.form["oauth_token_secret"] ?? "")
      let page = try await login.page("/oauth/authorize?oauth_token=\(token.token)&screen_name=bob")
      #expect(page.status == 200)
      #expect(page.text.contains("value=\"bob\""))
      let sent = try await login.submit(page, username: "@Bob", password: bob.password)
      #expect(sent.status == 302)
      #expect(
        sent.header("Location")?.hasPrefix("http://127.0.0.1:8765/callback?a=b&oauth_token=\(token.token)&") == true)
      let verifier = try #require(sent.redirect["oauth_verifier"])
      let access = try await login.accessToken(token, verifier: verifier)
      #expect(access.form["screen_name"] == "bob")
      #expect(access.form["user_id"] == bob.id)
      // X hands out the token that the app has already.
      #expect(access.form["oauth_token"] == bob.accessToken)
      #expect(access.form["oauth_token_secret"] == bob.accessTokenSecret)
      let again = try await login.accessToken(token, verifier: verifier)
      #expect((again.status, again.reason, again.code) == (401, "token_rejected", 89))
    }
  }

  @Test("A login with a PIN exchanges the PIN in the body")
  func pin() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox, app: await sandbox.makeApp())
      let token = try await login.requestToken()
      let page = try await login.page("/oauth/authenticate?oauth_token=\(token.token)")
      let shown = try await login.submit(page, username: "bob", password: sandbox.users.bob.password)
      let pin = try #require(
        shown.text.components(separatedBy: "<code>").last?.components(separatedBy: "</code>").first)
      #expect(pin.count == 7)
      let wrong = try await login.accessToken(token, verifier: "1")
      #expect((wrong.status, wrong.reason, wrong.code) == (401, "verifier_invalid", 32))
      let access = try await login.signed(
        "POST", "/oauth/access_token", token: token.token, secret: token.secret, form: "oauth_verifier=\(pin)")
      #expect(access.form["screen_name"] == "bob", "\(access.text)")
      #expect(access.form["oauth_token"] != sandbox.users.bob.accessToken)
      #expect(access.header("Content-Type")?.hasPrefix("text/html") == true)
    }
  }

  @Test("Denials, wrong passwords, foreign forms and second decisions are refused")
  func decisions() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let token = try await login.requestToken(callback: "sandbox://back")
      let page = try await login.page("/oauth/authorize?oauth_token=\(token.token)")
      let wrong = try await login.submit(page, username: "bob", password: "wrong")
      #expect((wrong.status, wrong.text.contains("role=\"alert\"")) == (200, true))
      let foreign = try await login.submit(
        page, username: "bob", password: sandbox.users.bob.password, extra: [])
      #expect(foreign.status == 302)
      #expect(try await login.page("/oauth/authorize?oauth_token=\(token.token)").status == 403)
      let second = try await login.requestToken(callback: "sandbox://back")
      let secondPage = try await login.page("/oauth/authorize?oauth_token=\(second.token)")
      let forged = try await login.post(
        "/oauth/authorize",
        form:
          "oauth_token=\(second.token)&authenticity_token=x&username_or_email=bob&password=\(sandbox.users.bob.password)"
      )
      #expect(forged.status == 403)
      let unapproved = try await login.accessToken(second, verifier: "")
      #expect(unapproved.reason == "not_authorized")
      let denied = try await login.submit(secondPage, extra: [("cancel", "Cancel")])
      #expect(denied.header("Location") == "sandbox://back?denied=\(second.token)")
      #expect(try await login.accessToken(second, verifier: "x").reason == "not_authorized")
    }
  }

  @Test("Callbacks must be present and approved for the app")
  func callbacks() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      for callback in [
        "https://evil.example/", "javascript:alert(1)", "http://127.0.0.1.evil.example/", "other://x",
        "http://127.0.0.1:8766/callback", "http://127.0.0.1:8765/other", "http://localhost:8765/callback",
      ] {
        let refused = try await login.signed(
          "POST", "/oauth/request_token", extra: [("oauth_callback", callback)])
        #expect((refused.status, refused.code) == (403, 415), "\(callback)")
      }
      let absent = try await login.signed("POST", "/oauth/request_token")
      #expect((absent.status, absent.reason) == (401, "callback_absent"))
      let app = await sandbox.makeApp(.init(callbacks: ["https://app.example/back", "myapp://", "http://localhost:*"]))
      let other = LoginClient(sandbox, app: app)
      for callback in ["https://app.example/back?session=1", "MyApp://anything", "http://localhost:1/"] {
        #expect(try await other.requestToken(callback: callback).token != "", "\(callback)")
      }
    }
  }

  @Test("A request token expires, and belongs to one app")
  func expiry() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock()
    configuration.clock = clock
    configuration.requestTokenLifetime = 60
    try await withSandbox(configuration) { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let token = try await login.requestToken()
      let url = try #require(URL(string: "\(sandbox.url)/oauth/authorize?oauth_token=\(token.token)"))
      let pin = try #require(try await sandbox.approve(url, as: sandbox.users.alice).pin)
      let thief = LoginClient(sandbox, app: await sandbox.makeApp())
      #expect(try await thief.accessToken(token, verifier: pin).reason == "token_rejected")
      clock.advance(by: 60)
      #expect(try await login.accessToken(token, verifier: pin).reason == "token_rejected")
      await #expect(throws: SandboxError.self) { try await sandbox.approve(url, as: sandbox.users.alice) }
    }
  }

  @Test("The exchange must be signed with the request token's secret, and refusals show no secrets")
  func signature() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let token = try await login.requestToken()
      let url = try #require(URL(string: "https://api.x.com/oauth/authorize?oauth_token=\(token.token)"))
      let pin = try #require(try await sandbox.approve(url, as: sandbox.users.alice).pin)
      let refused = try await login.accessToken((token.token, "wrong"), verifier: pin)
      #expect((refused.status, refused.reason) == (401, "signature_invalid"))
      #expect(!refused.text.contains(pin) && !refused.text.contains(token.token))
      #expect(try await login.accessToken(token, verifier: pin).status == 200)
    }
  }

  @Test("A read-only app and x_auth_access_type limit the token")
  func permissions() async throws {
    try await withSandbox { (sandbox) async throws in
      let app = await sandbox.makeApp()
      let login = LoginClient(sandbox, app: app)
      let token = try await login.requestToken(form: "x_auth_access_type=read")
      let url = try #require(URL(string: "\(sandbox.url)/oauth/authorize?oauth_token=\(token.token)"))
      let pin = try #require(try await sandbox.approve(url, as: sandbox.users.bob).pin)
      let access = try await login.accessToken(token, verifier: pin).form
      let (key, secret) = (access["oauth_token"] ?? "", access["oauth_token_secret"] ?? "")
      let me = try await login.signed("GET", "/1.1/account/verify_credentials.json", token: key, secret: secret)
      #expect(me.json["screen_name"] == "bob")
      let refused = try await login.signed(
        "POST", "/1.1/statuses/update.json", token: key, secret: secret, form: "status=hi")
      #expect((refused.status, refused.code) == (403, 261))
      await sandbox.configure(app) { $0.permission = .read }
      let writer = try await sandbox.makeAccessToken(for: sandbox.users.bob, app: app)
      let also = try await login.signed(
        "POST", "/1.1/statuses/update.json", token: writer.token, secret: writer.secret, form: "status=hi")
      #expect((also.status, also.code) == (403, 261))
      let wrong = try await login.signed(
        "POST", "/oauth/request_token", extra: [("oauth_callback", "oob")], form: "x_auth_access_type=all")
      #expect(wrong.status == 400)
    }
  }

  @Test("The sandbox approves and denies logins without the page, and hides the result in descriptions")
  func typed() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let token = try await login.requestToken(callback: "sandbox://back")
      let url = try #require(URL(string: "\(sandbox.url)/oauth/authorize?oauth_token=\(token.token)"))
      let approval = try await sandbox.approve(url, as: sandbox.users.carol)
      let parameters = TestClient.Response.parameters(approval.url?.query ?? "")
      #expect(parameters["oauth_token"] == token.token)
      var dumped = "\(approval)"
      dump(approval, to: &dumped)
      #expect(!dumped.contains(parameters["oauth_verifier"] ?? "?"))
      let access = try await login.accessToken(token, verifier: parameters["oauth_verifier"] ?? "")
      #expect(access.form["screen_name"] == "carol")
      let second = try await login.requestToken()
      let secondURL = try #require(URL(string: "\(sandbox.url)/oauth/authorize?oauth_token=\(second.token)"))
      #expect(try await sandbox.deny(secondURL) == nil)
      await #expect(throws: SandboxError.self) { try await sandbox.approve(secondURL, as: sandbox.users.carol) }
      let nowhere = try #require(URL(string: "\(sandbox.url)/elsewhere"))
      await #expect(throws: SandboxError.cannotAuthorize("/elsewhere is not an authorization page")) {
        try await sandbox.deny(nowhere)
      }
    }
  }

  @Test("invalidate_token revokes the token, and the next login gets another")
  func invalidation() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, alice) = (LoginClient(sandbox), sandbox.users.alice)
      let ended = try await login.signed(
        "POST", "/1.1/oauth/invalidate_token.json", token: alice.accessToken, secret: alice.accessTokenSecret)
      #expect(ended.json["access_token"]?.string == alice.accessToken)
      #expect(try await TestClient(sandbox, .oauth1(alice)).get("/2/users/me").reason == "token_revoked")
      let token = try await login.requestToken()
      let url = try #require(URL(string: "\(sandbox.url)/oauth/authorize?oauth_token=\(token.token)"))
      let pin = try #require(try await sandbox.approve(url, as: alice).pin)
      let access = try await login.accessToken(token, verifier: pin).form
      #expect(access["oauth_token"] != alice.accessToken)
    }
  }

  @Test("A wrong method gets the allowed ones, in v1.1's form")
  func methods() async throws {
    try await withSandbox { (sandbox) async throws in
      let refused = try await TestClient(sandbox, .none).get("/oauth/request_token")
      #expect((refused.status, refused.header("Allow"), refused.code) == (405, "POST", 86))
      let unsigned = try await LoginClient(sandbox).post("/oauth/request_token", form: "oauth_callback=oob")
      #expect((unsigned.status, unsigned.code) == (400, 215))
    }
  }
}
