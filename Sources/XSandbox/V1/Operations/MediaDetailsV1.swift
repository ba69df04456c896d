/// What belongs to an upload: alternative text and subtitles.
enum MediaDetailsV1 {
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

  @Sendable private static func describe(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let id = try media(exchange, world).id
    world.media[id]?.altText = exchange.body["alt_text"]?["text"]?.string
    return Answer(status: 200)
  }

  @Sendable private static func addSubtitles(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let video = try media(exchange, world)
    for track in tracks(exchange) {
      do throws(MediaRefusal) {
        let id = track["media_id"]?.string.flatMap { Identifier($0) }
        let subtitles = try world.ownMedia(id, of: exchange.caller.user)
        guard subtitles.category == "subtitles", subtitles.isComplete, video.isVideo else { throw .notUsable }
        world.attach(subtitles.id, to: video.id, track["language_code"]?.string, track["display_name"]?.string)
      } catch { throw error.v1 }
    }
    return Answer(status: 200)
  }

  @Sendable private static func removeSubtitles(_ exchange: Exchange, _ world: inout World) throws(Problem) -> Answer {
    let video = try media(exchange, world)
    let languages = tracks(exchange).compactMap { $0["language_code"]?.string }
    world.media[video.id]?.subtitles.removeAll { languages.contains($0.language) }
    return Answer(status: 200)
  }

  private static func tracks(_ exchange: Exchange) -> [JSON] {
    guard case .array(let tracks)? = exchange.body["subtitle_info"]?["subtitles"] else { return [] }
    return tracks
  }

  private static func media(_ exchange: Exchange, _ world: World) throws(Problem) -> MediaRecord {
    do throws(MediaRefusal) {
      let id = exchange.text("media_id").flatMap { Identifier($0) }
      let media = try world.ownMedia(id, of: exchange.caller.user)
      guard media.isComplete else { throw .unknown }
      return media
    } catch { throw error.v1 }
  }
}
