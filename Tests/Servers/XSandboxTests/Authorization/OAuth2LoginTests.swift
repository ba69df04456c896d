import Foundation
import Testing

@testable import XSandbox

@Suite("Logging in with OAuth 2.0")
struct OAuth2LoginTests {
  private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
  /// RFC 7636, appendix B.
  private static let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
  private static let redirect = "http://127.0.0.1:8765/callback"

  private func target(
    _ app: Sandbox.App, changing changes: [String: String?] = [:], path: String = "/i/oauth2/authorize"
  ) -> String {
    var parameters: [String: String?] = [
      "response_type": "code", "client_id": app.clientID, "redirect_uri": Self.redirect,
      "scope": "tweet.read users.read offline.access", "state": "a&b", "code_challenge": Self.challenge,
      "code_challenge_method": "S256",
    ]
    parameters.merge(changes) { $1 }
    let query = parameters.compactMap { name, value in value.map { "\(name)=\(TestSigner.encode($0))" } }
    return "\(path)?\(query.sorted().joined(separator: "&"))"
  }

  private func code(
    _ sandbox: Sandbox, _ app: Sandbox.App, changing changes: [String: String?] = [:]
  ) async throws -> String {
    let url = try #require(URL(string: sandbox.url.absoluteString + target(app, changing: changes)))
    let approval = try await sandbox.approve(url, as: sandbox.users.alice)
    return try #require(TestClient.Response.parameters(approval.url?.query ?? "")["code"])
  }

  private func exchange(
    _ login: LoginClient, _ code: String, verifier: String = verifier, redirect: String = redirect
  ) async throws -> TestClient.Response {
    var form = "grant_type=authorization_code&code=\(code)&redirect_uri=\(TestSigner.encode(redirect))"
    form += "&code_verifier=\(verifier)"
    return try await token(login, form)
  }

  private func token(
    _ login: LoginClient, _ form: String, path: String = "/2/oauth2/token"
  ) async throws -> TestClient.Response {
    guard let secret = login.app.clientSecret else {
      return try await login.post(path, form: form + "&client_id=\(login.app.clientID)")
    }
    return try await login.post(path, form: form, headers: LoginClient.basic(login.app.clientID, secret))
  }

  @Test("A login leads from the page to tokens, their refresh and their revocation", arguments: [true, false])
  func whole(isConfidential: Bool) async throws {
    try await withSandbox { (sandbox) async throws in
      let app = await sandbox.makeApp(.init(name: "<Shop> & Co", isConfidential: isConfidential))
      #expect((app.clientSecret != nil) == isConfidential)
      let login = LoginClient(sandbox, app: app)
      let page = try await login.page(target(app, path: "/i/oauth2_start_flow"))
      #expect(page.text.contains("&lt;Shop&gt; &amp; Co") && page.text.contains("offline.access"))
      let wrong = try await login.submit(page, username: "alice", password: "wrong")
      #expect(wrong.text.contains("role=\"alert\""))
      let sent = try await login.submit(page, username: "alice", password: sandbox.users.alice.password)
      #expect((sent.status, sent.redirect["state"]) == (302, "a&b"))
      let response = try await exchange(login, sent.redirect["code"] ?? "")
      #expect(response.status == 200)
      #expect(response.json["expires_in"] == 7200)
      #expect(response.json["token_type"] == "bearer")
      #expect(response.json["scope"] == "tweet.read users.read offline.access")
      let access = try #require(response.json["access_token"]?.string)
      #expect(try await TestClient(sandbox, .bearer(access)).get("/2/users/me").data?["username"] == "alice")
      let refresh = try #require(response.json["refresh_token"]?.string)
      let next = try await token(login, "grant_type=refresh_token&refresh_token=\(refresh)")
      let nextAccess = try #require(next.json["access_token"]?.string)
      let nextRefresh = try #require(next.json["refresh_token"]?.string)
      #expect(nextRefresh != refresh && nextAccess != access)
      let reused = try await token(login, "grant_type=refresh_token&refresh_token=\(refresh)")
      #expect((reused.status, reused.json["error"], reused.reason) == (400, "invalid_grant", "refresh_token_used"))
      #expect(try await TestClient(sandbox, .bearer(nextAccess)).get("/2/users/me").status == 200)
      #expect(await sandbox.refreshCount == 1)
      #expect(await sandbox.authorizationCounts().refusedRefreshes == 1)
      let refreshes = await sandbox.refreshes(of: sandbox.users.alice)
      #expect(refreshes.granted == 1 && refreshes.reused == 1 && refreshes.last != nil)
      #expect(refreshes.reuses.count == 1 && refreshes.reuses.first?.use == refreshes.last)
      #expect(await sandbox.refreshes(of: sandbox.users.bob) == SandboxRefreshes())
      let revoked = try await token(login, "token=\(nextRefresh)", path: "/2/oauth2/revoke")
      #expect(revoked.json["revoked"] == true)
      #expect(try await TestClient(sandbox, .bearer(nextAccess)).get("/2/users/me").reason == "revoked_token")
      let after = try await token(login, "grant_type=refresh_token&refresh_token=\(nextRefresh)")
      #expect(after.reason == "refresh_token_revoked")
      #expect(try await token(login, "token=unknown", path: "/2/oauth2/revoke").status == 200)
    }
  }

