import Foundation
import Testing

@testable import XSandbox

@Suite("Exchange of OAuth 1.0a tokens for those of OAuth 2.0")
struct TokenExchangeTests {
  private static let reading = [
    "tweet.read", "users.read", "follows.read", "mute.read", "block.read", "list.read", "like.read", "timeline.read",
    "broadcast.read", "offline.access",
  ]

  /// Sends the request of an exchange; parts that are changed to `nil` are left out.
  private func exchange(
    _ login: LoginClient, _ user: Sandbox.User, changing changes: [String: String?] = [:],
    headers: [String: String]? = nil
  ) async throws -> TestClient.Response {
    var fields: [String: String?] = [
      "grant_type": "urn:ietf:params:oauth:grant-type:token-exchange", "subject_token": user.accessToken,
      "subject_token_type": "urn:x:params:oauth:token-type:oauth1_token", "oauth_token_secret": user.accessTokenSecret,
    ]
    if login.app.clientSecret == nil { fields["client_id"] = login.app.clientID }
    fields.merge(changes) { $1 }
    let form = fields.compactMap { name, value in value.map { "\(name)=\(TestSigner.encode($0))" } }
    let basic = login.app.clientSecret.map { LoginClient.basic(login.app.clientID, $0) } ?? [:]
    return try await login.post(
      "/2/oauth2/token", form: form.sorted().joined(separator: "&"), headers: headers ?? basic)
  }

  private func refresh(_ login: LoginClient, _ token: String) async throws -> TestClient.Response {
    try await login.post(
      "/2/oauth2/token", form: "grant_type=refresh_token&refresh_token=\(token)",
      headers: LoginClient.basic(login.app.clientID, login.app.clientSecret ?? ""))
  }

