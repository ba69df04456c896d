import CallsignTesting
import CallsignX
import CallsignXv1
import Foundation
import Testing

@Suite("Account activity") struct AccountActivityTests {
  private static let user = #"{"id":1,"id_str":"1","name":"A","screen_name":"ann"}"#
  private static let other = #"{"id":2,"id_str":"2","name":"B","screen_name":"bob"}"#
  private static let tweet =
    #"{"created_at":"Wed Oct 10 20:19:24 +0000 2018","id":20,"id_str":"20","text":"hi","user":\#(other)}"#

  private func read(_ members: String) throws -> XAPIv1.AccountActivity {
    try XAPIv1.AccountActivity(jsonString: #"{"for_user_id":"1",\#(members)}"#)
  }

  @Test("Events of tweets are read") func tweets() throws {
    let activity = try read(#""user_has_blocked":true,"tweet_create_events":[\#(Self.tweet),\#(Self.tweet)]"#)
    #expect(activity.forUserID == "1" && activity.userHasBlocked && activity.events.count == 2)
    guard case .tweetCreated(let tweet)? = activity.events.first else { throw Unexpected(activity: activity) }
    #expect(tweet.text == "hi" && tweet.user?.screenName == "bob")

    let deletion = try read(
      #""tweet_delete_events":[{"status":{"id":"20","user_id":"1"},"timestamp_ms":"1432228155593"}]"#)
    guard case .tweetDeleted(let gone)? = deletion.events.first else { throw Unexpected(activity: deletion) }
    #expect(gone.tweetID == "20" && gone.userID == "1")
    #expect(gone.date == Date(timeIntervalSince1970: 1_432_228_155.593))
  }

  @Test("Events of favorites are read") func favorites() throws {
    let activity = try read(
      """
      "favorite_events":[{"id":"a7ba59eab0bfcba386f7acedac279542","created_at":"Mon Mar 26 16:33:26 +0000 2018",
      "timestamp_ms":1522082006140,"favorited_status":\(Self.tweet),"user":\(Self.user)}]
      """)
    guard case .favorite(let favorite)? = activity.events.first else { throw Unexpected(activity: activity) }
    #expect(favorite.tweet.idStr == "20" && favorite.user.screenName == "ann")
    #expect(favorite.date == Date(timeIntervalSince1970: 1_522_082_006.140))
  }

  @Test(
    "Events of follows and blocks are read",
    arguments: [
      ("follow_events", "follow", true), ("follow_events", "unfollow", false), ("block_events", "block", true),
      ("block_events", "unblock", false), ("mute_events", "mute", true), ("mute_events", "unmute", false),
    ])
  func relations(list: String, type: String, isActive: Bool) throws {
    let activity = try read(
      """
      "\(list)":[{"type":"\(type)","created_timestamp":"1517588749178","target":\(Self.other),"source":\(Self.user)}]
      """)
    let relation: XAPIv1.AccountRelationshipChange
    switch (list, activity.events.first) {
    case ("follow_events", .follow(let value)?), ("block_events", .block(let value)?),
      ("mute_events", .mute(let value)?):
      relation = value
    default: throw Unexpected(activity: activity)
    }
    #expect(relation.type == type && relation.isActive == isActive)
    #expect(relation.source.screenName == "ann" && relation.target.screenName == "bob")
    #expect(relation.date == Date(timeIntervalSince1970: 1_517_588_749.178))
  }

  @Test("Events of messages are read") func messages() throws {
    let activity = try read(
      """
      "direct_message_events":[{"type":"message_create","id":"954491830116155396","created_timestamp":"1516403560557",
      "message_create":{"target":{"recipient_id":"1"},"sender_id":"2","message_data":{"text":"Hello"}}}],
      "direct_message_mark_read_events":[{"created_timestamp":"1518452444662","sender_id":"2",
      "target":{"recipient_id":"1"},"last_read_event_id":"963085315333238788"}],
      "direct_message_indicate_typing_events":[{"created_timestamp":"1518127183443","sender_id":"2",
      "target":{"recipient_id":"1"}}],"apps":{},"users":{"2":{"id":"2","screen_name":"bob"}}
      """)
    #expect(activity.events.count == 3 && activity.users["2"]?["screen_name"] == "bob")
    for event in activity.events {
      switch event {
      case .directMessage(let message): #expect(message.messageCreate?.messageData.text == "Hello")
      case .messagesRead(let signal):
        #expect(signal.lastReadEventID == "963085315333238788" && signal.recipientID == "1")
      case .typing(let signal): #expect(signal.senderID == "2" && signal.lastReadEventID == nil)
      default: throw Unexpected(activity: activity)
      }
    }
  }

  @Test("The event of a revocation is read") func revocation() throws {
    let activity = try XAPIv1.AccountActivity(
      jsonString: """
        {"user_event":{"revoke":{"date_time":"2018-05-24T09:48:12+00:00","target":{"app_id":"13090192"},
        "source":{"user_id":"63046977"}}}}
        """)
    guard case .accessRevoked(let revocation)? = activity.events.first else { throw Unexpected(activity: activity) }
    #expect(activity.forUserID == nil && revocation.userID == "63046977" && revocation.appID == "13090192")
  }

  @Test("Unknown kinds and forms are kept whole") func unknown() throws {
    let activity = try read(#""chess_events":[{"move":"e4"},5],"tweet_create_events":[{"id":"x"}],"note":"n""#)
    #expect(
      activity.events == [
        .other(kind: "chess_events", ["move": "e4"]), .other(kind: "chess_events", 5), .other(kind: "note", "n"),
        .other(kind: "tweet_create_events", ["id": "x"]),
      ])
    #expect(throws: JSONError.self) { try XAPIv1.AccountActivity(jsonString: "[]") }
    #expect(try activity.jsonString().contains(#""move":"e4""#))
  }

  @Test("A signed delivery is checked and read in one step") func signed() throws {
    let receiver = WebhookReceiver(consumerSecret: "consumer-secret-1")
    let body = Data(#"{"for_user_id":"1"}"#.utf8)
    #expect(throws: WebhookError.wrongSignature) {
      try receiver.read(XAPIv1.AccountActivity.self, from: body, signature: "sha256=AAAA")
    }
  }

  private struct Unexpected: Error { let activity: XAPIv1.AccountActivity }
}
