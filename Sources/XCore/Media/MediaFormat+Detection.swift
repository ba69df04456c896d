import Callsign
import Foundation

extension MediaFormat {
  /// How many of the first bytes are looked at: three packets of a transport stream begin within them.
  private static let headLength = 512

  /// Finds a format by the content's first bytes, and by the file's extension where they tell nothing.
  ///
  /// - Throws: ``UploadError`` if the content cannot be read.
  static func detected(in content: UploadContent) throws(UploadError) -> MediaFormat? {
    let head = Array(try content.bytes(at: 0, upTo: headLength))
    return format(ofHead: head) ?? format(ofExtension: (content.fileName as NSString).pathExtension)
  }

  /// The format that begins so.
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
    // Its fifth to ninth bytes hold the size and zeros, which a text that begins so does not.
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
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    let text = String(decoding: head.starts(with: mark) ? head.dropFirst(3) : head[...], as: UTF8.self)
    if text.hasPrefix("WEBVTT") { return .webVTT }
    let lines = text.split(whereSeparator: \.isNewline)
    guard let number = lines.first, Int(number.trimmingCharacters(in: .whitespaces)) != nil,
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
