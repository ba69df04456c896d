import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: timelines, search and likes")
struct TimelineTestsV1 {
  /// Reads a timeline to its end by `max_id`, as clients do: the last id minus one.
  private func walk(
    _ client: TestClient, _ path: String, count: Int, afterEachPage: () async throws -> Void = {}
  ) async throws -> [String] {
    var ids: [String] = []
    var border = Identifier.max >> 1
    while true {
      try #require(ids.count <= 1_000, "the timeline does not end")
      let page = try await client.getV1(path, ["count": "\(count)", "max_id": "\(border)"]).array
      guard let last = page.last?["id_str"]?.string.flatMap({ Identifier($0) }) else { return ids }
      #expect(page.count <= count)
      ids += page.compactMap { $0["id_str"]?.string }
      border = last - 1
      try await afterEachPage()
    }
  }

  @Test("max_id neither loses nor repeats tweets while new ones arrive", arguments: [1, 2, 7, 50, 200])
  func borders(count: Int) async throws {
    try await withSandbox(generousConfiguration()) { (sandbox) async throws in
      var expected: [String] = []
      for number in 0..<50 { expected.append(try await sandbox.addPost("post \(number)", by: sandbox.users.alice)) }
      var arrived = 0
      let ids = try await walk(.aliceV1(sandbox), "statuses/user_timeline", count: count) {
        arrived += 1
        _ = try await sandbox.addPost("late \(arrived)", by: sandbox.users.alice)
      }
      #expect(ids == expected.reversed())
    }
  }

  @Test("max_id belongs to the page, since_id does not")
  func bounds() async throws {
    try await withSandbox { (sandbox) async throws in
      var ids: [String] = []
      for number in 0..<5 { ids.append(try await sandbox.addPost("post \(number)", by: sandbox.users.bob)) }
      let client = TestClient.appV1(sandbox)
      let page = try await client.getV1(
        "statuses/user_timeline", ["screen_name": "BOB", "max_id": ids[3], "since_id": ids[1]])
      #expect(page.array.compactMap { $0["id_str"]?.string } == [ids[3], ids[2]])
      let second = try await client.getV1("statuses/user_timeline", ["screen_name": "bob", "count": "2", "page": "2"])
      #expect(second.array.compactMap { $0["id_str"]?.string } == [ids[2], ids[1]])
      #expect(try await client.getV1("statuses/user_timeline", ["screen_name": "nobody"]).refusal == [404, 50])
      #expect(try await client.getV1("statuses/user_timeline").refusal == [403, 38])
      for (name, value) in [("max_id", "x"), ("since_id", "-1"), ("count", "0"), ("count", "many")] {
        let response = try await client.getV1("statuses/user_timeline", ["screen_name": "bob", name: value])
        #expect(response.refusal == [400, 44], "\(name)=\(value)")
      }
    }
  }

