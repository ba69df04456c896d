import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("A username and password that are kept") struct BasicAccountTests {
  /// A server that takes one name and password, and a person who is asked.
  private final class Scene: Sendable {
    private struct State {
      var right: String
      var answers: [(String, String)]
      var prompts: [HTTPBasicAccount.Prompt] = []
      var sent: [String?] = []
      var spurious = 0
    }

    private let state: Locked<State>
    let store: any TokenStore
    let time = TestTime(.skips, at: Date())

    /// - Parameters:
    ///   - right: The only name and password that the server takes.
    ///   - answers: The answers of the person, one after the other; after that they give up.
    init(_ right: String, answers: [(String, String)] = [], store: any TokenStore = MemoryTokenStore()) {
      state = Locked(State(right: right, answers: answers))
      self.store = store
    }

    var prompts: [HTTPBasicAccount.Prompt] { state.withLock { $0.prompts } }
    /// The names and passwords of all requests.
    var sent: [String?] { state.withLock { $0.sent } }

    func change(to right: String) { state.withLock { $0.right = right } }
    /// Has the server refuse the next request, whatever it carries.
    func refuseOnce() { state.withLock { $0.spurious = 1 } }

    func account(asks: Bool = true, realm: String? = nil) -> HTTPBasicAccount {
      let person: HTTPBasicAccount.Ask = { [self] prompt in await answer(prompt) }
      return HTTPBasicAccount(
        service: "api.example", store: store, realm: realm, hosts: ["api.example"], ask: asks ? person : nil)
    }

    private func answer(_ prompt: HTTPBasicAccount.Prompt) async -> (username: String, password: Secret)? {
      // Others come to wait meanwhile.
      try? await Task.sleep(for: .milliseconds(20))
      let given = state.withLock { state -> (String, String)? in
        state.prompts.append(prompt)
        return state.answers.isEmpty ? nil : state.answers.removeFirst()
      }
      return given.map { ($0.0, Secret($0.1)) }
    }

    func client(_ account: HTTPBasicAccount) -> Client {
      let transport = InMemoryTransport { [self] request in
        let field = request.headerFields[.authorization]
        let sent = field.flatMap { Data(base64Encoded: String($0.dropFirst("Basic ".count))) }
        let text = sent.map { String(decoding: $0, as: UTF8.self) }
        let isRight = state.withLock { state in
          state.sent.append(text)
          if state.spurious > 0 {
            state.spurious -= 1
            return false
          }
          return text == state.right
        }
        return isRight
          ? .json("{}")
          : .json("{}", status: .unauthorized, headerFields: [.wwwAuthenticate: "Basic realm=\"things\""])
      }
      return Client(auth: account, configuration: ClientConfiguration(transport: transport, time: time))
    }
  }

  private func status(_ client: Client) async -> Int {
    do throws(CallError) { return try await client.call(.get, "https://api.example/a").status.code } catch {
      return error.rawResponse?.status.code ?? error.authorization?.response?.status.code ?? 0
    }
  }

  @Test("The user is asked once for any number of calls; the answer is kept, and the next process uses it") func once()
    async throws
  {
    let scene = Scene("ann:pass:word", answers: [("ann", "pass:word")])
    let client = scene.client(scene.account())
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<50 { group.addTask { await status(client) } }
      for await status in group { #expect(status == 200) }
    }
    #expect(scene.prompts.count == 1)
    let prompt = try #require(scene.prompts.first)
    #expect(prompt.server == "https://api.example" && !prompt.wasRefused && prompt.username == nil)
    // Another process has the same store, and nobody to ask.
    #expect(await status(scene.client(scene.account(asks: false))) == 200)
    #expect(scene.sent.allSatisfy { $0 == "ann:pass:word" })
  }

  @Test("Refused ones are forgotten, and the user is asked for others with the given name") func refused() async throws
  {
    let scene = Scene("ann:right", answers: [("ann", "wrong"), ("ann", "right")])
    let account = scene.account()
    #expect(await status(scene.client(account)) == 200)
    #expect(scene.sent == ["ann:wrong", "ann:right"])
    #expect(scene.prompts.map(\.wasRefused) == [false, true])
    #expect(scene.prompts.last?.username == "ann")
    let token = try await scene.store.token(for: account.key)
    #expect(token?.accessToken == "ann:right")
  }

  @Test("When a password changes at the server, the app asks for it once for all waiting calls") func changed()
    async throws
  {
    let scene = Scene("ann:old", answers: [("ann", "new")])
    let account = scene.account()
    try await account.save(username: "ann", password: "old")
    let client = scene.client(account)
    #expect(await status(client) == 200)
    let identity = account.identity
    scene.change(to: "ann:new")
    // Once is forgiven, as it may be a slip of the server's.
    #expect(await status(client) == 401)
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<20 { group.addTask { await status(client) } }
      for await status in group { #expect(status == 200) }
    }
    #expect(scene.prompts.count == 1)
    #expect(account.identity != identity)
  }

  @Test("A single refusal by a server that took them before forgets nothing") func slip() async throws {
    let scene = Scene("ann:right")
    let account = scene.account(asks: false)
    try await account.save(username: "ann", password: "right")
    let client = scene.client(account)
    #expect(await status(client) == 200)
    scene.refuseOnce()
    #expect(await status(client) == 401)
    #expect(await status(client) == 200)
    #expect(try await account.isSaved)
  }

  @Test("Without a closure to ask, refused credentials are forgotten, and the error says so") func nobodyToAsk()
    async throws
  {
    let scene = Scene("ann:right")
    let account = scene.account(asks: false)
    let client = scene.client(account)
    let none = await failure(client)
    #expect(none?.authorization?.reason == .unavailable)
    #expect(none?.authorization?.advice.contains("save some") == true)
    #expect(scene.sent.isEmpty)
    try await account.save(username: "ann", password: "wrong")
    #expect(await failure(client)?.authorization?.reason == .refused)
    #expect(try await !account.isSaved)
    #expect(scene.sent == ["ann:wrong"])
  }

  @Test("If the user gives up, the call fails, and the next call asks again") func givesUp() async throws {
    let scene = Scene("ann:right")
    let client = scene.client(scene.account())
    for _ in 0..<2 { #expect(await failure(client)?.authorization?.reason == .unavailable) }
    #expect(scene.prompts.count == 2)
    #expect(scene.sent.isEmpty)
  }

  @Test("Another process's new password is taken over without a question") func savedElsewhere() async throws {
    let scene = Scene("ann:new")
    let account = scene.account()
    try await account.save(username: "ann", password: "old")
    let client = scene.client(account)
    try await scene.account().save(username: "ann", password: "new")
    #expect(await status(client) == 200)
    #expect(scene.prompts.isEmpty)
  }

  @Test("Credentials saved while refused ones are being forgotten are used, and the user is not asked")
  func savedMeanwhile() async throws {
    let store = InterruptedStore()
    let scene = Scene("ann:new", answers: [("ann", "typed")], store: store)
    let account = scene.account()
    try await account.save(username: "ann", password: "old")
    let other = HTTPBasicAccount(service: "api.example", store: store.memory, hosts: ["api.example"])
    store.interrupt { _ = try? await other.save(username: "ann", password: "new") }
    #expect(await status(scene.client(account)) == 200)
    #expect(scene.prompts.isEmpty)
    #expect(scene.sent == ["ann:old", "ann:new"])
  }

  @Test(
    "An empty password and one with a colon are stored and read unchanged",
    arguments: ["", "a:b", ":", "\u{301}x", ":\u{301}"])
  func odd(password: String) async throws {
    let scene = Scene("key:\(password)")
    try await scene.account().save(username: "key", password: Secret(password))
    #expect(await status(scene.client(scene.account(asks: false))) == 200)
  }

  @Test("A name with a colon is refused before it is kept", arguments: ["a:b", "a:\u{301}b"])
  func colon(name: String) async throws {
    let scene = Scene("\(name):c", answers: [(name, "c")])
    let account = scene.account()
    #expect(await failure(scene.client(account))?.authorization?.advice.contains("colon") == true)
    #expect(try await !account.isSaved)
  }

  @Test("Forgotten credentials are asked for again; a damaged entry is forgotten and replaced")
  func forgotten() async throws {
    let folder = try TemporaryFolder()
    let place = folder.url.appendingPathComponent("tokens")
    let store = FileTokenStore(folder: place)
    let scene = Scene("ann:right", answers: [("ann", "right"), ("ann", "right")], store: store)
    let account = scene.account()
    try await account.save(username: "ann", password: "right")
    try await account.forget()
    try await account.forget()
    #expect(try await !account.isSaved)
    #expect(await status(scene.client(account)) == 200)
    #expect(scene.prompts.count == 1)
    for file in try FileManager.default.contentsOfDirectory(atPath: place.path) where file.hasSuffix(".json") {
      try Data("damaged".utf8).write(to: place.appendingPathComponent(file))
    }
    #expect(await status(scene.client(scene.account())) == 200)
  }

  @Test("With a realm, they are sent only if the server names it") func realm() async throws {
    let scene = Scene("ann:right")
    let account = scene.account(asks: false, realm: "things")
    try await account.save(username: "ann", password: "right")
    #expect(await status(scene.client(account)) == 200)
    #expect(scene.sent == [nil, "ann:right"])
    let other = scene.account(asks: false, realm: "others")
    try await other.save(username: "ann", password: "right")
    #expect(await failure(scene.client(other))?.authorization?.advice.contains("another realm") == true)
  }

  @Test("Nothing of them is printed") func redaction() async throws {
    let scene = Scene("ann:right")
    let account = scene.account()
    try await account.save(username: "the-name", password: "the-password")
    var dumped = ""
    dump(account, to: &dumped)
    let token = try await scene.store.token(for: account.key)
    for text in [dumped, "\(account)", "\(account.identity)", "\(try #require(token))"] {
      #expect(!text.contains("the-name") && !text.contains("the-password"))
    }
  }

  private func failure(_ client: Client) async -> CallError? {
    do throws(CallError) {
      _ = try await client.call(.get, "https://api.example/a")
      return nil
    } catch { return error }
  }
}

/// A store before whose next lease something else happens.
private final class InterruptedStore: MemoryBackedStore {
  let memory = MemoryTokenStore()
  private let interruption = Locked<(@Sendable () async -> Void)?>(nil)

  func interrupt(_ interruption: @escaping @Sendable () async -> Void) {
    self.interruption.withLock { $0 = interruption }
  }

  func lease(_ key: TokenKey, lasting duration: Duration) async throws(TokenStoreError) -> TokenLease {
    let meanwhile = interruption.withLock { interruption -> (@Sendable () async -> Void)? in
      defer { interruption = nil }
      return interruption
    }
    await meanwhile?()
    return try await memory.lease(key, lasting: duration)
  }
}
