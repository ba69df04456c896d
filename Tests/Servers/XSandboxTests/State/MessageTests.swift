import Foundation
import Testing

@testable import XSandbox

@Suite("Direct messages of v2") struct MessageTests {
  @Test("Both sides and both versions of the API see a message, and each side deletes its own copy")
  func pair() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob, carol) = (TestClient.alice(sandbox), TestClient.bob(sandbox), sandbox.users.carol)
      let (a, b) = (sandbox.users.alice.id, sandbox.users.bob.id)
      let sent = try await alice.post("/2/dm_conversations/with/\(b)/messages", #"{"text":"hi #bob"}"#)
      #expect(sent.status == 201)
      let event = try #require(sent.data?["dm_event_id"]?.string)
      let conversation = try #require(sent.data?["dm_conversation_id"]?.string)
      _ = try await bob.post("/2/dm_conversations/\(conversation)/messages", #"{"text":"hello"}"#)
      for path in [
        "/2/dm_events", "/2/dm_conversations/\(conversation)/dm_events", "/2/dm_conversations/with/\(b)/dm_events",
      ] {
        #expect(try await alice.get(path).elements.map { $0["text"] } == ["hello", "hi #bob"], "\(path)")
      }
      let fields = "?dm_event.fields=created_at,dm_conversation_id,entities&expansions=sender_id"
      let one = try await bob.get("/2/dm_events/\(event)\(fields)")
      #expect(one.data?["sender_id"]?.string == a)
      #expect(one.data?["entities"]?["hashtags"]?.elements.first?["tag"] == "bob")
      #expect(one.json["includes"]?["users"]?.elements.first?["username"] == "alice")
      let v1 = try await TestClient.aliceV1(sandbox).getV1("direct_messages/events/list")
      #expect(v1.json["events"]?.elements.count == 2)
      let stranger = TestClient(sandbox, .bearer(carol.oauth2AccessToken))
      #expect(try await stranger.get("/2/dm_events/\(event)").status == 404)
      #expect(try await stranger.get("/2/dm_conversations/\(conversation)/dm_events").status == 404)
      #expect(try await alice.delete("/2/dm_events/\(event)").data == ["deleted": true])
      #expect(try await alice.get("/2/dm_events").elements.count == 1)
      #expect(try await bob.get("/2/dm_events").elements.count == 2)
    }
  }

  @Test("A group's members see its messages, and pages of them")
  func group() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let (b, c) = (sandbox.users.bob.id, sandbox.users.carol.id)
      let created = try await alice.post(
        "/2/dm_conversations",
        #"{"conversation_type":"Group","participant_ids":["\#(b)","\#(c)"],"message":{"text":"all"}}"#)
      #expect(created.status == 201)
      let id = try #require(created.data?["dm_conversation_id"]?.string)
      #expect(try await bob.post("/2/dm_conversations/\(id)/messages", #"{"text":"here"}"#).status == 201)
      let page = try await alice.get("/2/dm_conversations/\(id)/dm_events?max_results=1")
      #expect(page.elements.map { $0["text"] } == ["here"])
      let token = try #require(page.meta?["next_token"]?.string)
      let next = try await alice.get("/2/dm_conversations/\(id)/dm_events?max_results=1&pagination_token=\(token)")
      #expect(next.elements.map { $0["text"] } == ["all"])
      #expect(try await alice.post("/2/dm_conversations/with/\(b)/messages", "{}").status == 400)
      let outsider = try await sandbox.addUser(username: "dan")
      let client = TestClient(sandbox, .bearer(outsider.oauth2AccessToken))
      #expect(try await client.post("/2/dm_conversations/\(id)/messages", #"{"text":"me?"}"#).status == 404)
    }
  }

  @Test("A sender whose messages are blocked is refused until that ends")
  func blocked() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let path = "/2/dm_conversations/with/\(sandbox.users.alice.id)/messages"
      #expect(try await alice.send("POST", "/2/users/\(sandbox.users.bob.id)/dm/block").data == ["blocked": true])
      #expect(try await bob.post(path, #"{"text":"hi"}"#).status == 403)
      #expect(try await alice.send("POST", "/2/users/\(sandbox.users.bob.id)/dm/unblock").data == ["blocked": false])
      #expect(try await bob.post(path, #"{"text":"hi"}"#).status == 201)
    }
  }

  @Test("A message's picture is given only to its readers, in either version, byte for byte")
  func pictures() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let picture = Data([0x89, 0x50, 0x4E, 0x47]) + Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
      func upload() async throws -> String {
        let begun = try await alice.post(
          "/2/media/upload/initialize",
          #"{"total_bytes":\#(picture.count),"media_type":"image/png","media_category":"dm_image"}"#)
        let id = try #require(begun.data?["id"]?.string)
        let body = #"{"segment_index":0,"media":"\#(picture.base64EncodedString())"}"#
        #expect(try await alice.post("/2/media/upload/\(id)/append", body).status == 200)
        #expect(try await alice.post("/2/media/upload/\(id)/finalize", "").status == 200)
        return id
      }
      // Sent by v2, read by v2.
      let sent = try await alice.post(
        "/2/dm_conversations/with/\(sandbox.users.bob.id)/messages",
        #"{"text":"look","attachments":[{"media_id":"\#(try await upload())"}]}"#)
      let event = try #require(sent.data?["dm_event_id"]?.string)
      let read = try await bob.get(
        "/2/dm_events/\(event)?expansions=attachments.media_keys&dm_event.fields=attachments&media.fields=url")
      guard case .array(let media)? = read.json["includes"]?["media"], let url = media.first?["url"]?.string else {
        Issue.record("the message has no address of its picture: \(read.json)")
        return
      }
      #expect(url.hasPrefix("https://ton.twitter.com/"))
      let path = try #require(URL(string: url)?.path)
      let readers: [TestClient] = [alice, bob, TestClient(sandbox, .oauth1(sandbox.users.bob))]
      for reader in readers {
        let response = try await reader.get(path)
        #expect((response.status, response.header("Content-Type")) == (200, "image/png"))
        #expect(response.body == picture)
      }
      #expect(try await TestClient(sandbox, .none).get(path).status >= 400)
      #expect(try await TestClient.appV1(sandbox).get(path).status == 403)
      #expect(try await TestClient(sandbox, .oauth1(sandbox.users.carol)).get(path).status == 404)
      #expect(try await bob.get(path + "/more").status == 404)
      #expect(try await bob.delete("/2/dm_events/\(event)").status == 200)
      #expect(try await bob.get(path).status == 404)
      #expect(try await alice.get(path).status == 200)
      // Sent by v1.1, read by v1.1.
      let body =
        #"{"event":{"type":"message_create","message_create":{"target":{"recipient_id":"\#(sandbox.users.bob.id)"},"#
        + #""message_data":{"text":"again","attachment":{"type":"media","media":{"id":"\#(try await upload())"}}}}}}"#
      let signed = TestClient(sandbox, .oauth1(sandbox.users.alice))
      let new = try await signed.post("/1.1/direct_messages/events/new.json", body)
      let attachment = new.json["event"]?["message_create"]?["message_data"]?["attachment"]
      let second = try #require(attachment?["media"]?["media_url_https"]?.string.flatMap { URL(string: $0)?.path })
      #expect(try await TestClient(sandbox, .oauth1(sandbox.users.bob)).get(second).body == picture)
    }
  }

  @Test("Pictures without a message make room for newer ones; those of messages stay")
  func room() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let picture = Data([0x89, 0x50, 0x4E, 0x47]) + Data(repeating: 7, count: 10_000)
      func begin(_ size: Int, _ category: String, _ type: String) async throws -> String {
        let begun = try await alice.post(
          "/2/media/upload/initialize",
          #"{"total_bytes":\#(size),"media_type":"\#(type)","media_category":"\#(category)"}"#)
        return try #require(begun.data?["id"]?.string)
      }
      func upload() async throws -> String {
        let id = try await begin(picture.count, "tweet_image", "image/png")
        let body = #"{"segment_index":0,"media":"\#(picture.base64EncodedString())"}"#
        #expect(try await alice.post("/2/media/upload/\(id)/append", body).status == 200)
        #expect(try await alice.post("/2/media/upload/\(id)/finalize", "").status == 200)
        return id
      }
      func send(_ id: String) async throws -> String {
        let sent = try await alice.post(
          "/2/dm_conversations/with/\(sandbox.users.bob.id)/messages",
          #"{"text":"look","attachments":[{"media_id":"\#(id)"}]}"#)
        let message = try #require(sent.data?["dm_event_id"]?.string)
        let number = try #require(UInt64(id))
        return "/1.1/ton/data/dm/\(message)/\(id)/\(String(number, radix: 36))"
      }
      let (sent, unsent) = (try await upload(), try await upload())
      let address = try await send(sent)
      // An upload takes its room when it begins.
      for _ in 0..<3 { _ = try await begin(15_000_000, "tweet_gif", "image/gif") }
      let newest = try await send(try await upload())
      #expect(try await alice.get(address).body == picture)
      #expect(try await alice.get(newest).body == picture)
      #expect(try await alice.get(try await send(unsent)).status == 404)
      // More bytes of one that has made room are counted, and not kept.
      let late = try await begin(2 * picture.count, "tweet_image", "image/png")
      for index in 0..<2 {
        let body = #"{"segment_index":\#(index),"media":"\#(picture.base64EncodedString())"}"#
        #expect(try await alice.post("/2/media/upload/\(late)/append", body).status == 200)
        if index == 0 { for _ in 0..<3 { _ = try await begin(15_000_000, "tweet_gif", "image/gif") } }
      }
      #expect(try await alice.post("/2/media/upload/\(late)/finalize", "").data?["size"]?.integer == 2 * picture.count)
      #expect(try await alice.get(try await send(late)).status == 404)
    }
  }
}
