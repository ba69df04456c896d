import Callsign
import CallsignSupport

/// A media type that X accepts, such as `image/png`. You can make others from their names.
///
/// Source: the enumeration `media_type` of `POST /2/media/upload/initialize`
/// (<https://docs.x.com/x-api/media/initialize-media-upload>).
public struct MediaFormat: RawRepresentable, Sendable, Hashable, CustomStringConvertible {
  /// The media type in lower case.
  public let rawValue: String

  /// Makes a media type from its name.
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
  /// `text/srt`: SubRip subtitles
  public static let subRip = MediaFormat("text/srt")
  /// `text/vtt`: WebVTT subtitles
  public static let webVTT = MediaFormat("text/vtt")
  /// `model/gltf-binary`
  public static let gltf = MediaFormat("model/gltf-binary")
  /// `model/vnd.usdz+zip`
  public static let usdz = MediaFormat("model/vnd.usdz+zip")

  /// The types that X accepts.
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

extension MediaFormat {
  /// How many first bytes are examined: three packets of a transport stream begin within them.
  private static let headLength = 512

  /// Detects a format from the content's first bytes, or from the file's extension if the bytes are inconclusive.
  ///
  /// - Throws: ``UploadError`` if the content cannot be read.
  static func detected(in content: UploadContent) throws(UploadError) -> MediaFormat? {
    let head = Array(try content.bytes(at: 0, upTo: headLength))
    return format(ofHead: head) ?? format(ofExtension: URL(fileURLWithPath: content.fileName).pathExtension)
  }

  /// The format that begins with these bytes.
  static func format(ofHead head: [UInt8]) -> MediaFormat? {
    func has(_ text: String, at offset: Int = 0) -> Bool { head.dropFirst(offset).starts(with: text.utf8) }
    func begins(_ bytes: UInt8...) -> Bool { head.starts(with: bytes) }
    if begins(0xFF, 0xD8, 0xFF) { return .jpeg }
    if begins(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A) { return .png }
    if has("GIF87a") || has("GIF89a") { return .gif }
    if has("RIFF"), has("WEBP", at: 8) { return .webP }
    if begins(0x49, 0x49, 0x2A, 0x00) || begins(0x4D, 0x4D, 0x00, 0x2A) { return .tiff }
    if has("ftyp", at: 4) { return format(ofBrand: head.dropFirst(8).prefix(4)) }
    // Older QuickTime files have no brand.
    if has("moov", at: 4) || has("mdat", at: 4) || has("wide", at: 4) { return .quickTime }
    if begins(0x1A, 0x45, 0xDF, 0xA3) {
      let isWebM = String(decoding: head.prefix(64), as: UTF8.self).contains("webm")
      return isWebM ? .webM : MediaFormat(rawValue: "video/x-matroska")
    }
    if has("glTF") { return .gltf }
    // Its fifth to ninth bytes hold the size and zeros; a text that begins the same way does not.
    if has("BM"), head.count > 10, head[6...9].allSatisfy({ $0 == 0 }) { return .bmp }
    if head.count > 376, [0, 188, 376].allSatisfy({ head[$0] == 0x47 }) { return .mpegTransportStream }
    return subtitles(head)
  }

  /// The major brand of an ISO base media file (ISO/IEC 14496-12 §4.3).
  private static func format(ofBrand brand: ArraySlice<UInt8>) -> MediaFormat {
    switch String(decoding: brand, as: UTF8.self) {
    case "qt  ": .quickTime
    case "heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1": MediaFormat(rawValue: "image/heic")
    case "avif", "avis": MediaFormat(rawValue: "image/avif")
    case "M4A ", "M4B ", "M4P ": MediaFormat(rawValue: "audio/mp4")
    default: .mp4
    }
  }

  private static func subtitles(_ head: [UInt8]) -> MediaFormat? {
    let text = String(decoding: head.withoutByteOrderMark, as: UTF8.self)
    if text.hasPrefix("WEBVTT") { return .webVTT }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let number = lines.first, Int(number.trimmingWhitespace()) != nil,
      lines.dropFirst().first?.contains("-->") == true
    else { return nil }
    return .subRip
  }

  private static func format(ofExtension name: String) -> MediaFormat? {
    switch name.lowercased() {
    case "jpg", "jpeg", "jpe", "jfif": .jpeg
    case "png": .png
    case "gif": .gif
    case "webp": .webP
    case "bmp": .bmp
    case "tif", "tiff": .tiff
    case "mp4", "m4v": .mp4
    case "mov", "qt": .quickTime
    case "webm": .webM
    case "ts", "mts", "m2ts": .mpegTransportStream
    case "srt": .subRip
    case "vtt": .webVTT
    case "glb": .gltf
    case "usdz": .usdz
    case "heic", "heif": MediaFormat(rawValue: "image/heic")
    case "avif": MediaFormat(rawValue: "image/avif")
    case "mkv": MediaFormat(rawValue: "video/x-matroska")
    default: nil
    }
  }
}

/// Detects whether a GIF has more than one image (GIF89a specification, §15–§26), without decoding any.
struct GIFFrames {
  /// The number of bytes that are read at once.
  private static let window = 64 * 1024
  /// The maximum size of a GIF that X accepts; the rest is not examined.
  private static let mostBytes = 64 << 20

  private let content: UploadContent
  private var buffer = Data()
  /// The position in the content where the buffer begins.
  private var start = 0
  private var position = 0

  /// Whether there are at least two images. If a GIF is cut off, only the part that exists counts.
  ///
  /// - Throws: ``UploadError`` if the content cannot be read.
  static func isAnimated(_ content: UploadContent) throws(UploadError) -> Bool {
    var frames = GIFFrames(content)
    return try frames.hasTwo()
  }

  private init(_ content: UploadContent) { self.content = content }

  private mutating func hasTwo() throws(UploadError) -> Bool {
    // Signature and logical screen, whose packed field describes the global colour table.
    position = 10
    guard let packed = try byte() else { return false }
    position = 13 + Self.colourTableLength(packed)
    var images = 0
    while position < Self.mostBytes, let introducer = try byte() {
      switch introducer {
      case 0x2C:
        images += 1
        if images == 2 { return true }
        position += 8
        guard let packed = try byte() else { return false }
        position += Self.colourTableLength(packed) + 1
        try skipBlocks()
      case 0x21:
        position += 1
        try skipBlocks()
      default: return false
      }
    }
    return false
  }

  private static func colourTableLength(_ packed: UInt8) -> Int { packed & 0x80 == 0 ? 0 : 3 << (Int(packed & 7) + 1) }

  /// Blocks that begin with their length, up to one of length 0.
  private mutating func skipBlocks() throws(UploadError) {
    while position < Self.mostBytes, let length = try byte(), length > 0 { position += Int(length) }
  }

  private mutating func byte() throws(UploadError) -> UInt8? {
    if position < start || position >= start + buffer.count {
      buffer = try content.bytes(at: position, upTo: Self.window)
      start = position
    }
    guard !buffer.isEmpty else { return nil }
    defer { position += 1 }
    return buffer[buffer.startIndex + position - start]
  }
}
