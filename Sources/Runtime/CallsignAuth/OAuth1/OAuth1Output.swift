import CallsignHTTP

/// Memory that is written from its beginning; it must have room for everything, and for ``slack`` bytes more.
struct OAuth1Output {
  private let room: UnsafeMutableBufferPointer<UInt8>
  private(set) var count = 0

  /// The number of bytes behind the last one that may be read and written, so that short texts are copied as whole
  /// words.
  static let slack = 8

  init(_ room: UnsafeMutableBufferPointer<UInt8>) { self.room = room }

  /// Text that is encoded already.
  mutating func append(_ text: StaticString) {
    for index in 0..<text.utf8CodeUnitCount { room.initializeElement(at: count &+ index, to: text.utf8Start[index]) }
    count &+= text.utf8CodeUnitCount
  }

  /// Bytes that are encoded already.
  mutating func append(_ bytes: [UInt8]) { bytes.withUnsafeBufferPointer { append($0) } }

  private mutating func append(_ bytes: UnsafeBufferPointer<UInt8>) {
    guard let source = bytes.baseAddress, let target = room.baseAddress, bytes.count <= room.count - count else {
      return
    }
    (target + count).update(from: source, count: bytes.count)
    count &+= bytes.count
  }

  mutating func append(encoding text: String) {
    var text = text
    text.withUTF8 { append(encoding: $0) }
  }

  mutating func append(encoding bytes: UnsafeBufferPointer<UInt8>) {
    PercentEncoding.put(bytes, in: room, at: &count)
  }

  /// Bytes that are encoded, but for their commas, and are encoded again, which changes these and `%` alone.
  ///
  /// - Parameter bytes: Has ``slack`` bytes more behind the range.
  mutating func append(encodedOnce bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) {
    let source = UnsafeRawBufferPointer(bytes)
    let target = UnsafeMutableRawBufferPointer(room)
    let ones: UInt64 = 0x0101_0101_0101_0101
    var place = range.lowerBound
    while place < range.upperBound {
      let word = source.loadUnaligned(fromByteOffset: place, as: UInt64.self).littleEndian
      target.storeBytes(of: word.littleEndian, toByteOffset: count, as: UInt64.self)
      // The lowest high bit is that of the first `%` or comma; those above it may be false.
      let (percents, commas) = (word ^ (ones &* UInt64(UInt8(ascii: "%"))), word ^ (ones &* UInt64(UInt8(ascii: ","))))
      let marks =
        ((percents &- ones) & ~percents | (commas &- ones) & ~commas) & (ones &* 0x80)
      let plain = min(marks == 0 ? 8 : marks.trailingZeroBitCount &>> 3, range.upperBound &- place)
      place &+= plain
      count &+= plain
      if marks != 0, place < range.upperBound {
        if source[place] == UInt8(ascii: "%") { append("%25") } else { append("%252C") }
        place &+= 1
      }
    }
  }
}
