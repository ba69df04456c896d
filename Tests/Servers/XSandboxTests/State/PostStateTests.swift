import Foundation
import Testing

@testable import XSandbox

@Suite("Polls, edits, counts, trends, usage and compliance") struct PostStateTests {
  private func manual() -> (Sandbox.Configuration, Sandbox.ManualClock) {
    var configuration = Sandbox.Configuration()
    let clock = Sandbox.ManualClock(Date(timeIntervalSince1970: 1_790_000_000))
    configuration.clock = clock
    return (configuration, clock)
  }

  @Test("A poll is shown with its votes, and closes when its time is over")
  func polls() async throws {
    let (configuration, clock) = manual()
    try await withSandbox(configuration) { (sandbox) async throws in
      let alice = TestClient.alice(sandbox)
      let created = try await alice.post(
        "/2/tweets", #"{"text":"tea?","poll":{"options":["yes","no"],"duration_minutes":60}}"#)
      let id = try #require(created.data?["id"]?.string)
      try await sandbox.vote(1, in: id, by: sandbox.users.bob)
      try await sandbox.vote(2, in: id, by: sandbox.users.carol)
      let path =
        "/2/tweets/\(id)?expansions=attachments.poll_ids&poll.fields=voting_status,end_datetime,duration_minutes"
      let open = try await alice.get(path).json["includes"]?["polls"]?.elements.first
      #expect(open?["options"]?.elements.map { $0["votes"] } == [1, 1])
      #expect(open?["voting_status"] == "open")
      await #expect(throws: SandboxError.self) { try await sandbox.vote(1, in: id, by: sandbox.users.bob) }
      clock.advance(by: 3600)
      let closed = try await alice.get(path).json["includes"]?["polls"]?.elements.first
      #expect(closed?["voting_status"] == "closed")
      await #expect(throws: SandboxError.self) { try await sandbox.vote(1, in: id, by: sandbox.users.alice) }
    }
  }

  @Test("An edit replaces the post, and both know all versions")
  func edits() async throws {
    let (configuration, clock) = manual()
    try await withSandbox(configuration) { (sandbox) async throws in
      let (alice, bob) = (TestClient.alice(sandbox), TestClient.bob(sandbox))
      let first = try #require(try await alice.post("/2/tweets", #"{"text":"helo"}"#).data?["id"]?.string)
      let edit = #"{"text":"hello","edit_options":{"previous_post_id":"\#(first)"}}"#
      #expect(try await bob.post("/2/tweets", edit).status == 403)
      let edited = try await alice.post("/2/tweets", edit)
      let second = try #require(edited.data?["id"]?.string)
      #expect(edited.data?["edit_history_post_ids"] == [.string(first), .string(second)])
      let shown = try await alice.get("/2/users/\(sandbox.users.alice.id)/tweets?post.fields=edit_controls")
      #expect(shown.elements.map { $0["text"] } == ["hello"])
      #expect(shown.elements.first?["edit_controls"]?["edits_remaining"] == 4)
      let old = try await alice.get("/2/tweets/\(first)?expansions=edit_history_post_ids")
      #expect(old.data?["edit_history_post_ids"] == [.string(first), .string(second)])
      // Only the newest version, and only in its first hour.
      #expect(try await alice.post("/2/tweets", edit.replacing("hello", with: "again")).status == 403)
      clock.advance(by: 3600)
      let late = #"{"text":"late","edit_options":{"previous_post_id":"\#(second)"}}"#
      #expect(try await alice.post("/2/tweets", late).status == 403)
    }
  }

  @Test("Counts are of the posts that a search finds, by hour and by day")
  func counts() async throws {
    let (configuration, clock) = manual()
    try await withSandbox(configuration) { (sandbox) async throws in
      for index in 0..<3 {
        try await sandbox.addPost("cat \(index) #pets", by: sandbox.users.alice)
        clock.advance(by: 3600)
      }
      try await sandbox.addPost("dog #Pets", by: sandbox.users.bob)
      let app = TestClient.appV1(sandbox)
      let hours = try await app.get("/2/tweets/counts/recent?query=cat")
      #expect(hours.meta?["total_post_count"] == 3)
      #expect(hours.elements.compactMap { $0["post_count"]?.integer }.filter { $0 > 0 } == [1, 1, 1])
      let days = try await app.get("/2/tweets/counts/all?query=cat&granularity=day")
      #expect(days.elements.count <= 8 && days.meta?["total_post_count"] == 3)
      let wrong = try await app.get("/2/tweets/counts/recent?query=cat%20OR")
      #expect(wrong.status == 400 && wrong.messages.first?.contains("at position") == true)
      #expect(try await app.get("/2/tweets/search/all?query=%23pets&max_results=10").elements.count == 4)
      let trends = try await app.get("/2/trends/by/woeid/1?trend.fields=tweet_count")
      #expect(trends.elements == [["trend_name": "#pets", "tweet_count": 4]])
      let usage = try await app.get("/2/usage/tweets")
      #expect(usage.data?["project_usage"] == "4")
      let users = try await TestClient.alice(sandbox).get("/2/users/search?query=bob")
      #expect(users.elements.map { $0["username"] } == ["bob"])
    }
  }

  @Test("A compliance job takes ids at its address, and says which of them no longer exist")
  func compliance() async throws {
    let (configuration, clock) = manual()
    try await withSandbox(configuration) { (sandbox) async throws in
      let app = TestClient.appV1(sandbox)
      let post = try await sandbox.addPost("kept", by: sandbox.users.alice)
      let created = try await app.post("/2/compliance/jobs", #"{"type":"tweets","name":"weekly"}"#)
      let id = try #require(created.data?["id"]?.string)
      #expect(created.data?["status"] == "created")
      #expect(try await app.post("/2/compliance/jobs", #"{"type":"tweets"}"#).status == 409)
      func target(_ member: String) throws -> String {
        let address = try #require(created.data?[member]?.string)
        #expect(address.hasPrefix(sandbox.url.absoluteString))
        return String(address.dropFirst(sandbox.url.absoluteString.count))
      }
      let stranger = TestClient(sandbox, .none)
      #expect(try await stranger.get(try target("download_url")).status == 404)
      #expect(try await stranger.send("PUT", "/sandbox/compliance/\(id)/upload?key=wrong").status == 403)
      let uploaded = try await stranger.send("PUT", try target("upload_url"), form: "\(post)\n7\n")
      #expect(uploaded.status == 200)
      #expect(try await app.get("/2/compliance/jobs/\(id)").data?["status"] == "complete")
      #expect(try await app.get("/2/compliance/jobs?type=tweets&status=complete").elements.count == 1)
      let result = String(decoding: try await stranger.get(try target("download_url")).body, as: UTF8.self)
      let lines = result.split(separator: "\n")
      #expect(lines.count == 1 && lines[0].contains(#""id":"7""#))
      let second = try await app.post("/2/compliance/jobs", #"{"type":"users"}"#)
      clock.advance(by: 900)
      let other = try #require(second.data?["id"]?.string)
      #expect(try await app.get("/2/compliance/jobs/\(other)").data?["status"] == "expired")
    }
  }
}
