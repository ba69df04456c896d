import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import Foundation
import TestSupport
import Testing
import XCore

@Suite(
  "Three-legged logins at an independent provider",
  .needs(.python(with: "oauthlib.oauth1")))
struct ThreeLeggedTests {
  private func query(_ url: URL) -> [String: String] {
    let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
    return Dictionary(items.map { ($0.name, $0.value ?? "") }, uniquingKeysWith: { "\($0) and \($1)" })
  }

  @Test("By PIN: the URL carries only the request token, and the access token signs calls")
  func pin() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().pin()
      #expect(authorization.url.absoluteString.hasPrefix("\(provider.url)/oauth/authorize?oauth_token="))
      #expect(query(authorization.url).keys.sorted() == ["oauth_token"])
      let pin = try await provider.forms.pin(at: authorization.url, username: "alice", password: Provider.password)
      let token = try await authorization.complete(pin: "  \(pin)\n")
      #expect(token.userID == "7588892")
      #expect(token.screenName == "alice")
      let me = try await provider.client(provider.credentials(token)).call(.get, "https://api.x.com/2/users/me")
      #expect(me.value["screen_name"] == "alice")
    }
  }

  @Test("By redirect to the app's scheme, with every option")
  func redirect() async throws {
    try await Provider.with { provider in
      let callback = "my-app://login/done?from=x&mark=%3F"
      let authorization = try await provider.login().callback(
        callback,
        options: .x(
          page: .authenticate, forcesLogin: true, screenName: "al ice&", accessType: .read,
          parameters: ["perms": "write"]))
      #expect(authorization.url.path == "/oauth/authenticate")
      let sent = query(authorization.url)
      #expect(sent.keys.sorted() == ["force_login", "oauth_token", "perms", "screen_name"])
      #expect(sent["screen_name"] == "al ice&")
      #expect(sent["force_login"] == "true")
      let tokens = try await provider.client(.none).call(.get, "\(provider.url)/request_tokens", auth: .none)
      #expect(tokens.value.array?.first?["access"] == "read")
      let redirect = try await provider.forms.redirect(
        at: authorization.url, to: callback, username: "alice", password: Provider.password)
      #expect(redirect.hasPrefix(callback))
      let token = try await authorization.complete(redirect: redirect)
      #expect(token.screenName == "alice")
    }
  }

  @Test(
    "At a provider of one's own, with each signature method and placement", arguments: ["HMAC-SHA256", "PLAINTEXT"])
  func anyProvider(method: String) async throws {
    try await Provider.with { server in
      // oauthlib decodes parameters twice if they are not in the header, and a PLAINTEXT signature with escapes does not survive
      // that.
      let placements: [OAuth1Placement] = method == "PLAINTEXT" ? [.header] : [.header, .query, .body]
      for placement in placements {
        let provider = OAuth1Provider(
          requestTokenURL: "\(server.url)/oauth/request_token", authorizeURL: "\(server.url)/oauth/authorize",
          accessTokenURL: "\(server.url)/oauth/access_token",
          signatureMethod: method == "PLAINTEXT" ? .plaintext : .hmacSHA256, placement: placement, realm: "photos")
        let authorization = try await OAuth1App(provider, key: "app", secret: Provider.appSecret)
          .callback("http://127.0.0.1:9/back")
        let host = try #require(authorization.url.host.map { "\($0):\(authorization.url.port ?? 0)" })
        let redirect = try await FormLogin(hosts: [host]).redirect(
          at: authorization.url, to: "http://127.0.0.1:9/back", username: "alice", password: Provider.password)
        let token = try await authorization.complete(redirect: URL(string: redirect) ?? authorization.url)
        #expect(token.userID == "7588892")
        let name = placement == .header ? "header" : placement == .query ? "query" : "body"
        let signed = try await server.log().filter { $0["path"] == "/oauth/access_token" }.last
        #expect(signed?["place"] == .string(name))
        #expect(signed?["realm"]?.string == (placement == .header ? "photos" : nil))
      }
    }
  }

  @Test("A wrong PIN can be corrected; the login is good for one token")
  func wrongPIN() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().pin()
      let pin = try await provider.forms.pin(at: authorization.url, username: "alice", password: Provider.password)
      let wrong = await failure { () throws(LoginError) in try await authorization.complete(pin: "1234567") }
      #expect(wrong.name == "wrongPIN")
      #expect(
        await failure { () throws(LoginError) in try await authorization.complete(pin: " \n") }.name == "invalidSetup")
      _ = try await authorization.complete(pin: pin)
      #expect(
        await failure { () throws(LoginError) in try await authorization.complete(pin: pin) }.name == "alreadyUsed")
      #expect(try await provider.count("/oauth/access_token") == 2)
    }
  }

  @Test("Redirects that are not this login's")
  func redirects() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().callback("my-app://login/done?from=x")
      let token = try #require(query(authorization.url)["oauth_token"])
      let expectations = [
        "other://login/done?from=x&oauth_token=\(token)&oauth_verifier=v": "foreignRedirect",
        "my-app://login.evil/done?from=x&oauth_token=\(token)&oauth_verifier=v": "foreignRedirect",
        "my-app://login/done/more?from=x&oauth_token=\(token)&oauth_verifier=v": "foreignRedirect",
        "my-app://login/done?oauth_token=\(token)&oauth_verifier=v": "foreignRedirect",
        "": "foreignRedirect", "no url": "foreignRedirect", "my-app://login/done?from=x&%zz": "stateMismatch",
        "my-app://login/done?from=x": "stateMismatch",
        "my-app://login/done?from=x&oauth_token=other&oauth_verifier=v": "stateMismatch",
        "my-app://login/done?from=x&oauth_token=\(token)&oauth_token=other&oauth_verifier=v": "stateMismatch",
        "my-app://login/done?from=x&denied=other": "stateMismatch",
        "my-app://login/done?from=x&oauth_token=\(token)": "unexpectedResponse",
        "my-app://login/done?from=x&oauth_token=\(token)&oauth_verifier=": "unexpectedResponse",
      ]
      for (redirect, expected) in expectations {
        let error = await failure { () throws(LoginError) in try await authorization.complete(redirect: redirect) }
        #expect(error.name == expected, "\(redirect)")
        #expect(!error.text.contains(token))
      }
      #expect(
        await failure { () throws(LoginError) in try await authorization.complete(pin: "1") }.name == "invalidSetup")
      #expect(try await provider.count("/oauth/access_token") == 0)
      // The login is still open after all of that.
      let redirect = try await provider.forms.redirect(
        at: authorization.url, to: "MY-APP://login/done?from=x", username: "alice", password: Provider.password)
      _ = try await authorization.complete(redirect: redirect)
      let again = await failure { () throws(LoginError) in try await authorization.complete(redirect: redirect) }
      #expect(again.name == "alreadyUsed")
    }
  }

  @Test("Refused by the person, and given up by the app")
  func deniedAndCancelled() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().callback("my-app://done")
      let token = try #require(query(authorization.url)["oauth_token"])
      for _ in 0..<2 {
        let error = await failure { () throws(LoginError) in
          try await authorization.complete(redirect: "my-app://done?denied=\(token)")
        }
        #expect(error.name == "denied")
      }
      let other = try await provider.login().pin()
      other.cancel()
      #expect(await failure { () throws(LoginError) in try await other.complete(pin: "1234567") }.name == "cancelled")
      #expect(try await provider.count("/oauth/access_token") == 0)
    }
  }

  @Test("If its task is cancelled, the login throws its own error")
  func cancelledTask() async throws {
    try await Provider.with { provider in
      let authorization = try await provider.login().pin()
      let names = await Task {
        withUnsafeCurrentTask { $0?.cancel() }
        return [
          await failure { () throws(LoginError) in try await provider.login().pin() }.name,
          await failure { () throws(LoginError) in try await authorization.complete(pin: "1234567") }.name,
        ]
      }.value
      #expect(names == ["cancelled", "cancelled"])
    }
  }

  @Test(
    "Mistakes and refusals of the provider",
    arguments: [
      ("unconfirmed", "callbackNotConfirmed"), ("html", "unexpectedResponse"), ("json", "unexpectedResponse"),
      ("empty", "unexpectedResponse"), ("half", "unexpectedResponse"), ("problem", "refused(consumer_key_rejected)"),
      ("callback-refused", "invalidSetup"), ("unknown", "call(authorization)"),
    ])
  func brokenResponses(app: String, expected: String) async throws {
    try await Provider.with { provider in
      let error = await failure { () throws(LoginError) in try await provider.login(app: app).callback("my-app://x")
      }
      #expect(error.name == expected)
      #expect(!error.text.isEmpty && !error.text.contains("\n"))
    }
  }

  @Test("The request token's secret signs the last step: with another the provider refuses")
  func requestTokenSecret() async throws {
    try await Provider.with { provider in
      let configuration = provider.configuration {
        $0.transport = ChangingTransport(path: "/oauth/request_token") {
          $0.replacingOccurrences(of: "oauth_token_secret=", with: "oauth_token_secret=x")
        }
      }
      let login = OAuth1App(.x, key: "app", secret: Provider.appSecret, configuration: configuration)
      let authorization = try await login.pin()
      let pin = try await provider.forms.pin(at: authorization.url, username: "alice", password: Provider.password)
      #expect(await failure { () throws(LoginError) in try await authorization.complete(pin: pin) }.name == "wrongPIN")
    }
  }

  @Test("A request whose response was lost can be tried again")
  func networkFailure() async throws {
    try await Provider.with { provider in
      for (error, expected) in [
        (TransportError(.cannotConnect, delivery: .notSent), "call(transport)"),
        (TransportError(.connectionLost, delivery: .unknown), "call(mayHaveSucceeded)"),
      ] {
        let configuration = provider.configuration { $0.transport = FailingTransport("/oauth/access_token", error) }
        let login = OAuth1App(.x, key: "app", secret: Provider.appSecret, configuration: configuration)
        let authorization = try await login.pin()
        let pin = try await provider.forms.pin(at: authorization.url, username: "alice", password: Provider.password)
        #expect(await failure { () throws(LoginError) in try await authorization.complete(pin: pin) }.name == expected)
        _ = try await authorization.complete(pin: pin)
      }
    }
  }
}
