import Foundation
import Testing

@testable import XSandbox

/// The pages that let a person decide. `BrowserTests` goes through them with a browser.
@Suite("Consent pages")
struct ConsentPageTests {
  private static let challenge = String(repeating: "c", count: 43)

  private func target(_ app: Sandbox.App, scope: String, redirect: String = "sandbox://done") -> String {
    "/i/oauth2/authorize?response_type=code&client_id=\(app.clientID)&state=s&code_challenge=\(Self.challenge)"
      + "&code_challenge_method=plain&redirect_uri=\(TestSigner.encode(redirect))&scope=\(TestSigner.encode(scope))"
  }

  @Test("Every scope has its own words") func scopes() {
    let words = Scopes.all.map(Scopes.words)
    #expect(Set(words).count == Scopes.all.count && !words.contains { $0.hasPrefix("Use ") })
  }

  @Test("A person on this machine chooses an account without a password, and the token is that account's")
  func choice() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let page = try await login.page(target(sandbox.app, scope: "tweet.read offline.access"))
      #expect(page.text.contains("See all posts that you can see") && page.text.contains("tweet.read"))
      let sent = try await login.submit(page, extra: [("account", "bob")])
      let code = try #require(sent.redirect["code"])
      let response = try await login.post(
        "/2/oauth2/token",
        form: "grant_type=authorization_code&code=\(code)&redirect_uri=sandbox%3A%2F%2Fdone&code_verifier="
          + Self.challenge, headers: LoginClient.basic(sandbox.app.clientID, sandbox.app.clientSecret ?? ""))
      let token = try #require(response.json["access_token"]?.string)
      #expect(response.json["scope"] == "tweet.read offline.access")
      #expect(
        await sandbox.pipeline.authorization.perform { $0.registry.bearerTokens[token]?.user.map(String.init) }
          == sandbox.users.bob.id)
    }
  }

  @Test("An account can be chosen only without a user name or password, and only if it exists")
  func noChoice() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let page = try await login.page(target(sandbox.app, scope: "tweet.read"))
      let attempts: [(String, String, [(String, String)])] = [
        ("alice", "", [("account", "bob")]), ("", "wrong", [("account", "bob")]),
        ("alice", "wrong", [("account", "alice")]),
        ("", "", [("account", "nobody")]), ("", "", []),
      ]
      for (username, password, extra) in attempts {
        let response = try await login.submit(page, username: username, password: password, extra: extra)
        #expect(response.status == 200 && response.text.contains("role=\"alert\""), "\(username) \(extra)")
      }
      // With its own name for this machine, a site could read the page.
      let request = "GET \(target(sandbox.app, scope: "tweet.read")) HTTP/1.1\r\nHost: rebound.example\r\n"
      let rebound = try await RawConnection.exchange(request + "Connection: close\r\n\r\n", with: sandbox)
      #expect(rebound.contains("oauth_form") && !rebound.contains("type=\"radio\""))
    }
  }

  @Test(
    "The policy lets the form lead only to the app's address, and no address can add markup or rules to it",
    arguments: [
      ("https://app.example:8443/done?a=b", "form-action 'self' https://app.example:8443"),
      ("myapp://done", "form-action 'self' myapp:"),
      (
        "http://127.0.0.1:8765/callback",
        "form-action 'self' http://127.0.0.1:8765 http://127.0.0.1:* http://localhost:*"
      ),
      ("https://a.example;script-src/x", "form-action 'self'"),
    ])
  func policy(redirect: String, rule: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let app = await sandbox.makeApp(.init(name: "\"><script>", callbacks: [redirect, "myapp://"]))
      let page = try await LoginClient(sandbox, app: app).page(target(app, scope: "tweet.read", redirect: redirect))
      guard page.status == 200 else {
        // An invalid address is refused earlier.
        #expect(redirect.contains(";"))
        return
      }
      let policy = page.header("Content-Security-Policy") ?? ""
      #expect(policy.hasSuffix(rule), "\(policy)")
      #expect(policy.hasPrefix("default-src 'none'; style-src 'self'") && !policy.contains("script-src"))
      #expect(!page.text.contains("<script"))
    }
  }
}
