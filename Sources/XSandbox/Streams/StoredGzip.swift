import Foundation

/// The gzip format (RFC 1952) with stored blocks (RFC 1951 §3.2.4): a client has to decode it, and each piece can be
/// decoded as soon as it is there. It makes nothing smaller.
struct StoredGzip: Sendable {
  /// Magic number, method, no flags, no time, no hint, unknown system.
  static let header: [UInt8] = [0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255]

  private var checksum: UInt32 = ~0
  private var size: UInt32 = 0

  mutating func compress(_ bytes: Data) -> [UInt8] {
    var result: [UInt8] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      let block = rest.prefix(0xFFFF)
      result.append(0)
      Self.append(UInt16(block.count), to: &result)
      Self.append(~UInt16(block.count), to: &result)
      result.append(contentsOf: block)
      rest = rest.dropFirst(block.count)
    }
    for byte in bytes { checksum = Self.table[Int(UInt8(truncatingIfNeeded: checksum) ^ byte)] ^ (checksum >> 8) }
    size &+= UInt32(truncatingIfNeeded: bytes.count)
    return result
  }

  /// The empty last block, the CRC-32 and the size.
  var trailer: [UInt8] {
    var result: [UInt8] = [1, 0, 0, 0xFF, 0xFF]
    Self.append(~checksum, to: &result)
    Self.append(size, to: &result)
    return result
  }

  /// Least significant byte first.
  private static func append(_ number: some FixedWidthInteger, to result: inout [UInt8]) {
    withUnsafeBytes(of: number.littleEndian) { result.append(contentsOf: $0) }
  }

  /// RFC 1952 §8.
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }
}
