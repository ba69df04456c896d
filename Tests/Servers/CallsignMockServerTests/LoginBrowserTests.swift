import CallsignLoopback
import CallsignX
import Foundation
import TestSupport
import Testing
import XSandbox

/// Logins as a person goes through them, in a real browser at the sandbox.
@Suite(.serialized, .needs(.chromium, .chromedriver)) struct LoginBrowserTests {
  private struct Session: Sendable {
    let sandbox: Sandbox
    let browser: Browser
    let app: Sandbox.App
    let configuration: ClientConfiguration
  }

  private func with(_ body: @escaping @Sendable (Session) async throws -> Void) async throws {
    let sandbox = try await Sandbox.start()
    let app = await sandbox.makeApp(
      .init(name: "Bird & <Seed> Reader", callbacks: ["http://127.0.0.1:*"]))
    do {
      try await Browser.with { browser in
        try await body(
          Session(
            sandbox: sandbox, browser: browser, app: app,
            configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString))))
      }
    } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  private static let scopes: [OAuth2Scope] = [
    .tweetRead, .tweetWrite, .usersRead, .followsRead, .listWrite, .offlineAccess,
  ]

  private func account(_ session: Session) -> OAuth2 {
    OAuth2(
      clientID: session.app.clientID, clientSecret: session.app.clientSecret.map { Secret($0) },
      store: MemoryTokenStore())
  }

  /// Acts as a person does at a page. It is a separate task, because the login cancels the one that opened the page as soon as the
  /// login has ended. That may be before the driver has said that a click is done.
  private func visit(_ body: @escaping @Sendable () async throws -> Void) async {
    await Task {
      do { try await body() } catch { Issue.record(error) }
    }.value
  }

  @Test("PKCE with a redirect to a program on this machine logs in the chosen account")
  func codeLogin() async throws {
    try await with { session in
      let (browser, account) = (session.browser, account(session))
      try await account.logInOnCommandLine(
        scopes: Self.scopes, port: 0, configuration: session.configuration
      ) { url in
        await visit {
          try await browser.open(url.absoluteString)
          #expect(try await browser.title() == "Authorize Bird & <Seed> Reader to access your account?")
          #expect(try await browser.text("main")?.contains("Post and repost for you") == true)
          #expect(try await browser.text("main")?.contains("Stay connected to your account") == true)
          try await browser.screenshots("consent")
          try await browser.click("input[value=bob]")
          try await browser.click("#allow")
        }
      }
      try await eventually("the program's page is not there", within: .seconds(120)) {
        (try? await browser.title()) == "Done"
      }
      #expect(try await browser.complaints().filter { $0.contains("Security Policy") } == [])
      let x = XAPI(auth: .oauth2(account), configuration: session.configuration)
      #expect(try await x.getUsersMe().data.username == "bob")
    }
  }

  @Test("A denial goes back to the program as access_denied, and the person sees that")
  func denial() async throws {
    try await with { session in
      let (browser, account) = (session.browser, account(session))
      await #expect(throws: LoginError.self) {
        try await account.logInOnCommandLine(
          scopes: Self.scopes, port: 0, configuration: session.configuration
        ) { url in
          await visit {
            try await browser.open(url.absoluteString)
            try await browser.click("#cancel")
          }
        }
      }
      try await eventually("the program's page is not there", within: .seconds(120)) {
        (try? await browser.title()) == "Not logged in"
      }
      #expect(try await browser.address().contains("error=access_denied"))
      #expect(try await account.isAuthorized == false)
      try await browser.screenshot("denied-light")
    }
  }

  @Test("By PIN and only by keyboard, after a wrong password") func pin() async throws {
    try await with { session in
      let browser = session.browser
      let alice = session.sandbox.users.alice
      let login = try await OAuth1App(
        .x, key: session.app.consumerKey, secret: Secret(session.app.consumerSecret),
        configuration: session.configuration
      ).pin()
      try await browser.open(login.url.absoluteString)
      #expect(try await browser.text("main")?.contains("Follow and unfollow for you") == true)
      try await browser.tab(to: "details summary")
      try await browser.press("\u{E007}")
      try await browser.tab(to: "#username_or_email")
      try await browser.type("alice")
      try await browser.tab(to: "#password")
      try await browser.type("wrong")
      try await browser.press("\u{E007}")
      try await browser.wait(for: "did not match", in: "[role=alert]")
      try await browser.screenshots("wrong-password")
      try await browser.type("alice", into: "#username_or_email")
      try await browser.type(alice.password, into: "#password")
      try await browser.press("\u{E007}")
      _ = try await browser.element("kbd code")
      let pin = try #require(try await browser.text("kbd code"))
      try await browser.screenshots("pin")
      let token = try await login.complete(pin: pin)
      #expect(token.screenName == "alice")
      #expect(try await browser.complaints().filter { $0.contains("Security Policy") } == [])
    }
  }

  @Test("OAuth 1: cancelling leads back to the app with the request token that was denied") func denial1() async throws
  {
    try await with { session in
      let loopback = try await LoopbackRedirect.start(port: 0)
      let login = try await OAuth1App(
        .x, key: session.app.consumerKey, secret: Secret(session.app.consumerSecret),
        configuration: session.configuration
      ).callback(loopback.uri)
      try await session.browser.open(login.url.absoluteString)
      let ended = Task { try await loopback.complete(login) }
      try await session.browser.click("#cancel")
      await #expect(throws: LoginError.self) { _ = try await ended.value }
      try await eventually("the address does not say what was denied", within: .seconds(120)) {
        try await session.browser.address().contains("denied=")
      }
    }
  }
}
