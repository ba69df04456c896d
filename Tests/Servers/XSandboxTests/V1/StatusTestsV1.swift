import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: tweets")
struct StatusTestsV1 {
  @Test("A tweet is posted, read and deleted with v1.1's members")
  func life() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let created = try await client.postV1("statuses/update", ["status": "Hello @bob & #swift $AAPL"])
      #expect(created.status == 200)
      #expect(created.header("Content-Type") == "application/json; charset=utf-8")
      #expect(created.json["text"] == "Hello @bob &amp; #swift $AAPL")
      #expect(created.json["full_text"] == nil)
      #expect(created.json["truncated"] == false)
      let id = try #require(created.json["id_str"]?.string)
      #expect(created.json["id"]?.integer == Int(id))
      #expect(created.json["entities"]?["hashtags"] == [["text": "swift", "indices": [17, 23]]])
      #expect(created.json["entities"]?["symbols"] == [["text": "AAPL", "indices": [24, 29]]])
      #expect(created.json["entities"]?["user_mentions"]?.elements.first?["screen_name"] == "bob")
      #expect(created.json["entities"]?["user_mentions"]?.elements.first?["indices"] == [6, 10])
      #expect(created.json["user"]?["screen_name"] == "alice")
      #expect(created.json["user"]?["statuses_count"] == 1)
      #expect(created.json["user"]?["status"] == nil)

      let shown = try await client.getV1("statuses/show/\(id)")
      #expect(shown.json == created.json)
      let trimmed = try await client.getV1("statuses/show/\(id)", ["trim_user": "true", "include_entities": "false"])
      let alice = sandbox.users.alice.id
      #expect(trimmed.json["user"] == ["id": .integer(try #require(Int(alice))), "id_str": .string(alice)])
      #expect(trimmed.json["entities"] == nil)

