import Foundation

/// The operations for uploads, in one request or in chunks, on the upload host.
enum MediaV1 {
  static let operations: [Operation] = [
    .v1("POST", "media/upload", .v1Write, respond: upload),
    .v1("GET", "media/upload", .v1ReadAsUser, respond: status),
  ]

  private static func upload(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    switch context.parameter("command") {
    case nil: try uploadAtOnce(context, &database)
    case "INIT": try begin(context, &database)
    case "APPEND": try append(context, &database)
    case "FINALIZE": try finish(context, &database)
    default: throw .invalidParameter("command")
    }
  }

  private static func uploadAtOnce(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let bytes = try content(context)
    let media = try begin(context, &database, type: "image/*", size: bytes.count)
    do throws(MediaRefusal) {
      try database.appendMedia(media.id, index: 0, bytes)
      return Response(json: document(try database.finishMedia(media.id, at: context.now), at: context.now))
    } catch { throw error.problem }
  }

  private static func begin(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard let size = Int(try context.required("total_bytes")), size > 0 else {
      throw .invalidParameter("total_bytes")
    }
    let media = try begin(context, &database, type: try context.required("media_type"), size: size)
    return Response(status: 202, json: document(media, at: context.now))
  }

  private static func begin(
    _ context: RequestContext, _ database: inout Database, type: String, size: Int
  ) throws(Problem) -> MediaRecord {
    let owners = (try context.listParameter("additional_owners") ?? []).compactMap { Identifier($0) }
    let category = context.parameter("media_category")?.lowercased()
    if let category, !MediaRecord.categories.contains(category) { throw .invalidParameter("media_category") }
    do throws(MediaRefusal) {
      return try database.beginMedia(
        owner: context.principal.user ?? 0, otherOwners: owners, mediaType: type, category: category, size: size,
        at: context.now)
    } catch { throw error.problem }
  }

  private static func append(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try media(context, in: database)
    guard let index = Int(try context.required("segment_index")), (0...999).contains(index) else {
      throw .invalidParameter("segment_index")
    }
    let bytes = try content(context)
    do throws(MediaRefusal) { try database.appendMedia(id, index: index, bytes) } catch { throw error.problem }
    return Response(status: 204)
  }

  private static func finish(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try media(context, in: database)
    do throws(MediaRefusal) {
      return Response(status: 201, json: document(try database.finishMedia(id, at: context.now), at: context.now))
    } catch { throw error.problem }
  }

  private static func status(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    guard context.parameter("command") == "STATUS" else { throw .invalidParameter("command") }
    let id = try media(context, in: database)
    do throws(MediaRefusal) {
      return Response(json: document(try database.checkMedia(id, by: context.principal.user), at: context.now))
    } catch { throw error.problem }
  }

  private static func media(_ context: RequestContext, in database: Database) throws(Problem) -> Identifier {
    guard let id = try context.identifierParameter("media_id") else { throw .missingParameter("media_id") }
    do throws(MediaRefusal) { return try database.ownMedia(id, of: context.principal.user).id } catch {
      throw error.problem
    }
  }

  /// Returns the bytes of the part `media`, or of the base64 text `media_data`.
  private static func content(_ context: RequestContext) throws(Problem) -> Data {
    if let bytes = context.files["media"], !bytes.isEmpty { return bytes }
    guard let text = context.parameter("media_data") else { throw .missingParameter("media") }
    guard let bytes = Data(base64Encoded: text), !bytes.isEmpty else { throw .invalidParameter("media_data") }
    return bytes
  }

  private static func document(_ media: MediaRecord, at now: Date) -> JSON {
    var members: [String: JSON] = [
      "media_id": .number(media.id), "media_id_string": .text(media.id), "media_key": .string(media.key),
      "expires_after_secs": .integer(Database.mediaLifetime),
    ]
    if media.isComplete { members["size"] = .integer(media.size) }
    members["processing_info"] = media.processingInfo(at: now)
    return .object(members)
  }
}

/// The operations for the metadata of uploads: alternative text and subtitles.
enum MediaMetadataV1 {
  static let operations: [Operation] = [
    .v1(
      "POST", "media/metadata/create", .v1Write,
      body: .object([
        .required("media_id", .identifier),
        .optional("alt_text", .object([.required("text", .string(length: 0...1000))])),
      ]), respond: describe),
    .v1("POST", "media/subtitles/create", .v1Write, body: subtitles(identified: true), respond: addSubtitles),
    .v1("POST", "media/subtitles/delete", .v1Write, body: subtitles(identified: false), respond: removeSubtitles),
  ]

  private static func subtitles(identified: Bool) -> BodySchema {
    .object([
      .required("media_id", .identifier), .required("media_category", .anyString),
      .required(
        "subtitle_info",
        .object([
          .required(
            "subtitles",
            .array(
              of: .object([
                BodySchema.Member(name: "media_id", schema: .identifier, isRequired: identified),
                .required("language_code", .anyString), .optional("display_name", .anyString),
              ]), count: 1...10))
        ])),
    ])
  }

  private static func describe(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let id = try media(context, database).id
    database.media[id]?.altText = context.body["alt_text"]?["text"]?.string
    return Response(status: 200)
  }

  private static func addSubtitles(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response {
    let video = try media(context, database)
    for track in tracks(context) {
      do throws(MediaRefusal) {
        let id = track["media_id"]?.string.flatMap { Identifier($0) }
        try database.attachSubtitles(
          id, to: video, language: track["language_code"]?.string, name: track["display_name"]?.string,
          of: context.principal.user)
      } catch { throw error.problem }
    }
    return Response(status: 200)
  }

  private static func removeSubtitles(_ context: RequestContext, _ database: inout Database) throws(Problem) -> Response
  {
    let video = try media(context, database)
    let languages = tracks(context).compactMap { $0["language_code"]?.string }
    database.media[video.id]?.subtitles.removeAll { languages.contains($0.language) }
    return Response(status: 200)
  }

  private static func tracks(_ context: RequestContext) -> [JSON] {
    guard case .array(let tracks)? = context.body["subtitle_info"]?["subtitles"] else { return [] }
    return tracks
  }

  private static func media(_ context: RequestContext, _ database: Database) throws(Problem) -> MediaRecord {
    let id = context.text("media_id").flatMap { Identifier($0) }
    do throws(MediaRefusal) { return try database.completeMedia(id, of: context.principal.user) } catch {
      throw error.problem
    }
  }
}

extension MediaRefusal {
  fileprivate var problem: Problem { .v1(400, self == .unknown ? 325 : 324, message) }
}
