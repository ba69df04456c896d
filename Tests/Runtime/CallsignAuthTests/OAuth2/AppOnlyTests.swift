import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("App-only") struct AppOnlyTests {
  private static let description = AppOnly.Provider(
    tokenURL: "https://api.test/oauth2/token", invalidateURL: "https://api.test/oauth2/invalidate_token")

  private func app(_ store: some TokenStore = MemoryTokenStore()) -> AppOnly {
    AppOnly(consumerKey: "k", consumerSecret: "s", store: store, provider: Self.description)
  }

  @Test("Fetched once however many calls wait, kept, and used by the next process")
  func once() async throws {
    let provider = MemoryProvider { (number, body) in
      #expect(body == "grant_type=client_credentials")
      try? await Task.sleep(for: .milliseconds(20))
      return tokens("app\(number)", expiresIn: nil)
    }
    provider.good.with { $0 = ["app1"] }
    let store = MemoryTokenStore()
    let (one, other) = (app(store), app(store))
    try await withThrowingTaskGroup(of: String?.self) { group in
      for index in 0..<100 { group.addTask { try await provider.api(index.isMultiple(of: 2) ? one : other).me() } }
      for try await user in group { #expect(user == "alice") }
    }
    #expect(try await provider.api(app(store)).me() == "alice")
    #expect(provider.tokenRequests == 1)
  }

  @Test("An app requests its own scopes, and they satisfy the scheme that its tokens are for")
  func scopes() async throws {
    let provider = MemoryProvider { (_, body) in
      #expect(body == "grant_type=client_credentials&scope=read%20write")
      return tokens("app", expiresIn: nil)
    }
    var description = Self.description
    (description.scheme, description.scopes) = ("oauth2", ["read", "write"])
    let app = AppOnly(consumerKey: "k", consumerSecret: "s", provider: description)
    #expect(try await app.token(configuration: provider.configuration).value == "app")
    #expect(app.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["read"])))
    #expect(!app.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["admin"])))
    #expect(!app.satisfies(AuthRequirement(scheme: "bearer")))
  }

  @Test("Fetched again once when it is refused")
  func refetched() async throws {
    let provider = MemoryProvider { (number, _) in
      try? await Task.sleep(for: .milliseconds(20))
      return tokens("app\(number)", expiresIn: nil)
    }
    let store = MemoryTokenStore()
    let api = provider.api(app(store))
    provider.good.with { $0 = ["app1"] }
    #expect(try await api.me() == "alice")
    provider.good.with { $0 = ["app2"] }
    try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<50 { group.addTask { try await api.me() } }
      for try await user in group { #expect(user == "alice") }
    }
    #expect(provider.tokenRequests == 2)
    #expect(
      try await store.token(for: TokenKey(service: "api.test", scheme: .bearer, clientID: "k"))?.accessToken == "app2")
  }

  @Test("A provider that gives the refused token again is not asked on and on")
  func sameTokenAgain() async throws {
    let provider = MemoryProvider { (_, _) in tokens("same", expiresIn: nil) }
    let api = provider.api(app())
    for _ in 0..<5 {
      let error = await failure { () throws(CallError) in try await api.me() }
      #expect(error?.authorization?.reason == .refused)
    }
    #expect(provider.tokenRequests == 2)
  }

  @Test("If the key or secret is wrong, the error says so")
  func wrongSecret() async throws {
    let x =
      #"{"errors":[{"code":99,"message":"Unable to verify your credentials","label":"authenticity_token_error"}]}"#
    for response in [TransportResponse.json(x, status: .forbidden), refusal("invalid_client")] {
      let provider = MemoryProvider { (_, _) in response }
      let error = await failure { () throws(CallError) in try await provider.api(app()).me() }
      #expect(error?.authorization?.reason == .refused)
      #expect(error?.authorization?.advice.contains("key and secret") == true)
    }
  }

  @Test("A provider that cannot give one now does not blame the secret")
  func notNow() async throws {
    for code in ["temporarily_unavailable", "server_error", "slow_down"] {
      let provider = MemoryProvider { (_, _) in refusal(code) }
      let error = await failure { () throws(CallError) in try await provider.api(app()).me() }
      #expect(error?.authorization?.reason == .unavailable)
      #expect(error?.authorization?.advice.contains("try again later") == true)
      #expect(error?.authorization?.advice.contains("secret") == false)
      #expect(provider.tokenRequests == 3)
    }
  }

  @Test("A folder that cannot be made does not matter")
  func noFolder() async throws {
    let provider = MemoryProvider { (number, _) in tokens("app\(number)", expiresIn: nil) }
    provider.good.with { $0 = ["app1"] }
    let folder = try TemporaryFolder()
    let file = folder.url.appendingPathComponent("file")
    try Data().write(to: file)
    for place in [file, file.appendingPathComponent("tokens"), URL(fileURLWithPath: "/proc/callsign/tokens")] {
      let app = app(FileTokenStore(folder: place))
      provider.good.with { $0 = ["app\(provider.tokenRequests + 1)"] }
      for _ in 0..<3 { #expect(try await provider.api(app).me() == "alice") }
    }
    #expect(provider.tokenRequests == 3)
  }

  @Test("A token that is damaged in its store, or that others could read, is replaced")
  func unreadable() async throws {
    let provider = MemoryProvider { (number, _) in tokens("app\(number)", expiresIn: nil) }
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("tokens")
    _ = try await app(FileTokenStore(folder: place)).token(configuration: provider.configuration)
    let file = try #require(
      try FileManager.default.contentsOfDirectory(atPath: place.path).first { $0.hasSuffix(".json") })
    let path = place.appendingPathComponent(file).path
    for damage in ["bytes", "permissions"] {
      if damage == "bytes" {
        try Data("damaged".utf8).write(to: URL(fileURLWithPath: path))
      } else {
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
      }
      let token = try await app(FileTokenStore(folder: place)).token(configuration: provider.configuration)
      // The next process finds it.
      let again = try await app(FileTokenStore(folder: place)).token(configuration: provider.configuration)
      #expect(again.value == token.value)
    }
    #expect(provider.tokenRequests == 3)
  }

  @Test("Expired tokens are replaced, and a full disk does not matter")
  func expiry() async throws {
    let provider = MemoryProvider { (number, _) in tokens("app\(number)", expiresIn: 100) }
    provider.good.with { $0 = ["app1", "app2"] }
    let store = WitnessedStore()
    store.savingFails.with { $0 = true }
    let api = provider.api(app(store))
    #expect(try await api.me() == "alice")
    provider.time.advance(by: 80)
    #expect(try await api.me() == "alice")
    #expect(provider.tokenRequests == 2)
  }

  @Test("Given back, with the app's own credentials or with its owner's")
  func invalidate() async throws {
    for owner in [nil, OAuth1(consumerKey: "k", consumerSecret: "s", token: "t", tokenSecret: "ts")] {
      let requests = Guarded<[TransportRequest]>([])
      let transport = InMemoryTransport { request in
        requests.with { $0.append(request) }
        return request.head.path == "/oauth2/token" ? tokens("app%2Fone", expiresIn: nil) : .json("{}")
      }
      let configuration = ClientConfiguration(transport: transport)
      let store = MemoryTokenStore()
      let app = app(store)
      let api = MemoryProvider.API(client: Client(auth: app, configuration: configuration))
      try await app.invalidate(configuration: configuration)
      #expect(requests.with { $0 }.isEmpty, "there is nothing to give back")
      _ = try await api.me()
      try await app.invalidate(owner: owner, configuration: configuration)
      let request = try #require(requests.with { $0.last })
      #expect(request.head.path == "/oauth2/invalidate_token")
      #expect(String(decoding: try await request.body.collect(), as: UTF8.self) == "access_token=app%252Fone")
      let field = try #require(request.head.headerFields[.authorization])
      #expect(field.hasPrefix(owner == nil ? "Basic azpz" : "OAuth "))
      #expect(try await store.keys(service: nil).isEmpty)
      _ = try await api.me()
      #expect(requests.with { $0.filter { $0.head.path == "/oauth2/token" }.count } == 2)
    }
  }

  @Test(
    "A token that the provider forgot is returned; a revocation that cannot be sent is tried again", arguments: 0..<4)
  func forgotten(_ number: Int) async throws {
    let isAway = Guarded(true)
    let refusals = [
      refusal("invalid_token"), TransportResponse.json("{}", status: .notFound),
      .json("{}", status: .gone), .json(#"{"errors":[{"code":89,"message":"m"}]}"#, status: .forbidden),
    ]
    let transport = InMemoryTransport { request in
      if request.head.path == "/oauth2/token" { return tokens("a", expiresIn: nil) }
      guard request.head.path == "/oauth2/invalidate_token" else { return .json(#"{"user":"alice"}"#) }
      return isAway.with { $0 } ? .json("{}", status: .badGateway) : refusals[number]
    }
    let configuration = ClientConfiguration(transport: transport)
    let store = MemoryTokenStore()
    var description = Self.description
    description.errorCodes = .x
    let app = AppOnly(consumerKey: "k", consumerSecret: "s", store: store, provider: description)
    var states = app.states.makeAsyncIterator()
    guard case .signedOut? = await states.next() else {
      Issue.record("not .signedOut")
      return
    }
    _ = try await MemoryProvider.API(client: Client(auth: app, configuration: configuration)).me()
    guard case .refreshing? = await states.next(), case .valid? = await states.next() else {
      Issue.record("not .refreshing")
      return
    }
    let error = await loginFailure { () throws(LoginError) in try await app.invalidate(configuration: configuration) }
    guard case .call(.api) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await store.keys(service: nil).count == 1)
    isAway.with { $0 = false }
    try await app.invalidate(configuration: configuration)
    #expect(try await store.keys(service: nil).isEmpty)
    guard case .signedOut? = await states.next() else {
      Issue.record("not .signedOut")
      return
    }
  }

  @Test("A token that is damaged in its store is forgotten, and the one in memory given back")
  func damaged() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("tokens")
    let given = Guarded<[String]>([])
    let provider = MemoryProvider { (_, body) in
      given.with { $0.append(body) }
      return tokens("app1", expiresIn: nil)
    }
    func damage() throws {
      for file in try FileManager.default.contentsOfDirectory(atPath: place.path) where file.hasSuffix(".json") {
        try Data("damaged".utf8).write(to: place.appendingPathComponent(file))
      }
    }
    let one = app(FileTokenStore(folder: place))
    _ = try await one.token(configuration: provider.configuration)
    try damage()
    try await one.invalidate(configuration: provider.configuration)
    #expect(given.with { $0.last } == "access_token=app1")
    #expect(try await FileTokenStore(folder: place).keys(service: nil).isEmpty)

    // A process that has not read it before has nothing to give back.
    _ = try await one.token(configuration: provider.configuration)
    try damage()
    try await app(FileTokenStore(folder: place)).invalidate(configuration: provider.configuration)
    #expect(provider.tokenRequests == 3)
    #expect(try await FileTokenStore(folder: place).keys(service: nil).isEmpty)
  }

  @Test("authlib as the provider", .needs(.python(with: "authlib.oauth2.rfc9207")))
  func authlib() async throws {
    try await AuthorizationServer.with { server in
      let app = AppOnly(
        consumerKey: "confidential & co", consumerSecret: "s%cret: +/=ü",
        provider: AppOnly.Provider(tokenURL: "https://api.test/token"))
      let api = server.api(app)
      #expect(try await api.me() == "alice")
      try await server.control(["expire_access_tokens": true])
      #expect(try await api.me() == "alice")
      #expect(try await server.seen("client_credentials") == 2)
      let wrong = AppOnly(
        consumerKey: "confidential & co", consumerSecret: "wrong",
        provider: AppOnly.Provider(tokenURL: "https://api.test/token"))
      let error = await failure { () throws(CallError) in try await server.api(wrong).me() }
      #expect(error?.authorization?.reason == .refused)
    }
  }
}
