// Sound: each place is compared with `end` before it is read, in the closure that gets the bytes.

import CallsignSupport

/// A text that is JSON but for some of its characters: a byte order mark before it, and in its strings bytes that are no UTF-8,
/// halves of surrogate pairs, and control characters that are not escaped. Servers cut texts in the middle of a character, and
/// keep others in an older character set; one of a hundred elements with such a text must not cost the others.
package struct RepairedJSON {
  /// The repaired text: invalid characters are U+FFFD, and control characters are escaped.
  package private(set) var data: Data
  /// The places where the repaired text is longer than the original, in order, and the total difference up to there. A run of
  /// repaired characters has one, at its end: no value begins inside it, so no error is there.
  private var shifts: [(offset: Int, by: Int)] = []

  /// Repairs a text.
  ///
  /// - Returns: `nil` if there is nothing to repair.
  package init?(_ text: Data) {
    var repaired = Data(capacity: text.count + 16)
    var shifts: [(offset: Int, by: Int)] = []
    var isChanged = false
    text.withUnsafeBytes { (bytes: UnsafeRawBufferPointer) in
      guard let start = bytes.baseAddress?.assumingMemoryBound(to: UInt8.self) else { return }
      let end = start + bytes.count
      var place = start
      var isInString = false
      /// Writes other bytes in place of some.
      func put(_ replacement: some Collection<UInt8>, insteadOf count: Int) {
        if shifts.last?.offset == repaired.count { shifts.removeLast() }
        repaired.append(contentsOf: replacement)
        place += count
        isChanged = true
        shifts.append((repaired.count, repaired.count - (place - start)))
      }
      if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { put([0x20, 0x20, 0x20], insteadOf: 3) }
      while place < end {
        let byte = place.pointee
        guard isInString else {
          isInString = byte == UInt8(ascii: "\"")
          repaired.append(byte)
          place += 1
          continue
        }
        switch byte {
        case 0..<0x20:
          put("\\u00\(byte < 0x10 ? "0" : "")\(String(byte, radix: 16))".utf8, insteadOf: 1)
        case 0x80...:
          let length = JSONReader.sequenceLength(at: place, end: end)
          if length == 0 {
            put([0xEF, 0xBF, 0xBD], insteadOf: 1)
          } else {
            repaired.append(place, count: length)
            place += length
          }
        case UInt8(ascii: "\\"):
          let length = min(Self.escapeLength(at: place, end: end) ?? 0, end - place)
          if length == 0 {
            put("\\ufffd".utf8, insteadOf: 6)
          } else {
            repaired.append(place, count: length)
            place += length
          }
        default:
          isInString = byte != UInt8(ascii: "\"")
          repaired.append(byte)
          place += 1
        }
      }
    }
    guard isChanged else { return nil }
    data = repaired
    self.shifts = shifts
  }

  /// The number of bytes of the escape at a backslash, those of a surrogate pair together; `nil` for half a pair.
  private static func escapeLength(at backslash: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> Int? {
    guard let unit = unit(at: backslash, end: end) else { return 2 }
    if unit & 0xF800 != 0xD800 { return 6 }
    guard unit < 0xDC00, end - backslash >= 12, let second = self.unit(at: backslash + 6, end: end),
      second & 0xFC00 == 0xDC00
    else { return nil }
    return 12
  }

  /// The code unit of a `\u` escape; `nil` if there is none.
  private static func unit(at backslash: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>) -> UInt32? {
    guard end - backslash >= 6, backslash[0] == UInt8(ascii: "\\"), backslash[1] == UInt8(ascii: "u") else {
      return nil
    }
    var unit: UInt32 = 0
    for index in 2..<6 {
      guard let digit = JSONReader.hexadecimalDigit(backslash[index]) else { return nil }
      unit = unit << 4 | digit
    }
    return unit
  }

  /// The error seen from the text that came.
  func original(_ error: JSONError) -> JSONError {
    // The number of shifts up to the error, found by halves: there may be as many shifts as bytes, and many errors.
    var (count, end) = (0, shifts.count)
    while count < end {
      let middle = (count + end) / 2
      if shifts[middle].offset <= error.offset { count = middle + 1 } else { end = middle }
    }
    return JSONError(error.kind, path: error.path, offset: error.offset - (count > 0 ? shifts[count - 1].by : 0))
  }

  /// The issue seen from the text that came.
  func original(_ issue: DecodingIssue) -> DecodingIssue {
    DecodingIssue(
      error: original(issue.error), outcome: issue.outcome, omittedPath: issue.omittedPath, found: issue.found)
  }
}
