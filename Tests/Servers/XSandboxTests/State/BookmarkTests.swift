import Foundation
import Testing

@testable import XSandbox

@Suite("Bookmarks, pins, blocks and mutes") struct BookmarkTests {
  @Test("Posts are bookmarked, in folders too, and leave both when they are deleted")
  func bookmarks() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let path = "/2/users/\(sandbox.users.alice.id)/bookmarks"
      let first = try await sandbox.addPost("one", by: sandbox.users.alice)
      let second = try await sandbox.addPost("two", by: sandbox.users.bob)
      let folder = try #require(
        try await alice.post("\(path)/folders", #"{"name":"later"}"#).data?["id"]?.string)
      #expect(try await alice.post(path, #"{"tweet_id":"\#(first)"}"#).data == ["bookmarked": true])
      let both = #"{"tweet_id":"\#(second)","folder_id":"\#(folder)"}"#
      #expect(try await alice.post(path, both).data == ["bookmarked": true])
      #expect(try await alice.get(path).elements.map { $0["text"] } == ["two", "one"])
      #expect(try await alice.get("\(path)/folders").elements.map { $0["name"] } == ["later"])
      #expect(try await alice.get("\(path)/folders/\(folder)").elements == [["id": .string(second)]])
      let counted = try await alice.get("/2/tweets/\(second)?post.fields=public_metrics")
      #expect(counted.data?["public_metrics"]?["bookmark_count"] == 1)
      let page = try await alice.get("\(path)?max_results=1")
      let token = try #require(page.meta?["next_token"]?.string)
      #expect(try await alice.get("\(path)?pagination_token=\(token)").elements.map { $0["text"] } == ["one"])
      #expect(try await alice.delete("\(path)/\(second)").data == ["bookmarked": false])
      #expect(try await alice.get("\(path)/folders/\(folder)").elements.isEmpty)
      _ = try await alice.delete("/2/tweets/\(first)")
      #expect(try await alice.get(path).elements.isEmpty)
    }
  }

  @Test("Requests that the catalogue forbids are refused: scopes, other users, unknown folders, long names")
  func refusals() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let path = "/2/users/\(sandbox.users.alice.id)/bookmarks"
      let post = try await sandbox.addPost("one", by: sandbox.users.alice)
      #expect(try await bob.get(path).status == 400)
      #expect(try await alice.post(path, #"{"tweet_id":"7"}"#).status == 404)
      #expect(try await alice.post(path, #"{"tweet_id":"\#(post)","folder_id":"7"}"#).status == 404)
      let long = try await alice.post("\(path)/folders", #"{"name":"\#(String(repeating: "a", count: 26))"}"#)
      #expect((long.status, long.json["title"]) == (400, "Invalid Request"))
      #expect(try await alice.get("\(path)?max_results=101").status == 400)
      #expect(try await alice.get("\(path)?unknown=1").status == 400)
      let token = try await sandbox.makeOAuth2Token(for: sandbox.users.alice, scopes: ["tweet.read", "users.read"])
      let narrow = try await TestClient(sandbox, .bearer(token)).get(path)
      #expect(narrow.status == 403 && narrow.reason?.contains("scopes") == true)
      // X takes no OAuth 1 signature for this one.
      let signed = TestClient(sandbox, .oauth1(sandbox.users.alice))
      #expect(try await signed.post(path, #"{"tweet_id":"\#(post)"}"#).status == 403)
      #expect(try await TestClient(sandbox, .none).get(path).status == 401)
    }
  }

  @Test("Muted and blocked authors leave the home timeline, and a blocked user can neither follow nor write")
  func blocksAndMutes() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let users = sandbox.users
      try await sandbox.follow(users.bob, by: users.alice)
      try await sandbox.addPost("from bob", by: users.bob)
      let home = "/2/users/\(users.alice.id)/timelines/reverse_chronological"
      #expect(try await alice.get(home).elements.count == 1)
      let mute = try await alice.post("/2/users/\(users.alice.id)/muting", #"{"target_user_id":"\#(users.bob.id)"}"#)
      #expect(mute.data == ["muting": true])
      #expect(try await alice.get("/2/users/\(users.alice.id)/muting").elements.map { $0["username"] } == ["bob"])
      #expect(try await alice.get(home).elements.isEmpty)
      #expect(try await TestClient.aliceV1(sandbox).getV1("mutes/users/list").json["users"]?.elements.count == 1)
      let unmute = try await alice.delete("/2/users/\(users.alice.id)/muting/\(users.bob.id)")
      #expect(unmute.data == ["muting": false])
      let v1 = TestClient.aliceV1(sandbox)
      #expect(try await v1.postV1("blocks/create", ["screen_name": "bob"]).json["screen_name"] == "bob")
      #expect(try await alice.get("/2/users/\(users.alice.id)/blocking").elements.map { $0["username"] } == ["bob"])
      #expect(
        try await v1.getV1("blocks/ids", ["stringify_ids": "true"]).json["ids"]?.elements == [.string(users.bob.id)])
      #expect(try await alice.get(home).elements.isEmpty)
      let follow = try await bob.post(
        "/2/users/\(users.bob.id)/following", #"{"target_user_id":"\#(users.alice.id)"}"#)
      #expect(follow.status == 403)
      let message = try await bob.post("/2/dm_conversations/with/\(users.alice.id)/messages", #"{"text":"hi"}"#)
      #expect(message.status == 403)
      #expect(try await v1.postV1("blocks/destroy", ["screen_name": "bob"]).status == 200)
      #expect(try await v1.getV1("blocks/list").json["users"]?.elements.isEmpty == true)
    }
  }

  @Test("Lists are pinned; only the author of the conversation hides replies")
  func pinsAndReplies() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let path = "/2/users/\(sandbox.users.alice.id)/pinned_lists"
      let list = try await sandbox.addList("birds", owner: sandbox.users.alice)
      #expect(try await alice.post(path, #"{"list_id":"\#(list)"}"#).data == ["pinned": true])
      #expect(try await alice.get(path).elements.map { $0["name"] } == ["birds"])
      #expect(try await alice.delete("\(path)/\(list)").data == ["pinned": false])
      #expect(try await alice.get(path).elements.isEmpty)
      let post = try await sandbox.addPost("question", by: sandbox.users.alice)
      let reply = try await sandbox.addPost("rude", by: sandbox.users.bob, replyingTo: post)
      #expect(try await bob.put("/2/tweets/\(reply)/hidden", #"{"hidden":true}"#).status == 403)
      #expect(try await alice.put("/2/tweets/\(reply)/hidden", #"{"hidden":true}"#).data == ["hidden": true])
      #expect(try await alice.put("/2/tweets/\(post)/hidden", #"{"hidden":true}"#).status == 403)
    }
  }
}
