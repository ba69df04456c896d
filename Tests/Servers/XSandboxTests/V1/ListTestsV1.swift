import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: lists")
struct ListTestsV1 {
  @Test("A list is created, read by id and by slug, changed and deleted")
  func life() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let created = try await client.postV1(
        "lists/create", ["name": "Swift People!", "mode": "private", "description": "who & what"])
      let id = try #require(created.json["id_str"]?.string)
      #expect(created.json["id"]?.integer == Int(id))
      #expect(created.json["slug"] == "swift-people")
      #expect(created.json["full_name"] == "@alice/swift-people")
      #expect(created.json["uri"] == "/alice/lists/swift-people")
      #expect(created.json["mode"] == "private")
      #expect(created.json["user"]?["screen_name"] == "alice")
      #expect(try await client.getV1("lists/show", ["list_id": id]).json == created.json)
      let bySlug = try await client.getV1("lists/show", ["slug": "Swift-People", "owner_screen_name": "alice"])
      #expect(bySlug.json == created.json)
      let bob = TestClient.bobV1(sandbox)
      #expect(try await bob.getV1("lists/show", ["list_id": id]).refusal == [404, 34])
      let updated = try await client.postV1(
        "lists/update", ["slug": "swift-people", "owner_id": sandbox.users.alice.id, "mode": "public"])
      #expect(updated.json["mode"] == "public")
      #expect(updated.json["description"] == "who & what")
      #expect(try await bob.getV1("lists/show", ["list_id": id]).status == 200)
      #expect(try await bob.postV1("lists/update", ["list_id": id, "name": "Mine"]).refusal == [403, 104])
      #expect(try await bob.postV1("lists/destroy", ["list_id": id]).refusal == [403, 104])
      #expect(try await client.postV1("lists/destroy", ["list_id": id]).json["id_str"] == .string(id))
      #expect(try await client.getV1("lists/show", ["list_id": id]).refusal == [404, 34])
      #expect(try await client.getV1("lists/show", ["slug": "x"]).refusal == [400, 112])
      #expect(try await client.getV1("lists/show").refusal == [400, 112])
      #expect(try await client.postV1("lists/create").refusal == [403, 38])
      let long = String(repeating: "n", count: 26)
      #expect(try await client.postV1("lists/create", ["name": long]).refusal == [400, 44])
      #expect(try await client.postV1("lists/create", ["name": "x", "mode": "secret"]).refusal == [400, 44])
    }
  }

  @Test("Members are added and removed, one and many, and their tweets are listed")
  func members() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let id = try await sandbox.addList("People", owner: sandbox.users.alice)
      let one = try await client.postV1("lists/members/create", ["list_id": id, "screen_name": "bob"])
      #expect(one.json["member_count"] == 1)
      let many = try await client.postV1(
        "lists/members/create_all", ["list_id": id, "screen_name": "carol,nobody,bob,alice"])
      #expect(many.json["member_count"] == 3)
      let members = try await client.getV1("lists/members", ["list_id": id, "count": "2", "skip_status": "t"])
      #expect(members.json["users"]?.elements.map { $0["screen_name"] } == ["alice", "carol"])
      let cursor = members.json["next_cursor_str"]?.string ?? ""
      let rest = try await client.getV1("lists/members", ["list_id": id, "count": "2", "cursor": cursor])
      #expect(rest.json["users"]?.elements.map { $0["screen_name"] } == ["bob"])
      let memberships = try await client.getV1("lists/memberships", ["screen_name": "bob"])
      #expect(memberships.json["lists"]?.elements.map { $0["id_str"] } == [.string(id)])

      let tweet = try await sandbox.addPost("in the list", by: sandbox.users.bob)
      let retweet = try await TestClient.bobV1(sandbox).postV1("statuses/retweet/\(tweet)").json["id_str"]?.string
      let plain = try await client.getV1("lists/statuses", ["list_id": id])
      #expect(plain.array.map { $0["id_str"]?.string } == [tweet])
      let all = try await client.getV1("lists/statuses", ["list_id": id, "include_rts": "true"])
      #expect(all.array.map { $0["id_str"]?.string } == [retweet, tweet])

      #expect(try await client.getV1("lists/members/show", ["list_id": id, "screen_name": "bob"]).status == 200)
      let fewer = try await client.postV1("lists/members/destroy", ["list_id": id, "screen_name": "bob"])
      #expect(fewer.json["member_count"] == 2)
      let again = try await client.postV1("lists/members/destroy", ["list_id": id, "screen_name": "bob"])
      #expect(again.refusal == [400, 110])
      #expect(
        try await client.getV1("lists/members/show", ["list_id": id, "screen_name": "bob"]).refusal == [404, 109])
      let none = try await client.postV1("lists/members/destroy_all", ["list_id": id, "screen_name": "carol,alice"])
      #expect(none.json["member_count"] == 0)
      let foreign = try await TestClient.bobV1(sandbox)
        .postV1("lists/members/create", ["list_id": id, "screen_name": "bob"])
      #expect(foreign.refusal == [403, 104])
    }
  }

  @Test("Own, subscribed and all lists are listed")
  func collections() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (sandbox.users.alice, sandbox.users.bob)
      let own = try await sandbox.addList("Own", owner: alice)
      let secret = try await sandbox.addList("Secret", owner: alice, isPrivate: true)
      let foreign = try await sandbox.addList("Foreign", owner: bob)
      let client = TestClient.aliceV1(sandbox)
      #expect(try await client.postV1("lists/subscribers/create", ["list_id": foreign]).json["following"] == true)
      func lists(_ path: String, _ client: TestClient) async throws -> [JSON?] {
        let response = try await client.getV1(path, ["screen_name": "alice"]).json
        return (response["lists"]?.elements ?? response.elements).map { $0["id_str"] }
      }
      #expect(try await lists("lists/ownerships", client) == [.string(secret), .string(own)])
      #expect(try await lists("lists/ownerships", .appV1(sandbox)) == [.string(own)])
      #expect(try await lists("lists/subscriptions", client) == [.string(foreign)])
      #expect(try await lists("lists/list", client) == [.string(foreign), .string(secret), .string(own)])
      let subscribers = try await client.getV1("lists/subscribers", ["list_id": foreign])
      #expect(subscribers.json["users"]?.elements.map { $0["screen_name"] } == ["alice"])
      let subscriber: KeyValuePairs = ["list_id": foreign, "screen_name": "alice"]
      #expect(try await client.getV1("lists/subscribers/show", subscriber).status == 200)
      #expect(try await client.postV1("lists/subscribers/destroy", ["list_id": foreign]).json["following"] == false)
      #expect(try await client.getV1("lists/subscribers/show", subscriber).refusal == [404, 109])
    }
  }
}
