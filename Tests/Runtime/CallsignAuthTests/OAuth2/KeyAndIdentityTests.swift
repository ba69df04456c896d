import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Two logins, one drawer") struct KeyTests {
  private func oauth2(_ store: some TokenStore, _ client: String = "public", account: String = "default") -> OAuth2 {
    OAuth2(clientID: client, store: store, account: account, provider: AuthorizationServer.provider)
  }

  private func token(_ name: String, client: String = "public") -> StoredToken {
    StoredToken(kind: .oauth2, accessToken: Secret(name), refreshToken: "r", clientID: client)
  }

  @Test("Clients, schemes and accounts each have their own tokens, and log out separately")
  func apart() async throws {
    let folder = try TemporaryFolder()
    let store = FileTokenStore(folder: folder.url.appendingPathComponent("tokens"))
    let provider = MemoryProvider { (_, _) in .json("{}") }
    let (one, two, bob) = (oauth2(store), oauth2(store, "other"), oauth2(store, account: "bob"))
    let app = OAuth1App(
      OAuth1Provider(
        requestTokenURL: "https://api.test/r", authorizeURL: "https://api.test/a",
        accessTokenURL: "https://api.test/t"), key: "public", secret: "s")
    let account = app.account(store: store)
    try await store.save(token("one"), for: one.key)
    try await store.save(token("two", client: "other"), for: two.key)
    try await store.save(token("bob"), for: bob.key)
    try await account.save(OAuth1Token(token: "t", secret: "ts"))
    #expect(try await store.keys(service: "api.test").count == 4)
    #expect(try await one.token(configuration: provider.configuration).value == "one")
    #expect(try await two.token(configuration: provider.configuration).value == "two")
    try await one.deauthorize(configuration: provider.configuration)
    #expect(try await !one.isAuthorized)
    try await account.deauthorize()
    #expect(try await store.keys(service: nil) == [bob.key, two.key])
  }
}

extension KeyTests {
  @Test("Tenants on one host, which differ by path, have their own tokens if each has its own service")
  func tenants() async throws {
    let store = MemoryTokenStore()
    func realm(_ name: String) -> OAuth2 {
      let base = "https://id.test/realms/\(name)/protocol/openid-connect"
      return OAuth2(
        clientID: "public", store: store,
        provider: OAuth2Provider(authorizeURL: "\(base)/auth", tokenURL: "\(base)/token", service: "id.test \(name)"))
    }
    func app(_ name: String) -> AppOnly {
      AppOnly(
        consumerKey: "k", consumerSecret: "s", store: store,
        provider: AppOnly.Provider(tokenURL: "https://id.test/realms/\(name)/token", service: "id.test \(name)"))
    }
    #expect(realm("one").key.service == "id.test one")
    #expect(Set([realm("one").key, realm("two").key, app("one").key, app("two").key]).count == 4)
    try await store.save(token("one"), for: realm("one").key)
    #expect(try await realm("one").isAuthorized)
    #expect(try await !realm("two").isAuthorized)
    // By default it is the host, as before.
    var provider = OAuth2Provider(authorizeURL: "https://id.test/auth", tokenURL: "https://id.test:8443/token")
    #expect(OAuth2(clientID: "c", store: store, provider: provider).key.service == "id.test:8443")
    provider.service = "mine"
    #expect(OAuth2(clientID: "c", store: store, provider: provider).key.service == "mine")
  }
}

extension KeyTests {
  /// Texts that Swift considers equal.
  private static let alike = [
    ["Kelly", "\u{212A}elly"], ["\u{E9}", "e\u{301}"], ["\u{AC00}", "\u{1100}\u{1161}"],
    ["\u{C5}", "\u{212B}", "A\u{30A}"],
  ]

  @Test("Accounts are the same if their bytes are the same, in every store") func bytes() async throws {
    let folder = try TemporaryFolder()
    let stores: [any ListableTokenStore] = [
      MemoryTokenStore(), FileTokenStore(folder: folder.url.appendingPathComponent("tokens")),
    ]
    for store in stores {
      for names in Self.alike {
        let keys = names.flatMap { name in
          [
            TokenKey(service: "api.test", scheme: .oauth2, clientID: "c", account: name), TokenKey(service: name),
            TokenKey(service: "api.test", scheme: .oauth2, clientID: name),
            TokenKey(service: "api.test", account: name),
          ]
        }
        #expect(Set(keys).count == keys.count)
        for (number, key) in keys.enumerated() {
          #expect(try await store.token(for: key) == nil)
          try await store.save(token("t\(number)"), for: key)
        }
        for (number, key) in keys.enumerated() {
          #expect(try await store.token(for: key)?.accessToken == Secret("t\(number)"))
          #expect(try await store.keys(service: key.service).contains(key))
        }
        #expect(try await store.keys(service: names[0]).count == 1)
        let identities = names.map { CredentialIdentity("oauth2", account: $0) }
        #expect(Set(identities).count == names.count)
        #expect(Set(names.map { CredentialIdentity("oauth2", hashing: [$0]) }).count == names.count)
      }
    }
  }

