import Foundation

/// The operations for uploads, in segments or in one request.
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
  private static let types = [
    "video/mp4", "video/webm", "video/mp2t", "video/quicktime", "text/srt", "text/vtt", "image/jpeg", "image/gif",
    "image/bmp", "image/png", "image/webp", "image/pjpeg", "image/tiff", "model/gltf-binary", "model/vnd.usdz+zip",
  ]
  private static let initial = BodySchema.object([
    .optional("additional_owners", .array(of: .identifier, count: 0...100)),
    .optional("media_category", .choice(of: MediaRecord.categories)), .optional("media_type", .choice(of: types)),
    .optional("shared", .boolean), .optional("total_bytes", .integer(0...17_179_869_184)),
  ])
  private static let segment = BodySchema.object([
    .required("media", .anyString), .required("segment_index", .integer(0...999)),
  ])
  private static let whole = BodySchema.object([
    .required("media", .anyString),
    .required("media_category", .choice(of: MediaRecord.categories.filter { $0 != "amplify_video" })),
    .optional("additional_owners", .anyString),
  ])

  private static func begin(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard case .integer(let size)? = context.body["total_bytes"], size > 0 else {
      throw missing("total_bytes")
    }
    guard let type = context.text("media_type") else { throw missing("media_type") }
    var owners: [Identifier] = []
    if case .array(let values)? = context.body["additional_owners"] {
      owners = values.compactMap { $0.string.flatMap { Identifier($0) } }
    }
    do throws(MediaRefusal) {
      let media = try database.beginMedia(
        owner: context.principal.user ?? 0, otherOwners: owners, mediaType: type,
        category: context.text("media_category"), size: size, at: context.now)
      return Response(json: ["data": document(media, at: context.now)])
    } catch { throw error.problem("$.media_category", context.text("media_category") ?? "") }
  }

  private static func append(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try own(context, database)
    guard let index = context.partOrMember("segment_index").flatMap({ Int($0) }), (0...999).contains(index) else {
      throw .invalidRequest([
        InvalidParameter(
          name: "$.segment_index", values: [context.partOrMember("segment_index") ?? ""],
          message: "[$.segment_index: must be between 0 and 999]")
      ])
    }
    do throws(MediaRefusal) {
      try database.appendMedia(id, index: index, context.mediaBytes())
    } catch { throw error.problem("$.media", "") }
    let expiry = Int(context.now.timeIntervalSince1970) + Database.mediaLifetime
    return Response(json: ["data": ["expires_at": .integer(expiry)]])
  }

  private static func finish(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try own(context, database)
    do throws(MediaRefusal) {
      return Response(json: ["data": document(try database.finishMedia(id, at: context.now), at: context.now)])
    } catch { throw error.problem("id", String(id)) }
  }

  private static func status(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let text = context.strings("media_id").first ?? ""
    do throws(MediaRefusal) {
      let id = try database.ownMedia(Identifier(text), of: context.principal.user).id
      let media = try database.checkMedia(id, by: context.principal.user)
      return Response(json: ["data": document(media, at: context.now)])
    } catch { throw error.problem("media_id", text) }
  }

  private static func uploadAtOnce(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let category = context.partOrMember("media_category"), MediaRecord.categories.contains(category) else {
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
      let bytes = try context.mediaBytes()
      let media = try database.beginMedia(
        owner: context.principal.user ?? 0, otherOwners: [], mediaType: type, category: category, size: bytes.count,
        at: context.now)
      try database.appendMedia(media.id, index: 0, bytes)
      return Response(json: ["data": document(try database.finishMedia(media.id, at: context.now), at: context.now)])
    } catch { throw error.problem("$.media", "") }
  }

  private static func own(_ context: RequestContext, _ database: Database) throws(Problem) -> Identifier {
    let (text, id) = try context.identifier("id")
    do throws(MediaRefusal) { return try database.ownMedia(id, of: context.principal.user).id } catch {
      throw error.problem("id", text)
    }
  }

  private static func missing(_ name: String) -> Problem {
    .invalidRequest([InvalidParameter(name: "$.\(name)", message: "[$.\(name): is missing but it is required]")])
  }

  private static func document(_ media: MediaRecord, at now: Date) -> JSON {
    var members: [String: JSON] = [
      "id": .string(String(media.id)), "media_key": .string(media.key),
      "expires_after_secs": .integer(Database.mediaLifetime),
    ]
    if media.isComplete { members["size"] = .integer(media.size) }
    members["processing_info"] = media.processingInfo(at: now)
    return .object(members)
  }
}

