import CallsignTesting
import CallsignX
import Foundation
import Testing
import XSandbox

@Suite("Joins of expansions") struct ExpansionTests {
  @Test("The objects that a post refers to are found in the sandbox's response", arguments: SandboxDialect.allCases)
  func onTheSandbox(dialect: SandboxDialect) async throws {
    try await withSession {
      $0.dialect = dialect
    } _: { (session) async throws in
      let original = try await session.sandbox.addPost("original", by: session.bob)
      let reply = try await session.x.createPosts(
        text: "hello @carol and @bob and @carol", reply: .init(inReplyToTweetID: original)
      ).data.id
      let quote = try await session.x.createPosts(text: "look", quoteTweetID: original).data.id
      let response = try await session.x.getPostsByIds(
        ids: [reply, quote, original], postFields: .standard, expansions: .standard, userFields: .standard)
      let posts = response.data
      let byID = Dictionary(uniqueKeysWithValues: posts.map { ($0.id, $0) })
      let includes = response.includes

      #expect(byID[reply]?.author(in: includes)?.username == session.alice.username)
      #expect(byID[original]?.author(in: includes)?.id == session.bob.id)
      #expect(byID[reply]?.repliedTo(in: includes)?.text == "original")
      #expect(byID[reply]?.repliedToUser(in: includes)?.id == session.bob.id)
      #expect(byID[reply]?.mentionedUsers(in: includes).map(\.username) == ["carol", "bob"])
      #expect(byID[quote]?.quoted(in: includes)?.id == original)
      #expect(byID[quote]?.repliedTo(in: includes) == nil)
      #expect(byID[quote]?.reposted(in: includes) == nil)
      #expect(response.issues.isEmpty)
      #expect(byID[original]?.publicMetrics?.repostCount == 0)
      let text = String(decoding: response.rawResponse.body, as: UTF8.self)
      #expect(text.contains("referenced_tweets") == (dialect == .older))
      #expect(text.contains("referenced_posts") == (dialect == .document))
      // Without the response's includes, nothing is found and nothing fails.
      #expect(byID[reply]?.author(in: nil) == nil)
      #expect(byID[reply]?.media(in: nil) == [])
    }
  }

  @Test(
    "The whole text of a post is that of the long post, and of a repost that of the original",
    arguments: [
      (#""text":"t""#, "t", "t"), (#""text":"t…","note_post":{"text":"long"}"#, "long", "long"),
      (#""text":"t…","note_tweet":{"text":"long"}"#, "long", "long"),
      (#""text":"RT @a: o…","referenced_posts":[{"type":"retweeted","id":"5"}]"#, "RT @a: o…", "original"),
      (#""text":"look","referenced_posts":[{"type":"quoted","id":"5"}]"#, "look", "look"),
      (#""text":"RT @a: gone…","referenced_posts":[{"type":"retweeted","id":"6"}]"#, "RT @a: gone…", "RT @a: gone…"),
    ])
  func wholeText(members: String, alone: String, joined: String) throws {
    let post = try XAPI.Post(jsonString: #"{"id":"1",\#(members)}"#)
    let includes = try XAPI.Expansions(
      jsonString: #"{"posts":[{"id":"5","text":"o…","note_post":{"text":"original"}}]}"#)
    #expect(post.wholeText == alone)
    #expect(post.wholeText(in: includes) == joined)
    #expect(post.wholeText(in: nil) == alone)
  }

  @Test("Objects that the sandbox does not have") func whatTheSandboxHasNot() throws {
    let post = try XAPI.Post(
      jsonString: """
        {"id":"1","text":"t","attachments":{"media_keys":["3_2","3_9","3_1"],"poll_ids":["7"]},"geo":{"place_id":"p"},
        "referenced_posts":[{"type":"retweeted","id":"5"}],
        "entities":{"mentions":[{"start":0,"end":1,"username":"ANN"},{"start":2,"end":3,"id":"12","username":"old"}]}}
        """)
    let includes = try XAPI.Expansions(
      jsonString: """
        {"media":[{"media_key":"3_1","type":"photo"},{"media_key":"3_2","type":"video"}],
        "polls":[{"id":"6"},{"id":"7","options":[]}],"places":[{"id":"p","full_name":"Berlin"}],
        "posts":[{"id":"5","text":"five"},{"id":"8","text":"eight"}],
        "users":[{"id":"11","name":"A","username":"ann"},{"id":"12","name":"B","username":"bea"}]}
        """)
    #expect(post.media(in: includes).map(\.mediaKey) == ["3_2", "3_1"])
    #expect(post.poll(in: includes)?.id == "7")
    #expect(post.place(in: includes)?.fullName == "Berlin")
    #expect(post.reposted(in: includes)?.text == "five")
    #expect(post.mentionedUsers(in: includes).map(\.id) == ["11", "12"])

    let message = try XAPI.DMEvent(
      jsonString: """
        {"id":"1","sender_id":"12","participant_ids":["11","99"],"attachments":{"media_keys":["3_1"]},
        "referenced_posts":[{"id":"8"},{"id":"404"}]}
        """)
    #expect(message.sender(in: includes)?.username == "bea")
    #expect(message.participants(in: includes).map(\.id) == ["11"])
    #expect(message.media(in: includes).map(\.mediaKey) == ["3_1"])
    #expect(message.posts(in: includes).map(\.text) == ["eight"])

    var user = XAPI.User(id: "1", name: "n", username: "u")
    #expect(user.pinnedPost(in: includes) == nil)
    user.pinnedPostID = "8"
    user.mostRecentPostID = "5"
    #expect(user.pinnedPost(in: includes)?.text == "eight")
    #expect(user.mostRecentPost(in: includes)?.text == "five")
  }
}
