import CallsignX
import Foundation
import Testing
import XSandbox

/// Two servers in separate processes, which share only a folder of tokens and a key.
@Suite("The web servers", .timeLimit(.minutes(5))) struct WebLoginTests {
  private struct Site: Sendable {
    let sandbox: Sandbox
    let app: Sandbox.App
    /// The server where logins begin.
    let first: String
    /// The server that X sends browsers back to: another one.
    let second: String
    let tokens: URL

    /// The tokens that the servers have.
    func keys() async throws -> [TokenKey] { try await FileTokenStore(folder: tokens).keys(service: nil) }
  }

  private func withSite(_ body: (Site) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start()
    let app = await sandbox.makeApp(.init(name: "Web", callbacks: ["http://127.0.0.1:*"]))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("web-\(UUID().uuidString)")
    var settings = [
      "X_CLIENT_ID": app.clientID, "X_CLIENT_SECRET": app.clientSecret ?? "", "X_CONSUMER_SECRET": app.consumerSecret,
      "WEB_SEALING_SECRET": UUID().uuidString, "WEB_TOKENS": folder.path,
      "WEB_BASE_URL": sandbox.url.absoluteString,
    ]
    let second = try await start(settings) { "http://127.0.0.1:\($0)" }
    let publicURL = "http://127.0.0.1:\(second.port)"
    settings["WEB_PUBLIC_URL"] = publicURL
    let first = try await start(settings) { _ in publicURL }
    defer {
      first.stop()
      second.stop()
      try? FileManager.default.removeItem(at: folder)
    }
    try await body(
      Site(
        sandbox: sandbox, app: app, first: "http://127.0.0.1:\(first.port)", second: publicURL, tokens: folder))
    await sandbox.stop()
  }

  /// Starts a server, on another port if another program was faster. That may be another test's server with an identical page, so
  /// the server that responds must send browsers to this test's sandbox.
  private func start(_ settings: [String: String], publicURL: (Int) -> String) async throws -> ServerProcess {
    let sandbox = try #require(settings["WEB_BASE_URL"])
    for _ in 0..<10 {
      let port = try ServerProcess.freePort()
      var settings = settings
      settings["WEB_PUBLIC_URL"] = publicURL(port)
      let server = try ServerProcess(port: port, settings)
      let end = ContinuousClock.now + .seconds(60)
      while server.isRunning, ContinuousClock.now < end {
        if let page = try? await Browser().open("http://127.0.0.1:\(port)/login"), let location = page.location,
          location.hasPrefix("\(sandbox)/")
        {
          return server
        }
        try await Task.sleep(for: .milliseconds(50))
      }
      server.stop()
    }
    throw CocoaError(.executableLoad)
  }

  /// Begins a login at the first server. Returns the consent page.
  private func begin(_ site: Site, _ browser: Browser) async throws -> Browser.Page {
    let sent = try await browser.open("\(site.first)/login")
    #expect(sent.status == 303)
    return try await browser.open(try #require(sent.location))
  }

  private func logIn(_ site: Site, _ browser: Browser, as account: String) async throws {
    let redirect = try await browser.decide(on: try await begin(site, browser), as: account)
    #expect(redirect.hasPrefix("\(site.second)/callback?"))
    _ = try await browser.follow(try await browser.open(redirect))
  }

  @Test("A login that begins at one server is completed by the other, and each knows the user") func login()
    async throws
  {
    try await withSite { site in
      let (browser, other) = (Browser(), Browser())
      try await logIn(site, browser, as: "alice")
      try await logIn(site, other, as: "bob")
      for server in [site.first, site.second] {
        #expect(try await browser.open("\(server)/").text.contains("@\(site.sandbox.users.alice.username)."))
        #expect(try await other.open("\(server)/").text.contains("@\(site.sandbox.users.bob.username)."))
        #expect(try await Browser().open("\(server)/").text.contains("Log in with X"))
      }
      #expect(await browser.cookie("login") == nil)
      let users = try await site.keys().map(\.account).map { $0.prefix { $0 != "." } }
      #expect(Set(users.map(String.init)) == [site.sandbox.users.alice.id, site.sandbox.users.bob.id])
      // Refreshed when it is due, by the server that gets the request.
      site.sandbox.advanceTime(by: 7300)
      #expect(try await browser.open("\(site.first)/").text.contains("@\(site.sandbox.users.alice.username)."))
      #expect(try await browser.open("\(site.second)/").text.contains("@\(site.sandbox.users.alice.username)."))
      #expect(await site.sandbox.refreshCount == 1)
    }
  }

  @Test("Logging out ends the session at every server, even for a copy of its cookie, and revokes the tokens")
  func logout() async throws {
    try await withSite { site in
      let (browser, elsewhere) = (Browser(), Browser())
      try await logIn(site, browser, as: "alice")
      try await logIn(site, elsewhere, as: "alice")
      let session = try #require(await browser.cookie("session"))
      #expect(try await browser.post("\(site.first)/logout").status == 303)
      #expect(await browser.cookie("session") == nil)
      await browser.setCookie("session", session)
      for server in [site.first, site.second] {
        #expect(try await browser.open("\(server)/").text.contains("Log in with X"))
        #expect(try await elsewhere.open("\(server)/").text.contains("@\(site.sandbox.users.alice.username)."))
      }
      #expect(try await site.keys().count == 1)
      #expect(
        await site.sandbox.requests().filter { $0.path == "/2/oauth2/revoke" && $0.status == 200 }.count == 2)
    }
  }

  @Test("A forged state, another browser's redirect and a used redirect are refused, and log nobody in")
  func redirects() async throws {
    try await withSite { site in
      let browser = Browser()
      let redirect = try await browser.decide(on: try await begin(site, browser), as: "alice")
      // Another person's browser, which has begun no login, or another one.
      let (without, another) = (Browser(), Browser())
      _ = try await begin(site, another)
      for other in [without, another] {
        #expect(try await other.open(redirect).status == 400)
        #expect(await other.cookie("session") == nil)
      }
      let login = try #require(await browser.cookie("login"))
      let forged = redirect.replacing("state=", with: "state=x")
      #expect(try await browser.open(forged).status == 400)
      #expect(await browser.cookie("session") == nil)
      #expect(await browser.cookie("login") == nil)
      await browser.setCookie("login", login)
      #expect(try await browser.open(redirect).status == 303)
      // The same redirect again with the cookie of before: at the server that has had it, and at one that has not.
      for server in [site.second, site.first] {
        let again = Browser()
        await again.setCookie("login", login)
        #expect(try await again.open(redirect.replacing(site.second, with: server)).status == 400)
        #expect(await again.cookie("session") == nil)
      }
      #expect(await site.sandbox.authorizationCounts().refreshes == 0)
    }
  }

  @Test("A person who refuses sees a message, and another login succeeds") func denial() async throws {
    try await withSite { site in
      let browser = Browser()
      let redirect = try await browser.decide(on: try await begin(site, browser), as: "alice", cancels: true)
      let page = try await browser.open(redirect)
      #expect(page.status == 200 && page.text.contains("You did not allow it"))
      #expect(await browser.cookie("session") == nil)
      #expect(await browser.cookie("login") == nil)
      #expect(try await site.keys().isEmpty)
      try await logIn(site, browser, as: "alice")
      #expect(try await browser.open("\(site.first)/").text.contains("@\(site.sandbox.users.alice.username)."))
    }
  }

  @Test("Cookies cannot be changed, or made with another key") func cookies() async throws {
    try await withSite { site in
      let browser = Browser()
      let redirect = try await browser.decide(on: try await begin(site, browser), as: "alice")
      let login = try #require(await browser.cookie("login"))
      await browser.setCookie("login", Self.changed(login))
      #expect(try await browser.open(redirect).status == 400)
      await browser.setCookie("login", login)
      #expect(try await browser.open(redirect).status == 303)
      let session = try #require(await browser.cookie("session"))
      #expect(!session.contains(site.sandbox.users.alice.id))
      let key = try SealingKey()
      let content = Data(#"{"user":"1","login":"a","expires":9999999999}"#.utf8)
      let foreign = try key.seal(content, for: "web login session 1").base64EncodedString()
      for forged in [Self.changed(session), foreign, login, "", "AAAA", String(repeating: "A", count: 4000)] {
        await browser.setCookie("session", forged)
        #expect(try await browser.open("\(site.first)/").text.contains("Log in with X"))
      }
      await browser.setCookie("session", session)
      #expect(try await browser.open("\(site.first)/").text.contains("@\(site.sandbox.users.alice.username)."))
    }
  }

  /// The same with one character changed in the middle.
  private static func changed(_ text: String) -> String {
    var bytes = Array(text.utf8)
    bytes[bytes.count / 2] = bytes[bytes.count / 2] == 0x41 ? 0x42 : 0x41
    return String(decoding: bytes, as: UTF8.self)
  }

  @Test("X's challenge gets a response, its deliveries are accepted, and those of others are refused") func webhooks()
    async throws
  {
    try await withSite { site in
      let browser = Browser()
      let appOnly = AppOnly(consumerKey: site.app.consumerKey, consumerSecret: Secret(site.app.consumerSecret))
      var configuration = ClientConfiguration()
      configuration.hosts = .all(to: site.sandbox.url.absoluteString)
      let app = XAPI(auth: .appOnly(appOnly), configuration: configuration)
      // The sandbox sends a challenge and reads the response.
      let webhook = try await app.createWebhooks(url: "\(site.first)/webhook").data
      #expect(webhook.valid == true)
      let token = try await site.sandbox.makeAccessToken(for: site.sandbox.users.alice, app: site.app)
      let alice = XAPI(
        auth: .oauth1(
          OAuth1(
            consumerKey: site.app.consumerKey, consumerSecret: Secret(site.app.consumerSecret), token: token.token,
            tokenSecret: Secret(token.secret))), configuration: configuration)
      try await alice.createAccountActivitySubscription(webhookID: "\(webhook.id)")
      try await site.sandbox.addPost("delivered", by: site.sandbox.users.alice)
      let end = ContinuousClock.now + .seconds(60)
      while await site.sandbox.deliveries().isEmpty, ContinuousClock.now < end {
        try await Task.sleep(for: .milliseconds(50))
      }
      #expect(await site.sandbox.deliveries().map(\.status) == [200])
      // Without a signature, with another app's, and an invalid challenge.
      #expect(try await browser.post("\(site.first)/webhook", ["a": "b"]).status == 401)
      #expect(try await browser.open("\(site.first)/webhook?crc_token=%7B%22a%22%3A1%7D").status == 400)
      #expect(try await browser.open("\(site.first)/webhook").status == 400)
    }
  }
}
