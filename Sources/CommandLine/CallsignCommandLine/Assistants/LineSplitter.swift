// Sound: the search gets the number of bytes, and the place that it finds lies among them.

import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Splits bytes that arrive in pieces into lines. It examines each byte once.
struct LineSplitter {
  /// A completed line.
  enum Line: Equatable {
    /// The bytes, without the line break.
    case whole(Data)
    /// A line above the size limit. Its bytes are dropped.
    case tooLong
  }

  /// The maximum number of bytes in a line.
  private let limit: Int
  private var rest = Data()
  private var isTooLong = false

  init(limit: Int) { self.limit = limit }

  /// The lines that end in the piece. Lines of only white space are left out.
  mutating func take(_ piece: ArraySlice<UInt8>) -> [Line] {
    var lines: [Line] = []
    var left = piece
    while let end = Self.newline(in: left) {
      add(left[..<end])
      if let line = finish() { lines.append(line) }
      left = left[(end + 1)...]
    }
    add(left)
    return lines
  }

  /// The last line if it has no line break.
  mutating func finish() -> Line? {
    defer { (rest, isTooLong) = (Data(), false) }
    if isTooLong { return .tooLong }
    let isBlank = rest.allSatisfy { $0 == 0x20 || $0 == 0x09 || $0 == 0x0D }
    return isBlank ? nil : .whole(rest)
  }

  private mutating func add(_ bytes: ArraySlice<UInt8>) {
    guard !isTooLong, rest.count + bytes.count <= limit else {
      (rest, isTooLong) = (Data(), true)
      return
    }
    rest.append(contentsOf: bytes)
  }

  private static func newline(in bytes: ArraySlice<UInt8>) -> Int? {
    bytes.withUnsafeBytes { raw in
      guard let base = raw.baseAddress, let found = memchr(base, 0x0A, raw.count) else { return nil }
      return bytes.startIndex + base.distance(to: UnsafeRawPointer(found))
    }
  }
}
