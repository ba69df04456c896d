import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignTesting
import ChildProcesses
import Foundation
import TestSupport
import Testing
import XCore
import XSandbox

@Suite("Logins at the sandbox") struct SandboxLoginTests {
  @Test("By PIN, typed wrong once") func pin() async throws {
    try await SandboxSession.with { session in
      let authorization = try await session.login.pin()
      let approval = try await session.sandbox.approve(authorization.url, as: session.alice)
      let wrong = await failure { () throws(LoginError) in try await authorization.complete(pin: "0000000") }
      #expect(wrong.name == "wrongPIN")
      let token = try await authorization.complete(pin: try #require(approval.pin))
      #expect(token.screenName == "alice")
      #expect(token.userID == session.alice.id)
      #expect(try await session.name(session.client(token)) == "alice")
    }
  }

  @Test("By redirect; with read permission only, writing is refused") func redirect() async throws {
    try await SandboxSession.with { session in
      let authorization = try await session.login.callback(
        "sandbox://done?a=b", options: .x(page: .authenticate, accessType: .read))
      let approval = try await session.sandbox.approve(authorization.url, as: session.alice)
      let token = try await authorization.complete(redirect: try #require(approval.url))
      #expect(try await session.name(session.client(token)) == "alice")
      let error = await callFailure { () throws(CallError) in
        try await session.client(token).call(.post, "https://api.x.com/2/tweets", body: .json(["text": "a"]))
      }
      #expect(error?.rawResponse?.status == .forbidden)
    }
  }

  @Test("The sandbox verifies all four signature methods") func signatureMethods() async throws {
    func openssl(_ arguments: [String], _ input: String = "") throws -> String {
      let process = Process()
      process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
      process.arguments = ["openssl"] + arguments
      let (input_, output) = (Pipe.forChildProcess(), Pipe.forChildProcess())
      process.standardInput = input_
      process.standardOutput = output
      process.standardError = FileHandle.nullDevice
      try process.start()
      try input_.fileHandleForWriting.write(contentsOf: Data(input.utf8))
      try input_.fileHandleForWriting.close()
      return String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    }
    let privateKey = try openssl(["genrsa", "2048"])
    let publicKey = try openssl(["rsa", "-pubout"], privateKey)
    let otherKey = try openssl(["genrsa", "2048"])
    try await SandboxSession.with { session in
      let app = await session.sandbox.makeApp(.init(publicKey: publicKey))
      let plain = await session.sandbox.makeApp()
      func status(_ app: Sandbox.App, _ method: OAuth1SignatureMethod, secret: Secret? = nil) async throws -> Int {
        let authorization = try await OAuth1App(
          .x, key: app.consumerKey, secret: Secret(app.consumerSecret), configuration: session.configuration
        ).callback("sandbox://done")
        let back = try #require(try await session.sandbox.approve(authorization.url, as: session.alice).url)
        let token = try await authorization.complete(redirect: back)
        let credentials = OAuth1(
          consumerKey: app.consumerKey, consumerSecret: secret ?? Secret(app.consumerSecret), token: token,
          signatureMethod: method, hosts: ["api.x.com"])
        do throws(CallError) {
          return try await session.client(credentials).call(.get, "https://api.x.com/2/users/me").status.code
        } catch { return error.rawResponse?.status.code ?? error.authorizationStatus ?? 0 }
      }
      let rsa = try OAuth1SignatureMethod.rsaSHA1(RSAPrivateKey(pem: Secret(privateKey)))
      for method in [.hmacSHA1, .hmacSHA256, .plaintext, rsa] { #expect(try await status(app, method) == 200) }
      for method in [OAuth1SignatureMethod.hmacSHA1, .hmacSHA256, .plaintext] {
        #expect(try await status(app, method, secret: "wrong") == 401)
      }
      #expect(try await status(app, .rsaSHA1(RSAPrivateKey(pem: Secret(otherKey)))) == 401)
      #expect(try await status(plain, rsa) == 401)
    }
  }

  @Test("One process starts the login, and another completes it from the redirect only") func resumed() async throws {
    try await SandboxSession.with { session in
      let key = try SealingKey()
      let begun = try await session.login.callback("sandbox://done")
      let sealed = try begun.pending.sealed(by: key)
      let back = try #require(try await session.sandbox.approve(begun.url, as: session.alice).url)

      let pending = try PendingLogin(unsealing: sealed, by: key)
      #expect(pending.url == begun.url)
      let token = try await session.login.resume(pending).complete(redirect: back)
      #expect(token.screenName == "alice")
      let again = await failure { () throws(LoginError) in
        try await session.login.resume(pending).complete(redirect: back)
      }
      #expect(again.name == "alreadyUsed")

      let pinLogin = try await session.login.pin()
      let pin = try #require(try await session.sandbox.approve(pinLogin.url, as: session.alice).pin)
      let copy = try JSONDecoder().decode(PendingLogin.self, from: JSONEncoder().encode(pinLogin.pending))
      // With another secret, the app is wrong, not the PIN.
      let other = OAuth1App(.x, key: session.consumerKey, secret: "wrong", configuration: session.configuration)
      let wrong = await failure { () throws(LoginError) in try await other.resume(copy).complete(pin: pin) }
      #expect(wrong.name == "wrongConsumer")
      let mistyped = await failure { () throws(LoginError) in
        try await session.login.resume(copy).complete(pin: "0000000")
      }
      #expect(mistyped.name == "wrongPIN")
      #expect(try await session.login.resume(copy).complete(pin: pin).screenName == "alice")
    }
  }

  @Test("However many complete a login at once, one does") func once() async throws {
    try await SandboxSession.with { session in
      let authorization = try await session.login.callback("sandbox://done")
      let back = try #require(try await session.sandbox.approve(authorization.url, as: session.alice).url)
      let names = await withTaskGroup(of: String.self) { group in
        for _ in 0..<20 {
          group.addTask {
            do throws(LoginError) {
              _ = try await authorization.complete(redirect: back)
              return "completed"
            } catch { return LoginError?.some(error).name }
          }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(names.count { $0 == "completed" } == 1)
      #expect(names.count { $0 == "alreadyUsed" } == 19)
      #expect(await session.count("/oauth/access_token") == 1)
    }
  }

  @Test("Refused, not allowed to come back, and without the right secret") func refusals() async throws {
    try await SandboxSession.with { session in
      let authorization = try await session.login.callback("sandbox://done")
      let back = try #require(try await session.sandbox.deny(authorization.url))
      let denied = await failure { () throws(LoginError) in try await authorization.complete(redirect: back) }
      #expect(denied.name == "denied")
      let foreign = await failure { () throws(LoginError) in try await session.login.callback("other://done") }
      #expect(foreign.name == "invalidSetup")
      #expect(foreign.text.contains("register"))
      let stranger = OAuth1App(
        .x, key: session.consumerKey, secret: "wrong", configuration: session.configuration)
      let refused = await failure { () throws(LoginError) in try await stranger.pin() }
      #expect(refused.name == "call(authorization)")
    }
  }

  @Test("By its form: a PIN, a redirect, a wrong password, and OAuth 2.0") func forms() async throws {
    try await SandboxSession.with { session in
      let byPIN = try await session.login.pin()
      let wrong = await failure { () throws(FormLoginError) in
        try await session.forms.pin(at: byPIN.url, username: "alice", password: "wrong")
      }
      #expect(wrong.name == "wrongPassword")
      let pin = try await session.forms.pin(at: byPIN.url, username: "alice", password: session.password)
      #expect(try await byPIN.complete(pin: pin).screenName == "alice")

      let byRedirect = try await session.login.callback("sandbox://done")
      let redirect = try await session.forms.redirect(
        at: byRedirect.url, to: "sandbox://done", username: "alice", password: session.password)
      #expect(try await byRedirect.complete(redirect: redirect).screenName == "alice")

      let store = MemoryTokenStore()
      let oauth2 = OAuth2(
        clientID: session.sandbox.app.clientID, clientSecret: session.sandbox.app.clientSecret.map { Secret($0) },
        store: store, hosts: ["api.x.com"])
      let login = try oauth2.beginLogin(
        scopes: [.tweetRead, .usersRead], redirectURI: "sandbox://done", configuration: session.configuration)
      let response = try await session.forms.redirect(
        at: login.url, to: "sandbox://done", username: "alice", password: session.password)
      _ = try await login.complete(redirect: try #require(URL(string: response)))
      #expect(try await session.name(session.client(oauth2)) == "alice")
    }
  }

  @Test("By password, if the app may") func xauth() async throws {
    try await SandboxSession.with { session in
      let refused = await failure { () throws(LoginError) in
        try await session.login.xAuth(username: "alice", password: session.password)
      }
      #expect(refused.name == "notEntitled")
      await session.sandbox.configure(session.sandbox.app) { $0.isEntitledToXAuth = true }
      let wrong = await failure { () throws(LoginError) in
        try await session.login.xAuth(username: "alice", password: "wrong")
      }
      #expect(wrong.name == "wrongPassword")
      let token = try await session.login.xAuth(username: "alice", password: session.password)
      #expect(try await session.name(session.client(token)) == "alice")
      #expect(try OAuth1Token(tokenString: token.tokenString) == token)
    }
  }

  @Test("For a device's account, once for each asking") func reverse() async throws {
    try await SandboxSession.with { session in
      let other = await session.sandbox.makeApp(.init(isEntitledToXAuth: true))
      let reverse = OAuth1App(
        .x, key: other.consumerKey, secret: Secret(other.consumerSecret), configuration: session.configuration)
      let device = SigningAccount(
        session.login,
        token: OAuth1Token(token: Secret(session.alice.accessToken), secret: Secret(session.alice.accessTokenSecret)))
      let request = try await reverse.reverseAuthRequest()
      let token = try await reverse.reverseAuth(request, with: device)
      #expect(token.screenName == "alice")
      let credentials = OAuth1(
        consumerKey: other.consumerKey, consumerSecret: Secret(other.consumerSecret), token: token, hosts: ["api.x.com"]
      )
      #expect(try await session.name(session.client(credentials)) == "alice")
      let again = await failure { () throws(LoginError) in try await reverse.reverseAuth(request, with: device) }
      #expect(again.refused)
    }
  }

  @Test("Kept, used after a restart, invalidated") func account() async throws {
    try await SandboxSession.with { session in
      await session.sandbox.configure(session.sandbox.app) { $0.isEntitledToXAuth = true }
      let store = MemoryTokenStore()
      func account() -> OAuth1Account {
        session.login.account(store: store, hosts: ["api.x.com"])
      }
      let token = try await session.login.xAuth(username: "alice", password: session.password)
      try await account().save(token)
      #expect(try await session.name(session.client(account())) == "alice")
      try await account().invalidate(configuration: session.configuration)
      #expect(try await account().isAuthorized == false)
      let error = await callFailure { () throws(CallError) in
        try await session.client(token).call(.get, "https://api.x.com/2/users/me")
      }
      #expect(error?.rawResponse?.status == .unauthorized)
    }
  }

  @Test("With a clock that is an hour off: one request more, for all that follow") func clock() async throws {
    let clock = Sandbox.ManualClock(Date(timeIntervalSinceNow: 3600))
    try await SandboxSession.with({ $0.clock = clock }) { session in
      let authorization = try await session.login.pin()
      let approval = try await session.sandbox.approve(authorization.url, as: session.alice)
      let token = try await authorization.complete(pin: try #require(approval.pin))
      #expect(await session.count("/oauth/request_token") == 2)
      #expect(await session.count("/oauth/access_token") == 1)
      let client = session.client(token)
      for _ in 0..<3 { #expect(try await session.name(client) == "alice") }
      #expect(await session.count("/2/users/me") == 4)
      // If the clock is set in the meantime, the time is learned again.
      clock.advance(by: 7200)
      #expect(try await session.name(client) == "alice")
      #expect(await session.count("/2/users/me") == 6)
    }
  }
}

extension LoginError? {
  /// Whether the provider refused.
  fileprivate var refused: Bool { if case .call(.authorization) = self { true } else { name == "call(api)" } }
}

extension CallError {
  fileprivate var authorizationStatus: Int? {
    guard case .authorization(let error) = self else { return nil }
    return error.response?.status.code
  }
}
