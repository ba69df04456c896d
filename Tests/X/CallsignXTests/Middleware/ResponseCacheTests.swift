import Callsign
import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("The cache of responses, over sockets") struct ResponseCacheTests {
  private static let me = "GET /2/users/me"

  /// Alice's and Bob's API with one cache.
  private func withCache(_ body: (Session, _ alice: XAPI, _ bob: XAPI) async throws -> Void) async throws {
    try await withSession { (session) async throws in
      let bob = session.bob
      let alice = XAPI(
        auth: .alice(of: session.sandbox),
        configuration: ClientConfiguration(
          hosts: .all(to: session.sandbox.url.absoluteString), retry: .never, middleware: [ResponseCache()]))
      let credentials = OAuth1(
        consumerKey: session.sandbox.app.consumerKey, consumerSecret: Secret(session.sandbox.app.consumerSecret),
        token: bob.accessToken, tokenSecret: Secret(bob.accessTokenSecret))
      try await body(session, alice, alice.with(auth: credentials))
    }
  }

  @Test("A fresh response is not requested again, and never comes from another account")
  func freshness() async throws {
    try await withCache { (session, alice, bob) async throws in
      await session.sandbox.inject(.headers(["Cache-Control": "private, max-age=600"]), for: Self.me, times: 2)
      for _ in 0..<3 {
        #expect(try await alice.getUsersMe().data.username == "alice")
        #expect(try await bob.getUsersMe().data.username == "bob")
      }
      #expect(await session.requests() == [Self.me, Self.me])
      // Another query is another response.
      #expect(try await alice.getUsersMe(userFields: [.createdAt]).data.createdAt != nil)
      #expect(await session.requests().count == 3)
    }
  }

  @Test("A stale response is requested by its ETag; a 304 brings it back for its own account")
  func validation() async throws {
    try await withCache { (session, alice, bob) async throws in
      let stale = ["ETag": "\"v1\"", "Cache-Control": "private, max-age=0"]
      await session.sandbox.inject(.headers(stale), for: Self.me)
      let first = try await alice.getUsersMe()
      #expect(await session.lastRequest()?.header("If-None-Match") == nil)

      await session.sandbox.inject(.status(304, headers: stale, body: Data()), for: Self.me)
      let second = try await alice.getUsersMe()
      #expect(await session.lastRequest()?.header("If-None-Match") == "\"v1\"")
      #expect(await session.lastRequest()?.status == 304)
      #expect(second.status == .ok && second.body == first.body)

      #expect(try await bob.getUsersMe().data.username == "bob")
      #expect(await session.lastRequest()?.header("If-None-Match") == nil)
      #expect(await session.requests().count == 3)
    }
  }

  @Test("Responses that must not be kept are requested each time")
  func forbidden() async throws {
    try await withCache { (session, alice, _) async throws in
      await session.sandbox.inject(.headers(["Cache-Control": "no-store, max-age=600"]), for: Self.me, times: 2)
      for _ in 0..<3 { _ = try await alice.getUsersMe() }
      #expect(await session.requests().count == 3)
    }
  }
}