  @Test("A login that was begun for one account is not completed for another") func pendingLogin() async throws {
    let store = MemoryTokenStore()
    let login = try oauth2(store, account: "Kelly").beginLogin(scopes: [.tweetRead], redirectURI: "myapp://login")
    #expect(throws: LoginError.self) { try oauth2(store, account: "\u{212A}elly").resume(login.pending) }
    _ = try oauth2(store, account: "Kelly").resume(login.pending)
  }
}

@Suite("Identity is the account") struct IdentityTests {
  @Test("Stores, folders and logins have different identities; a refresh does not change them")
  func identities() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    let folder = try TemporaryFolder()
    let stores: [any ListableTokenStore] = [
      MemoryTokenStore(), MemoryTokenStore(), FileTokenStore(folder: folder.url.appendingPathComponent("a")),
      FileTokenStore(folder: folder.url.appendingPathComponent("b")),
    ]
    func identity(_ store: any TokenStore) async throws -> CredentialIdentity {
      let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      await oauth2.prepare()
      return oauth2.identity
    }
    var all: Set<CredentialIdentity> = []
    for store in stores {
      let oauth2 = try await provider.oauth2(store: store)
      all.insert(try await identity(store))
      #expect(try await identity(store) == identity(store))
      var last = oauth2.identity
      for _ in 0..<2 {
        let login = try oauth2.beginLogin(
          scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
        let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
        try await login.complete(redirect: try #require(URL(string: "myapp://login?code=c&state=\(state)")))
        #expect(oauth2.identity != last)
        last = oauth2.identity
        try await oauth2.refresh(configuration: provider.configuration)
        #expect(oauth2.identity == last)
        #expect(try await identity(store) == last)
        #expect(!"\(last)".contains(folder.url.path))
      }
    }
    #expect(all.count == 4)
  }

  @Test("The same for accounts of OAuth 1.0a and of HTTP Basic")
  func otherIdentities() async throws {
    let folder = try TemporaryFolder()
    let app = OAuth1App(
      OAuth1Provider(
        requestTokenURL: "https://api.test/r", authorizeURL: "https://api.test/a",
        accessTokenURL: "https://api.test/t"), key: "k", secret: "s")
    var identities: Set<CredentialIdentity> = []
    let stores: [any ListableTokenStore] = [
      MemoryTokenStore(), MemoryTokenStore(), FileTokenStore(folder: folder.url.appendingPathComponent("a")),
      FileTokenStore(folder: folder.url.appendingPathComponent("b")),
    ]
    for store in stores {
      let (account, other) = (app.account(store: store), app.account(store: store))
      let basic = HTTPBasicAccount(service: "api.test", store: store)
      let otherBasic = HTTPBasicAccount(service: "api.test", store: store)
      // The same token again, as a store's copy for another tenant, and then another person's.
      for name in ["same", "other"] {
        try await account.save(OAuth1Token(token: Secret(name), secret: "s"))
        try await basic.save(username: name, password: "p")
        await other.prepare()
        await otherBasic.prepare()
        #expect(other.identity == account.identity)
        #expect(otherBasic.identity == basic.identity)
        identities.formUnion([account.identity, basic.identity])
      }
    }
    #expect(identities.count == 16)
  }

  @Test("After another user logs in, the cache returns no response of the previous user")
  func cache() async throws {
    let users = Guarded(["alice", "bob"])
    let transport = InMemoryTransport { (request) throws(TransportError) in
      guard request.head.path == "/me" else { return tokens(users.with { $0.removeFirst() }, "r") }
      let token = String(request.head.headerFields[.authorization]?.dropFirst(7) ?? "")
      return .json(#"{"user":"\#(token)"}"#, headerFields: [.cacheControl: "max-age=3600"])
    }
    let configuration = ClientConfiguration(transport: transport, middleware: [ResponseCache()])
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let api = MemoryProvider.API(client: Client(auth: oauth2, configuration: configuration))
    for user in ["alice", "bob"] {
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead], redirectURI: "myapp://login", configuration: configuration)
      let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
      try await login.complete(redirect: try #require(URL(string: "myapp://login?code=c&state=\(state)")))
      for _ in 0..<2 { #expect(try await api.me() == user) }
    }
    #expect(transport.requests.filter { $0.head.path == "/me" }.count == 2)
  }
}

@Suite("A token to hand on") struct HandedTokenTests {
  @Test("Valid now, refreshed if need be, and refreshed when asked to")
  func tokens() async throws {
    let provider = MemoryProvider { (number, _) in CallsignAuthTests.tokens("a\(number)", "r\(number)") }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore(), expiresIn: 100)
    #expect(try await oauth2.token(configuration: provider.configuration).value == "a0")
    provider.time.advance(by: 50)
    let token = try await oauth2.token(configuration: provider.configuration)
    #expect(token.value == "a1")
    #expect(token.expires == provider.time.now() + 7200)
    #expect(try await oauth2.refresh(configuration: provider.configuration).value == "a2")
    #expect(try await oauth2.token(configuration: provider.configuration).value == "a2")
    #expect(provider.tokenRequests == 2)
  }

  @Test("The states of a login, for an interface")
  func states() async throws {
    let provider = MemoryProvider { (number, _) throws(TransportError) in
      switch number {
      case 1: return CallsignAuthTests.tokens("a1", "r1")
      case 2...4: throw TransportError(.cannotConnect, delivery: .notSent)
      default: return refusal("invalid_grant")
      }
    }
    let store = MemoryTokenStore()
    let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    var states = oauth2.states.makeAsyncIterator()
    func next() async -> String {
      switch await states.next() {
      case .signedOut: "signed out"
      case .valid: "valid"
      case .refreshing: "refreshing"
      case .expired: "expired"
      case .lost(let error): "lost: \(error.authorization?.advice.contains("log in again") == true)"
      case nil: "over"
      }
    }
    #expect(await next() == "signed out")
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "myapp://login", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    try await login.complete(redirect: try #require(URL(string: "myapp://login?code=c&state=\(state)")))
    #expect(await next() == "valid")
    provider.time.advance(by: 8000)
    _ = await failure { () throws(CallError) in try await oauth2.token(configuration: provider.configuration) }
    #expect(await next() == "refreshing")
    #expect(await next() == "expired")
    _ = await failure { () throws(CallError) in try await oauth2.token(configuration: provider.configuration) }
    #expect(await next() == "refreshing")
    #expect(await next() == "lost: true")
    _ = await loginFailure { () throws(LoginError) in
      try await oauth2.deauthorize(configuration: provider.configuration)
    }
    #expect(await next() == "signed out")
    // A later listener starts with the present one.
    var later = oauth2.states.makeAsyncIterator()
    guard case .signedOut = await later.next() else {
      Issue.record("not .signedOut")
      return
    }
  }

  @Test("A bearer token from a closure takes one line, and the closure is called again after a refusal")
  func closure() async throws {
    let provider = MemoryProvider { (_, _) in CallsignAuthTests.tokens("never") }
    provider.good.with { $0 = ["v2"] }
    let count = Guarded(0)
    let auth = Bearer {
      // The vault has another from the second time on.
      Secret(
        count.with { count in
          count += 1
          return count == 1 ? "v1" : "v2"
        })
    }
    #expect(try await provider.api(auth).me() == "alice")
    struct Sealed: Error { let text = "s3cr3t" }
    let failing = Bearer { throw Sealed() }
    let error = await failure { () throws(CallError) in try await provider.api(failing).me() }
    #expect(error?.authorization?.advice.contains("Sealed") == true)
    #expect(error.map { "\($0)".contains("s3cr3t") } == false)
    #expect(failing.identity == failing.identity && failing.identity != Bearer { "x" }.identity)
  }

  @Test("A user's token that is simply there")
  func userToken() async throws {
    let provider = MemoryProvider { (_, _) in CallsignAuthTests.tokens("never") }
    provider.good.with { $0 = ["u"] }
    #expect(try await provider.api(.userToken("u")).me() == "alice")
    let user = UserToken("u", scopes: ["tweet.read"])
    #expect(user.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["tweet.read"])))
    #expect(!user.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["tweet.write"])))
    #expect(UserToken("u").satisfies(AuthRequirement(scheme: "oauth2", scopes: ["any.thing"])))
    #expect(!UserToken("u").satisfies(AuthRequirement(scheme: "bearer")))
    let old = UserToken("u", expires: provider.time.now() - 1)
    let error = await failure { () throws(CallError) in try await provider.api(old).me() }
    #expect(error?.authorization?.advice.contains("has expired") == true)
    #expect(!"\(user)".contains("\"u\""))
  }

  @Test("Header fields for a whole client")
  func headers() async throws {
    let transport = InMemoryTransport { _ in .json("{}") }
    let client = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, headers: ["X-Tenant": "a", "Accept": "*/*"]))
    _ = try await client.call(.get, "https://api.test/")
    _ = try await client.call(.get, "https://api.test/", options: CallOptions(headers: ["x-tenant": "b"]))
    let tenant = try #require(HTTPField.Name("X-Tenant"))
    #expect(transport.requests.map { $0.head.headerFields[tenant] } == ["a", "b"])
    #expect(transport.requests.first?.head.headerFields[.accept] == "*/*")
    let wrong = Client(
      auth: [], configuration: ClientConfiguration(transport: transport, headers: ["Host": "evil.test"]))
    #expect(await failure { () throws(CallError) in try await wrong.call(.get, "https://api.test/") } != nil)
    #expect(transport.requests.count == 2)
  }
}
