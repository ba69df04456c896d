import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing
import XCore

@Suite(
  "Login with authlib as the provider", .needs(.python(with: "authlib.oauth2.rfc9207"))
)
struct LoginTests {
  @Test("Logged in, called, restarted, called again, logged out")
  func theWholeWay() async throws {
    try await AuthorizationServer.with { server in
      let store = MemoryTokenStore()
      let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      #expect(try await !oauth2.isAuthorized)
      let early = await failure { () throws(CallError) in try await server.api(oauth2).me() }
      #expect(early?.authorization?.advice.contains("nobody is logged in") == true)

      let login = try oauth2.beginLogin(
        scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "myapp://login",
        configuration: server.configuration())
      let token = try await login.complete(redirect: try await server.decide(login.url))
      #expect(token.scopes == ["tweet.read", "users.read", "offline.access"])
      #expect(token.clientID == "public")
      #expect(try await oauth2.isAuthorized)
      #expect(try await server.api(oauth2).me() == "alice")

      let restarted = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      #expect(try await restarted.isAuthorized)
      #expect(try await server.api(restarted).me() == "alice")
      #expect(try await server.seen("refresh_token") == 0)

      try await restarted.deauthorize(configuration: server.configuration())
      #expect(try await !restarted.isAuthorized)
      #expect(try await store.keys(service: nil).isEmpty)
      #expect(try await server.seen("revoke") == 2)
      let kept = try await server.control()["tokens"]?[0]
      #expect(kept?["accessIsGood"] == false)
      #expect(kept?["refreshIsGood"] == false)
      // The other still has the token in memory, and learns that it is no longer valid.
      let late = await failure { () throws(CallError) in try await server.api(oauth2).me() }
      #expect(late?.authorization?.advice.contains("nobody is logged in") == true)
    }
  }

  @Test(
    "Confidential clients prove who they are, whatever characters their secret has",
    arguments: [
      ("confidential & co", "s%cret: +/=ü", OAuth2Provider.ClientAuthentication.basic),
      ("posting", "secret-in-body", .body),
    ])
  func confidentialClients(
    _ id: String, _ secret: String, _ authentication: OAuth2Provider.ClientAuthentication
  ) async throws {
    try await AuthorizationServer.with { server in
      var provider = AuthorizationServer.provider
      provider.clientAuthentication = authentication
      let oauth2 = OAuth2(clientID: id, clientSecret: Secret(secret), store: MemoryTokenStore(), provider: provider)
      try await server.logIn(oauth2)
      try await server.control(["expire_access_tokens": true])
      #expect(try await server.api(oauth2).me() == "alice")
      #expect(try await server.seen("refresh_token") == 1)
      try await oauth2.deauthorize(configuration: server.configuration())
      #expect(try await server.seen("revoke") == 2)

      let wrong = OAuth2(clientID: id, clientSecret: "wrong", store: MemoryTokenStore(), provider: provider)
      let login = try wrong.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
      let redirect = try await server.decide(login.url)
      let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
      guard case .refused("invalid_client", _) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
  }

  @Test("A redirect URI with a single slash, as RFC 8252 recommends")
  func privateUseScheme() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "com.example.app:/login", configuration: server.configuration())
      try await login.complete(redirect: try await server.decide(login.url))
      #expect(try await server.api(oauth2).me() == "alice")
    }
  }

  @Test("The person refuses")
  func denied() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
      let redirect = try await server.decide(login.url, decision: "deny")
      let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
      guard case .denied = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await server.seen("token") == 0)
    }
  }

  @Test("A login and a code are good for one use each")
  func usedOnce() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
      let redirect = try await server.decide(login.url)
      try await login.complete(redirect: redirect)
      let again = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
      guard case .alreadyUsed = again else {
        Issue.record("\(String(describing: again))")
        return
      }
      #expect(try await server.seen("authorization_code") == 1)

      // Somebody puts a code that was used into the redirect of another login, whose state they have seen.
      let other = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
      let state = try #require(URLComponents(url: other.url, resolvingAgainstBaseURL: false)?.value("state"))
      let code = try #require(URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.value("code"))
      let forged = try #require(URL(string: "myapp://login?code=\(code)&state=\(state)"))
      let error = await loginFailure { () throws(LoginError) in try await other.complete(redirect: forged) }
      guard case .codeRefused = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.description.contains(code) == false)
    }
  }

  @Test("The code of another login is refused, because the verifier does not match")
  func injectedCode() async throws {
    try await AuthorizationServer.with { server in
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
      func begin() throws -> OAuth2Authorization {
        try oauth2.beginLogin(
          scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
      }
      let (attacked, attackers) = (try begin(), try begin())
      let redirect = try await server.decide(attackers.url)
      let code = try #require(URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.value("code"))
      let state = try #require(URLComponents(url: attacked.url, resolvingAgainstBaseURL: false)?.value("state"))
      let forged = try #require(URL(string: "myapp://login?code=\(code)&state=\(state)"))
      let error = await loginFailure { () throws(LoginError) in try await attacked.complete(redirect: forged) }
      guard case .codeRefused = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await !oauth2.isAuthorized)
    }
  }

  @Test("The issuer of RFC 9207 is checked")
  func issuer() async throws {
    try await AuthorizationServer.with { server in
      try await server.control(["issuer": "https://api.test"])
      var provider = AuthorizationServer.provider
      for (issuer, isRight) in [("https://api.test", true), ("https://evil.test", false)] {
        provider.issuer = issuer
        let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: provider)
        let login = try oauth2.beginLogin(
          scopes: [.tweetRead], redirectURI: "myapp://login", configuration: server.configuration())
        let redirect = try await server.decide(login.url)
        #expect(redirect.absoluteString.contains("iss="))
        let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
        if isRight {
          #expect(error == nil)
        } else {
          guard case .stateMismatch = error else {
            Issue.record("\(String(describing: error))")
            return
          }
        }
      }
    }
  }
}

extension URLComponents {
  func value(_ name: String) -> String? { queryItems?.first { $0.name == name }?.value }
}