      let deleted = try await client.postV1("statuses/destroy/\(id)")
      #expect(deleted.json == created.json)
      #expect(try await client.getV1("statuses/show/\(id)").refusal == [404, 144])
      #expect(try await client.postV1("statuses/destroy/\(id)").refusal == [404, 144])
    }
  }

  @Test("Dates have v1.1's form")
  func dates() async throws {
    var configuration = Sandbox.Configuration()
    configuration.clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_538_000_000))
    try await withSandbox(configuration) { (sandbox) async throws in
      let id = try await sandbox.addPost("long ago", by: sandbox.users.bob)
      let shown = try await TestClient.appV1(sandbox).getV1("statuses/show/\(id)")
      #expect(shown.json["created_at"] == "Wed Sep 26 22:13:20 +0000 2018")
      #expect(shown.json["user"]?["created_at"] == "Wed Sep 26 22:13:20 +0000 2018")
    }
  }

  @Test("A post of one version is read by the other")
  func shared() async throws {
    try await withSandbox { (sandbox) async throws in
      let v2 = try await TestClient.alice(sandbox).post("/2/tweets", #"{"text":"by v2"}"#)
      let id = try #require(v2.data?["id"]?.string)
      let client = TestClient.bobV1(sandbox)
      #expect(try await client.getV1("statuses/show/\(id)").json["text"] == "by v2")
      #expect(try await client.postV1("favorites/create", ["id": id]).status == 200)
      #expect(try await client.getV1("statuses/show/\(id)").json["favorited"] == true)
      let metrics = try await TestClient.alice(sandbox).get("/2/tweets/\(id)?post.fields=public_metrics")
      #expect(metrics.data?["public_metrics"]?["like_count"] == 1)
      let v1 = try await client.postV1("statuses/update", ["status": "by v1.1"])
      let other = try await TestClient.alice(sandbox).get("/2/tweets/\(v1.json["id_str"]?.string ?? "")")
      #expect(other.data?["text"] == "by v1.1")
    }
  }

  @Test("The compatible mode cuts long texts, the extended one does not")
  func modes() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      let text = String(repeating: "words and ", count: 20) + "#end"
      let created = try await client.postV1("statuses/update", ["status": text])
      let id = created.json["id_str"]?.string ?? ""
      #expect(created.json["truncated"] == true)
      let compatible = try #require(created.json["text"]?.string)
      #expect(compatible.unicodeScalars.count <= 140)
      #expect(compatible.contains("… https://t.co/"))
      #expect(created.json["entities"]?["hashtags"] == [])
      let url = created.json["entities"]?["urls"]?.elements.first
      #expect(url?["expanded_url"] == .string("https://twitter.com/i/web/status/\(id)"))
      #expect(
        url?["indices"] == [.integer(compatible.unicodeScalars.count - 23), .integer(compatible.unicodeScalars.count)])

      let extended = try await client.getV1("statuses/show/\(id)", ["tweet_mode": "extended"])
      #expect(extended.json["full_text"] == .string(text))
      #expect(extended.json["text"] == nil)
      #expect(extended.json["truncated"] == false)
      #expect(extended.json["display_text_range"] == [0, 204])
      #expect(extended.json["entities"]?["hashtags"]?.elements.count == 1)
      #expect(try await client.getV1("statuses/show/\(id)", ["tweet_mode": "other"]).refusal == [400, 44])
    }
  }

  @Test("Lookups leave out missing tweets, or map them to null")
  func lookup() async throws {
    try await withSandbox { (sandbox) async throws in
      let ids = [
        try await sandbox.addPost("one", by: sandbox.users.bob),
        try await sandbox.addPost("two", by: sandbox.users.bob),
      ]
      let client = TestClient.appV1(sandbox)
      let wanted = "\(ids[1]),7, \(ids[0]),\(ids[1])"
      for method in ["GET", "POST"] {
        let response = try await client.v1(method, "statuses/lookup", ["id": wanted])
        #expect(response.array.map { $0["text"] } == ["two", "one"], "\(method)")
      }
      let map = try await client.getV1("statuses/lookup", ["id": wanted, "map": "true"])
      #expect(map.json["id"]?["7"] == .null)
      #expect(map.json["id"]?[ids[0]]?["text"] == "one")
      let tooMany = (1...101).map(String.init).joined(separator: ",")
      #expect(try await client.getV1("statuses/lookup", ["id": tooMany]).refusal == [403, 18])
      #expect(try await client.getV1("statuses/lookup", ["id": "x"]).refusal == [400, 44])
      #expect(try await client.getV1("statuses/lookup").refusal == [403, 38])
    }
  }

  @Test("A reply needs its author's mention, or gets it from the server")
  func replies() async throws {
    try await withSandbox { (sandbox) async throws in
      let parent = try await sandbox.addPost("Hi @carol", by: sandbox.users.bob)
      let client = TestClient.aliceV1(sandbox)
      let ignored = try await client.postV1(
        "statuses/update", ["status": "no mention", "in_reply_to_status_id": parent])
      #expect(ignored.json["in_reply_to_status_id"] == .null)
      let reply = try await client.postV1("statuses/update", ["status": "@bob yes", "in_reply_to_status_id": parent])
      #expect(reply.json["in_reply_to_status_id_str"] == .string(parent))
      #expect(reply.json["in_reply_to_screen_name"] == "bob")
      let populated = try await client.postV1(
        "statuses/update",
        [
          "status": "indeed", "in_reply_to_status_id": parent, "auto_populate_reply_metadata": "true",
          "tweet_mode": "extended",
        ])
      #expect(populated.json["full_text"] == "@bob @carol indeed")
      #expect(populated.json["display_text_range"] == [12, 18])
      let excluding = try await client.postV1(
        "statuses/update",
        [
          "status": "indeed", "in_reply_to_status_id": parent, "auto_populate_reply_metadata": "true",
          "exclude_reply_user_ids": sandbox.users.carol.id,
        ])
      #expect(excluding.json["text"] == "@bob indeed")
      let lost = try await client.postV1("statuses/update", ["status": "@bob lost", "in_reply_to_status_id": "7"])
      #expect(lost.refusal == [403, 385])
    }
  }

  @Test("A permalink makes a tweet a quote")
  func quotes() async throws {
    try await withSandbox { (sandbox) async throws in
      let quoted = try await sandbox.addPost("original", by: sandbox.users.bob)
      let client = TestClient.aliceV1(sandbox)
      let response = try await client.postV1(
        "statuses/update", ["status": "look", "attachment_url": "https://twitter.com/bob/status/\(quoted)"])
      #expect(response.json["is_quote_status"] == true)
      #expect(response.json["quoted_status_id_str"] == .string(quoted))
      #expect(response.json["quoted_status"]?["text"] == "original")
      for address in ["https://twitter.com/bob/status/7", "https://example.com/bob/status/\(quoted)", "nonsense"] {
        let refused = try await client.postV1("statuses/update", ["status": "x", "attachment_url": address])
        #expect(refused.refusal == [400, 44], "\(address)")
      }
    }
  }

  @Test("A tweet is retweeted, listed and unretweeted")
  func retweets() async throws {
    try await withSandbox { (sandbox) async throws in
      let id = try await sandbox.addPost("worth it", by: sandbox.users.bob)
      let client = TestClient.aliceV1(sandbox)
      let retweet = try await client.postV1("statuses/retweet/\(id)")
      #expect(retweet.json["text"] == "RT @bob: worth it")
      #expect(retweet.json["retweeted_status"]?["id_str"] == .string(id))
      #expect(retweet.json["retweeted_status"]?["retweeted"] == true)
      #expect(try await client.postV1("statuses/retweet/\(id)").refusal == [403, 327])
      let listed = try await client.getV1("statuses/retweets/\(id)")
      #expect(listed.array.map { $0["id_str"] } == [retweet.json["id_str"]])
      let users = try await client.getV1("statuses/retweeters/ids", ["id": id, "stringify_ids": "true"])
      #expect(users.json["ids"] == [.string(sandbox.users.alice.id)])
      let mine = try await TestClient.bobV1(sandbox).getV1("statuses/retweets_of_me")
      #expect(mine.array.map { $0["id_str"] } == [.string(id)])
      let shown = try await client.getV1("statuses/show/\(id)", ["include_my_retweet": "1"])
      #expect(shown.json["current_user_retweet"]?["id_str"] == retweet.json["id_str"])
      let back = try await client.postV1("statuses/unretweet/\(id)")
      #expect(back.json["id_str"] == .string(id))
      #expect(back.json["retweet_count"] == 0)
      #expect(try await client.getV1("statuses/retweets/\(id)").array.isEmpty)
    }
  }

  @Test("Tweets that X would not post are refused")
  func refused() async throws {
    try await withSandbox { (sandbox) async throws in
      let client = TestClient.aliceV1(sandbox)
      #expect(try await client.postV1("statuses/update").refusal == [403, 38])
      #expect(try await client.postV1("statuses/update", ["status": "   "]).refusal == [403, 38])
      let long = String(repeating: "a", count: 281)
      #expect(try await client.postV1("statuses/update", ["status": long]).refusal == [403, 186])
      #expect(try await client.postV1("statuses/update", ["status": "again"]).status == 200)
      #expect(try await client.postV1("statuses/update", ["status": "again"]).refusal == [403, 187])
      let command = try await client.postV1("statuses/update", ["status": "d bob hi", "fail_dmcommands": "true"])
      #expect(command.refusal == [403, 151])
      let strange = try await client.postV1("statuses/update", ["status": "x", "trim_user": "perhaps"])
      #expect(strange.refusal == [400, 44])
      let media = try await client.postV1("statuses/update", ["status": "x", "media_ids": "1"])
      #expect(media.refusal == [400, 324])
      let foreign = try await sandbox.addPost("bob's", by: sandbox.users.bob)
      #expect(try await client.postV1("statuses/destroy/\(foreign)").refusal == [403, 183])
    }
  }
}
