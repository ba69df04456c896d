import Foundation
import Testing

@testable import XSandbox

@Suite("v1.1: direct messages, saved searches and uploads")
struct MessageTestsV1 {
  private func message(to recipient: String, _ text: String) -> String {
    let event: JSON = [
      "event": [
        "type": "message_create",
        "message_create": ["target": ["recipient_id": .string(recipient)], "message_data": ["text": .string(text)]],
      ]
    ]
    return String(decoding: event.bytes, as: UTF8.self)
  }

  private let new = "/1.1/direct_messages/events/new.json"

  @Test("Both sides have a message until each has deleted it")
  func messages() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.aliceV1(sandbox), TestClient.bobV1(sandbox))
      let sent = try await alice.post(new, message(to: sandbox.users.bob.id, "hi #there"))
      #expect(sent.status == 200)
      let event = try #require(sent.json["event"])
      #expect(event["type"] == "message_create")
      #expect(event["message_create"]?["sender_id"] == .string(sandbox.users.alice.id))
      #expect(event["message_create"]?["target"] == ["recipient_id": .string(sandbox.users.bob.id)])
      #expect(event["message_create"]?["message_data"]?["entities"]?["hashtags"]?.elements.count == 1)
      #expect(event["created_timestamp"]?.string.flatMap { Int($0) } ?? 0 > 1_500_000_000_000)
      let id = try #require(event["id"]?.string)
      for client in [alice, bob] {
        #expect(try await client.getV1("direct_messages/events/show", ["id": id]).json["event"] == event)
        #expect(try await client.getV1("direct_messages/events/list").json["events"] == [event])
      }
      let carol = TestClient(sandbox, .oauth1(sandbox.users.carol))
      #expect(try await carol.getV1("direct_messages/events/show", ["id": id]).refusal == [404, 34])
      #expect(try await carol.v1("DELETE", "direct_messages/events/destroy", ["id": id]).refusal == [404, 34])
      let deleted = try await alice.v1("DELETE", "direct_messages/events/destroy", ["id": id])
      #expect(deleted.status == 204)
      #expect(deleted.body.isEmpty)
      #expect(try await alice.getV1("direct_messages/events/show", ["id": id]).refusal == [404, 34])
      #expect(try await bob.getV1("direct_messages/events/show", ["id": id]).status == 200)
    }
  }

  @Test("Messages are read in pages")
  func pages() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      for number in 0..<5 { _ = try await alice.post(new, message(to: sandbox.users.bob.id, "\(number)")) }
      var texts: [JSON?] = []
      var cursor: String?
      for _ in 0..<5 {
        let parameters: KeyValuePairs = cursor.map { ["count": "2", "cursor": $0] } ?? ["count": "2"]
        let page = try await alice.getV1("direct_messages/events/list", parameters)
        texts += page.json["events"]?.elements.map { $0["message_create"]?["message_data"]?["text"] } ?? []
        cursor = page.json["next_cursor"]?.string
        if cursor == nil { break }
      }
      #expect(cursor == nil)
      #expect(texts == ["4", "3", "2", "1", "0"])
      #expect(try await alice.getV1("direct_messages/events/list", ["cursor": "x"]).refusal == [400, 44])
    }
  }

  @Test("Invalid messages are refused")
  func refused() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let bob = sandbox.users.bob.id
      #expect(try await alice.post(new, message(to: "7", "hi")).refusal == [404, 108])
      #expect(try await alice.post(new, message(to: bob, "")).refusal == [400, 214])
      let long = String(repeating: "a", count: 10_001)
      #expect(try await alice.post(new, message(to: bob, long)).refusal == [403, 354])
      #expect(try await alice.post(new, "{").refusal == [400, 214])
      #expect(try await alice.post(new, #"{"event":{"type":"message_create"}}"#).refusal == [400, 214])
      #expect(try await alice.send("POST", new, form: "event=1").refusal == [400, 214])
      for (members, reason) in [
        (#""quick_reply":{}"#, "type"), (#""quick_reply":{"type":"options","options":[]}"#, "elements"),
        (
          #""quick_reply":{"type":"options","options":[{"label":"a","description":"b"},{"label":"c"}]}"#,
          "all of them have a description"
        ), (#""ctas":[{"type":"web_url","label":"a","url":"ftp://x.example"}]"#, "http"),
        (#""attachment":{"type":"audio"}"#, "media or location"),
        (#""attachment":{"type":"location","location":{"type":"shared_place"}}"#, "does not exist"),
      ] {
        let response = try await alice.post(new, message(to: bob, "hi", with: members))
        #expect(response.refusal == [400, 214] && "\(response.json)".contains(reason), "\(members): \(response.json)")
      }
      let nowhere = #""attachment":{"type":"location","location":{"type":"shared_coordinate","shared_coordinate":{}}}"#
      #expect(try await alice.post(new, message(to: bob, "hi", with: nowhere)).refusal == [400, 3])
    }
  }

  /// A message with members other than its text.
  private func message(to recipient: String, _ text: String, with members: String) -> String {
    message(to: recipient, text).replacingOccurrences(of: #""text":"#, with: members + #","text":"#)
  }

  @Test("Quick replies reach the other side, and the chosen one comes back with its metadata")
  func quickReplies() async throws {
    try await withSandbox { (sandbox) async throws in
      let (alice, bob) = (TestClient.aliceV1(sandbox), TestClient.bobV1(sandbox))
      let options = #"[{"label":"Yes","metadata":"y-1"},{"label":"No"}]"#
      let asked = try await alice.post(
        new,
        message(
          to: sandbox.users.bob.id, "Come?", with: #""quick_reply":{"type":"options","options":\#(options)}"#))
      let question = asked.json["event"]?["message_create"]?["message_data"]
      #expect(question?["quick_reply"]?["type"] == "options")
      #expect(question?["quick_reply"]?["options"] == [["label": "Yes", "metadata": "y-1"], ["label": "No"]])
      let responses = try await [
        bob.post(new, message(to: sandbox.users.alice.id, "Maybe")),
        bob.post(new, message(to: sandbox.users.alice.id, "Yes")),
      ].map { $0.json["event"]?["message_create"]?["message_data"]?["quick_reply_response"] }
      // By then the newest message between them was bob's own.
      #expect(responses == [nil, nil])
      _ = try await alice.post(
        new,
        message(
          to: sandbox.users.bob.id, "Really?", with: #""quick_reply":{"type":"options","options":\#(options)}"#))
      let chosen = try await bob.post(new, message(to: sandbox.users.alice.id, "Yes"))
      #expect(
        chosen.json["event"]?["message_create"]?["message_data"]?["quick_reply_response"]
          == ["type": "options", "metadata": "y-1"])
    }
  }

  @Test("Buttons get short links, a place and a point are shared, and a custom profile is kept")
  func buttonsAndLocations() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let bob = sandbox.users.bob.id
      let button = #"{"type":"web_url","label":"Open","url":"https://example.com/a"}"#
      let sent = try await alice.post(new, message(to: bob, "hi", with: #""ctas":[\#(button),\#(button)]"#))
      let buttons = sent.json["event"]?["message_create"]?["message_data"]?["ctas"]?.elements ?? []
      #expect(buttons.map { $0["url"] } == ["https://example.com/a", "https://example.com/a"])
      #expect(Set(buttons.compactMap { $0["tco_url"]?.string }).count == 2)
      #expect(buttons.allSatisfy { $0["tco_url"]?.string?.hasPrefix("https://t.co/") == true })
      for location in [
        #"{"type":"shared_place","shared_place":{"place":{"id":"5a110d312052166f"}}}"#,
        #"{"shared_coordinate":{"coordinates":{"coordinates":[-122.5,37.75],"type":"Point"}},"type":"shared_coordinate"}"#,
      ] {
        let shared = try await alice.post(
          new, message(to: bob, "here", with: #""attachment":{"type":"location","location":\#(location)}"#))
        let attachment = try #require(shared.json["event"]?["message_create"]?["message_data"]?["attachment"])
        #expect(attachment["location"] == (try JSON(parsing: Data(location.utf8))))
      }
      let profiled = message(to: bob, "as a bird").replacingOccurrences(
        of: #""target":"#, with: #""custom_profile_id":"77","target":"#)
      #expect(try await alice.post(new, profiled).json["event"]?["message_create"]?["custom_profile_id"] == "77")
    }
  }

  @Test("Saved searches are created, read and deleted by their owner")
  func savedSearches() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let created = try await alice.postV1("saved_searches/create", ["query": "#swift & more"])
      let id = try #require(created.json["id_str"]?.string)
      #expect(created.json["name"] == "#swift & more")
      #expect(created.json["position"] == .null)
      #expect(try await alice.getV1("saved_searches/show/\(id)").json == created.json)
      #expect(try await alice.getV1("saved_searches/list").json == .array([created.json]))
      let bob = TestClient.bobV1(sandbox)
      #expect(try await bob.getV1("saved_searches/show/\(id)").refusal == [404, 34])
      #expect(try await bob.postV1("saved_searches/destroy/\(id)").refusal == [404, 34])
      #expect(try await alice.postV1("saved_searches/destroy/\(id)").json == created.json)
      #expect(try await alice.getV1("saved_searches/list").json == [])
      #expect(try await alice.postV1("saved_searches/create").refusal == [403, 38])
    }
  }

  @Test("An upload arrives in chunks and gets a description")
  func upload() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.aliceV1(sandbox)
      let begun = try await alice.postV1(
        "media/upload", ["command": "INIT", "total_bytes": "9", "media_type": "image/png"])
      #expect(begun.status == 202)
      let id = try #require(begun.json["media_id_string"]?.string)
      #expect(begun.json["media_id"]?.integer == Int(id))
      let part = """
        --limit\r
        Content-Disposition: form-data; name="command"\r
        \r
        APPEND\r
        --limit\r
        Content-Disposition: form-data; name="media_id"\r
        \r
        \(id)\r
        --limit\r
        Content-Disposition: form-data; name="segment_index"\r
        \r
        0\r
        --limit\r
        Content-Disposition: form-data; name="media"; filename="a"\r
        Content-Type: application/octet-stream\r
        \r
        --li\r\n-\r
        --limit--\r

        """
      let multipart = try await sendMultipart(part, alice, boundary: "limit")
      #expect(multipart.status == 204)
      let unfinished = try await alice.postV1("media/upload", ["command": "FINALIZE", "media_id": id])
      #expect(unfinished.refusal == [400, 324])
      let described = #"{"media_id":"\#(id)","alt_text":{"text":"A picture"}}"#
      #expect(try await alice.post("/1.1/media/metadata/create.json", described).refusal == [400, 325])
      let second = try await alice.postV1(
        "media/upload", ["command": "APPEND", "media_id": id, "segment_index": "1", "media_data": "AAA="])
      #expect(second.status == 204)
      let finished = try await alice.postV1("media/upload", ["command": "FINALIZE", "media_id": id])
      #expect((finished.status, finished.json["size"]) == (201, 9))
      #expect(try await alice.getV1("media/upload", ["command": "STATUS", "media_id": id]).json == finished.json)
      let response = try await alice.post("/1.1/media/metadata/create.json", described)
      #expect((response.status, response.body) == (200, Data()))
      let foreign = try await TestClient.bobV1(sandbox).post("/1.1/media/metadata/create.json", described)
      #expect(foreign.refusal == [400, 325])
      #expect(try await sendMultipart("nothing", alice, boundary: "limit").refusal == [400, 214])
      #expect(try await sendMultipart("--a\r\n", alice, boundary: "a").refusal == [400, 214])
    }
  }

  /// The parts of such a body are not signed.
  private func sendMultipart(_ body: String, _ client: TestClient, boundary: String) async throws -> TestClient.Response
  {
    try await client.send(
      "POST", "/1.1/media/upload.json", json: body,
      headers: ["Content-Type": "multipart/form-data; boundary=\(boundary)"])
  }
}
