import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import HTTPTypes
import TestSupport
import Testing
import XCore

@Suite("Begun here, completed there") struct PendingLoginTests {
  private let provider = MemoryProvider { (_, body) in
    #expect(body.contains("code_verifier="))
    return tokens("a1", "r1")
  }

  private func oauth2(
    _ store: some TokenStore = MemoryTokenStore(), client: String = "public", account: String = "default"
  )
    -> OAuth2
  {
    OAuth2(clientID: client, store: store, account: account, provider: AuthorizationServer.provider)
  }

  private func begin(_ oauth2: OAuth2) throws -> (PendingLogin, redirect: URL) {
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: "https://app.test/cb", configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    return (login.pending, try #require(URL(string: "https://app.test/cb?code=c&state=\(state)")))
  }

  @Test("By an encoded value, by a sealed one, and by a folder")
  func threeWays() async throws {
    let key = try SealingKey()
    let folder = try TemporaryFolder()
    let logins = PendingLoginFolder(folder.url.appendingPathComponent("logins"))
    for way in ["encoded", "sealed", "folder"] {
      let store = MemoryTokenStore()
      let (pending, redirect) = try begin(oauth2(store))
      let other: PendingLogin
      switch way {
      case "encoded": other = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(pending))
      case "sealed": other = try PendingLogin(unsealing: pending.sealed(by: key), by: key)
      default:
        try await logins.keep(pending)
        other = try #require(try await logins.take(for: redirect))
        #expect(try await logins.take(for: redirect)?.id == nil)
      }
      #expect(other.id == pending.id && other.url == pending.url)
      let resumed = oauth2(store)
      let token = try await resumed.resume(other, configuration: provider.configuration).complete(redirect: redirect)
      #expect(token.accessToken == "a1")
      #expect(try await resumed.isAuthorized)
      #expect(try await store.token(for: resumed.key)?.scopes == ["tweet.read"])
      // Neither the value nor a copy of it serves twice.
      for again in [pending, other] {
        let error = await loginFailure { () throws(LoginError) in
          try await oauth2(store).resume(again, configuration: provider.configuration).complete(redirect: redirect)
        }
        guard case .alreadyUsed = error else {
          Issue.record("\(way) \(String(describing: error))")
          return
        }
      }
    }
    #expect(provider.tokenRequests == 3)
  }

  @Test("Nothing of a sealed login can be read or changed without its key")
  func seal() async throws {
    let (pending, redirect) = try begin(oauth2())
    let key = try SealingKey("a secret of more than thirty-two characters")
    let sealed = try pending.sealed(by: key)
    let state = try #require(URLComponents(url: redirect, resolvingAgainstBaseURL: false)?.value("state"))
    #expect(sealed.utf8.allSatisfy { $0 < 0x7F && !"+/= ;,\"".utf8.contains($0) })
    #expect(!sealed.contains(state))
    #expect(try pending.sealed(by: key) != sealed)
    #expect(
      try PendingLogin(unsealing: sealed, by: SealingKey("a secret of more than thirty-two characters")).id
        == pending.id)

    var broken: [(String, SealingKey)] = [("", key), ("AAAA", key), (sealed + "A", key), (sealed, try SealingKey())]
    for place in stride(from: 0, to: sealed.utf8.count, by: 7) {
      var bytes = Array(sealed.utf8)
      bytes[place] = bytes[place] == UInt8(ascii: "A") ? UInt8(ascii: "B") : UInt8(ascii: "A")
      broken.append((String(decoding: bytes, as: UTF8.self), key))
    }
    for (text, key) in broken {
      let error = #expect(throws: LoginError.self) { try PendingLogin(unsealing: text, by: key) }
      guard case .sealBroken = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(throws: (any Error).self) { try SealingKey("too short") }
    #expect(!"\(pending)".contains(state) && !"\(key)".contains("secret"))
  }

