import Callsign
import Foundation

/// Finds out whether a GIF has more than one image (GIF89a specification, §15–§26), without decoding any.
struct GIFFrames {
  /// How many bytes are read at once.
  private static let window = 64 * 1024
  /// What X takes of a GIF; beyond it nothing is looked at.
  private static let mostBytes = 64 << 20

  private let content: UploadContent
  private var buffer = Data()
  /// Where the buffer begins in the content.
  private var start = 0
  private var position = 0

  /// Whether there are at least two images. A GIF that is cut short counts by what there is of it.
  ///
  /// - Throws: ``UploadError`` if the content cannot be read.
  static func isAnimated(_ content: UploadContent) throws(UploadError) -> Bool {
    var frames = GIFFrames(content)
    return try frames.hasTwo()
  }

  private init(_ content: UploadContent) { self.content = content }

  private mutating func hasTwo() throws(UploadError) -> Bool {
    // Signature and logical screen, whose packed field tells of the global colour table.
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
