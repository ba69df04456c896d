import Foundation

/// Uploads at once and in chunks, on the upload host.
enum MediaV1 {
  static let operations: [Operation] = [
    .v1("POST", "media/upload", .v1Write, respond: upload),
    .v1("GET", "media/upload", .v1ReadAsUser, respond: status),
  ]

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
    let media = try begin(exchange, &world, type: "image/*", size: bytes.count)
    do throws(MediaRefusal) {
      try world.appendMedia(media.id, index: 0, bytes)
      return Answer(json: document(try world.finishMedia(media.id, at: exchange.now), at: exchange.now))
    } catch { throw error.v1 }
  }

  private static func begin(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard let size = Int(try exchange.required("total_bytes")), size > 0 else {
      throw .invalidParameter("total_bytes")
    }
    let media = try begin(exchange, &world, type: try exchange.required("media_type"), size: size)
    return Answer(status: 202, json: document(media, at: exchange.now))
  }

  private static func begin(
    _ exchange: Exchange, _ world: inout World, type: String, size: Int
  ) throws(Problem) -> MediaRecord {
    let owners = (try exchange.listParameter("additional_owners") ?? []).compactMap { Identifier($0) }
    let category = exchange.parameter("media_category")?.lowercased()
    if let category, !MediaUploads.categories.contains(category) { throw .invalidParameter("media_category") }
    do throws(MediaRefusal) {
      return try world.beginMedia(
        owner: exchange.caller.user ?? 0, otherOwners: owners, mediaType: type, category: category, size: size,
        at: exchange.now)
    } catch { throw error.v1 }
  }

  private static func append(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try media(exchange, in: world)
    guard let index = Int(try exchange.required("segment_index")), (0...999).contains(index) else {
      throw .invalidParameter("segment_index")
    }
    let bytes = try content(exchange)
    do throws(MediaRefusal) { try world.appendMedia(id, index: index, bytes) } catch { throw error.v1 }
    return Answer(status: 204)
  }

  private static func finish(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try media(exchange, in: world)
    do throws(MediaRefusal) {
      return Answer(status: 201, json: document(try world.finishMedia(id, at: exchange.now), at: exchange.now))
    } catch { throw error.v1 }
  }

  @Sendable private static func status(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard exchange.parameter("command") == "STATUS" else { throw .invalidParameter("command") }
    let id = try media(exchange, in: world)
    do throws(MediaRefusal) {
      return Answer(json: document(try world.checkMedia(id, by: exchange.caller.user), at: exchange.now))
    } catch { throw error.v1 }
  }

  private static func media(_ exchange: Exchange, in world: World) throws(Problem) -> Identifier {
    guard let id = try exchange.identifierParameter("media_id") else { throw .missingParameter("media_id") }
    do throws(MediaRefusal) { return try world.ownMedia(id, of: exchange.caller.user).id } catch { throw error.v1 }
  }

  /// The bytes of the part `media`, or those that `media_data` has in base 64.
  private static func content(_ exchange: Exchange) throws(Problem) -> Data {
    if let bytes = exchange.files["media"], !bytes.isEmpty { return bytes }
    guard let text = exchange.parameter("media_data") else { throw .missingParameter("media") }
    guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else { throw .invalidParameter("media_data") }
    return bytes
  }

  private static func document(_ media: MediaRecord, at now: Date) -> JSON {
    var members: [String: JSON] = [
      "media_id": .number(media.id), "media_id_string": .text(media.id), "media_key": .string(media.key),
      "expires_after_secs": .integer(World.mediaLifetime),
    ]
    if media.isComplete || !media.segments.isEmpty { members["size"] = .integer(media.size) }
    members["processing_info"] = media.processingInfo(at: now)
    return .object(members)
  }
}
