import Foundation
import Testing

@testable import XSandbox

@Suite("Posts, likes and reposts")
struct PostTests {
  @Test("A post is created, read, liked, reposted and deleted")
  func lifecycle() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let (aliceID, bobID) = (sandbox.users.alice.id, sandbox.users.bob.id)
      let created = try await alice.post("/2/tweets", #"{"text":"hello #world"}"#)
      #expect(created.status == 201)
      let id = try #require(created.data?["id"]?.string)
      #expect(created.data?["text"] == "hello #world")
      let versions: JSON = [.string(id)]
      #expect(
        try await alice.get("/2/tweets/\(id)").data == [
          "id": .string(id), "text": "hello #world", "edit_history_post_ids": versions,
          "edit_history_tweet_ids": versions,
        ])

      #expect(try await bob.post("/2/users/\(bobID)/likes", #"{"tweet_id":"\#(id)"}"#).data == ["liked": true])
      let repost = try await bob.post("/2/users/\(bobID)/retweets", #"{"tweet_id":"\#(id)"}"#)
      #expect(repost.data?["retweeted"] == true)
      let metrics = try await alice.get("/2/tweets/\(id)?post.fields=public_metrics").data?["public_metrics"]
      #expect(metrics?["like_count"] == 1)
      #expect(metrics?["repost_count"] == 1)
      #expect(try await alice.get("/2/tweets/\(id)/liking_users").elements.map { $0["username"] } == ["bob"])
      #expect(try await alice.get("/2/tweets/\(id)/retweeted_by").elements.map { $0["username"] } == ["bob"])
      #expect(try await bob.get("/2/users/\(bobID)/liked_tweets").elements.map { $0["id"]?.string } == [id])
      let timeline = try await bob.get("/2/users/\(bobID)/tweets?expansions=referenced_posts")
      #expect(timeline.elements.first?["text"] == "RT @alice: hello #world")
      #expect(timeline.elements.first?["referenced_posts"] == [["type": "retweeted", "id": .string(id)]])
      #expect(try await bob.get("/2/users/\(bobID)/tweets?exclude=retweets").elements.isEmpty)

      #expect(try await bob.delete("/2/users/\(bobID)/likes/\(id)").data == ["liked": false])
      #expect(try await bob.delete("/2/users/\(bobID)/retweets/\(id)").data == ["retweeted": false])
      #expect(try await bob.get("/2/users/\(bobID)/tweets").meta == ["result_count": 0])

      #expect(try await bob.delete("/2/tweets/\(id)").status == 403)
      #expect(try await alice.delete("/2/tweets/\(id)").data == ["deleted": true])
      #expect(try await alice.delete("/2/tweets/\(id)").status == 404)
      #expect(try await alice.get("/2/tweets/\(id)").data == nil)
      #expect(try await alice.get("/2/users/\(aliceID)/tweets").elements.isEmpty)
    }
  }

  @Test("Texts are escaped, and entities and the range to show count in the escaped text")
  func escaping() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let created = try await alice.post("/2/tweets", #"{"text":"1 < 2 & 3 > 2 #math @bob &amp;"}"#)
      let text = "1 &lt; 2 &amp; 3 &gt; 2 #math @bob &amp;amp;"
      #expect(created.data?["text"] == .string(text))
      let id = try #require(created.data?["id"]?.string)
      let post = try await alice.get("/2/tweets/\(id)?post.fields=entities,display_text_range").data
      #expect(post?["text"] == .string(text))
      #expect(post?["display_text_range"] == [0, .integer(text.count)])
      let hashtag = try #require(post?["entities"]?["hashtags"]?.elements.first)
      #expect(hashtag == ["start": 24, "end": 29, "tag": "math"])
      #expect(Array(text)[24..<29] == ["#", "m", "a", "t", "h"])
      let mention = try #require(post?["entities"]?["mentions"]?.elements.first)
      #expect([mention["start"], mention["end"]] == [30, 34])
      // The search and the count use the text as it was written.
      let query = "%22%26%203%22%20%23math"
      #expect(try await alice.get("/2/tweets/search/recent?query=\(query)").elements.map { $0["id"]?.string } == [id])
      let longest = String(repeating: "&", count: 280)
      #expect(try await alice.post("/2/tweets", #"{"text":"\#(longest)"}"#).status == 201)
    }
  }

  @Test("The mentions of a user have the posts that name it, without reposts, newest first")
  func mentions() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let target = "/2/users/\(sandbox.users.alice.id)/mentions"
      #expect(try await alice.get(target).meta == ["result_count": 0])
      let first = try await sandbox.addPost("hello @Alice!", by: sandbox.users.bob)
      _ = try await sandbox.addPost("hello @alicette and alice@example.com", by: sandbox.users.bob)
      let second = try await sandbox.addPost("and again, @alice", by: sandbox.users.bob)
      _ = try await bob.post("/2/users/\(sandbox.users.bob.id)/retweets", #"{"tweet_id":"\#(first)"}"#)
      #expect(try await alice.get(target).elements.map { $0["id"]?.string } == [second, first])
      #expect(try await alice.get("\(target)?since_id=\(first)").elements.map { $0["id"]?.string } == [second])
      #expect(try await alice.get("/2/users/7/mentions").data == nil)
    }
  }

  @Test("A reply that quotes has the requested fields and expansions")
  func expansions() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let parent = try await sandbox.addPost("parent", by: sandbox.users.bob)
      let quoted = try await sandbox.addPost("quoted", by: sandbox.users.carol)
      let created = try await alice.post(
        "/2/tweets",
        #"{"text":"see @bob","reply":{"in_reply_to_tweet_id":"\#(parent)"},"quote_tweet_id":"\#(quoted)","reply_settings":"following"}"#
      )
      let id = try #require(created.data?["id"]?.string)
      let plain = try await alice.get("/2/tweets/\(id)")
      #expect(plain.json["includes"] == nil)
      let full = try await alice.get(
        "/2/tweets/\(id)?post.fields=conversation_id,entities,reply_settings&user.fields=protected"
          + "&expansions=author_id,in_reply_to_user_id,referenced_posts")
      #expect(full.data?["author_id"]?.string == sandbox.users.alice.id)
      #expect(full.data?["in_reply_to_user_id"]?.string == sandbox.users.bob.id)
      #expect(full.data?["conversation_id"]?.string == parent)
      #expect(full.data?["reply_settings"] == "following")
      #expect(
        full.data?["entities"]?["mentions"] == [
          ["start": 4, "end": 8, "username": "bob", "id": .string(sandbox.users.bob.id)]
        ])
      #expect(
        full.data?["referenced_posts"] == [
          ["type": "quoted", "id": .string(quoted)], ["type": "replied_to", "id": .string(parent)],
        ])
      #expect(
        full.json["includes"]?["users"] == [
          ["id": .string(sandbox.users.alice.id), "name": "Alice", "username": "alice", "protected": false],
          ["id": .string(sandbox.users.bob.id), "name": "Bob", "username": "bob", "protected": false],
        ])
      guard case .array(let posts) = full.json["includes"]?["posts"] else {
        Issue.record("no included posts")
        return
      }
      #expect(posts.map { $0["text"] } == ["quoted", "parent"])
      #expect(try await alice.get("/2/tweets/\(quoted)/quote_tweets").elements.map { $0["id"]?.string } == [id])

      // The target of an expansion may no longer exist: then it is reported next to the data.
      _ = try await TestClient.bob(sandbox).delete("/2/tweets/\(parent)")
      let partial = try await alice.get("/2/tweets/\(id)?expansions=referenced_posts")
      #expect(partial.data?["id"]?.string == id)
      guard case .array(let errors) = partial.json["errors"] else {
        Issue.record("no errors")
        return
      }
      #expect(errors.map { $0["value"]?.string } == [parent])
    }
  }

  @Test("Several posts are read at once")
  func several() async throws {
    try await withSandbox { (sandbox) async throws in
      let first = try await sandbox.addPost("one", by: sandbox.users.bob)
      let second = try await sandbox.addPost("two", by: sandbox.users.bob)
      let response = try await TestClient.alice(sandbox).get("/2/tweets?ids=\(second),7,\(first)")
      #expect(response.elements.map { $0["text"] } == ["two", "one"])
      #expect(response.meta?["result_count"] == 2)
    }
  }

  @Test(
    "Invalid posts are refused with the reason",
    arguments: [
      (#"{"text":""}"#, "must not be empty"), (#"{}"#, "must not be empty"), (#"{"text":"  \n"}"#, "must not be empty"),
      (#"{"text":5}"#, "integer found, string expected"), (#"{"text":true}"#, "boolean found, string expected"),
      (#"{"text":null}"#, "null found, string expected"), (#"{"txt":"hi"}"#, "does not allow additional properties"),
      (#"["hi"]"#, "array found, object expected"), (#"{"text":"hi","nullcast":1}"#, "integer found, boolean expected"),
      (#"{"text":"hi","reply":{}}"#, "in_reply_to_tweet_id: is missing"),
      (#"{"text":"hi","reply_settings":"nobody"}"#, "following, mentionedUsers, subscribers, verified"),
      (#"{"text":"hi","quote_tweet_id":"abc"}"#, "^[0-9]{1,19}$"), ("{", "valid JSON"), ("", "valid JSON"),
    ])
  func refused(body: String, words: String) async throws {
    try await withSandbox { (sandbox) async throws in
      let response = try await TestClient.alice(sandbox).post("/2/tweets", body)
      #expect(response.status == 400)
      #expect(response.json["type"] == "https://api.x.com/2/problems/invalid-request")
      #expect(response.messages.contains { $0.contains(words) }, "\(response.messages)")
    }
  }

  @Test(
    "A post has at most 280 weighted characters",
    arguments: [
      (String(repeating: "a", count: 280), 201), (String(repeating: "a", count: 281), 400),
      (String(repeating: "あ", count: 140), 201), (String(repeating: "あ", count: 141), 400),
      (String(repeating: "👨‍👩‍👧‍👦", count: 140), 201), (String(repeating: "👨‍👩‍👧‍👦", count: 141), 400),
      ("https://example.com/" + String(repeating: "x", count: 400), 201),
    ])
  func length(text: String, status: Int) async throws {
    try await withSandbox { (sandbox) async throws in
      let body: JSON = ["text": .string(text)]
      let response = try await TestClient.alice(sandbox).post("/2/tweets", String(decoding: body.bytes, as: UTF8.self))
      #expect(response.status == status, "\(response.messages)")
    }
  }

  @Test("Duplicates, replies to missing posts, and unknown media are refused")
  func otherRefusals() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      #expect(try await alice.post("/2/tweets", #"{"text":"same"}"#).status == 201)
      let duplicate = try await alice.post("/2/tweets", #"{"text":"same"}"#)
      #expect(duplicate.status == 403)
      #expect(duplicate.json["detail"]?.string?.contains("duplicate content") == true)
      #expect(try await TestClient.bob(sandbox).post("/2/tweets", #"{"text":"same"}"#).status == 201)
      let orphan = try await alice.post("/2/tweets", #"{"text":"x","reply":{"in_reply_to_tweet_id":"5"}}"#)
      #expect((orphan.status, orphan.json["parameter"]) == (404, "reply.in_reply_to_tweet_id"))
      #expect(try await alice.post("/2/tweets", #"{"text":"x","media":{"media_ids":["5"]}}"#).status == 400)
      #expect(
        try await alice.send("POST", "/2/tweets", form: "text=hi").messages.first?.contains("application/json") == true)
    }
  }

  @Test("A post has a place, a card and an invitation to write a message; search finds it by its place")
  func places() async throws {
    let seed = try SandboxSeed(
      yaml: """
        places:
          - {id: 00000000000000b1, name: Mitte, full: "Mitte, Berlin", country: Germany, code: DE, type: neighborhood, box: [13.3, 52.5, 13.4, 52.55]}
        users:
          bob: {location: Berlin near the Spree}
        posts:
          - {by: bob, text: "tea here", place: 00000000000000b1, point: [13.38, 52.52]}
        """)
    let sandbox = try await Sandbox.start(seed: seed)
    let alice = TestClient.alice(sandbox)
    let link = "https://x.com/messages/compose?recipient_id=\(sandbox.users.alice.id)"
    let body =
      #"{"text":"tea there","geo":{"place_id":"01a9a39529b27f36"},"card_uri":"card://7","direct_message_deep_link":"\#(link)"}"#
    let created = try await alice.post("/2/tweets", body)
    #expect(created.status == 201)
    let id = try #require(created.data?["id"]?.string)
    let read = try await alice.get(
      "/2/tweets/\(id)?post.fields=card_uri,entities&expansions=geo.place_id&place.fields=country_code,geo")
    #expect(read.data?["text"] == .string("tea there \(link)"))
    #expect(read.data?["card_uri"] == "card://7")
    #expect(read.data?["geo"] == ["place_id": "01a9a39529b27f36"])
    let place = read.json["includes"]?["places"]?.elements.first
    #expect(place?["full_name"] == "Manhattan, NY")
    #expect(place?["country_code"] == "US")
    #expect(place?["geo"]?["bbox"]?.elements.count == 4)
    func found(_ query: String) async throws -> Int {
      try await alice.get("/2/tweets/search/recent?query=\(TestSigner.encode(query))").elements.count
    }
    #expect(try await found("tea has:geo") == 2)
    #expect(try await found("tea place:\"mitte, berlin\"") == 1)
    #expect(try await found("tea place_country:us") == 1)
    #expect(try await found("tea point_radius:[13.38 52.52 1km]") == 1)
    #expect(try await found("tea bounding_box:[-74.1 40.6 -73.9 40.9]") == 1)
    #expect(try await found("tea -place_country:DE") == 1)
    #expect(try await found("tea bio_location:spree") == 1)
    #expect(try await found("tea url_contains:messages") == 1)
    #expect(try await found("tea source:\"Sandbox App\"") == 2)
    for query in ["a point_radius:[1 2 3]", "a point_radius:[1 2 99km]", "a bounding_box:[3 2 1 4]"] {
      #expect(
        try await alice.get("/2/tweets/search/recent?query=\(TestSigner.encode(query))").status == 400, "\(query)")
    }
    #expect(try await alice.post("/2/tweets", #"{"text":"x","geo":{"place_id":"7"}}"#).status == 400)
    #expect(
      try await alice.post("/2/tweets", #"{"text":"x","direct_message_deep_link":"https://x.com/"}"#).status == 400)
    let saved = await sandbox.saved()
    await sandbox.stop()
    let again = try await Sandbox.start(seed: SandboxSeed(yaml: saved))
    #expect(await again.saved() == saved)
    #expect(saved.contains("00000000000000b1") && saved.contains("Spree") && saved.contains("13.38"))
    await again.stop()
  }

  @Test("Search finds posts by word, phrase, author and kind")
  func search() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let post = try await sandbox.addPost("Swift is quick", by: sandbox.users.bob)
      _ = try await sandbox.addPost("swift birds", by: sandbox.users.carol, replyingTo: post)
      func texts(_ query: String) async throws -> [String?] {
        let encoded = TestSigner.encode(query)
        return try await alice.get("/2/tweets/search/recent?query=\(encoded)").elements.map { $0["text"]?.string }
      }
      #expect(try await texts("swift") == ["swift birds", "Swift is quick"])
      #expect(try await texts("swift from:bob") == ["Swift is quick"])
      #expect(try await texts(#""is quick""#) == ["Swift is quick"])
      #expect(try await texts("swift -is:reply") == ["Swift is quick"])
      #expect(try await texts("swift is:reply to:bob") == ["swift birds"])
      let unknown = try await alice.get("/2/tweets/search/recent?query=geo%3Ahere")
      #expect(unknown.status == 400)
      #expect(unknown.messages.first?.contains("Reference to invalid operator 'geo'") == true)
      #expect(try await alice.get("/2/tweets/search/recent?query=is%3Areply").status == 400)
      #expect(try await texts("swift place:rome") == [])
      #expect(try await alice.get("/2/tweets/search/recent").status == 400)
    }
  }
}
