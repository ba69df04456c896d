import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import Logging
import TestSupport
import Testing
import XCore

@Suite("xAuth", .needs(.python(with: "oauthlib.oauth1")))
struct XAuthTests {
  private func app(_ provider: Provider, app: String = "app", secret: Secret = Provider.appSecret) -> OAuth1App {
    OAuth1App(.x, key: app, secret: secret, configuration: provider.configuration())
  }

  @Test("The password is exchanged for a token, in a signed form")
  func exchange() async throws {
    try await Provider.with { provider in
      let token = try await app(provider).xAuth(username: "alice", password: Provider.password)
      #expect(token.screenName == "alice")
      let me = try await provider.client(provider.credentials(token)).call(.get, "https://api.x.com/2/users/me")
      #expect(me.value["user_id"] == "7588892")
      let request = try #require(try await provider.log().first)
      #expect(request["path"] == "/oauth/access_token")
      #expect(request["query"] == "")
      #expect(request["place"] == "header")
    }
  }

  @Test(
    "Each kind of refusal has its own error",
    arguments: [
      ("app", "alice", "wrong", "wrongPassword"), ("app", "bob", "pass", "wrongPassword"),
      ("unentitled", "alice", "wrong", "notEntitled"), ("unentitled-xml", "alice", "wrong", "notEntitled"),
      ("app", "careful", "pass", "refused(231)"), ("unknown", "alice", "pass", "call(authorization)"),
    ])
  func refusals(app: String, username: String, password: String, expected: String) async throws {
    try await Provider.with { provider in
      let error = await failure { () throws(LoginError) in
        try await self.app(provider, app: app).xAuth(username: username, password: Secret(password))
      }
      #expect(error.name == expected)
      let advice = [
        "wrongPassword": "ask for them again", "notEntitled": "ask the provider to allow it",
        "refused(231)": "log in with the web page",
      ]
      #expect(error.text.contains(advice[expected] ?? "check that they are complete"))
    }
  }

  @Test("The password is in no error, log or mirror, even where the provider repeats it")
  func secrecy() async throws {
    try await Provider.with { provider in
      let collector = LogCollector()
      var logger = Logger(label: "test") { _ in collector }
      logger.logLevel = .trace
      let configuration = provider.configuration { $0.logger = logger }
      let app = OAuth1App(.x, key: "app", secret: Provider.appSecret, configuration: configuration)
      let error = await failure { () throws(LoginError) in
        try await app.xAuth(username: "alice", password: "a-password-7")
      }
      #expect(error.name == "wrongPassword")
      for text in [
        everythingPrinted(error as Any), everythingPrinted(app), collector.text, error?.localizedDescription ?? "",
      ] {
        #expect(!text.contains("a-password-7"))
      }
      #expect(collector.text.contains("oauth/access_token"))
    }
  }

  @Test("It is not sent over an unencrypted connection, nor if there is none")
  func notSent() async {
    let transport = InMemoryTransport { _ in .json("{}") }
    for (hosts, username, password) in [
      (BaseURLOverrides.all(to: "http://api.example"), "alice", "p"), (.identity, "", "p"), (.identity, "alice", ""),
    ] {
      let app = OAuth1App(
        .x, key: "k", secret: "s", configuration: ClientConfiguration(transport: transport, hosts: hosts))
      let error = await failure { () throws(LoginError) in
        try await app.xAuth(username: username, password: Secret(password))
      }
      #expect(error.name == "invalidSetup")
    }
    #expect(transport.requests.isEmpty)
  }
}
