import Callsign
import XCore

extension XAPI {
  /// An event of X's activity API, as a webhook or `activityStream` delivers it.
  ///
  /// Source: https://docs.x.com/x-api/activity/introduction
  public struct ActivityEvent: Sendable, Hashable {
    /// The event's content, which depends on ``ActivityEvent/type``.
    public enum Payload: Sendable, Hashable {
      /// A new post, reply, quote, repost or mention.
      case post(Post)
      /// A deleted post.
      case deletedPost(PostDeleteActivityResponsePayload)
      /// A like.
      case like(LikeWithPostAuthor)
      /// A user started or stopped following another.
      case follow(FollowActivityResponsePayload)
      /// A changed part of a profile, before and after.
      case profileUpdate(ProfileUpdateActivityResponsePayload)
      /// A piece of news.
      case news(NewsActivityResponsePayload)
      /// An event of a type without a model, or that does not match its model. Nothing of it is lost.
      case other(JSONValue)
    }

    /// The kind of event.
    public let type: ActivityEventType
    /// The event's ID. Use it to detect repeated deliveries.
    public let id: String?
    /// The filter of the subscription that matched.
    public let filter: ActivitySubscriptionFilter?
    /// The subscription's tag.
    public let tag: String?
    /// The objects that the payload refers to.
    public let includes: Expansions?
    /// The event's content.
    public let payload: Payload
    /// The delivery as received.
    public let document: JSONValue
    /// The parts of the payload, the filter and the included objects that do not match X's document and were skipped. Byte offsets
    /// count from the beginning of the payload, filter or included objects.
    public let issues: [DecodingIssue]
  }
}

extension XAPI.ActivityEvent: JSONCodable {
  /// Reads one value at the reader's position.
  ///
  /// - Throws: `JSONError` if there is no `data` with an `event_type`.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    document = try JSONValue(json: &reader)
    guard let data = document["data"], let type = data["event_type"]?.string else {
      throw JSONError(.missing, path: document["data"] == nil ? "data" : "data.event_type", offset: offset)
    }
    self.type = XAPI.ActivityEventType(rawValue: type)
    id = data["event_uuid"]?.string
    tag = data["tag"]?.string
    // Problems in the additional parts must not prevent reading the event.
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

/// Reads the parts of a delivery, each as far as possible.
private struct PartReading {
  var issues: [DecodingIssue] = []

  /// `nil` if the part is missing, or nothing of it can be read.
  mutating func part<Value: JSONDecodable>(_ value: JSONValue?, at path: String) -> Value? {
    guard let value else { return nil }
    var found: [DecodingIssue] = []
    defer { issues += found.map { $0.within(path) } }
    return try? value.decode(issues: &found)
  }
}
