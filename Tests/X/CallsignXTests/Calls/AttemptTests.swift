import Callsign
import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("Calls that are sent again, over sockets", .timeLimit(.minutes(10)))
struct AttemptTests {
  /// The API as Alice, with a policy of short waits.
  private func api(_ session: Session, limits: RateLimitPolicy = .fail, middleware: [any Middleware] = []) -> XAPI {
    XAPI(
      auth: .alice(of: session.sandbox),
      configuration: ClientConfiguration(
        hosts: .all(to: session.sandbox.url.absoluteString),
        retry: RetryPolicy(baseDelay: .milliseconds(1)), rateLimitPolicy: limits, middleware: middleware))
  }

  @Test("A read survives errors, lost connections and bodies that break off, with a new signature each time")
  func reads() async throws {
    try await withSession { (session) async throws in
      let x = api(session)
      for fault in [Sandbox.Fault.status(503), .status(500), .cutBeforeResponse, .cutInBody(after: 10)] {
        await session.sandbox.forgetRequests()
        await session.sandbox.inject(fault, for: "GET /2/users/me", times: 2)
        #expect(try await x.getUsersMe().data.username == "alice")
        #expect(await session.requests().count == 3)
      }
    }
  }

  @Test("After three attempts it fails, and the error says so")
  func givingUp() async throws {
    try await withSession { (session) async throws in
      let x = api(session)
      await session.sandbox.inject(.status(503), for: "GET /2/users/me", times: 9)
      let error = await failure { () throws(CallError) in try await x.getUsersMe() }
      #expect(error?.attempts == 3)
      #expect(error?.rawResponse?.status.code == 503)
      #expect(await session.requests().count == 3)
    }
  }

  @Test("A write that may have arrived is sent once")
  func writes() async throws {
    try await withSession { (session) async throws in
      let x = api(session)
      await session.sandbox.inject(.cutInBody(after: 5), for: "POST /2/tweets")
      let error = await failure { () throws(CallError) in try await x.createPosts(text: "once") }
      guard case .mayHaveSucceeded = error else {
        Issue.record("\(String(describing: error))")
        return
      }
      await session.sandbox.inject(.status(503), for: "POST /2/tweets")
      let refused = await failure { () throws(CallError) in try await x.createPosts(text: "twice") }
      guard case .api = refused else {
        Issue.record("\(String(describing: refused))")
        return
      }
      #expect(await session.requests() == ["POST /2/tweets", "POST /2/tweets"])
    }
  }

  @Test("Calls at once wait for the window together, and none is refused")
  func windows() async throws {
    try await withSession {
      // A long window, because a response that comes after the end of its window reports the wrong one.
      $0.limits = ["GET /2/users/me": .init(user: 4, window: 15)]
    } _: { (session) async throws in
      let x = api(session, limits: .wait(upTo: .seconds(60)))
      _ = try await x.getUsersMe()
      await withTaskGroup(of: String?.self) { group in
        for _ in 0..<7 { group.addTask { try? await x.getUsersMe().data.username } }
        for await name in group { #expect(name == "alice") }
      }
      // No 429 was needed.
      #expect(await session.requests().count == 8)
      #expect(x.client.rateLimits["getUsersMe"]?.limit == 4)
    }
  }

  @Test("Pages wait for the limit in their middle")
  func pages() async throws {
    try await withSession {
      $0.limits = ["GET /2/users/{id}/followers": .init(user: 2, window: 2)]
    } _: { (session) async throws in
      let star = try await session.sandbox.addUser(username: "star", followers: 50)
      let x = api(session, limits: .wait(upTo: .seconds(60)))
      var count = 0
      for try await _ in x.getUsersFollowersPages(id: star.id, maxResults: 10).items { count += 1 }
      #expect(count == 50)
      #expect(await session.requests().count == 5)
    }
  }

  @Test("Requests recorded against a server are played without one")
  func cassette() async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("cassette-\(UUID().uuidString).json")
    defer { try? FileManager.default.removeItem(at: file) }
    try await withSession { (session) async throws in
      let recorder = CassetteRecorder()
      let live = api(session, middleware: [recorder])
      _ = try await live.getUsersMe()
      _ = try await live.createPosts(text: "kept")
      try recorder.save(to: file)
      let text = try String(contentsOf: file, encoding: .utf8)
      for secret in [session.sandbox.app.consumerKey, session.alice.accessToken, "oauth_signature"] {
        #expect(!text.contains(secret))
      }
    }
    let replay = XAPI(
      auth: .oauth1(OAuth1(consumerKey: "other", consumerSecret: "s", token: "t", tokenSecret: "ts")),
      configuration: ClientConfiguration(
        transport: InMemoryTransport { _ throws(TransportError) in
          throw TransportError(.cannotConnect, delivery: .notSent)
        }, middleware: [try CassettePlayer(contentsOf: file)]))
    #expect(try await replay.getUsersMe().data.username == "alice")
    #expect(try await replay.createPosts(text: "kept").data.text == "kept")
  }

  @Test("If one account learns the app's daily limit, the others do not ask")
  func appDay() async throws {
    try await withSession {
      $0.limits = ["GET /2/users/me": .init(user: 100, appPerDay: 1)]
    } _: { (session) async throws in
      let alice = session.x
      let bob = alice.with(
        auth: OAuth1(
          consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret),
          token: session.bob.accessToken, tokenSecret: Secret(session.bob.accessTokenSecret)))
      _ = try await alice.getUsersMe()
      guard case .rateLimited(let limit?, nil) = await failure({ () throws(CallError) in try await bob.getUsersMe() })
      else {
        Issue.record("not .rateLimited")
        return
      }
      #expect(limit.appDay?.limit == 1)
      #expect(await session.requests().count == 1)
    }
  }
}
