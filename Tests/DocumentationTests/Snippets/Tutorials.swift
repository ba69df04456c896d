import CallsignLoopback
import CallsignX
import Testing
import XSandbox

// The steps of the tutorials in CallsignX's DocC catalogue, word for word. Those of the first are compiled; those of the
// second are tests, and run.

private func step1OfPostFromACommandLine() async throws {
  let account = OAuth2(clientID: "…", store: .file())
  _ = account
}

private func step2OfPostFromACommandLine() async throws {
  let account = OAuth2(clientID: "…", store: .file())
  if try await !account.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
    try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }
}

private func step3OfPostFromACommandLine() async throws {
  let account = OAuth2(clientID: "…", store: .file())
  if try await !account.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
    try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }

  let x = XAPI(auth: .oauth2(account))
  let me = try await x.getUsersMe()
  print("Logged in as @\(me.data.username); \(me.rateLimit?.remaining ?? 0) such calls are left.")
}

private func step4OfPostFromACommandLine() async throws {
  let account = OAuth2(clientID: "…", store: .file())
  if try await !account.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
    try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }

  let x = XAPI(auth: .oauth2(account))
  let me = try await x.getUsersMe()
  print("Logged in as @\(me.data.username); \(me.rateLimit?.remaining ?? 0) such calls are left.")

  let reply = try await x.createPosts(text: "Hello from the command line")
  print("https://x.com/\(me.data.username)/status/\(reply.data.id)")
}

private func step5OfPostFromACommandLine() async throws {
  let account = OAuth2(clientID: "…", store: .file())
  if try await !account.isAuthorized {
    let scopes: [OAuth2Scope] = [.tweetRead, .tweetWrite, .usersRead, .offlineAccess]
    try await account.logInOnCommandLine(scopes: scopes, port: 8765) {
      print("Open this page to log in:\n\($0.absoluteString)")
    }
  }

  let x = XAPI(auth: .oauth2(account))
  let me = try await x.getUsersMe()
  print("Logged in as @\(me.data.username); \(me.rateLimit?.remaining ?? 0) such calls are left.")

  do {
    let reply = try await x.createPosts(text: "Hello from the command line")
    print("https://x.com/\(me.data.username)/status/\(reply.data.id)")
  } catch {
    print(error)
    if let advice = error.advice { print("What to do: \(advice)") }
  }
}

struct Greeter {
  let x: XAPI

  /// Greets someone in public.
  ///
  /// - Returns: The post's ID.
  func greet(_ name: String) async throws -> String {
    try await x.createPosts(text: "Hello, \(name)!").data.id
  }
}

enum Step1OfTestWithTheSandbox {
  @Suite struct GreeterTests {
    /// A client that acts for Alice in a sandbox.
    func client(of sandbox: Sandbox) -> XAPI {
      XAPI(
        auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
        configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    }

    @Test func aGreetingIsPosted() async throws {
      let sandbox = try await Sandbox.start()
      let x = client(of: sandbox)
      let id = try await Greeter(x: x).greet("Bob")
      #expect(try await x.getPostsById(id: id).data.text == "Hello, Bob!")
      await sandbox.stop()
    }
  }
}

enum Step2OfTestWithTheSandbox {
  @Suite struct GreeterTests {
    /// A client that acts for Alice in a sandbox.
    func client(of sandbox: Sandbox) -> XAPI {
      XAPI(
        auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
        configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    }

    @Test func aGreetingIsPosted() async throws {
      let sandbox = try await Sandbox.start()
      let x = client(of: sandbox)
      let id = try await Greeter(x: x).greet("Bob")
      #expect(try await x.getPostsById(id: id).data.text == "Hello, Bob!")
      await sandbox.stop()
    }

    @Test func anOutageIsAnError() async throws {
      let sandbox = try await Sandbox.start()
      await sandbox.inject(.status(503), for: "POST /2/tweets")
      await #expect(throws: CallError.self) { try await Greeter(x: client(of: sandbox)).greet("Bob") }
      await sandbox.stop()
    }
  }
}

enum Step3OfTestWithTheSandbox {
  @Suite struct GreeterTests {
    /// A client that acts for Alice in a sandbox.
    func client(of sandbox: Sandbox) -> XAPI {
      XAPI(
        auth: .userToken(Secret(sandbox.users.alice.oauth2AccessToken)),
        configuration: ClientConfiguration(hosts: .all(to: sandbox.url.absoluteString)))
    }

    @Test func aGreetingIsPosted() async throws {
      let sandbox = try await Sandbox.start()
      let x = client(of: sandbox)
      let id = try await Greeter(x: x).greet("Bob")
      #expect(try await x.getPostsById(id: id).data.text == "Hello, Bob!")
      await sandbox.stop()
    }

    @Test func anOutageIsAnError() async throws {
      let sandbox = try await Sandbox.start()
      await sandbox.inject(.status(503), for: "POST /2/tweets")
      await #expect(throws: CallError.self) { try await Greeter(x: client(of: sandbox)).greet("Bob") }
      let posts = await sandbox.requests().filter { $0.method == "POST" }
      #expect(posts.count == 1)
      await sandbox.stop()
    }
  }
}
