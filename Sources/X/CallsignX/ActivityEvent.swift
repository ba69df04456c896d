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
    /// The parts of the payload, the filter and the included objects that are not what X's document says, and were passed
    /// over. Byte offsets count from the beginning of the payload, filter or included objects.
    public let issues: [DecodingIssue]
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
    var reading = PartReading()
    filter = reading.part(data["filter"], at: "data.filter")
    includes = reading.part(data["includes"] ?? document["includes"], at: "includes")
    let payload = data["payload"] ?? .null
    self.payload = Self.model(of: type, payload, &reading) ?? .other(payload)
    issues = reading.issues
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.value(document) }

  private static func model(of type: String, _ value: JSONValue, _ reading: inout PartReading) -> Payload? {
    func payload<Value: JSONDecodable>(_: Value.Type) -> Value? { reading.part(value, at: "data.payload") }
    return switch type {
    case "post.create", "post.mention.create", "post.reply.create", "post.quote.create", "post.repost.create":
      payload(XAPI.Post.self).map(Payload.post)
    case "post.delete":
      payload(XAPI.PostDeleteActivityResponsePayload.self).map(Payload.deletedPost)
    case "like.create": payload(XAPI.LikeWithPostAuthor.self).map(Payload.like)
    case "follow.follow", "follow.unfollow":
      payload(XAPI.FollowActivityResponsePayload.self).map(Payload.follow)
    case "news.new": payload(XAPI.NewsActivityResponsePayload.self).map(Payload.news)
    case _ where type.hasPrefix("profile.update."):
      payload(XAPI.ProfileUpdateActivityResponsePayload.self).map(Payload.profileUpdate)
    default: nil
    }
  }
}

/// Reads the parts of a delivery, each as far as it can be read.
private struct PartReading {
  var issues: [DecodingIssue] = []

  /// `nil` where there is no such part, or nothing of it can be read.
  mutating func part<Value: JSONDecodable>(_ value: JSONValue?, at path: String) -> Value? {
    guard let value else { return nil }
    var found: [DecodingIssue] = []
    defer { issues += found.map { $0.within(path) } }
    return try? value.decode(issues: &found)
  }
}
