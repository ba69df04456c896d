import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Scopes and accounts") struct ScopeTests {
  private let provider = MemoryProvider { (_, _) in tokens("never") }

  private func call(_ auth: [any Authenticator], accepting: String) async -> (CallError?, String?) {
    let api = MemoryProvider.API(client: Client(auth: auth, configuration: provider.configuration))
    do throws(CallError) {
      let response = try await api.call(.get, "me", auth: .accepting(accepting))
      return (nil, response.value["user"]?.string)
    } catch { return (error, nil) }
  }

  @Test("The scopes of the stored token decide, from the first call on")
  func choice() async throws {
    provider.good.with { $0 = ["a0", "app"] }
    let store = MemoryTokenStore()
    _ = try await provider.oauth2(store: store, scopes: ["tweet.read", "users.read"])
    // A fresh one, which has not looked into the store yet.
    func fresh() -> OAuth2 { OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider) }

    #expect(await call([fresh()], accepting: "oauth2(tweet.read)").1 == "alice")
    let (error, _) = await call([fresh()], accepting: "oauth2(tweet.read tweet.write list.write)")
    #expect(error?.authorization?.reason == .missingScopes(["tweet.write", "list.write"]))
    #expect(error?.authorization?.advice.contains("tweet.write, list.write") == true)

    provider.events.with { $0 = [] }
    _ = await call([fresh(), Bearer("app")], accepting: "oauth2(tweet.write) | bearer")
    #expect(provider.events.with { $0 } == ["used app"])
    provider.events.with { $0 = [] }
    _ = await call([fresh(), Bearer("app")], accepting: "oauth2(tweet.read) | bearer")
    #expect(provider.events.with { $0 } == ["used a0"])
  }

  @Test("A token with unknown scopes is tried")
  func unknownScopes() async throws {
    provider.good.with { $0 = ["a0"] }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), scopes: nil)
    #expect(await call([oauth2], accepting: "oauth2(tweet.write)").1 == "alice")
  }

  @Test("Several accounts side by side on one store and one transport")
  func accounts() async throws {
    provider.good.with { $0 = ["a0", "b0"] }
    let store = MemoryTokenStore()
    let alice = try await provider.oauth2(store: store)
    let bob = alice.account("bob")
    try await store.save(StoredToken(kind: .oauth2, accessToken: "b0", clientID: "public"), for: bob.key)
    #expect(alice.identity != bob.identity)
    #expect(try await store.keys(service: "api.test").map(\.account) == ["bob", "default"])

    let api = provider.api(alice)
    #expect(try await api.me() == "alice")
    let other = api.with(auth: .oauth2(bob))
    #expect(try await other.me() == "alice")
    #expect(try await api.me() == "alice")
    #expect(provider.events.with { $0 } == ["used a0", "used b0", "used a0"])
  }

  @Test("Tokens go only to their hosts, and never unencrypted")
  func hosts() async throws {
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), hosts: ["api.test"])
    let client = Client(auth: oauth2, configuration: provider.configuration)
    let elsewhere = await failure { () throws(CallError) in try await client.call(.get, "https://evil.test/me") }
    #expect(elsewhere?.authorization?.reason == .outOfScope(host: "evil.test"))
    let plain = await failure { () throws(CallError) in try await client.call(.get, "http://api.test/me") }
    #expect(plain?.authorization?.reason == .insecure(host: "api.test"))
    #expect(provider.events.with { $0 }.isEmpty)
  }

  @Test("A token endpoint without TLS gets nothing")
  func insecureTokenEndpoint() async throws {
    let description = OAuth2Provider(authorizeURL: "https://id.test/a", tokenURL: "http://id.test/t")
    let oauth2 = OAuth2(clientID: "c", store: MemoryTokenStore(), provider: description)
    let login = try oauth2.beginLogin(scopes: [], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    let url = try #require(URL(string: "myapp://login?code=c&state=\(state)"))
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: url) }
    guard case .call(.authorization(let problem)) = error, problem.reason == .insecure(host: "id.test") else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(provider.tokenRequests == 0)
  }
}