extension RequestContext {
  /// Returns a text part of a multipart body, or a member of a JSON body.
  func partOrMember(_ name: String) -> String? {
    if let text = parameters[name] { return text }
    switch body[name] {
    case .string(let text)?: return text
    case .integer(let number)?: return String(number)
    default: return nil
    }
  }

  /// Returns the file part `media`, or the base64 text in a JSON body.
  func mediaBytes() throws(MediaRefusal) -> Data {
    if let bytes = files["media"], !bytes.isEmpty { return bytes }
    guard let bytes = body["media"]?.string.flatMap({ Data(base64Encoded: $0) }), !bytes.isEmpty else {
      throw .incomplete
    }
    return bytes
  }
}

/// The operations for the metadata of uploads: alternative text, subtitles and more.
enum MediaMetadata {
  static let operations: [Operation] = [
    Operation(
      name: "createMediaMetadata", method: "POST", path: "/2/media/metadata", access: MediaUploads.access,
      body: .object([.required("id", .identifier), .optional("metadata", metadata)]), respond: describe),
    Operation(
      name: "createMediaSubtitles", method: "POST", path: "/2/media/subtitles", access: MediaUploads.access,
      body: .object([
        .required("id", .identifier), .required("media_category", .choice(of: ["AmplifyVideo", "TweetVideo"])),
        .required(
          "subtitles",
          .object([
            .required("id", .identifier), .required("language_code", .string(length: 2...2)),
            .optional("display_name", .anyString),
          ])),
      ]), respond: addSubtitles),
    Operation(
      name: "deleteMediaSubtitles", method: "DELETE", path: "/2/media/subtitles", access: MediaUploads.access,
      body: .object([
        .required("id", .identifier), .required("language_code", .string(length: 2...2)),
        .required("media_category", .anyString),
      ]), respond: removeSubtitles),
  ]

  private static let metadata = BodySchema.object(
    [
      "allow_download_status", "audience_policy", "content_expiration", "domain_restrictions", "found_media_origin",
      "geo_restrictions", "management_info", "preview_image", "sensitive_media_warning", "shared_info", "sticker_info",
      "upload_source",
    ].map { .optional($0, .anyValue) } + [
      .optional("alt_text", .object([.required("text", .string(length: 0...1000))]))
    ])

  private static func describe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try media(context, database).id
    database.media[id]?.metadata = context.body["metadata"]
    if let text = context.body["metadata"]?["alt_text"]?["text"]?.string { database.media[id]?.altText = text }
    return Response(json: [
      "data": ["id": .string(String(id)), "associated_metadata": context.body["metadata"] ?? .object([:])]
    ])
  }

  private static func addSubtitles(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let video = try media(context, database)
    let track = context.body["subtitles"]
    let text = track?["id"]?.string ?? ""
    do throws(MediaRefusal) {
      try database.attachSubtitles(
        Identifier(text), to: video, language: track?["language_code"]?.string, name: track?["display_name"]?.string,
        of: context.principal.user)
    } catch { throw error.problem("$.subtitles.id", text) }
    return Response(json: [
      "data": [
        "id": .string(String(video.id)), "media_category": context.body["media_category"] ?? .null,
        "associated_subtitles": track ?? .null,
      ]
    ])
  }

  private static func removeSubtitles(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response
  {
    let video = try media(context, database)
    database.media[video.id]?.subtitles.removeAll { $0.language == context.text("language_code") }
    return Response(json: ["data": ["deleted": true]])
  }

  private static func media(_ context: RequestContext, _ database: Database) throws(Problem) -> MediaRecord {
    let text = context.text("id") ?? ""
    do throws(MediaRefusal) { return try database.completeMedia(Identifier(text), of: context.principal.user) } catch {
      throw error.problem("$.id", text)
    }
  }
}

extension MediaRefusal {
  func problem(_ parameter: String, _ value: String) -> Problem {
    .invalidRequest([InvalidParameter(name: parameter, values: value.isEmpty ? [] : [value], message: message)])
  }
}
