import Foundation
import Testing

@testable import XSandbox

@Suite("xAuth and reverse auth")
struct XAuthTests {
  private static func form(_ username: String, _ password: String) -> String {
    "x_auth_mode=client_auth&x_auth_username=\(username)&x_auth_password=\(password)"
  }

  @Test("Entitled apps exchange a password for a token")
  func password() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = sandbox.users.alice
      let plain = try await LoginClient(sandbox).signed(
        "POST", "/oauth/access_token", form: Self.form("alice", alice.password))
      #expect((plain.status, plain.code) == (403, 87))
      let app = await sandbox.makeApp(.init(isEntitledToXAuth: true))
      let login = LoginClient(sandbox, app: app)
      let access = try await login.signed("POST", "/oauth/access_token", form: Self.form("Alice", alice.password))
      #expect(access.form["user_id"] == alice.id)
      let me = try await login.signed(
        "GET", "/1.1/account/verify_credentials.json", token: access.form["oauth_token"] ?? "",
        secret: access.form["oauth_token_secret"] ?? "")
      #expect(me.json["screen_name"] == "alice")
      let wrong = try await login.signed("POST", "/oauth/access_token", form: Self.form("alice", "wrong"))
      #expect((wrong.status, wrong.code, wrong.messages) == (401, 32, ["Invalid user name or password"]))
      let nobody = try await login.signed("POST", "/oauth/access_token", form: Self.form("nobody", "wrong"))
      #expect((nobody.status, nobody.messages) == (401, ["Invalid user name or password"]))
      let missing = try await login.signed("POST", "/oauth/access_token", form: "x_auth_mode=client_auth")
      #expect((missing.status, missing.code) == (403, 38))
      let forged = try await login.signed(
        "POST", "/oauth/access_token", form: Self.form("alice", alice.password)
      ) { $0.consumerSecret = "wrong" }
      #expect(forged.reason == "signature_invalid")
      #expect(!forged.text.contains(alice.password))
      #expect(await sandbox.requests().allSatisfy { !$0.bodyText.contains(alice.password) })
    }
  }

  @Test("Reverse auth takes both steps, and its parameters serve once")
  func reverse() async throws {
    try await withSandbox { (sandbox) async throws in
      let target = LoginClient(sandbox, app: await sandbox.makeApp(.init(isEntitledToXAuth: true)))
      let device = LoginClient(sandbox)
      let begun = try await target.signed("POST", "/oauth/request_token", form: "x_auth_mode=reverse_auth")
      #expect(begun.text.hasPrefix("OAuth oauth_nonce=\""))
      #expect(begun.text.contains("oauth_consumer_key=\"\(target.app.consumerKey)\""))
      #expect(begun.text.contains("oauth_signature=\""))
      func finish(_ parameters: String, target key: String) async throws -> TestClient.Response {
        let bob = sandbox.users.bob
        return try await device.signed(
          "POST", "/oauth/access_token", token: bob.accessToken, secret: bob.accessTokenSecret,
          form: "x_reverse_auth_target=\(key)&x_reverse_auth_parameters=\(TestSigner.encode(parameters))")
      }
      #expect(
        try await finish(begun.text, target: device.app.consumerKey).reason == "reverse_auth_invalid")
      let changed = begun.text.replacingOccurrences(of: "1.0", with: "1.1")
      #expect(try await finish(changed, target: target.app.consumerKey).reason == "reverse_auth_invalid")
      let access = try await finish(begun.text, target: target.app.consumerKey)
      #expect(access.form["screen_name"] == "bob")
      let me = try await target.signed(
        "GET", "/2/users/me", token: access.form["oauth_token"] ?? "",
        secret: access.form["oauth_token_secret"] ?? "")
      #expect(me.data?["username"] == "bob")
      #expect(try await finish(begun.text, target: target.app.consumerKey).reason == "reverse_auth_invalid")
      let unentitled = try await device.signed("POST", "/oauth/request_token", form: "x_auth_mode=reverse_auth")
      #expect((unentitled.status, unentitled.code) == (403, 87))
    }
  }
}
