import CallsignTesting
import CallsignX
import Foundation
import Testing

@Suite("Events of the activity API") struct ActivityEventTests {
  private func event(_ type: String, _ payload: String, _ rest: String = "") throws -> XAPI.ActivityEvent {
    try XAPI.ActivityEvent(
      jsonString: #"{"data":{"event_type":"\#(type)","event_uuid":"11","tag":"t","payload":\#(payload)\#(rest)}}"#)
  }

  @Test(
    "An event of posts is read",
    arguments: [
      "post.create", "post.mention.create", "post.reply.create", "post.quote.create", "post.repost.create",
    ])
  func posts(type: String) throws {
    let event = try event(
      type, #"{"id":"1","text":"hi","author_id":"2"}"#,
      #","filter":{"user_id":"2"},"includes":{"users":[{"id":"2","name":"B","username":"bob"}]}"#)
    guard case .post(let post) = event.payload else {
      Issue.record("\(event.payload)")
      return
    }
    #expect(event.type.rawValue == type)
    #expect(event.id == "11" && event.tag == "t" && event.filter?.userID == "2")
    #expect(post.text == "hi")
    #expect(post.author(in: event.includes)?.username == "bob")
  }

  @Test("Events with the same shape are distinguished by their type") func otherKinds() throws {
    let deletion = try event("post.delete", #"{"id":"1","author_id":"2"}"#)
    guard case .deletedPost(let post) = deletion.payload else { throw Unexpected(payload: deletion.payload) }
    #expect(post.authorID == "2")
    let follow = try event("follow.unfollow", #"{"source":{"id":"1","name":"A","username":"a"}}"#)
    guard case .follow(let pair) = follow.payload else { throw Unexpected(payload: follow.payload) }
    #expect(pair.source?.username == "a" && pair.target == nil)
    #expect(follow.type == .followUnfollow)
    let bio = try event("profile.update.bio", #"{"before":"a","after":"b"}"#)
    guard case .profileUpdate(let update) = bio.payload else { throw Unexpected(payload: bio.payload) }
    #expect(update.before == "a" && update.after == "b")
    let like = try event("like.create", #"{"id":"abc","liked_tweet_id":"5","tweet_author_id":"6"}"#)
    guard case .like(let given) = like.payload else { throw Unexpected(payload: like.payload) }
    #expect(given.likedTweetID == "5")
    let news = try event("news.new", #"{"headline":"h"}"#)
    guard case .news(let story) = news.payload else { throw Unexpected(payload: news.payload) }
    #expect(story.headline == "h")
  }

  private struct Unexpected: Error { let payload: XAPI.ActivityEvent.Payload }

  @Test("Unknown kinds and forms are kept whole") func unknown() throws {
    let unknown = try event("chess.move", #"{"from":"e2","to":["e4"]}"#)
    #expect(unknown.payload == .other(["from": "e2", "to": ["e4"]]))
    #expect(unknown.type.rawValue == "chess.move")
    // A post without an id is none.
    #expect(try event("post.create", #"{"text":"1"}"#).payload == .other(["text": "1"]))
    #expect(try event("post.create", "null", #","includes":5,"filter":[]"#).payload == .other(.null))
    #expect(try unknown.jsonString().contains(#""from":"e2""#))
  }

  @Test(
    "A value that is not an event is refused",
    arguments: ["{}", #"{"data":{}}"#, #"{"data":5}"#, "5", #"{"data":{"event_type":5}}"#])
  func noEvent(text: String) {
    #expect(throws: JSONError.self) { try XAPI.ActivityEvent(jsonString: text) }
  }
}
