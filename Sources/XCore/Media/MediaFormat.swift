/// A media type that X takes, such as `image/png`. Others can be made by their name.
///
/// Source: the enumeration `media_type` of `POST /2/media/upload/initialize`
/// (<https://docs.x.com/x-api/media/initialize-media-upload>).
public struct MediaFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The media type in lower case.
  public let rawValue: String

  /// Names a media type.
  public init(rawValue: String) { self.rawValue = rawValue.lowercased() }

  private init(_ name: String) { rawValue = name }

  /// `image/jpeg`
  public static let jpeg = MediaFormat("image/jpeg")
  /// `image/png`
  public static let png = MediaFormat("image/png")
  /// `image/gif`, animated or not
  public static let gif = MediaFormat("image/gif")
  /// `image/webp`
  public static let webP = MediaFormat("image/webp")
  /// `image/bmp`
  public static let bmp = MediaFormat("image/bmp")
  /// `image/tiff`
  public static let tiff = MediaFormat("image/tiff")
  /// `video/mp4`
  public static let mp4 = MediaFormat("video/mp4")
  /// `video/quicktime`
  public static let quickTime = MediaFormat("video/quicktime")
  /// `video/webm`
  public static let webM = MediaFormat("video/webm")
  /// `video/mp2t`
  public static let mpegTransportStream = MediaFormat("video/mp2t")
  /// `text/srt`: subtitles as SubRip has them
  public static let subRip = MediaFormat("text/srt")
  /// `text/vtt`: subtitles as WebVTT has them
  public static let webVTT = MediaFormat("text/vtt")
  /// `model/gltf-binary`
  public static let gltf = MediaFormat("model/gltf-binary")
  /// `model/vnd.usdz+zip`
  public static let usdz = MediaFormat("model/vnd.usdz+zip")

  /// What X takes.
  static let accepted: Set<MediaFormat> = [
    .jpeg, .png, .gif, .webP, .bmp, .tiff, .mp4, .quickTime, .webM, .mpegTransportStream, .subRip, .webVTT, .gltf,
    .usdz,
    MediaFormat("image/pjpeg"),
  ]

  /// The media type.
  public var description: String { rawValue }

  var isImage: Bool { rawValue.hasPrefix("image/") }
  var isVideo: Bool { rawValue.hasPrefix("video/") }
  var isSubtitles: Bool { self == .subRip || self == .webVTT }
}