  @Test("A login of another client or account, or one that is too old, is not resumed")
  func foreign() async throws {
    let (pending, redirect) = try begin(oauth2())
    for other in [oauth2(client: "other"), oauth2(account: "other")] {
      let error = #expect(throws: LoginError.self) { try other.resume(pending, configuration: provider.configuration) }
      guard case .invalidSetup = error else {
        Issue.record("\(String(describing: error))")
        return
      }
    }
    #expect(throws: LoginError.self) { try OAuth1App(.x, key: "public", secret: "s").resume(pending) }
    let folder = try TemporaryFolder()
    let logins = PendingLoginFolder(folder.url.appendingPathComponent("logins"))
    try await logins.keep(pending)
    provider.time.advance(by: 3700)
    let error = #expect(throws: LoginError.self) { try oauth2().resume(pending, configuration: provider.configuration) }
    guard case .expired = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let elsewhere = try #require(URL(string: "https://app.test/cb?code=c&state=other"))
    #expect(try await logins.take(for: elsewhere)?.id == nil)
    #expect(try await logins.take(for: redirect)?.id == pending.id)
  }

  @Test("If many take a login out of a folder, one gets it")
  func onceFromAFolder() async throws {
    let folder = try TemporaryFolder()
    let logins = PendingLoginFolder(folder.url.appendingPathComponent("logins"))
    let (pending, redirect) = try begin(oauth2())
    try await logins.keep(pending)
    let count = try await withThrowingTaskGroup(of: Bool.self) { group in
      for _ in 0..<20 {
        group.addTask { try await PendingLoginFolder(logins.folder).take(for: redirect)?.id != nil }
      }
      return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(count == 1)
  }

  @Test("If a process dies while it writes, its leftover file is removed")
  func leftovers() async throws {
    let folder = try TemporaryFolder()
    let logins = PendingLoginFolder(folder.url.appendingPathComponent("logins"))
    let (first, redirect) = try begin(oauth2())
    try await logins.keep(first)
    let leftover = logins.folder.appendingPathComponent(".new-leftover")
    try Data("state and verifier".utf8).write(to: leftover)
    try await PendingLoginFolder(logins.folder).keep(try begin(oauth2()).0)
    #expect(!FileManager.default.fileExists(atPath: leftover.path))
    #expect(try await logins.take(for: redirect)?.id == first.id)
  }

  @Test("Old files are removed, and an unreadable file does not prevent a login")
  func foreignFiles() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("logins")
    let (first, redirect) = try begin(oauth2())
    try await PendingLoginFolder(place).keep(first)
    func make(_ name: String, _ permissions: Int, age: TimeInterval) throws -> String {
      let path = place.appendingPathComponent(name).path
      let attributes: [FileAttributeKey: Any] = [
        .posixPermissions: permissions, .modificationDate: Date(timeIntervalSinceNow: -age),
      ]
      #expect(FileManager.default.createFile(atPath: path, contents: Data("{}".utf8)))
      try FileManager.default.setAttributes(attributes, ofItemAtPath: path)
      return path
    }
    let young = try make("young.login", 0o644, age: 60)
    let old = try make("old.login", 0o600, age: 7200)
    let other = try make("other.json", 0o600, age: 7200)
    try FileManager.default.createDirectory(
      at: place.appendingPathComponent("folder.login"), withIntermediateDirectories: false)
    let logins = PendingLoginFolder(place)
    let (second, secondRedirect) = try begin(oauth2())
    try await logins.keep(second)
    #expect(FileManager.default.fileExists(atPath: young) && FileManager.default.fileExists(atPath: other))
    #expect(!FileManager.default.fileExists(atPath: old))
    #expect(try await logins.take(for: redirect)?.id == first.id)
    #expect(try await logins.take(for: secondRedirect)?.id == second.id)
  }
}

@Suite("A login survives") struct LoginSurvivalTests {
  /// A provider whose token endpoint responds after the test releases it.
  private final class SlowProvider: Sendable {
    let memory: MemoryProvider
    let asked: AsyncStream<Void>
    private let letGoOn: AsyncStream<Void>.Continuation

    init() {
      let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
      let (goOn, letGoOn) = AsyncStream.makeStream(of: Void.self)
      self.asked = asked
      self.letGoOn = letGoOn
      memory = MemoryProvider { (number, _) in
        isAsked.yield()
        for await _ in goOn { break }
        return tokens("a\(number)", "r\(number)")
      }
    }

    func goOn() { letGoOn.yield() }
  }

