import Foundation

/// Uploads in segments, in one request, and what belongs to them.
enum MediaUploads {
  static let operations: [Operation] = [
    Operation(
      name: "initializeMediaUpload", method: "POST", path: "/2/media/upload/initialize", access: access, body: initial,
      respond: begin),
    Operation(
      name: "appendMediaUpload", method: "POST", path: "/2/media/upload/{id}/append", access: access, body: segment,
      takesParts: true, respond: append),
    Operation(
      name: "finalizeMediaUpload", method: "POST", path: "/2/media/upload/{id}/finalize", access: access,
      respond: finish),
    Operation(
      name: "getMediaUploadStatus", method: "GET", path: "/2/media/upload", access: .user("media.write"),
      query: [
        QueryParameter(name: "media_id", kind: .identifiers(atMost: 1), isRequired: true),
        QueryParameter(name: "command", kind: .list(of: ["STATUS"])),
      ], respond: status),
    Operation(
      name: "mediaUpload", method: "POST", path: "/2/media/upload", access: access, body: whole, takesParts: true,
      respond: uploadAtOnce),
  ]

  static let access = Access.user("media.write", writes: true)
  static let categories = [
    "amplify_video", "tweet_gif", "tweet_image", "tweet_video", "dm_gif", "dm_image", "dm_video", "subtitles",
  ]
  private static let types = [
    "video/mp4", "video/webm", "video/mp2t", "video/quicktime", "text/srt", "text/vtt", "image/jpeg", "image/gif",
    "image/bmp", "image/png", "image/webp", "image/pjpeg", "image/tiff", "model/gltf-binary", "model/vnd.usdz+zip",
  ]
  private static let initial = BodySchema.object([
    .optional("additional_owners", .array(of: .identifier, count: 0...100)),
    .optional("media_category", .choice(of: categories)), .optional("media_type", .choice(of: types)),
    .optional("shared", .boolean), .optional("total_bytes", .integer(0...17_179_869_184)),
  ])
  private static let segment = BodySchema.object([
    .required("media", .anyString), .required("segment_index", .integer(0...999)),
  ])
  private static let whole = BodySchema.object([
    .required("media", .anyString),
    .required("media_category", .choice(of: categories.filter { $0 != "amplify_video" })),
    .optional("additional_owners", .anyString),
  ])

  @Sendable private static func begin(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard case .integer(let size)? = exchange.body["total_bytes"], size > 0 else {
      throw missing("total_bytes")
    }
    guard let type = exchange.text("media_type") else { throw missing("media_type") }
    var owners: [Identifier] = []
    if case .array(let values)? = exchange.body["additional_owners"] {
      owners = values.compactMap { $0.string.flatMap { Identifier($0) } }
    }
    do throws(MediaRefusal) {
      let media = try world.beginMedia(
        owner: exchange.caller.user ?? 0, otherOwners: owners, mediaType: type,
        category: exchange.text("media_category"), size: size, at: exchange.now)
      return Answer(json: ["data": document(media, at: exchange.now)])
    } catch { throw error.v2("$.media_category", exchange.text("media_category") ?? "") }
  }

  @Sendable private static func append(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try own(exchange, world)
    guard let index = exchange.partOrMember("segment_index").flatMap({ Int($0) }), (0...999).contains(index) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.segment_index", values: [exchange.partOrMember("segment_index") ?? ""],
          message: "[$.segment_index: must be between 0 and 999]")
      ])
    }
    do throws(MediaRefusal) {
      try world.appendMedia(id, index: index, exchange.mediaBytes())
    } catch { throw error.v2("$.media", "") }
    let expiry = Int(exchange.now.timeIntervalSince1970) + World.mediaLifetime
    return Answer(json: ["data": ["expires_at": .integer(expiry)]])
  }

  @Sendable private static func finish(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try own(exchange, world)
    do throws(MediaRefusal) {
      return Answer(json: ["data": document(try world.finishMedia(id, at: exchange.now), at: exchange.now)])
    } catch { throw error.v2("id", String(id)) }
  }

  @Sendable private static func status(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let text = exchange.strings("media_id").first ?? ""
    do throws(MediaRefusal) {
      let id = try world.ownMedia(Identifier(text), of: exchange.caller.user).id
      let media = try world.checkMedia(id, by: exchange.caller.user)
      return Answer(json: ["data": document(media, at: exchange.now)])
    } catch { throw error.v2("media_id", text) }
  }

  @Sendable private static func uploadAtOnce(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    guard let category = exchange.partOrMember("media_category"), categories.contains(category) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.media_category", message: "[$.media_category: is missing but it is required]")
      ])
    }
    let type =
      category.hasSuffix("_gif")
      ? "image/gif"
      : category.hasSuffix("_video")
        ? "video/mp4"
        : category == "subtitles" ? "text/srt" : "image/*"
    do throws(MediaRefusal) {
      let bytes = try exchange.mediaBytes()
      let media = try world.beginMedia(
        owner: exchange.caller.user ?? 0, otherOwners: [], mediaType: type, category: category, size: bytes.count,
        at: exchange.now)
      try world.appendMedia(media.id, index: 0, bytes)
      return Answer(json: ["data": document(try world.finishMedia(media.id, at: exchange.now), at: exchange.now)])
    } catch { throw error.v2("$.media", "") }
  }

  private static func own(_ exchange: Exchange, _ world: World) throws(Problem) -> Identifier {
    let (text, id) = try exchange.identifier("id")
    do throws(MediaRefusal) { return try world.ownMedia(id, of: exchange.caller.user).id } catch {
      throw error.v2("id", text)
    }
  }

  private static func missing(_ name: String) -> Problem {
    .invalidRequest([InvalidParameter(name: "$.\(name)", message: "[$.\(name): is missing but it is required]")])
  }

  private static func document(_ media: MediaRecord, at now: Date) -> JSON {
    var members: [String: JSON] = [
      "id": .string(String(media.id)), "media_key": .string(media.key),
      "expires_after_secs": .integer(World.mediaLifetime),
    ]
    if media.isComplete { members["size"] = .integer(media.size) }
    members["processing_info"] = media.processingInfo(at: now)
    return .object(members)
  }
}

extension Exchange {
  /// A text part of a multipart body, or a member of a JSON body.
  func partOrMember(_ name: String) -> String? {
    if let text = parameters[name] { return text }
    switch body[name] {
    case .string(let text)?: return text
    case .integer(let number)?: return String(number)
    default: return nil
    }
  }

  /// The file part `media`, or what a JSON body has as base 64.
  func mediaBytes() throws(MediaRefusal) -> Data {
    if let bytes = files["media"], !bytes.isEmpty { return bytes }
    guard let bytes = body["media"]?.string.flatMap({ Data(base64Encoded: $0) }), !bytes.isEmpty else {
      throw .incomplete
    }
    return bytes
  }
}
