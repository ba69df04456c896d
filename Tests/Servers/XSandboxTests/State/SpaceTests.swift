import Foundation
import Testing

@testable import XSandbox

@Suite("Spaces and communities") struct SpaceTests {
  private static let seed = """
    posts:
      - {id: shared, by: bob, text: Shared in the Space}
    spaces:
      - {id: abc1, title: Swift at night, host: alice, speakers: [bob], starts: "2026-03-01T10:00:00Z",
         ends: "2026-03-01T11:00:00Z", ticketed: true, buyers: [bob, carol], posts: [shared]}
      - {id: abc2, title: Rust by day, host: bob, starts: "2026-03-01T09:00:00Z"}
    communities:
      - {id: "501", name: Swift people, about: Who write Swift, members: [alice, bob]}
      - {id: "502", name: Gardens, about: Not for Swift alone, closed: true}
    """

  private func withSeed(_ body: (Sandbox, Sandbox.ManualClock) async throws -> Void) async throws {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_772_357_400))  // 2026-03-01T09:30:00Z
    configuration.clock = clock
    let sandbox = try await Sandbox.start(configuration, seed: SandboxSeed(yaml: Self.seed))
    do { try await body(sandbox, clock) } catch {
      await sandbox.stop()
      throw error
    }
    await sandbox.stop()
  }

  @Test("As time passes, a Space is planned, live and over")
  func states() async throws {
    try await withSeed { sandbox, clock in
      let client = TestClient.alice(sandbox)
      func state() async throws -> JSON? { try await client.get("/2/spaces/abc1").data?["state"] }
      #expect(try await state() == "scheduled")
      clock.advance(by: 1800)
      #expect(try await state() == "live")
      #expect(try await client.get("/2/spaces/search?query=SWIFT&state=live").elements.map { $0["id"] } == ["abc1"])
      clock.advance(by: 3600)
      let over = try await client.get("/2/spaces/abc1?space.fields=ended_at,title").data
      #expect(
        over == ["id": "abc1", "state": "ended", "title": "Swift at night", "ended_at": "2026-03-01T11:00:00.000Z"])
      #expect(try await client.get("/2/spaces/search?query=swift").elements.isEmpty)
    }
  }

  @Test("Lookups, searches, buyers and posts follow the seed, and missing ones are reported")
  func reads() async throws {
    try await withSeed { sandbox, _ in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let both = try await alice.get("/2/spaces?ids=abc1,nothere&expansions=creator_id,speaker_ids")
      #expect(both.elements.first?["creator_id"] == .string(sandbox.users.alice.id))
      #expect(both.elements.first?["speaker_ids"] == [.string(sandbox.users.bob.id)])
      guard case .array(let users)? = both.json["includes"]?["users"] else {
        Issue.record("no users are included")
        return
      }
      #expect(users.map { $0["username"] } == ["alice", "bob"])
      #expect(both.json["errors"] != nil)
      #expect(try await alice.get("/2/spaces/search?query=day").elements.map { $0["id"] } == ["abc2"])
      let mine = try await alice.get("/2/spaces/by/creator_ids?user_ids=\(sandbox.users.alice.id)")
      #expect(mine.elements.map { $0["id"] } == ["abc1"])
      #expect(mine.meta?["result_count"] == 1)
      let buyers = try await alice.get("/2/spaces/abc1/buyers").elements
      #expect(Set(buyers.compactMap { $0["username"]?.string }) == ["bob", "carol"])
      #expect(try await bob.get("/2/spaces/abc1/buyers").status == 403)
      #expect(try await bob.get("/2/spaces/abc1/tweets").elements.map { $0["text"] } == ["Shared in the Space"])
      #expect(try await bob.get("/2/spaces/zzz").json["errors"] != nil)
    }
  }

  @Test("Communities are found by words, page by page, and by id")
  func communities() async throws {
    try await withSeed { sandbox, _ in
      let alice = TestClient.alice(sandbox)
      let found = try await alice.get("/2/communities/search?query=swift&community.fields=member_count,access")
      #expect(Set(found.elements.compactMap { $0["id"]?.string }) == ["501", "502"])
      let one = try await alice.get("/2/communities/501?community.fields=member_count,access,description").data
      #expect(one?["member_count"] == 2)
      #expect((one?["access"], one?["name"]) == ("Public", "Swift people"))
      #expect(try await alice.get("/2/communities/502?community.fields=access").data?["access"] == "Closed")
      #expect(try await alice.get("/2/communities/search?query=fish").elements.isEmpty)
      #expect(try await alice.get("/2/communities/9").json["errors"] != nil)
    }
  }

  @Test("Saved state is read again unchanged")
  func saved() async throws {
    try await withSeed { sandbox, clock in
      let text = await sandbox.saved()
      var configuration = Sandbox.Configuration()
      configuration.clock = clock
      let other = try await Sandbox.start(configuration, seed: SandboxSeed(yaml: text))
      #expect(await other.saved() == text)
      #expect(text.contains("abc1") && text.contains("Gardens"))
      await other.stop()
    }
  }
}