  private func login(
    _ provider: MemoryProvider, _ oauth2: OAuth2, _ redirectURI: String = "myapp://login"
  ) throws -> (OAuth2Authorization, URL) {
    let login = try oauth2.beginLogin(
      scopes: [.tweetRead], redirectURI: redirectURI, configuration: provider.configuration)
    let state = try #require(URLComponents(url: login.url, resolvingAgainstBaseURL: false)?.value("state"))
    return (login, try #require(URL(string: "\(redirectURI)?code=c&state=\(state)")))
  }

  @Test("A caller that stops waiting does not stop the exchange, and can get its result later")
  func cancelledWaiter() async throws {
    let provider = SlowProvider()
    let store = MemoryTokenStore()
    let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    let (login, redirect) = try login(provider.memory, oauth2)
    let first = Task { await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) } }
    for await _ in provider.asked { break }
    first.cancel()
    guard case .cancelled = await first.value else {
      Issue.record("not .cancelled")
      return
    }
    let second = Task { try await login.complete(redirect: redirect) }
    provider.goOn()
    #expect(try await second.value.accessToken == "a1")
    #expect(try await store.token(for: oauth2.key)?.accessToken == "a1")
    #expect(provider.memory.tokenRequests == 1)
    let third = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
    guard case .alreadyUsed = third else {
      Issue.record("\(String(describing: third))")
      return
    }
  }

  @Test("A token that cannot be kept is handed back, and kept before it is used")
  func notKept() async throws {
    let provider = MemoryProvider { (_, _) in tokens("a1", "r1") }
    provider.good.with { $0 = ["a1"] }
    let store = WitnessedStore()
    store.savingFails.with { $0 = true }
    let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
    let (login, redirect) = try login(provider, oauth2)
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
    guard case .notKept(let token, let problem) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(token.accessToken == "a1" && token.refreshToken == "r1")
    #expect(problem.advice.contains("make room"))
    #expect(error.map { "\($0)".contains("a1") } == false)
    #expect(try await oauth2.isAuthorized)
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    store.savingFails.with { $0 = false }
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r1")
    #expect(provider.tokenRequests == 1)
  }

  @Test(
    "A login that could not be saved does not undo a later login or logout of another process, but outlives a refresh")
  func notKeptAndOvertaken() async throws {
    for later in ["logout", "login", "refresh"] {
      let revoked = Guarded<[String]>([])
      let provider = MemoryProvider { (_, body) in
        if let token = body.split(separator: "&").first(where: { $0.hasPrefix("token=") }) {
          revoked.with { $0.append(String(token.dropFirst(6))) }
          return .json("{}")
        }
        return body.contains("grant_type=refresh_token") ? tokens("a1", "r1") : tokens("a2", "r2")
      }
      provider.good.with { $0 = ["a1", "a2", "a3"] }
      let store = WitnessedStore()
      let (oauth2, other) = (
        OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider),
        OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
      )
      try await other.save(
        StoredToken(kind: .oauth2, accessToken: "a0", refreshToken: "r0", expires: provider.time.now() + 7200))
      store.savingFails.with { $0 = true }
      let (login, redirect) = try login(provider, oauth2)
      let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
      guard case .notKept = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      store.savingFails.with { $0 = false }
      switch later {
      case "logout": try await other.deauthorize(configuration: provider.configuration)
      case "login":
        try await other.save(
          StoredToken(kind: .oauth2, accessToken: "a3", refreshToken: "r3", expires: provider.time.now() + 7200))
      default: try await other.refresh(configuration: provider.configuration)
      }
      let refused = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
      let stored = try await store.token(for: oauth2.key)?.accessToken
      switch later {
      case "logout":
        #expect(refused?.authorization?.advice.contains("nobody is logged in") == true)
        #expect(stored == nil)
        // The logout could not know this login.
        try await eventually { revoked.with { Set($0).isSuperset(of: ["r2", "a2"]) } }
      case "login": #expect(refused == nil && stored == "a3")
      default: #expect(refused == nil && stored == "a2")
      }
    }
  }

  @Test("A logout revokes a login that could not be saved and the one before it")
  func notKeptAndLoggedOut() async throws {
    let revoked = Guarded<[String]>([])
    let provider = MemoryProvider { (_, body) in
      guard let token = body.split(separator: "&").first(where: { $0.hasPrefix("token=") }) else {
        return tokens("a2", "r2")
      }
      revoked.with { $0.append(String(token.dropFirst(6))) }
      return .json("{}")
    }
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store)
    store.savingFails.with { $0 = true }
    let (login, redirect) = try login(provider, oauth2)
    #expect(await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) } != nil)
    try await oauth2.deauthorize(configuration: provider.configuration)
    #expect(revoked.with { $0 } == ["r2", "a2", "r0", "a0"])
  }

  @Test("A response with an unusable access token does not throw away a rotated refresh token")
  func rotated() async throws {
    let provider = MemoryProvider { (number, body) in
      if number == 1 { return .json(#"{"token_type":"mac","access_token":"a1","refresh_token":"r1"}"#) }
      #expect(body.contains("refresh_token=r1"))
      return tokens("a2", "r2")
    }
    provider.good.with { $0 = ["a2"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(await failure { () throws(CallError) in try await provider.api(oauth2).me() } != nil)
    // A rejected response stores nothing. This process remembers the refresh token that it named.
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r0")
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r2")
  }

  @Test(
    "A refresh response without the optional refresh token keeps the existing one",
    arguments: [
      #"{"access_token":"a1"}"#, #"{"access_token":"a1","expires_in":0,"refresh_token":"r1"}"#,
      #"{"access_token":"a1","scope":["tweet.read"],"refresh_token":"r1"}"#,
    ])
  func harmless(_ response: String) async throws {
    let provider = MemoryProvider { (_, _) in .json(response) }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    #expect(try await provider.api(oauth2).me() == "alice")
    let kept = try await store.token(for: oauth2.key)
    #expect(kept?.refreshToken == (response.contains("r1") ? "r1" : "r0"))
    #expect(kept?.scopes == ["tweet.read"])
  }

  @Test(
    "A response that is not clean JSON does not throw away a rotated refresh token",
    arguments: [
      ("\u{FEFF}{\"access_token\":\"a1\",\"refresh_token\":\"r1\"}", true),
      (#"{"access_token":"a1","refresh_token":"r1","token_type":"bearer"}<!-- 0.02 s -->"#, false),
      ("access_token=a1&refresh_token=r1&token_type=bearer&expires_in=3600&scope=tweet.read", true),
      (#"[{"access_token":"a1","refresh_token":"r1"}]"#, false),
      (#"{"access_token":{"value":"a1"},"refresh_token":"r1","scope":{"a":1}}"#, false),
      (#"{"access_token":"a1","refresh_token":"r1","expires_in":1e9999}"#, true),
      (#"{"access_token":"a1","refresh_token":"r1","note":"\#u{1}"}"#, false),
    ])
  func oddRotation(_ response: String, isRead: Bool) async throws {
    let provider = MemoryProvider { (number, body) in
      if number == 1 { return .json(response) }
      #expect(body.contains("refresh_token=r1"))
      return tokens("a2", "r2")
    }
    provider.good.with { $0 = ["a1", "a2"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    _ = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(try await store.token(for: oauth2.key)?.refreshToken == (isRead ? "r1" : "r0"))
    #expect(try await provider.api(oauth2).me() == "alice")
  }

  @Test(
    "Scopes in one text, in a list, or in a list of texts",
    arguments: [#""x y""#, #"["x","y"]"#, #"["x y"]"#, #""x,y""#])
  func scopes(_ scope: String) async throws {
    let provider = MemoryProvider { (_, _) in .json(#"{"access_token":"a1","refresh_token":"r1","scope":\#(scope)}"#) }
    provider.good.with { $0 = ["a1"] }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5, scopes: ["x", "y"])
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(oauth2.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["x", "y"])))
    #expect(!oauth2.satisfies(AuthRequirement(scheme: "oauth2", scopes: ["z"])))
  }

  @Test("A request for a token that meets an outage is sent again", arguments: ["503", "lost", "unreachable"])
  func outage(_ kind: String) async throws {
    for isLogin in [true, false] {
      let provider = MemoryProvider { (number, _) throws(TransportError) in
        if number == 3 { return tokens("a3", "r3") }
        switch kind {
        case "503": return .json("{}", status: .serviceUnavailable)
        case "lost": throw TransportError(.connectionLost, delivery: .unknown)
        default: throw TransportError(.cannotConnect, delivery: .notSent)
        }
      }
      provider.good.with { $0 = ["a3"] }
      let store = MemoryTokenStore()
      if isLogin {
        let oauth2 = OAuth2(clientID: "public", store: store, provider: AuthorizationServer.provider)
        let (login, redirect) = try login(provider, oauth2)
        #expect(try await login.complete(redirect: redirect).accessToken == "a3")
      } else {
        let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
        #expect(try await provider.api(oauth2).me() == "alice")
      }
      #expect(provider.tokenRequests == 3)
      #expect(provider.time.sleeps.count == 2)
    }
  }

  @Test(
    "A code that may have arrived is not sent again; one that has not arrived is",
    arguments: ["lost", "503", ""])
  func deliveryOfTheCode(_ kind: String) async throws {
    let provider = MemoryProvider { (number, _) throws(TransportError) in
      if number > 3 { return tokens("a4", "r4") }
      if number == 1, kind == "503" { return .json("{}", status: .serviceUnavailable) }
      if number == 1, kind == "lost" { throw TransportError(.connectionLost, delivery: .unknown) }
      throw TransportError(.cannotConnect, delivery: .notSent)
    }
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: AuthorizationServer.provider)
    let (login, redirect) = try login(provider, oauth2)
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
    guard case .call(.transport(let failure)) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(failure.delivery == (kind.isEmpty ? .notSent : .unknown))
    let second = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
    #expect((second == nil) == kind.isEmpty)
    #expect(provider.tokenRequests == (kind.isEmpty ? 4 : 3))
  }

  @Test("A redirect without `iss` is refused if the provider promises one")
  func promisedIssuer() async throws {
    let memory = MemoryProvider { (_, _) in tokens("a1") }
    var provider = AuthorizationServer.provider
    provider.issuer = "https://api.test"
    for (promises, query, isRight) in [
      (false, "", true), (true, "", false), (true, "&iss=https%3A%2F%2Fapi.test", true),
      (true, "&iss=https%3A%2F%2Fother", false),
    ] {
      provider.promisesIssuer = promises
      let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: provider)
      let (login, redirect) = try login(memory, oauth2)
      let url = try #require(URL(string: redirect.absoluteString + query))
      let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: url) }
      if isRight {
        #expect(error == nil)
      } else {
        guard case .stateMismatch = error else {
          Issue.record("\(String(describing: error))")
          return
        }
      }
    }
    // Even if it is not known which one it promises.
    (provider.issuer, provider.promisesIssuer) = (nil, true)
    let oauth2 = OAuth2(clientID: "public", store: MemoryTokenStore(), provider: provider)
    let (login, redirect) = try login(memory, oauth2)
    let error = await loginFailure { () throws(LoginError) in try await login.complete(redirect: redirect) }
    guard case .stateMismatch = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A lease that is lost while the provider responds loses nothing")
  func lostLease() async throws {
    let provider = MemoryProvider { (number, _) in tokens("a\(number)", "r\(number)") }
    provider.good.with { $0 = ["a1"] }
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store, expiresIn: -5)
    store.lostLeases.with { $0 = 1 }
    // The other one took the lease and has stored nothing: the provider's response is stored under the next lease.
    #expect(try await provider.api(oauth2).me() == "alice")
    #expect(provider.tokenRequests == 1)
    #expect(try await store.token(for: oauth2.key)?.refreshToken == "r1")
  }

  @Test("A failed revocation can be tried again, and a token that the provider has forgotten counts as revoked")
  func revocation() async throws {
    let isAway = Guarded(true)
    let provider = MemoryProvider { (_, body) in
      if isAway.with({ $0 }) { return .json("{}", status: .badGateway) }
      return body.contains("refresh_token") ? .json("{}") : refusal("invalid_token")
    }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store)
    let error = await loginFailure { () throws(LoginError) in
      try await oauth2.deauthorize(configuration: provider.configuration)
    }
    guard case .call(.api) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(try await store.keys(service: nil).isEmpty)
    isAway.with { $0 = false }
    try await oauth2.deauthorize(configuration: provider.configuration)
    #expect(provider.tokenRequests == 4)
    try await oauth2.deauthorize(configuration: provider.configuration)
    #expect(provider.tokenRequests == 4)
  }

  @Test("A failed revocation can be tried again by another value for the same account and store, and by no other")
  func revocationByAnotherValue() async throws {
    let isAway = Guarded(true)
    let revoked = Guarded<[String]>([])
    let provider = MemoryProvider { (_, body) in
      if isAway.with({ $0 }) { return .json("{}", status: .badGateway) }
      revoked.with { $0 += body.split(separator: "&").filter { $0.hasPrefix("token=") }.map(String.init) }
      return .json("{}")
    }
    let store = MemoryTokenStore()
    let oauth2 = try await provider.oauth2(store: store)
    try await store.save(
      StoredToken(kind: .oauth2, accessToken: "bob-a", refreshToken: "bob-r", clientID: "public"),
      for: oauth2.account("bob").key)
    for _ in 0..<2 {
      let error = await loginFailure { () throws(LoginError) in
        try await oauth2.account("bob").deauthorize(configuration: provider.configuration)
      }
      guard case .call(.api) = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      #expect(try await !oauth2.account("bob").isAuthorized)
    }
    #expect(provider.tokenRequests == 4)
    isAway.with { $0 = false }
    // Neither another account, nor the same in another store, nor another provider's client of the same name.
    try await oauth2.account("carol").deauthorize(configuration: provider.configuration)
    try await provider.oauth2(store: MemoryTokenStore()).account("bob").deauthorize(
      configuration: provider.configuration)
    var other = AuthorizationServer.provider
    other.revokeURL = "https://elsewhere.test/revoke"
    try await OAuth2(clientID: "public", store: store, account: "bob", provider: other).deauthorize(
      configuration: provider.configuration)
    #expect(revoked.with { $0 }.isEmpty)
    for _ in 0..<2 {
      try await oauth2.account("bob").deauthorize(configuration: provider.configuration)
      #expect(revoked.with { $0 } == ["token=bob-r", "token=bob-a"])
    }
    #expect(try await oauth2.isAuthorized)
  }

  @Test("If only refresh tokens are revoked, the access token may live until it expires")
  func revokesRefreshTokensAlone() async throws {
    let provider = MemoryProvider { (_, body) in
      body.contains("token_type_hint=refresh_token") ? .json("{}") : refusal("unsupported_token_type")
    }
    let oauth2 = try await provider.oauth2(store: MemoryTokenStore())
    for _ in 0..<2 {
      try await oauth2.deauthorize(configuration: provider.configuration)
      #expect(provider.tokenRequests == 2)
    }
    // If there is no refresh token, the login continues without this program.
    let other = try await provider.oauth2(store: MemoryTokenStore(), refresh: nil)
    let error = await loginFailure { () throws(LoginError) in
      try await other.deauthorize(configuration: provider.configuration)
    }
    guard case .refused("unsupported_token_type", _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test("A logout forgets a token that the store cannot read, and revokes it if it is known")
  func unreadable() async throws {
    let provider = MemoryProvider { (_, _) in .json("{}") }
    provider.good.with { $0 = ["a0"] }
    let store = WitnessedStore()
    let oauth2 = try await provider.oauth2(store: store)
    #expect(try await provider.api(oauth2).me() == "alice")
    store.loadingFails.with { $0 = true }
    try await oauth2.deauthorize(configuration: provider.configuration)
    #expect(provider.tokenRequests == 2)
    #expect(try await store.keys(service: nil).isEmpty)
    store.loadingFails.with { $0 = false }
    let error = await failure { () throws(CallError) in try await provider.api(oauth2).me() }
    #expect(error?.authorization?.advice.contains("nobody is logged in") == true)
  }

  @Test(
    "White space around an identifier or a secret is said, and nothing is sent", arguments: ["id ", "\nid", "id\r\n"])
  func copied(_ id: String) async throws {
    let provider = MemoryProvider { (_, _) in tokens("a") }
    for oauth2 in [
      OAuth2(clientID: id, store: MemoryTokenStore(), provider: AuthorizationServer.provider),
      OAuth2(
        clientID: "id", clientSecret: Secret(id), store: MemoryTokenStore(), provider: AuthorizationServer.provider),
    ] {
      let error = #expect(throws: LoginError.self) {
        try oauth2.beginLogin(scopes: [.tweetRead], redirectURI: "myapp://login")
      }
      #expect(error?.description.contains("white space or a line break around it") == true)
    }
    let app = AppOnly(
      consumerKey: "k", consumerSecret: Secret(id), provider: AppOnly.Provider(tokenURL: "https://api.test/token"))
    let error = await failure { () throws(CallError) in try await provider.api(app).me() }
    #expect(error?.authorization?.advice.contains("white space or a line break around it") == true)
    #expect(provider.tokenRequests == 0)
  }
}
