import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: users, friendships and cursors")
struct FriendshipTestsV1 {
  @Test("2,500 follower ids are read by cursor in both directions")
  func cursors() async throws {
    try await withSandbox { (sandbox) async throws in
      let star = try await sandbox.addUser(username: "star", followers: 2500)
      let client = TestClient.appV1(sandbox)
      func page(_ cursor: String) async throws -> TestClient.Response {
        try await client.getV1("followers/ids", ["screen_name": "star", "count": "1000", "cursor": cursor])
      }
      var pages = [try await page("-1")]
      while let cursor = pages.last?.json["next_cursor_str"]?.string, cursor != "0" {
        #expect(pages.last?.json["next_cursor"]?.integer == Int(cursor))
        pages.append(try await page(cursor))
        try #require(pages.count < 5)
      }
      let ids = pages.flatMap { $0.json["ids"]?.elements ?? [] }.compactMap(\.integer)
      #expect(pages.map { $0.json["ids"]?.elements.count } == [1000, 1000, 500])
      #expect(ids.count == 2500)
      #expect(ids == ids.sorted(by: >))
      #expect(Set(ids).count == 2500)
      #expect(pages[0].json["previous_cursor"] == 0)
      let middle = try await page(pages[2].json["previous_cursor_str"]?.string ?? "")
      #expect(middle.json["ids"] == pages[1].json["ids"])
      let first = try await page(middle.json["previous_cursor_str"]?.string ?? "")
      #expect(first.json == pages[0].json)
      #expect(try #require(middle.json["previous_cursor"]?.integer) < -1)
      for cursor in ["x", "5", "-2", "9999999999999999999999"] {
        #expect(try await page(cursor).refusal == [400, 44], "\(cursor)")
      }
      let all = try await client.getV1("followers/ids", ["user_id": star.id, "stringify_ids": "true"])
      #expect(all.json["ids"]?.elements.compactMap(\.string).compactMap { Int($0) } == ids)
    }
  }

  @Test("A cursor keeps its place when followers come and go")
  func stability() async throws {
    try await withSandbox { (sandbox) async throws in
      let star = try await sandbox.addUser(username: "star", followers: 10)
      let client = TestClient.aliceV1(sandbox)
      let first = try await client.getV1("followers/list", ["screen_name": "star", "count": "5", "skip_status": "1"])
      try await sandbox.addFollowers(3, to: star)
      let cursor = first.json["next_cursor_str"]?.string ?? ""
      let second = try await client.getV1("followers/list", ["screen_name": "star", "count": "5", "cursor": cursor])
      let names = [first, second].flatMap { $0.json["users"]?.elements ?? [] }.compactMap { $0["screen_name"]?.string }
      #expect(names == (1...10).reversed().map { String(format: "follower%05d", $0) })
      #expect(second.json["next_cursor"] == 0)
    }
  }

  @Test("A follow is created, shown and ended")
  func friendships() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
      let followed = try await client.postV1("friendships/create", ["screen_name": "bob", "follow": "true"])
      #expect(followed.json["id_str"] == .string(bob.id))
      #expect(followed.json["following"] == true)
      #expect(try await client.getV1("friends/ids").json["ids"]?.elements.map(\.integer) == [Int(bob.id)])
      let friends = try await client.getV1("friends/list", ["user_id": alice.id])
      #expect(friends.json["users"]?.elements.map { $0["screen_name"] } == ["bob"])
      let shown = try await TestClient.appV1(sandbox).getV1(
        "friendships/show", ["source_screen_name": "alice", "target_id": bob.id])
      #expect(shown.json["relationship"]?["source"]?["following"] == true)
      #expect(shown.json["relationship"]?["target"]?["followed_by"] == true)
      #expect(shown.json["relationship"]?["target"]?["following"] == false)
      #expect(shown.json["relationship"]?["source"]?["muting"] == .null)
      let own = try await client.getV1("friendships/show", ["target_screen_name": "bob"])
      #expect(own.json["relationship"]?["source"]?["id_str"] == .string(alice.id))
      let connections = try await client.getV1("friendships/lookup", ["screen_name": "carol,bob,nobody"])
      #expect(connections.array.map { $0["connections"] } == [["none"], ["following"]])
      let unfollowed = try await client.postV1("friendships/destroy", ["user_id": bob.id])
      #expect(unfollowed.json["following"] == false)
      #expect(try await client.getV1("friends/ids").json["ids"] == [])
      #expect(try await client.postV1("friendships/create", ["user_id": alice.id]).refusal == [403, 158])
      #expect(try await client.postV1("friendships/create", ["screen_name": "nobody"]).refusal == [404, 50])
      #expect(try await client.postV1("friendships/create").refusal == [403, 38])
      let app = TestClient.appV1(sandbox)
      #expect(try await app.getV1("friendships/show", ["target_id": bob.id]).refusal == [403, 163])
    }
  }

  @Test("Users are found by id, by name, several at once, and by search")
  func users() async throws {
    try await withSandbox { (sandbox) async throws in
      _ = try await sandbox.addPost("latest", by: sandbox.users.bob)
      let app = TestClient.appV1(sandbox)
      let shown = try await app.getV1("users/show", ["screen_name": "Bob"])
      #expect(shown.json["id_str"] == .string(sandbox.users.bob.id))
      #expect(shown.json["status"]?["text"] == "latest")
      #expect(shown.json["status"]?["user"] == nil)
      #expect(shown.json["following"] == .null)
      #expect(try await app.getV1("users/show", ["user_id": "7"]).refusal == [404, 50])
      #expect(try await app.getV1("users/show").refusal == [403, 38])
      for method in ["GET", "POST"] {
        let found = try await app.v1(
          method, "users/lookup", ["screen_name": "carol, nobody,alice", "user_id": sandbox.users.alice.id])
        #expect(found.array.map { $0["screen_name"] } == ["alice", "carol"], "\(method)")
      }
      #expect(try await app.getV1("users/lookup", ["screen_name": "nobody"]).refusal == [404, 17])
      let names = (1...101).map { "n\($0)" }.joined(separator: ",")
      #expect(try await app.postV1("users/lookup", ["screen_name": names]).refusal == [403, 18])
      let client = TestClient.aliceV1(sandbox)
      let me = try await client.getV1("account/verify_credentials", ["skip_status": "true"])
      #expect(me.json["screen_name"] == "alice")
      try await sandbox.addFollowers(25, to: sandbox.users.bob)
      let first = try await client.getV1("users/search", ["q": "follower"])
      let second = try await client.getV1("users/search", ["q": "follower", "page": "2"])
      #expect([first, second].map(\.array.count) == [20, 5])
      #expect(Set((first.array + second.array).compactMap { $0["id_str"]?.string }).count == 25)
    }
  }
}
