import Callsign
import CallsignTesting
import CallsignX
import TestSupport
import Testing
import XSandbox

@Suite("Connections that fail", .timeLimit(.minutes(10)))
struct ConnectionTests {
  private func transportFailure(_ error: CallError?, _ location: SourceLocation = #_sourceLocation) -> TransportError? {
    guard case .transport(let failure)? = error else {
      Issue.record("\(String(describing: error))", sourceLocation: location)
      return nil
    }
    return failure
  }

  private func lostWrite(_ error: CallError?, _ location: SourceLocation = #_sourceLocation) -> TransportError? {
    guard case .mayHaveSucceeded(let failure)? = error else {
      Issue.record("\(String(describing: error))", sourceLocation: location)
      return nil
    }
    return failure
  }

  @Test("Nobody listens: nothing was sent, so even a write may be repeated")
  func hostDown() async throws {
    let x = unreliableAPI(at: "http://127.0.0.1:\(try ScriptedServer.refusingPort())")
    let read = transportFailure(await failure { () throws(CallError) in try await x.getUsersMe() })
    #expect(read?.kind == .cannotConnect)
    let write = transportFailure(await failure { () throws(CallError) in try await x.createPosts(text: "lost") })
    #expect(write?.kind == .cannotConnect)
    #expect(write?.delivery == .notSent)
  }

  @Test("TLS to a port that speaks none")
  func noTLS() async throws {
    try await withRawServer(.response("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")) {
      (server, _) async throws in
      let x = unreliableAPI(at: "https://127.0.0.1:\(server.port)")
      // The handshake has no empty line that would show the server a request's end, so it may also hang.
      let options = CallOptions(timeouts: Timeouts(connect: .seconds(1), total: .seconds(20)))
      let write = transportFailure(
        await failure { () throws(CallError) in try await x.createPosts(text: "lost", options: options) })
      #expect(write?.delivery == .notSent)
    }
    try await withSession { (session) async throws in
      let x = unreliableAPI(at: session.sandbox.url.absoluteString.replacing("http:", with: "https:"))
      let read = transportFailure(await failure { () throws(CallError) in try await x.getUsersMe() })
      #expect(read?.kind == .tls)
      #expect(read?.delivery == .notSent)
      #expect(await session.requests() == [])
    }
  }

  @Test("Cut before the response")
  func cutBefore() async throws {
    try await withSession { (session) async throws in
      let x = session.x
      await session.sandbox.inject(.cutBeforeResponse, for: "POST /2/tweets")
      let write = lostWrite(await failure { () throws(CallError) in try await x.createPosts(text: "lost") })
      #expect(write?.kind == .connectionLost)
      #expect(await session.requests() == ["POST /2/tweets"], "sent once, whatever the transport thinks of it")

      let list = try await x.createLists(name: "One").data.id
      await session.sandbox.inject(.cutBeforeResponse, for: "*", times: 4)
      let read = transportFailure(await failure { () throws(CallError) in try await x.getUsersMe() })
      #expect(read?.kind == .connectionLost)
      await session.sandbox.removeFaults()
      await session.sandbox.inject(.cutBeforeResponse, for: "PUT /2/lists/{id}", times: 4)
      // Setting a name twice has the same effect as once, so this one may be repeated too.
      let put = transportFailure(
        await failure { () throws(CallError) in try await x.updateLists(id: list, name: "Two") })
      #expect(put?.kind == .connectionLost)
    }
  }

  @Test("Cut in the middle of the body")
  func cutWithin() async throws {
    try await withSession { (session) async throws in
      await session.sandbox.inject(.cutInBody(after: 10), for: "GET /2/users/me")
      let read = transportFailure(
        await failure { () throws(CallError) in try await session.x.getUsersMe() })
      #expect(read?.kind == .connectionLost)
      #expect(read?.delivery == .delivered)
      await session.sandbox.inject(.cutInBody(after: 10), for: "POST /2/tweets")
      let write = lostWrite(
        await failure { () throws(CallError) in try await session.x.createPosts(text: "kept") })
      #expect(write?.delivery == .delivered)
      // It had in fact succeeded.
      let posts = try await session.x.getUsersPosts(id: session.alice.id)
      #expect(posts.data.map(\.text) == ["kept"])
    }
  }

  @Test("A reset")
  func reset() async throws {
    try await withRawServer(.reset) { (server, x) async throws in
      let read = transportFailure(await failure { () throws(CallError) in try await x.getUsersMe() })
      #expect(read?.kind == .connectionLost)
      let write = lostWrite(await failure { () throws(CallError) in try await x.createPosts(text: "lost") })
      #expect(write?.kind == .connectionLost)
      #expect(server.requests == 2)
    }
  }

  @Test("No response in time, and a response that stops in its body")
  func timeouts() async throws {
    let options = CallOptions.timeout(.seconds(3))
    for beginning in ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"data\":"] {
      try await withRawServer(.hang(after: beginning)) { (server, x) async throws in
        let read = transportFailure(
          await failure { () throws(CallError) in try await x.getUsersMe(options: options) })
        #expect(read?.kind == .timedOut)
        let write = lostWrite(
          await failure { () throws(CallError) in try await x.createPosts(text: "lost", options: options) })
        #expect(write?.kind == .timedOut)
        #expect(server.requests == 2)
        try await eventually { server.closedByClient == 2 }
      }
    }
  }

  @Test("Errors name no secret, path or query")
  func discreet() async throws {
    try await withRawServer(.reset) { (server, _) async throws in
      let x = XAPI(
        auth: .oauth1(
          OAuth1(consumerKey: "key-8431", consumerSecret: "secret-8431", token: "token-8431", tokenSecret: "ts-8431")),
        configuration: ClientConfiguration(hosts: .all(to: server.url), retry: .never))
      let error = await failure { () throws(CallError) in try await x.searchPostsRecent(query: "private-8431") }
      #expect(error != nil)
      #expect(!"\(String(describing: error)) \(String(reflecting: error))".contains("8431"))
    }
  }
}
