import Callsign
import XCore

extension XAPI {
  /// An event of X's activity API, as a webhook or `activityStream` delivers it.
  ///
  /// Source: https://docs.x.com/x-api/activity/introduction
  public struct ActivityEvent: Sendable, Hashable {
    /// The event's subject, which depends on ``ActivityEvent/type``.
    public enum Payload: Sendable, Hashable {
      /// A post, reply, quote, repost or mention that was made.
      case post(Post)
      /// A post that was deleted.
      case deletedPost(PostDeleteActivityResponsePayload)
      /// A like that was given.
      case like(LikeWithPostAuthor)
      /// Somebody began or ceased to follow.
      case follow(FollowActivityResponsePayload)
      /// Part of a profile, before and after.
      case profileUpdate(ProfileUpdateActivityResponsePayload)
      /// A piece of news.
      case news(NewsActivityResponsePayload)
      /// Something of a type that has no model here, or that does not fit its model; nothing of it is lost.
      case other(JSONValue)
    }

    /// The kind of event.
    public let type: ActivityEventType
    /// The event's id, by which repeated deliveries show.
    public let id: String?
    /// The subscription's filter that let it through.
    public let filter: ActivitySubscriptionFilter?
    /// The subscription's tag.
    public let tag: String?
    /// The objects that the payload refers to.
    public let includes: Expansions?
    /// The event's subject.
    public let payload: Payload
    /// The delivery as it came.
    public let document: JSONValue
  }
}

extension XAPI.ActivityEvent: JSONCodable {
  /// Reads one value at the reader's position.
  ///
  /// - Throws: `JSONError` when there is no `data` with an `event_type`.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    document = try JSONValue(json: &reader)
    guard let data = document["data"], let type = data["event_type"]?.string else {
      throw JSONError(.missing, path: document["data"] == nil ? "data" : "data.event_type", offset: offset)
    }
    self.type = XAPI.ActivityEventType(rawValue: type)
    id = data["event_uuid"]?.string
    tag = data["tag"]?.string
    // What goes with the event must not keep it from being read.
    filter = try? data["filter"]?.decode()
    includes = try? (data["includes"] ?? document["includes"])?.decode()
    let payload = data["payload"] ?? .null
    self.payload = Self.model(of: type, payload) ?? .other(payload)
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.value(document) }

  private static func model(of type: String, _ payload: JSONValue) -> Payload? {
    switch type {
    case "post.create", "post.mention.create", "post.reply.create", "post.quote.create", "post.repost.create":
      (try? payload.decode(XAPI.Post.self)).map(Payload.post)
    case "post.delete":
      (try? payload.decode(XAPI.PostDeleteActivityResponsePayload.self)).map(Payload.deletedPost)
    case "like.create": (try? payload.decode(XAPI.LikeWithPostAuthor.self)).map(Payload.like)
    case "follow.follow", "follow.unfollow":
      (try? payload.decode(XAPI.FollowActivityResponsePayload.self)).map(Payload.follow)
    case "news.new": (try? payload.decode(XAPI.NewsActivityResponsePayload.self)).map(Payload.news)
    case _ where type.hasPrefix("profile.update."):
      (try? payload.decode(XAPI.ProfileUpdateActivityResponsePayload.self)).map(Payload.profileUpdate)
    default: nil
    }
  }
}
