import Foundation
import Testing

@testable import XSandbox

@Suite("Lists")
struct ListTests {
  @Test("Name, description and privacy of a list are changed one by one")
  func updates() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let created = try await alice.post("/2/lists", #"{"name":"Birds"}"#)
      #expect(created.status == 201)
      let id = try #require(created.data?["id"]?.string)
      #expect(created.data?["name"] == "Birds")
      func state() async throws -> JSON? { try await alice.get("/2/lists/\(id)?list.fields=description,private").data }
      #expect(try await state()?["private"] == false)
      #expect(try await alice.put("/2/lists/\(id)", #"{"private":true}"#).data == ["updated": true])
      #expect(try await state()?["private"] == true)
      #expect(try await alice.put("/2/lists/\(id)", #"{"description":"all of them"}"#).status == 200)
      #expect(
        try await state() == [
          "id": .string(id), "name": "Birds", "description": "all of them", "private": true,
        ])
      #expect(try await alice.put("/2/lists/\(id)", "{}").status == 200)
      #expect(try await alice.put("/2/lists/\(id)", #"{"private":false,"name":"Fish"}"#).status == 200)
      #expect(
        try await state() == [
          "id": .string(id), "name": "Fish", "description": "all of them", "private": false,
        ])
      #expect(try await alice.put("/2/lists/\(id)", #"{"private":null}"#).status == 400)
      #expect(try await alice.put("/2/lists/\(id)", #"{"private":0}"#).status == 400)
      #expect(try await alice.put("/2/lists/\(id)", #"{"name":""}"#).status == 400)
      #expect(try await alice.put("/2/lists/\(id)", #"{"name":"\#(String(repeating: "x", count: 26))"}"#).status == 400)
      #expect(try await alice.delete("/2/lists/\(id)").data == ["deleted": true])
      #expect(try await alice.get("/2/lists/\(id)").data == nil)
    }
  }

  @Test("Private lists are shown to their owners only, and only owners change lists")
  func ownership() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let open = try await sandbox.addList("open", owner: sandbox.users.alice)
      let secret = try await sandbox.addList("secret", owner: sandbox.users.alice, isPrivate: true)
      let owned = "/2/users/\(sandbox.users.alice.id)/owned_lists"
      #expect(try await alice.get(owned).elements.map { $0["name"] } == ["secret", "open"])
      #expect(try await bob.get(owned).elements.map { $0["name"] } == ["open"])
      #expect(try await bob.get("/2/lists/\(secret)").data == nil)
      #expect(try await bob.put("/2/lists/\(secret)", #"{"name":"x"}"#).status == 404)
      #expect(try await bob.put("/2/lists/\(open)", #"{"name":"x"}"#).status == 403)
      #expect(try await bob.delete("/2/lists/\(open)").status == 403)
    }
  }

  @Test("A list has members, memberships, followers and posts")
  func members() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let (aliceID, bob) = (sandbox.users.alice.id, sandbox.users.bob)
      let list = try await sandbox.addList("people", owner: sandbox.users.alice, members: [sandbox.users.carol])
      try await sandbox.addPost("by bob", by: bob)
      try await sandbox.addPost("by alice", by: sandbox.users.alice)
      #expect(
        try await alice.post("/2/lists/\(list)/members", #"{"user_id":"\#(bob.id)"}"#).data == ["is_member": true])
      #expect(try await alice.get("/2/lists/\(list)/members").elements.map { $0["username"] } == ["bob", "carol"])
      #expect(try await alice.get("/2/users/\(bob.id)/list_memberships").elements.map { $0["name"] } == ["people"])
      #expect(try await alice.get("/2/lists/\(list)/tweets").elements.map { $0["text"] } == ["by bob"])
      let expanded = try await alice.get("/2/lists/\(list)?list.fields=member_count&expansions=owner_id")
      #expect(expanded.data?["member_count"] == 2)
      #expect(expanded.data?["owner_id"]?.string == aliceID)
      #expect(
        expanded.json["includes"]?["users"] == [["id": .string(aliceID), "name": "Alice", "username": "alice"]])
      #expect(try await alice.delete("/2/lists/\(list)/members/\(bob.id)").data == ["is_member": false])
      #expect(try await alice.get("/2/lists/\(list)/members").elements.count == 1)
      #expect(try await alice.post("/2/lists/\(list)/members", #"{"user_id":"5"}"#).status == 404)

      let followed = "/2/users/\(bob.id)/followed_lists"
      let follower = TestClient.bob(sandbox)
      #expect(try await follower.post(followed, #"{"list_id":"\#(list)"}"#).data == ["following": true])
      #expect(try await follower.get(followed).elements.map { $0["id"]?.string } == [list])
      #expect(try await follower.get("/2/lists/\(list)/followers").elements.map { $0["username"] } == ["bob"])
      #expect(try await follower.delete("\(followed)/\(list)").data == ["following": false])
      #expect(try await follower.get(followed).meta == ["result_count": 0])
    }
  }
}
