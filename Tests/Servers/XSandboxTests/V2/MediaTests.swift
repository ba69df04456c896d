import Foundation
import Testing

@testable import XSandbox

@Suite("Uploads") struct MediaTests {
  private func begin(_ client: TestClient, _ members: String) async throws -> TestClient.Response {
    try await client.post("/2/media/upload/initialize", "{\(members)}")
  }

  private func append(_ client: TestClient, _ id: String, _ index: Int, _ bytes: Data) async throws
    -> TestClient.Response
  {
    try await client.post(
      "/2/media/upload/\(id)/append", #"{"segment_index":\#(index),"media":"\#(bytes.base64EncodedString())"}"#)
  }

  private func uploaded(_ client: TestClient, _ bytes: Data, type: String, category: String) async throws -> String {
    let begun = try await begin(
      client, #""total_bytes":\#(bytes.count),"media_type":"\#(type)","media_category":"\#(category)""#)
    let id = try #require(begun.data?["id"]?.string)
    #expect(try await append(client, id, 0, bytes).status == 200)
    #expect(try await client.post("/2/media/upload/\(id)/finalize", "").status == 200)
    return id
  }

  @Test("Segments arrive in any order, and again with the same bytes only")
  func segments() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let bytes = Data("abcdefghij".utf8)
      let begun = try await begin(
        alice, #""total_bytes":10,"media_type":"video/mp4","media_category":"tweet_video""#)
      let id = try #require(begun.data?["id"]?.string)
      #expect(try await append(alice, id, 2, bytes.suffix(2)).status == 200)
      #expect(try await append(alice, id, 1, bytes[4..<8]).status == 200)
      let early = try await alice.post("/2/media/upload/\(id)/finalize", "")
      #expect(early.status == 400)
      #expect(early.messages == ["Segments do not add up to provided total file size."])
      #expect(try await append(alice, id, 1, Data("XXXX".utf8)).status == 400)
      #expect(try await append(alice, id, 1, bytes[4..<8]).status == 200)
      #expect(try await append(alice, id, 3, bytes).status == 400)
      #expect(try await append(alice, id, 1000, bytes).status == 400)
      #expect(try await append(alice, "5", 0, bytes).status == 400)
      #expect(try await append(TestClient.bob(sandbox), id, 0, bytes.prefix(4)).status == 400)
      #expect(try await append(alice, id, 0, bytes.prefix(4)).status == 200)
      #expect(try await alice.post("/2/media/upload/\(id)/finalize", "").data?["size"] == 10)
      #expect(try await append(alice, id, 0, bytes.prefix(4)).status == 400)
      let media = try #require(await sandbox.media(id))
      // By `printf abcdefghij | sha256sum`.
      #expect(media.sha256 == "72399361da6a7754fec986dca5b7cbaf1c810a28ded4abaf56b2106d06cb78b0")
    }
  }

  @Test("Invalid announcements of uploads are refused")
  func announcements() async throws {
    try await withSandbox { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      #expect(try await begin(alice, #""media_type":"image/png""#).status == 400)
      #expect(try await begin(alice, #""total_bytes":1,"media_type":"image/heic""#).status == 400)
      #expect(
        try await begin(alice, #""total_bytes":1,"media_type":"image/png","media_category":"tweet_video""#).status
          == 400)
      #expect(try await begin(alice, #""total_bytes":5242881,"media_type":"image/png""#).status == 400)
      #expect(try await begin(alice, #""total_bytes":1,"media_type":"image/png","name":"a""#).status == 400)
      let whole = try await alice.post("/2/media/upload", #"{"media":"AAAA"}"#)
      #expect(whole.messages.first?.contains("media_category") == true)
      #expect(
        try await alice.post("/2/media/upload", #"{"media":"AAAA","media_category":"tweet_image"}"#).status == 200)
    }
  }

  @Test("Processing follows the clock, and posts attach only finished uploads of their author")
  func processing() async throws {
    let clock = Sandbox.ManualClock()
    var configuration = Sandbox.Configuration()
    configuration.clock = clock
    try await withSandbox(configuration) { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      await sandbox.setMediaProcessing(.afterSeconds(100, checkAfter: 9))
      let id = try await uploaded(alice, Data([1]), type: "video/mp4", category: "tweet_video")
      func info() async throws -> JSON? {
        try await alice.get("/2/media/upload?media_id=\(id)").data?["processing_info"]
      }
      func post(_ ids: String..., by client: TestClient? = nil) async throws -> Int {
        let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
        return try await (client ?? alice).post("/2/tweets", #"{"media":{"media_ids":[\#(list)]}}"#).status
      }
      #expect(try await info()?["check_after_secs"] == 9)
      clock.advance(by: 50)
      #expect(try await info() == ["state": "in_progress", "check_after_secs": 9, "progress_percent": 50])
      #expect(try await post(id) == 400)
      clock.advance(by: 51)
      #expect(try await info()?["state"] == "succeeded")
      #expect(try await post(id, by: TestClient.bob(sandbox)) == 400)
      let picture = try await uploaded(alice, Data([1]), type: "image/png", category: "tweet_image")
      let message = try await uploaded(alice, Data([1]), type: "image/png", category: "dm_image")
      #expect(try await post(id, picture) == 400)
      #expect(try await post(message) == 400)
      #expect(try await post(picture, picture) == 201)
      #expect(try await post(id) == 201)
      let shown = try await alice.get(
        "/2/users/\(sandbox.users.alice.id)/tweets?expansions=attachments.media_keys&media.fields=alt_text")
      #expect(shown.json["includes"]?["media"]?.elements.count == 2)
    }
  }
}
