import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Exchange of tokens") struct TokenExchangeTests {
  private static let token = OAuth1Token(
    token: "old-token", secret: "old-secret", userID: "7", screenName: "alice", fields: ["more": "x"])

  /// A provider that takes tokens of OAuth 1.0a.
  private static let description: OAuth2Provider = {
    var provider = AuthorizationServer.provider
    provider.oauth1Exchange = OAuth2Provider.OAuth1Exchange(kind: "urn:test:oauth1")
    return provider
  }()

  private func client(_ store: some TokenStore, provider: OAuth2Provider = description) -> OAuth2 {
    OAuth2(clientID: "public", store: store, provider: provider)
  }

  private func fields(_ form: String) -> URLComponents? { URLComponents(string: "?\(form)") }

  @Test("A token of OAuth 1.0a becomes a login, which the next process finds")
  func oauth1() async throws {
    let form = Guarded("")
    let provider = MemoryProvider { (_, body) in
      form.with { $0 = body }
      return tokens("a1", "r1")
    }
    provider.good.with { $0 = ["a1"] }
    let folder = try TemporaryFolder()
    let store = FileTokenStore(folder: folder.url.appendingPathComponent("tokens"))
    let oauth2 = client(store)
    let token = try await oauth2.exchange(
      Self.token, scopes: ["tweet.read", "users.read"], configuration: provider.configuration)

    let sent = try #require(fields(form.with { $0 }))
    #expect(sent.value("grant_type") == "urn:ietf:params:oauth:grant-type:token-exchange")
    #expect(sent.value("subject_token") == "old-token")
    #expect(sent.value("subject_token_type") == "urn:test:oauth1")
    #expect(sent.value("oauth_token_secret") == "old-secret")
    #expect(sent.value("scope") == "tweet.read users.read")
    #expect(sent.value("client_id") == "public")
    #expect(sent.queryItems?.count == 6)

    #expect(token.accessToken == "a1" && token.refreshToken == "r1" && token.kind == .oauth2)
    #expect(token.clientID == "public" && token.scopes == ["tweet.read", "users.read"])
    #expect(token.userID == "7" && token.username == "alice" && token.login?.isEmpty == false)
    #expect(try await provider.api(oauth2).me() == "alice")
    let next = client(FileTokenStore(folder: folder.url.appendingPathComponent("tokens")))
    #expect(try await next.isAuthorized)
    #expect(try await provider.api(next).me() == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("Without scopes none are named, and the provider's are taken")
  func scopes() async throws {
    let form = Guarded("")
    let provider = MemoryProvider { (_, body) in
      form.with { $0 = body }
      return .json(#"{"access_token":"a1","token_type":"bearer","scope":"tweet.read offline.access"}"#)
    }
    let token = try await client(MemoryTokenStore()).exchange(Self.token, configuration: provider.configuration)
    #expect(token.scopes == ["tweet.read", "offline.access"])
    #expect(!form.with { $0 }.contains("scope"))
  }

  @Test("Another provider's ID token is exchanged, with the provider's extra parameters")
  func anyToken() async throws {
    let form = Guarded("")
    let provider = MemoryProvider { (_, body) in
      form.with { $0 = body }
      return .json(
        #"{"access_token":"a1","token_type":"Bearer","issued_token_type":"urn:ietf:params:oauth:token-type:access_token"}"#
      )
    }
    let subject = OAuth2SubjectToken("id.token", kind: .idToken, parameters: ["actor_token": "actor"])
    let token = try await client(MemoryTokenStore(), provider: AuthorizationServer.provider).exchange(
      subject, parameters: ["audience": "photos", "actor_token_type": "urn:ietf:params:oauth:token-type:jwt"],
      configuration: provider.configuration)
    #expect(token.accessToken == "a1" && token.userID == nil)
    let sent = try #require(fields(form.with { $0 }))
    #expect(sent.value("subject_token") == "id.token")
    #expect(sent.value("subject_token_type") == "urn:ietf:params:oauth:token-type:id_token")
    #expect(sent.value("actor_token") == "actor" && sent.value("audience") == "photos")
    #expect("\(subject)" == "OAuth2SubjectToken(‹redacted›)")
  }

  @Test("A refusal says what to do, repeats no secret and does not change the store")
  func refusals() async throws {
    func exchange(
      _ respond: @autoclosure @escaping @Sendable () -> TransportResponse, requests: Int = 1
    ) async throws -> LoginError? {
      let provider = MemoryProvider { (_, _) in respond() }
      let store = MemoryTokenStore()
      let oauth2 = client(store)
      let error = await loginFailure { () throws(LoginError) in
        try await oauth2.exchange(Self.token, configuration: provider.configuration)
      }
      #expect(try await store.keys(service: nil).isEmpty)
      #expect(try await !oauth2.isAuthorized)
      #expect(provider.tokenRequests == requests)
      for secret in ["old-token", "old-secret"] { #expect(error?.description.contains(secret) == false) }
      return error
    }
    let refused = try await exchange(refusal("invalid_grant", "old-token with old-secret was revoked"))
    guard case .tokenRefused("‹redacted› with ‹redacted› was revoked") = refused else {
      Issue.record("\(String(describing: refused))")
      return
    }
    #expect(refused?.advice.contains("log the person in") == true)
    for (code, advice) in [
      ("invalid_client", "client's identifier"), ("unauthorized_client", "client's identifier"),
      ("invalid_scope", "scopes"), ("temporarily_unavailable", "later"), ("invalid_target", "audience"),
      ("unsupported_grant_type", "another way"),
    ] {
      let error = try await exchange(refusal(code), requests: code == "temporarily_unavailable" ? 3 : 1)
      guard case .refused(code, nil) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(error?.advice.contains(advice) == true)
    }
    // By RFC 8693 §2.2.2, where the token is not good.
    guard case .tokenRefused(nil) = try await exchange(refusal("invalid_request")) else {
      Issue.record("a token that is not good is refused otherwise")
      return
    }
    let limited = try await exchange(.json(#"{"error":"rate_limited"}"#, status: .tooManyRequests))
    guard case .call(.rateLimited) = limited else {
      Issue.record("\(String(describing: limited))")
      return
    }
    let away = try await exchange(.json("{}", status: .serviceUnavailable), requests: 3)
    guard case .call(.api) = away else {
      Issue.record("\(String(describing: away))")
      return
    }
    let other = try await exchange(.json(#"{"access_token":"x","token_type":"N_A"}"#))
    guard case .unexpectedResponse = other else {
      Issue.record("\(String(describing: other))")
      return
    }
  }

  @Test("A request that does not get through is sent again")
  func again() async throws {
    let provider = MemoryProvider { (number, _) in
      number == 1 ? .json("{}", status: .serviceUnavailable) : tokens("a2", "r2")
    }
    let token = try await client(MemoryTokenStore()).exchange(Self.token, configuration: provider.configuration)
    #expect(token.accessToken == "a2" && provider.tokenRequests == 2)
  }

  @Test("An exchange that cannot work is refused at once, and nothing is sent")
  func setups() async throws {
    let provider = MemoryProvider { (_, _) in tokens("never") }
    let oauth2 = client(MemoryTokenStore())
    func advice(_ body: () async throws(LoginError) -> StoredToken) async -> String {
      guard case .invalidSetup(let advice) = await loginFailure(body) else { return "" }
      return advice
    }
    let configuration = provider.configuration
    func subject(_ token: Secret = "t", _ parameters: [String: Secret] = [:]) -> OAuth2SubjectToken {
      OAuth2SubjectToken(token, kind: .jwt, parameters: parameters)
    }
    let without = client(MemoryTokenStore(), provider: AuthorizationServer.provider)
    #expect(
      await advice { () throws(LoginError) in try await without.exchange(Self.token, configuration: configuration) }
        .contains("takes no tokens of OAuth 1.0a"))
    let cases: [(OAuth2SubjectToken, [OAuth2Scope], [String: String], String)] = [
      (subject(""), [], [:], "token to exchange is empty"), (subject("t\n"), [], [:], "white space or a line break"),
      (subject("t", ["oauth_token_secret": ""]), [], [:], "oauth_token_secret is empty"),
      (subject("t", ["oauth_token_secret": " s"]), [], [:], "oauth_token_secret has white space"),
      (subject("t", ["subject_token": "u"]), [], [:], "subject_token is set by the exchange"),
      (subject(), [], ["scope": "a"], "scope is set by the exchange"),
      (subject(), [], ["client_secret": "a"], "client_secret is set by the exchange"),
      (subject("t", ["a": "b"]), [], ["a": "c"], "a is given twice"), (subject(), ["a b"], [:], "one word"),
    ]
    for (subject, scopes, parameters, words) in cases {
      let said = await advice { () throws(LoginError) in
        try await oauth2.exchange(subject, scopes: scopes, parameters: parameters, configuration: configuration)
      }
      #expect(said.contains(words), "\(said)")
    }
    let nobody = OAuth2(clientID: "", store: MemoryTokenStore(), provider: Self.description)
    #expect(
      await advice { () throws(LoginError) in try await nobody.exchange(Self.token, configuration: configuration) }
        .contains("identifier is empty"))
    #expect(provider.tokenRequests == 0)
  }

  @Test("Tokens that cannot be kept come with the error, and are kept before they are used")
  func notKept() async throws {
    let events = Guarded<[String]>([])
    let provider = MemoryProvider(events: events) { (_, _) in tokens("a1", "r1") }
    provider.good.with { $0 = ["a1"] }
    let store = WitnessedStore(events)
    let oauth2 = client(store)
    store.savingFails.with { $0 = true }
    let error = await loginFailure { () throws(LoginError) in
      try await oauth2.exchange(Self.token, configuration: provider.configuration)
    }
    guard case .notKept(let token, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(token.accessToken == "a1")
    store.savingFails.with { $0 = false }
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(events.with { $0 } == ["saved a1", "used a1"])
    #expect(provider.tokenRequests == 1)
  }

  @Test("An exchange during a refresh, or one that waits for it, serves the waiting calls, and its tokens stay")
  func duringRefresh() async throws {
    for store in [WitnessedStore(), MemoryTokenStore()] as [any TokenStore] {
      let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
      let provider = MemoryProvider { (_, body) in
        guard body.contains("grant_type=refresh_token") else { return tokens("a2", "r2") }
        for await _ in goOn { break }
        return body.contains("refresh_token=r0") ? tokens("a1", "r1") : refusal("invalid_grant")
      }
      provider.good.with { $0 = ["a1", "a2"] }
      let oauth2 = client(store)
      try await oauth2.save(
        StoredToken(kind: .oauth2, accessToken: "a0", refreshToken: "r0", expires: provider.time.now() - 5))
      let call = Task { try await provider.api(oauth2).me() }
      try await eventually { provider.tokenRequests == 1 }
      let exchanged = Task { try await oauth2.exchange(Self.token, configuration: provider.configuration) }
      // The one store's leases keep nobody out.
      if store is WitnessedStore { #expect(try await exchanged.value.accessToken == "a2") }
      letGoOn.finish()
      #expect(try await call.value == "alice")
      #expect(try await exchanged.value.accessToken == "a2")
      #expect(try await store.token(for: oauth2.key)?.refreshToken == "r2")
      #expect(try await provider.api(oauth2).me() == "alice")
      #expect(provider.tokenRequests == 2)
    }
  }

  @Test(
    "After several exchanges on one store, the last one's tokens are kept, because the provider ends the earlier ones")
  func concurrent() async throws {
    let provider = MemoryProvider { (number, _) in
      // Without the lease, an earlier request would get a response later.
      for _ in 0..<(6 - number) * 4 { await Task.yield() }
      return tokens("a\(number)", "r\(number)")
    }
    let store = MemoryTokenStore()
    let configuration = provider.configuration
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 1...5 {
        group.addTask { _ = try await client(store).exchange(Self.token, configuration: configuration) }
      }
      try await group.waitForAll()
    }
    #expect(provider.tokenRequests == 5)
    #expect(try await store.token(for: client(store).key)?.refreshToken == "r5")
  }

  @Test("An exchange whose task is cancelled on its way ends in the store")
  func cancelled() async throws {
    let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
    let provider = MemoryProvider { (_, _) in
      for await _ in goOn { break }
      return tokens("a1", "r1")
    }
    let store = MemoryTokenStore()
    let oauth2 = client(store)
    let configuration = provider.configuration
    let exchange = Task {
      await loginFailure { () throws(LoginError) in
        try await oauth2.exchange(Self.token, configuration: configuration)
      }
    }
    try await eventually { provider.tokenRequests == 1 }
    exchange.cancel()
    guard case .cancelled = await exchange.value else {
      Issue.record("not .cancelled")
      return
    }
    letGoOn.finish()
    try await eventually { try await store.token(for: oauth2.key)?.accessToken == "a1" }
  }
}
