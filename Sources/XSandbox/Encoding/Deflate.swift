/// Compression by DEFLATE (RFC 1951): one block with the fixed codes, and repetitions found by their first three bytes.
/// It compresses little, but enough to make a client unpack something.
enum Deflate {
  private static let window = 32_768
  private static let longestMatch = 258

  static func compress(_ bytes: [UInt8]) -> [UInt8] {
    var writer = BitWriter()
    writer.write(0b011, count: 3)
    var lastPlaces: [UInt32: Int] = [:]
    var index = 0
    while index < bytes.count {
      let match = match(in: bytes, at: index, lastPlaces)
      let length = match?.length ?? 1
      if let match {
        write(length: match.length, to: &writer)
        write(distance: match.distance, to: &writer)
      } else {
        write(symbol: Int(bytes[index]), to: &writer)
      }
      for place in index..<index + length {
        if let key = key(bytes, place) { lastPlaces[key] = place }
      }
      index += length
    }
    write(symbol: 256, to: &writer)
    return writer.finished
  }

  private static func key(_ bytes: [UInt8], _ index: Int) -> UInt32? {
    guard index + 2 < bytes.count else { return nil }
    return UInt32(bytes[index]) | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]) << 16
  }

  private static func match(
    in bytes: [UInt8], at index: Int, _ lastPlaces: [UInt32: Int]
  ) -> (length: Int, distance: Int)? {
    guard let key = key(bytes, index), let place = lastPlaces[key], index - place <= window else { return nil }
    var length = 3
    while length < longestMatch, index + length < bytes.count, bytes[place + length] == bytes[index + length] {
      length += 1
    }
    return (length, index - place)
  }

  /// The fixed code of RFC 1951 §3.2.6.
  private static func write(symbol: Int, to writer: inout BitWriter) {
    switch symbol {
    case ..<144: writer.write(code: 0x30 + symbol, count: 8)
    case ..<256: writer.write(code: 0x190 + symbol - 144, count: 9)
    case ..<280: writer.write(code: symbol - 256, count: 7)
    default: writer.write(code: 0xC0 + symbol - 280, count: 8)
    }
  }

  /// §3.2.5: a symbol for a group of lengths, and extra bits for the place in it.
  private static func write(length: Int, to writer: inout BitWriter) {
    guard length < longestMatch else { return write(symbol: 285, to: &writer) }
    let offset = length - 3
    let extra = offset < 8 ? 0 : offset.magnitude.bitWidth - offset.leadingZeroBitCount - 3
    write(symbol: 257 + extra * 4 + offset >> extra, to: &writer)
    writer.write(offset & ((1 << extra) - 1), count: extra)
  }

  private static func write(distance: Int, to writer: inout BitWriter) {
    let offset = distance - 1
    let extra = offset < 4 ? 0 : offset.magnitude.bitWidth - offset.leadingZeroBitCount - 2
    writer.write(code: extra * 2 + offset >> extra, count: 5)
    writer.write(offset & ((1 << extra) - 1), count: extra)
  }
}

/// Collects bits, the lowest of a byte first.
private struct BitWriter {
  private var bytes: [UInt8] = []
  private var pending: UInt64 = 0
  private var count = 0

  /// A number, its lowest bit first.
  mutating func write(_ value: Int, count: Int) {
    pending |= UInt64(value) << self.count
    self.count += count
    while self.count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      self.count -= 8
    }
  }

  /// A Huffman code, its highest bit first.
  mutating func write(code: Int, count: Int) {
    for bit in (0..<count).reversed() { write(code >> bit & 1, count: 1) }
  }

  var finished: [UInt8] { count > 0 ? bytes + [UInt8(truncatingIfNeeded: pending)] : bytes }
}
