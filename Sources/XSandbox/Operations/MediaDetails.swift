/// What belongs to an upload: alternative text and other metadata, subtitles.
enum MediaDetails {
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

  @Sendable private static func describe(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try media(exchange, world).id
    world.media[id]?.metadata = exchange.body["metadata"]
    if let text = exchange.body["metadata"]?["alt_text"]?["text"]?.string { world.media[id]?.altText = text }
    return Answer(json: [
      "data": ["id": .string(String(id)), "associated_metadata": exchange.body["metadata"] ?? .object([:])]
    ])
  }

  @Sendable private static func addSubtitles(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let video = try media(exchange, world)
    let track = exchange.body["subtitles"]
    let text = track?["id"]?.string ?? ""
    do throws(MediaRefusal) {
      let subtitles = try world.ownMedia(Identifier(text), of: exchange.caller.user)
      guard subtitles.category == "subtitles", subtitles.isComplete, video.isVideo else { throw .notUsable }
      world.attach(subtitles.id, to: video.id, track?["language_code"]?.string, track?["display_name"]?.string)
    } catch { throw error.v2("$.subtitles.id", text) }
    return Answer(json: [
      "data": [
        "id": .string(String(video.id)), "media_category": exchange.body["media_category"] ?? .null,
        "associated_subtitles": track ?? .null,
      ]
    ])
  }

  @Sendable private static func removeSubtitles(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let video = try media(exchange, world)
    world.media[video.id]?.subtitles.removeAll { $0.language == exchange.text("language_code") }
    return Answer(json: ["data": ["deleted": true]])
  }

  private static func media(_ exchange: Exchange, _ world: World) throws(Problem) -> MediaRecord {
    let text = exchange.text("id") ?? ""
    do throws(MediaRefusal) {
      let media = try world.ownMedia(Identifier(text), of: exchange.caller.user)
      guard media.isComplete else { throw .unknown }
      return media
    } catch { throw error.v2("$.id", text) }
  }
}

extension World {
  /// One track for each language.
  mutating func attach(_ subtitles: Identifier, to video: Identifier, _ language: String?, _ name: String?) {
    let language = language ?? ""
    media[video]?.subtitles.removeAll { $0.language == language }
    media[video]?.subtitles.append(
      MediaRecord.Subtitles(media: subtitles, language: language, displayName: name ?? ""))
  }
}
