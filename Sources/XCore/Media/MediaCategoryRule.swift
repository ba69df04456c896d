/// What X takes in a category.
///
/// Source: <https://docs.x.com/x-api/media/quickstart/best-practices>. The limits are those of the accounts that may upload
/// most, so that nothing is refused here that X would take.
struct MediaCategoryRule {
  /// As it is on the wire.
  var name: String
  /// In bytes.
  var limit: Int
  var takes: @Sendable (MediaFormat) -> Bool

  /// The most that `total_bytes` may be: 16 GiB.
  static let mostBytes = 17_179_869_184

  static let all = [
    MediaCategoryRule(name: "tweet_image", limit: 5 << 20, takes: \.isImage),
    MediaCategoryRule(name: "dm_image", limit: 5 << 20, takes: \.isImage),
    MediaCategoryRule(name: "tweet_gif", limit: 15 << 20) { $0 == .gif },
    MediaCategoryRule(name: "dm_gif", limit: 15 << 20) { $0 == .gif },
    MediaCategoryRule(name: "tweet_video", limit: mostBytes, takes: \.isVideo),
    MediaCategoryRule(name: "amplify_video", limit: mostBytes, takes: \.isVideo),
    MediaCategoryRule(name: "dm_video", limit: 1 << 30, takes: \.isVideo),
    MediaCategoryRule(name: "subtitles", limit: mostBytes, takes: \.isSubtitles),
  ]

  /// The category of a format for a use; `nil` for formats of which X names none.
  static func name(for format: MediaFormat, isAnimated: Bool, _ use: UploadPurpose) -> String? {
    if format.isSubtitles { return "subtitles" }
    let isMessage = use == .directMessage
    if isAnimated { return isMessage ? "dm_gif" : "tweet_gif" }
    if format.isImage { return isMessage ? "dm_image" : "tweet_image" }
    guard format.isVideo else { return nil }
    switch use {
    case .post: return "tweet_video"
    case .directMessage: return "dm_video"
    case .advertisement: return "amplify_video"
    }
  }
}