  @Test("Confidential and public clients get tokens that serve and are refreshed", arguments: [true, false])
  func whole(isConfidential: Bool) async throws {
    var configuration = Sandbox.Configuration()
    configuration.app.isConfidential = isConfidential
    try await withSandbox(configuration) { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let response = try await exchange(login, sandbox.users.bob)
      #expect((response.status, response.json["token_type"], response.json["expires_in"]) == (200, "bearer", 7200))
      #expect(response.header("Cache-Control") == "no-store")
      let access = try #require(response.json["access_token"]?.string)
      #expect(try await TestClient(sandbox, .bearer(access)).get("/2/users/me").data?["username"] == "bob")
      #expect(try await TestClient(sandbox, .bearer(access)).post("/2/tweets", #"{"text":"hi"}"#).status == 201)
      // A scope that OAuth 1.0a never permitted is not granted.
      let bookmarks = try await TestClient(sandbox, .bearer(access)).get("/2/users/\(sandbox.users.bob.id)/bookmarks")
      #expect(bookmarks.status == 403)
      let scopes = Set(try #require(response.json["scope"]?.string).split(separator: " ").map(String.init))
      #expect(scopes.isSuperset(of: Self.reading + ["tweet.write", "dm.write", "media.write"]))
      #expect(scopes.isDisjoint(with: ["bookmark.read", "space.read", "users.email"]))
      let token = try #require(response.json["refresh_token"]?.string)
      if isConfidential { #expect(try await refresh(login, token).status == 200) }
      // The token of OAuth 1.0a stays valid.
      #expect(try await TestClient(sandbox, .oauth1(sandbox.users.bob)).get("/2/users/me").status == 200)
      #expect(await sandbox.authorizationCounts().tokensExchanged == 1)
    }
  }

  @Test("A repeated exchange ends the tokens of the one before, and no other's")
  func repeated() async throws {
    try await withSandbox { (sandbox) async throws in
      let login = LoginClient(sandbox)
      let bobs = try #require(try await exchange(login, sandbox.users.bob).json["access_token"]?.string)
      let first = try await exchange(login, sandbox.users.alice)
      let second = try await exchange(login, sandbox.users.alice)
      let old = try #require(first.json["access_token"]?.string)
      let new = try #require(second.json["access_token"]?.string)
      #expect(try await TestClient(sandbox, .bearer(old)).get("/2/users/me").reason == "revoked_token")
      let spent = try await refresh(login, try #require(first.json["refresh_token"]?.string))
      #expect(spent.reason == "refresh_token_revoked")
      for good in [new, bobs, sandbox.users.alice.oauth2AccessToken] {
        #expect(try await TestClient(sandbox, .bearer(good)).get("/2/users/me").status == 200)
      }
      let next = try await refresh(login, try #require(second.json["refresh_token"]?.string))
      let third = try await exchange(login, sandbox.users.alice)
      #expect(third.status == 200)
      // Also what a refresh has made of them.
      let refreshed = try #require(next.json["access_token"]?.string)
      #expect(try await TestClient(sandbox, .bearer(refreshed)).get("/2/users/me").reason == "revoked_token")
    }
  }

  @Test("A request may ask for less, but never for more than the token permits")
  func scopes() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, alice) = (LoginClient(sandbox), sandbox.users.alice)
      let less = try await exchange(login, alice, changing: ["scope": "users.read tweet.read"])
      #expect(less.json["scope"] == "users.read tweet.read offline.access")
      #expect(less.json["refresh_token"]?.string != nil)
      let more = try await exchange(login, alice, changing: ["scope": "users.read bookmark.read"])
      #expect((more.status, more.json["error"], more.reason) == (400, "invalid_scope", "scope_not_permitted"))
      await sandbox.setPermission(.read, of: alice)
      #expect(try await exchange(login, alice).json["scope"] == JSON.string(Self.reading.joined(separator: " ")))
      #expect(try await exchange(login, alice, changing: ["scope": "tweet.write"]).json["error"] == "invalid_scope")
      // The app's own settings also limit it.
      await sandbox.configure(login.app) { $0.permission = .read }
      let bobs = try await exchange(login, sandbox.users.bob)
      #expect(bobs.json["scope"] == JSON.string(Self.reading.joined(separator: " ")))
    }
  }

  @Test("Each mistake is refused with its reason, and the client learns no more than X says")
  func refusals() async throws {
    try await withSandbox { (sandbox) async throws in
      let (login, alice) = (LoginClient(sandbox), sandbox.users.alice)
      func expect(
        _ changes: [String: String?], _ error: String, _ reason: String, headers: [String: String]? = nil,
        line: Int = #line
      ) async throws {
        let response = try await exchange(login, alice, changing: changes, headers: headers)
        #expect(response.json["error"]?.string == error, "line \(line)")
        #expect(response.reason == reason, "line \(line)")
        #expect(response.status == (error == "invalid_client" ? 401 : 400), "line \(line)")
        if error == "invalid_grant" {
          #expect(
            response.json["error_description"] == "Value passed for the authorization code or token was invalid.",
            "line \(line)")
        }
      }
      try await expect(["subject_token": nil], "invalid_request", "subject_token_absent")
      try await expect(["subject_token_type": nil], "invalid_request", "subject_token_type_absent")
      try await expect(
        ["subject_token_type": "urn:ietf:params:oauth:token-type:access_token"], "invalid_request",
        "subject_token_type_unknown")
      try await expect(["oauth_token_secret": nil], "invalid_request", "oauth_token_secret_absent")
      try await expect(["oauth_token_secret": "wrong"], "invalid_grant", "oauth_token_secret_wrong")
      try await expect(["subject_token": "1-unknown"], "invalid_grant", "subject_token_unknown")
      try await expect(["subject_token": alice.oauth2AccessToken], "invalid_grant", "subject_token_unknown")
      let basic = LoginClient.basic(login.app.clientID, "wrong")
      try await expect([:], "invalid_client", "client_secret_wrong", headers: basic)
      try await expect([:], "invalid_request", "client_id_absent", headers: [:])
      // The key and secret of OAuth 1.0a are not those of the client.
      let consumer = LoginClient.basic(login.app.consumerKey, login.app.consumerSecret)
      try await expect([:], "invalid_client", "client_unknown", headers: consumer)
      let other = await sandbox.makeApp()
      let foreign = LoginClient.basic(other.clientID, other.clientSecret ?? "")
      try await expect([:], "invalid_grant", "subject_token_of_another_app", headers: foreign)
      await sandbox.revoke(token: alice.accessToken)
      try await expect([:], "invalid_grant", "subject_token_revoked")
      #expect(await sandbox.authorizationCounts().tokensExchanged == 0)
    }
  }

  @Test("Neither log nor descriptions show the tokens")
  func secrecy() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await exchange(LoginClient(sandbox), sandbox.users.alice)
      var shown = await sandbox.requests().map(\.bodyText).joined()
      dump(await sandbox.requests(), to: &shown)
      #expect(shown.contains("subject_token_type") && shown.contains("oauth1_token"))
      #expect(!shown.contains(CredentialGenerator.secretMarker))
    }
  }
}
