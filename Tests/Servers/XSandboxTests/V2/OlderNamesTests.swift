import Foundation
import Testing

@testable import XSandbox

@Suite("Older names of version 2")
struct OlderNamesTests {
  /// A sandbox with a post of Alice's that she has pinned, and a reply from Bob.
  private func withReply(_ body: (TestClient, Sandbox, _ post: String, _ reply: String) async throws -> Void)
    async throws
  {
    try await withSandbox { (sandbox) async throws in
      let post = try await sandbox.addPost("first", by: sandbox.users.alice)
      let reply = try await sandbox.addPost("second", by: sandbox.users.bob, replyingTo: post)
      try await sandbox.pin(post: post)
      try await body(TestClient.alice(sandbox), sandbox, post, reply)
    }
  }

  private func included(_ name: String, _ response: TestClient.Response) -> [JSON] {
    guard case .array(let elements) = response.json["includes"]?[name] else { return [] }
    return elements
  }

  @Test(
    "A response has the names that its request has",
    arguments: [
      ("tweet.fields=referenced_tweets,public_metrics,author_id,in_reply_to_user_id", true),
      ("tweet.fields=referenced_tweets%2Cpublic_metrics%2Cauthor_id%2Cin_reply_to_user_id", true),
      ("post.fields=public_metrics&expansions=referenced_tweets.id,author_id,in_reply_to_user_id", true),
      ("post.fields=public_metrics&expansions=referenced_posts,author_id,in_reply_to_user_id", false),
    ])
  func fields(query: String, isOlder: Bool) async throws {
    try await withReply { client, sandbox, post, reply in
      for target in ["/2/tweets/\(reply)?", "/2/tweets?ids=\(reply)&"] {
        let response = try await client.get(target + query)
        #expect(response.status == 200, "\(response.messages)")
        let data = try #require(response.elements.first ?? response.data)
        #expect(
          data[isOlder ? "referenced_tweets" : "referenced_posts"] == [["type": "replied_to", "id": .string(post)]])
        #expect(data[isOlder ? "edit_history_tweet_ids" : "edit_history_post_ids"] == [.string(reply)])
        #expect(data["public_metrics"]?[isOlder ? "retweet_count" : "repost_count"] == 0)
        #expect(data["author_id"]?.string == sandbox.users.bob.id)
        #expect(data["in_reply_to_user_id"]?.string == sandbox.users.alice.id)
        #expect((response.json["includes"] != nil) == query.contains("expansions"))
      }
    }
  }

  @Test("Expansions by older names include posts, and their authors on request")
  func expansions() async throws {
    try await withReply { client, sandbox, post, reply in
      let target = "/2/tweets/\(reply)?expansions=author_id,referenced_tweets.id,edit_history_tweet_ids"
      let response = try await client.get(target)
      #expect(included("tweets", response).first?["id"] == .string(post))
      #expect(included("users", response).map { $0["id"]?.string } == [sandbox.users.bob.id])
      let further = try await client.get(
        target
          + ",referenced_tweets.id.author_id,referenced_tweets.id.attachments.media_keys,entities.note.mentions.username"
      )
      #expect(further.status == 200, "\(further.messages)")
      #expect(
        included("users", further).map { $0["id"]?.string } == [sandbox.users.bob.id, sandbox.users.alice.id])
    }
  }

  @Test("An error names the parameter as the request does", arguments: ["tweet.fields", "post.fields"])
  func errors(parameter: String) async throws {
    try await withReply { client, _, post, _ in
      for value in ["bogus", ""] {
        let response = try await client.get("/2/tweets/\(post)?\(parameter)=\(value)")
        #expect(response.status == 400)
        let texts = response.messages.filter { $0.contains(".fields") }
        #expect(!texts.isEmpty && texts.allSatisfy { $0.contains("`\(parameter)`") }, "\(response.messages)")
      }
    }
  }

  @Test("A user's pinned post is found by both names")
  func users() async throws {
    try await withReply { client, sandbox, post, _ in
      let older = try await client.get("/2/users/me?user.fields=pinned_tweet_id,most_recent_tweet_id,public_metrics")
      #expect(older.data?["pinned_tweet_id"] == .string(post))
      #expect(older.data?["most_recent_tweet_id"] == .string(post))
      #expect(older.data?["public_metrics"]?["tweet_count"] == 1)
      #expect(older.json["includes"] == nil)
      let expanded = try await client.get("/2/users/me?expansions=pinned_tweet_id&tweet.fields=author_id")
      #expect(included("tweets", expanded).first?["author_id"]?.string == sandbox.users.alice.id)
      let newer = try await client.get("/2/users/me?expansions=pinned_post_id&user.fields=public_metrics")
      #expect(newer.data?["pinned_post_id"] == .string(post))
      #expect(newer.data?["public_metrics"]?["post_count"] == 1)
    }
  }

  @Test("Streams also respond with the names of the request", arguments: [true, false])
  func streams(isOlder: Bool) async throws {
    try await withReply { _, sandbox, post, _ in
      let client = TestClient(sandbox, .bearer(sandbox.app.bearerToken))
      sandbox.injectStream(.end(afterRecords: 1))
      let query = isOlder ? "tweet.fields=author_id&expansions=referenced_tweets.id" : "expansions=referenced_posts"
      async let stream = client.get("/2/tweets/sample/stream?" + query)
      for _ in 0..<1_000 where sandbox.openStreams == 0 { try await Task.sleep(for: .milliseconds(20)) }
      try await sandbox.addPost("third", by: sandbox.users.bob, replyingTo: post)
      let body = String(decoding: try await stream.body, as: UTF8.self)
      #expect(body.contains("referenced_tweets") == isOlder)
      #expect(body.contains("referenced_posts") != isOlder)
      #expect(body.contains(#""author_id""#) == isOlder)
    }
  }
}
