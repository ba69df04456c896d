import Foundation

/// The content codings that the sandbox sends (RFC 9110 §8.4.1).
enum ContentCoding: String {
  case gzip
  case deflate

  /// Picks a coding that a client accepts: gzip before deflate, and none with the weight 0.
  /// - Parameter header: the value of `Accept-Encoding`.
  static func preferred(by header: String?) -> ContentCoding? {
    let accepted = (header ?? "").lowercased().split(separator: ",").compactMap { part -> String? in
      let pieces = part.split(separator: ";").map { $0.trimmingCharacters(in: .whitespaces) }
      let isRefused = pieces.dropFirst().contains { $0.hasPrefix("q=") && Double($0.dropFirst(2)) == 0 }
      return isRefused ? nil : pieces.first
    }
    return [ContentCoding.gzip, .deflate].first { accepted.contains($0.rawValue) }
  }

  func encode(_ data: Data) -> Data {
    let bytes = Array(data)
    let packed = Deflate.compress(bytes)
    switch self {
    case .gzip:
      return Data(
        StoredGzip.header + packed + CRC32.checksum(of: bytes).littleEndianBytes
          + UInt32(truncatingIfNeeded: bytes.count).littleEndianBytes)
    case .deflate:
      // RFC 1950: HTTP's deflate is zlib's format around the compressed bytes.
      return Data([0x78, 0x01] + packed + Self.adler32(bytes).littleEndianBytes.reversed())
    }
  }

  /// RFC 1950 §8.2.
  private static func adler32(_ bytes: [UInt8]) -> UInt32 {
    var low: UInt32 = 1
    var high: UInt32 = 0
    for byte in bytes {
      low = (low + UInt32(byte)) % 65_521
      high = (high + low) % 65_521
    }
    return high << 16 | low
  }
}

/// The gzip format (RFC 1952) with stored blocks (RFC 1951 §3.2.4). A client has to decode it, and can decode each
/// piece on arrival. It makes nothing smaller.
struct StoredGzip: Sendable {
  /// Magic number, method, no flags, no time, no hint, unknown system.
  static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private var checksum = CRC32()
  private var size: UInt32 = 0

  mutating func compress(_ bytes: Data) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      let length = UInt16(block.count)
      result += [0] + length.littleEndianBytes + (~length).littleEndianBytes + block
      rest = rest.dropFirst(block.count)
    }
    checksum.update(bytes)
    size &+= UInt32(truncatingIfNeeded: bytes.count)
    return result
  }

  /// The empty last block, the checksum and the size.
  var trailer: [UInt8] { [1, 0, 0, 0xFF, 0xFF] + checksum.value.littleEndianBytes + size.littleEndianBytes }
}

/// CRC-32 as gzip computes it (RFC 1952 §8), of bytes that arrive piece by piece.
struct CRC32: Sendable {
  private var remainder = UInt32.max

  var value: UInt32 { ~remainder }

  mutating func update(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { remainder = Self.table[Int(UInt8(truncatingIfNeeded: remainder) ^ byte)] ^ (remainder >> 8) }
  }

  static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
    var checksum = CRC32()
    checksum.update(bytes)
    return checksum.value
  }

  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }
}

extension FixedWidthInteger {
  fileprivate var littleEndianBytes: [UInt8] { withUnsafeBytes(of: littleEndian) { Array($0) } }
}