  @Test("Tokens expire, refresh tokens need offline.access, and a refresh may ask for fewer scopes")
  func lifetimes() async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock()
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let short = try await exchange(login, try await code(sandbox, login.app, changing: ["scope": "users.read"]))
      #expect(short.json["refresh_token"] == nil)
      let token = try #require(short.json["access_token"]?.string)
      clock.advance(by: 7199)
      #expect(try await TestClient(sandbox, .bearer(token)).get("/2/users/me").reason != "expired_token")
      clock.advance(by: 1)
      #expect(try await TestClient(sandbox, .bearer(token)).get("/2/users/me").reason == "expired_token")
      let late = try await code(sandbox, login.app)
      clock.advance(by: 30)
      #expect(try await exchange(login, late).reason == "code_expired")
      let response = try await exchange(login, try await code(sandbox, login.app))
      let refresh = try #require(response.json["refresh_token"]?.string)
      let more = try await self.token(login, "grant_type=refresh_token&refresh_token=\(refresh)&scope=dm.read")
      #expect(more.json["error"] == "invalid_scope")
      let less = try await self.token(login, "grant_type=refresh_token&refresh_token=\(refresh)&scope=users.read")
      #expect(less.json["scope"] == "users.read")
      clock.advance(by: 180 * 86_400)
      let old = try #require(less.json["refresh_token"]?.string)
      let expired = try await self.token(login, "grant_type=refresh_token&refresh_token=\(old)")
      #expect(expired.reason == "refresh_token_expired")
    }
  }

  @Test("A code is for one use, one client, one address and one verifier")
  func codes() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let first = try await code(sandbox, login.app)
      let response = try await exchange(login, first)
      let access = try #require(response.json["access_token"]?.string)
      let again = try await exchange(login, first)
      #expect((again.json["error"], again.reason) == ("invalid_grant", "code_used"))
      // Somebody else has seen the code: what it yielded ends.
      #expect(try await TestClient(sandbox, .bearer(access)).get("/2/users/me").reason == "revoked_token")
      let thief = LoginClient(sandbox, app: await sandbox.makeApp())
      let second = try await code(sandbox, login.app)
      #expect(try await exchange(thief, second).reason == "code_unknown")
      #expect(try await exchange(login, second, redirect: "http://127.0.0.1:8/").reason == "redirect_uri_differs")
      let third = try await code(sandbox, login.app)
      let other = String(repeating: "x", count: 43)
      #expect(try await exchange(login, third, verifier: other).reason == "code_verifier_wrong")
      let fourth = try await code(sandbox, login.app)
      #expect(try await exchange(login, fourth, verifier: "short").reason == "code_verifier_malformed")
      let plain = try await code(
        sandbox, login.app, changing: ["code_challenge": Self.verifier, "code_challenge_method": "plain"])
      #expect(try await exchange(login, plain).status == 200)
    }
  }

  @Test("A reused refresh token ends the login if the configuration says so")
  func reuse() async throws {
    var configuration = Sandbox.Configuration()
    configuration.revokesOnRefreshTokenReuse = true
    try await withSandbox(configuration) { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let response = try await exchange(login, try await code(sandbox, login.app))
      let refresh = try #require(response.json["refresh_token"]?.string)
      let next = try await token(login, "grant_type=refresh_token&refresh_token=\(refresh)")
      #expect(
        try await token(login, "grant_type=refresh_token&refresh_token=\(refresh)").reason == "refresh_token_used")
      let kept = try #require(next.json["refresh_token"]?.string)
      #expect(
        try await token(login, "grant_type=refresh_token&refresh_token=\(kept)").reason == "refresh_token_revoked")
      let access = try #require(next.json["access_token"]?.string)
      #expect(try await TestClient(sandbox, .bearer(access)).get("/2/users/me").status == 401)
    }
  }

  @Test(
    "Errors in the request return to the client",
    arguments: [
      ("response_type", "token", "unsupported_response_type"), ("response_type", nil, "invalid_request"),
      ("scope", "tweet.read everything", "invalid_scope"), ("scope", nil, "invalid_scope"),
      ("code_challenge", "short", "invalid_request"), ("code_challenge", nil, "invalid_request"),
      ("code_challenge_method", "S512", "invalid_request"), ("state", nil, "invalid_request"),
    ])
  func redirected(name: String, value: String?, error: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await LoginClient(sandbox).page(target(sandbox.app, changing: [name: value]))
      #expect(response.status == 302)
      #expect(response.header("Location")?.hasPrefix(Self.redirect) == true)
      #expect(response.redirect["error"] == error)
      #expect(response.redirect["state"] == (name == "state" ? nil : "a&b"))
    }
  }

  @Test(
    "Errors in the client's identity stay on the page",
    arguments: [("client_id", "x"), ("redirect_uri", "https://evil.example/"), ("redirect_uri", nil)])
  func shown(name: String, value: String?) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await LoginClient(sandbox).page(target(sandbox.app, changing: [name: value]))
      #expect(response.status == 400)
      #expect(response.header("Location") == nil)
    }
  }

  @Test("A user denies by the page and without it, and a page serves for one decision")
  func denial() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let page = try await login.page(target(login.app))
      let denied = try await login.submit(page, extra: [("cancel", "Cancel")])
      #expect(denied.redirect == ["error": "access_denied", "state": "a&b"])
      let again = try await login.submit(page, username: "alice", password: sandbox.users.alice.password)
      #expect(again.status == 400)
      let url = try #require(URL(string: "https://x.com\(target(login.app))"))
      #expect(try await sandbox.deny(url)?.query?.contains("error=access_denied") == true)
      let bad = try #require(URL(string: "https://x.com\(target(login.app, changing: ["scope": nil]))"))
      await #expect(throws: SandboxError.cannotAuthorize("invalid_scope: scope is missing.")) {
        try await sandbox.approve(bad, as: sandbox.users.alice)
      }
    }
  }

  @Test("Clients must authenticate")
  func clients() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, app) = (LoginClient(sandbox), sandbox.app)
      let open = await sandbox.makeApp(.init(isConfidential: false))
      func expect(
        _ form: String, _ headers: [String: String], _ error: String, _ reason: String, line: Int = #line
      ) async throws {
        let response = try await login.post(
          "/2/oauth2/token", form: "grant_type=refresh_token" + form, headers: headers)
        #expect(response.json["error"]?.string == error, "line \(line)")
        #expect(response.reason == reason, "line \(line)")
        #expect((response.status == 401) == (error == "invalid_client"), "line \(line)")
      }
      let secret = app.clientSecret ?? ""
      try await expect("", [:], "invalid_request", "client_id_absent")
      try await expect("&client_id=x", [:], "invalid_client", "client_unknown")
      try await expect("&client_id=\(app.clientID)", [:], "invalid_client", "authorization_header_absent")
      try await expect(
        "&client_id=\(app.clientID)&client_secret=\(secret)", [:], "invalid_client", "client_secret_in_body")
      try await expect("", LoginClient.basic(app.clientID, "x"), "invalid_client", "client_secret_wrong")
      try await expect("", LoginClient.basic(open.clientID, "x"), "invalid_client", "client_is_public")
      try await expect("", ["Authorization": "Basic !"], "invalid_client", "authorization_header_malformed")
      try await expect("", LoginClient.basic(app.clientID, secret), "invalid_request", "refresh_token_absent")
      try await expect(
        "&refresh_token=x", LoginClient.basic(app.clientID, secret), "invalid_grant", "refresh_token_unknown")
      let basic = LoginClient.basic(app.clientID, secret)
      let unknown = try await login.post("/2/oauth2/token", form: "grant_type=client_credentials", headers: basic)
      #expect(unknown.json["error"] == "unsupported_grant_type")
      let json = try await TestClient(sandbox, .none).post("/2/oauth2/token", "{}")
      #expect(json.reason == "content_type_wrong")
    }
  }

  @Test("Neither log nor descriptions show tokens and codes")
  func secrecy() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let page = try await login.page(target(login.app))
      _ = try await login.submit(page, username: "alice", password: sandbox.users.alice.password)
      let response = try await exchange(login, try await code(sandbox, login.app))
      let refresh = try #require(response.json["refresh_token"]?.string)
      _ = try await token(login, "grant_type=refresh_token&refresh_token=\(refresh)")
      _ = try await token(login, "token=\(refresh)", path: "/2/oauth2/revoke")
      var dumped = ""
      dump(await sandbox.requests(), to: &dumped)
      dump(sandbox.app, to: &dumped)
      dump(sandbox.users, to: &dumped)
      dumped += await sandbox.requests().map(\.bodyText).joined()
      #expect(dumped.contains("refresh_token"))
      #expect(!dumped.contains(CredentialGenerator.secretMarker))
      #expect(!dumped.contains(Self.verifier))
      for secret in [refresh, sandbox.app.clientSecret ?? "", sandbox.users.alice.password, sandbox.app.consumerSecret]
      {
        #expect(secret.contains(CredentialGenerator.secretMarker))
      }
    }
  }
}
