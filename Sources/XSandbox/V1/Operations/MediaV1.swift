import Foundation

/// Uploads. What is uploaded is counted and kept, not looked at, and needs no processing.
enum MediaV1 {
  static let operations: [Operation] = [
    .v1("POST", "media/upload", .v1Write, respond: upload),
    .v1("GET", "media/upload", .v1ReadAsUser, respond: status),
    .v1(
      "POST", "media/metadata/create", .v1Write,
      body: .object([
        .required("media_id", .identifier),
        .optional("alt_text", .object([.required("text", .string(length: 0...1000))])),
      ]), respond: describe),
  ]

  /// After this an upload can't be attached any more; in seconds.
  private static let lifetime = 86_400

  @Sendable private static func upload(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    switch exchange.parameter("command") {
    case nil: try uploadAtOnce(exchange, &world)
    case "INIT": try begin(exchange, &world)
    case "APPEND": try append(exchange, &world)
    case "FINALIZE": try finish(exchange, &world)
    default: throw .invalidParameter("command")
    }
  }

  private static func uploadAtOnce(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let bytes = try content(exchange)
    var media = MediaRecord(
      id: world.identifiers.next(), owner: try exchange.authenticatedUser(), mediaType: "image/*", size: bytes.count,
      createdAt: exchange.now)
    media.segments[0] = bytes
    media.isComplete = true
    world.media[media.id] = media
    return Answer(json: document(media))
  }

  private static func begin(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard let size = Int(try exchange.required("total_bytes")), size > 0 else {
      throw .invalidParameter("total_bytes")
    }
    let media = MediaRecord(
      id: world.identifiers.next(), owner: try exchange.authenticatedUser(),
      mediaType: try exchange.required("media_type"), size: size, createdAt: exchange.now)
    world.media[media.id] = media
    return Answer(status: 202, json: document(media))
  }

  private static func append(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    var media = try media(exchange, in: world)
    guard !media.isComplete else { throw .invalidParameter("media_id") }
    guard let index = Int(try exchange.required("segment_index")), (0...999).contains(index) else {
      throw .invalidParameter("segment_index")
    }
    media.segments[index] = try content(exchange)
    guard media.segments.values.reduce(0, { $0 + $1.count }) <= media.size else {
      throw .v1(400, 324, "The segments are larger than the announced total_bytes.")
    }
    world.media[media.id] = media
    return Answer(status: 204)
  }

  private static func finish(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let media = try media(exchange, in: world)
    let isWhole =
      media.segments.values.reduce(0) { $0 + $1.count } == media.size
      && Set(media.segments.keys) == Set(0..<media.segments.count)
    guard isWhole else {
      throw .v1(400, 324, "Segments do not add up to the announced total_bytes.")
    }
    world.media[media.id]?.isComplete = true
    return Answer(status: 201, json: document(media))
  }

  @Sendable private static func status(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard exchange.parameter("command") == "STATUS" else { throw .invalidParameter("command") }
    return Answer(json: document(try media(exchange, in: world)))
  }

  @Sendable private static func describe(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = exchange.text("media_id").flatMap { Identifier($0) }
    guard let id, let media = world.media[id], media.owner == exchange.caller.user, media.isComplete else {
      throw .v1(400, 325, "A media id was not found.")
    }
    world.media[id]?.altText = exchange.body["alt_text"]?["text"]?.string
    return Answer(status: 200)
  }

  private static func media(_ exchange: Exchange, in world: World) throws(Problem) -> MediaRecord {
    guard let id = try exchange.identifierParameter("media_id") else { throw .missingParameter("media_id") }
    guard let media = world.media[id], media.owner == exchange.caller.user else {
      throw .v1(400, 325, "A media id was not found.")
    }
    return media
  }

  /// The bytes of the part `media`, or those that `media_data` has in base 64.
  private static func content(_ exchange: Exchange) throws(Problem) -> Data {
    if let bytes = exchange.files["media"], !bytes.isEmpty { return bytes }
    guard let text = exchange.parameter("media_data") else { throw .missingParameter("media") }
    guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else { throw .invalidParameter("media_data") }
    return bytes
  }

  private static func document(_ media: MediaRecord) -> JSON {
    var members: [String: JSON] = [
      "media_id": .number(media.id), "media_id_string": .text(media.id), "expires_after_secs": .integer(lifetime),
    ]
    members["media_key"] = .string("3_\(media.id)")
    if media.isComplete || !media.segments.isEmpty { members["size"] = .integer(media.size) }
    return .object(members)
  }
}