  @Test("Home and mentions show their tweets, with and without replies and retweets")
  func homeAndMentions() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob, carol) = (sandbox.users.alice, sandbox.users.bob, sandbox.users.carol)
      try await sandbox.follow(bob, by: alice)
      let own = try await sandbox.addPost("mine", by: alice)
      _ = try await sandbox.addPost("hidden", by: carol)
      let mention = try await sandbox.addPost("hey @Alice", by: carol)
      let reply = try await sandbox.addPost("@alice indeed", by: bob, replyingTo: own)
      let retweet = try await TestClient.bobV1(sandbox).postV1("statuses/retweet/\(mention)").json["id_str"]?.string
      let client = TestClient.aliceV1(sandbox)
      func ids(_ path: String, _ parameters: KeyValuePairs<String, String> = [:]) async throws -> [String?] {
        try await client.getV1(path, parameters).array.map { $0["id_str"]?.string }
      }
      #expect(try await ids("statuses/home_timeline") == [retweet, reply, own])
      #expect(try await ids("statuses/home_timeline", ["exclude_replies": "true"]) == [retweet, own])
      #expect(try await ids("statuses/mentions_timeline") == [reply, mention])
      #expect(
        try await ids("statuses/user_timeline", ["user_id": bob.id, "include_rts": "false"]) == [reply])
      // As documented, the page is made first and thinned then.
      #expect(
        try await ids("statuses/user_timeline", ["user_id": bob.id, "include_rts": "false", "count": "1"]) == [])
    }
  }

  @Test("Likes are created, listed and ended")
  func favorites() async throws {
    try await withSandbox { (sandbox) async throws in
      let ids = [
        try await sandbox.addPost("one", by: sandbox.users.bob),
        try await sandbox.addPost("two", by: sandbox.users.bob),
      ]
      let client = TestClient.aliceV1(sandbox)
      for id in ids.reversed() {
        let liked = try await client.postV1("favorites/create", ["id": id])
        #expect(liked.json["favorited"] == true)
        #expect(liked.json["favorite_count"] == 1)
      }
      #expect(try await client.postV1("favorites/create", ["id": ids[0]]).refusal == [403, 139])
      #expect(try await client.getV1("favorites/list").array.map { $0["text"] } == ["two", "one"])
      let other = try await TestClient.appV1(sandbox).getV1("favorites/list", ["screen_name": "alice"])
      #expect(other.array.map { $0["favorited"] } == [false, false])
      #expect(try await walk(client, "favorites/list", count: 1) == ids.reversed())
      let unliked = try await client.postV1("favorites/destroy", ["id": ids[0]])
      #expect(unliked.json["favorited"] == false)
      #expect(try await client.postV1("favorites/destroy", ["id": ids[0]]).refusal == [404, 144])
      #expect(try await client.postV1("favorites/create", ["id": "7"]).refusal == [404, 144])
      #expect(try await client.postV1("favorites/create").refusal == [403, 38])
    }
  }

  @Test("Search finds tweets and pages through them")
  func search() async throws {
    try await withSandbox { (sandbox) async throws in
      for number in 0..<5 { _ = try await sandbox.addPost("swift \(number)", by: sandbox.users.bob) }
      _ = try await sandbox.addPost("other", by: sandbox.users.bob)
      let client = TestClient.appV1(sandbox)
      let first = try await client.getV1("search/tweets", ["q": "swift from:bob", "count": "2"])
      #expect(first.json["statuses"]?.elements.map { $0["text"] } == ["swift 4", "swift 3"])
      #expect(first.json["statuses"]?.elements.first?["metadata"]?["result_type"] == "recent")
      #expect(first.json["search_metadata"]?["query"] == "swift%20from%3Abob")
      #expect(first.json["search_metadata"]?["count"] == 2)
      let next = try #require(first.json["search_metadata"]?["next_results"]?.string)
      let second = try await client.get("/1.1/search/tweets.json\(next)")
      #expect(second.json["statuses"]?.elements.map { $0["text"] } == ["swift 2", "swift 1"])
      let refresh = try #require(first.json["search_metadata"]?["refresh_url"]?.string)
      #expect(try await client.get("/1.1/search/tweets.json\(refresh)").json["statuses"] == [])
      let old = try await client.getV1("search/tweets", ["q": "swift", "until": "2020-01-01"])
      #expect(old.json["statuses"] == [])
      #expect(try await client.getV1("search/tweets").refusal == [400, 25])
      #expect(try await client.getV1("search/tweets", ["q": "a OR b"]).status == 200)
      #expect(try await client.getV1("search/tweets", ["q": "(a OR b"]).refusal == [400, 195])
      for geocode in ["1,2", "1,2,3", "91,2,3mi", "x,2,3km"] {
        #expect(try await client.getV1("search/tweets", ["q": "a", "geocode": geocode]).refusal == [400, 195])
      }
    }
  }

  @Test("Tweets have places and points, and search and streams find them by these")
  func places() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let around = try await alice.getV1("geo/reverse_geocode", ["lat": "37.78", "long": "-122.4"])
      let places = around.json["result"]?["places"]?.elements ?? []
      #expect(places.map { $0["name"] } == ["San Francisco", "United States"])
      let id = try #require(places.first?["id"]?.string)
      #expect(try await alice.getV1("geo/id/\(id)").json == places.first)
      #expect(
        try await alice.getV1("geo/search", ["query": "manh"]).json["result"]?["places"]?.elements.count == 1)
      #expect(try await alice.getV1("geo/search", ["query": "a", "granularity": "street"]).refusal == [400, 44])
      #expect(try await alice.getV1("geo/reverse_geocode", ["lat": "91", "long": "0"]).refusal == [400, 3])
      let tagged = try await alice.postV1("statuses/update", ["status": "bay one", "place_id": id])
      #expect(tagged.json["place"]?["full_name"] == "San Francisco, CA")
      #expect(tagged.json["coordinates"] == .null)
      let exact = try await alice.postV1(
        "statuses/update",
        ["status": "bay two", "lat": "37.78", "long": "-122.4", "display_coordinates": "true"])
      #expect(exact.json["place"]?["id"] == .string(id))
      #expect(exact.json["coordinates"] == ["type": "Point", "coordinates": [.number(-122.4), .number(37.78)]])
      #expect(exact.json["geo"] == ["type": "Point", "coordinates": [.number(37.78), .number(-122.4)]])
      _ = try await alice.postV1("statuses/update", ["status": "bay three"])
      func found(_ geocode: String) async throws -> [JSON?] {
        try await alice.getV1("search/tweets", ["q": "bay", "geocode": geocode]).json["statuses"]?.elements.map {
          $0["text"]
        } ?? []
      }
      #expect(try await found("37.78,-122.4,30km") == ["bay two", "bay one"])
      #expect(try await found("37.78,-122.4,1mi") == ["bay two"])
      #expect(try await found("52.5,13.4,30km") == [])
      #expect(try await alice.postV1("statuses/update", ["status": "x", "place_id": "7"]).refusal == [400, 44])
    }
  }

  @Test("A card, an invitation to write a message, and commands by text")
  func attachments() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let link = "https://twitter.com/messages/compose?recipient_id=\(sandbox.users.alice.id)"
      let invited = try await alice.postV1("statuses/update", ["status": "ask me", "attachment_url": link])
      #expect(invited.json["text"] == .string("ask me \(link)"))
      let nobody = "https://twitter.com/messages/compose?recipient_id=7"
      #expect(
        try await alice.postV1("statuses/update", ["status": "x", "attachment_url": nobody]).refusal == [400, 44])
      #expect(
        try await alice.postV1("statuses/update", ["status": "d bob hi", "enable_dmcommands": "true"]).refusal
          == [403, 151])
      #expect(try await alice.postV1("statuses/update", ["status": "hi", "enable_dmcommands": "true"]).status == 200)
      let me = try await alice.getV1("account/verify_credentials", ["include_email": "true"])
      #expect(me.json["email"] == "alice@example.com")
      #expect(try await alice.getV1("account/verify_credentials").json["email"] == nil)
    }
  }
}
