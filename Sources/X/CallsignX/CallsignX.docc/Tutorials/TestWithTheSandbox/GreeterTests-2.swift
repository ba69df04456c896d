import Testing
import XSandbox

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
