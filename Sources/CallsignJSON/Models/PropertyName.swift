// The generator compiles this file, too (through a symbolic link), to write down only the names that differ.

/// The Swift name that a member mostly has: `created_at` is `createdAt`, `user_id` is `userID`.
enum PropertyName {
  static func usual(of wire: String) -> String {
    var wire = wire
    let isASCII = wire.withUTF8 { bytes in
      // By pointer, as the generator is mostly a debug build.
      guard let start = bytes.baseAddress else { return true }
      var index = 0
      while index < bytes.count, start[index] < 0x80 { index += 1 }
      return index == bytes.count
    }
    guard isASCII else { return usual(ofAnyText: wire) }
    return wire.withUTF8 { bytes in
      String(unsafeUninitializedCapacity: bytes.count) { joinWords(of: bytes, into: $0) }
    }
  }

  private static func usual(ofAnyText wire: String) -> String {
    var name = ""
    for word in wire.split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
      switch word {
      case _ where name.isEmpty: name += word
      case "id", "url": name += word.uppercased()
      case "ids", "urls": name += word.dropLast().uppercased() + "s"
      default: name += word.prefix(1).uppercased() + word.dropFirst()
      }
    }
    return name
  }

  /// The same for ASCII.
  ///
  /// - Returns: The number of bytes that were written.
  private static func joinWords(
    of bytes: UnsafeBufferPointer<UInt8>, into name: UnsafeMutableBufferPointer<UInt8>
  ) -> Int {
    guard let wire = bytes.baseAddress, let name = name.baseAddress else { return 0 }
    var length = 0
    var start = 0
    while start < bytes.count {
      var end = start
      while end < bytes.count, isLetterOrDigit(wire[end]) { end += 1 }
      let isFirst = length == 0
      let upper = isFirst ? 0 : max(1, acronymLength(wire + start, end - start))
      var index = start
      while index < end {
        let isRaised = index - start < upper && wire[index] >= 0x61 && wire[index] <= 0x7A
        name[length] = isRaised ? wire[index] - 0x20 : wire[index]
        length += 1
        index += 1
      }
      start = end + 1
    }
    return length
  }

  private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
    let letter = byte | 0x20
    return (letter >= 0x61 && letter <= 0x7A) || (byte >= 0x30 && byte <= 0x39)
  }

  /// 2 for `id` and `ids`, 3 for `url` and `urls`.
  private static func acronymLength(_ word: UnsafePointer<UInt8>, _ count: Int) -> Int {
    if count == 2 || (count == 3 && word[2] == UInt8(ascii: "s")) {
      return word[0] == UInt8(ascii: "i") && word[1] == UInt8(ascii: "d") ? 2 : 0
    }
    guard count == 3 || (count == 4 && word[3] == UInt8(ascii: "s")) else { return 0 }
    return word[0] == UInt8(ascii: "u") && word[1] == UInt8(ascii: "r") && word[2] == UInt8(ascii: "l") ? 3 : 0
  }
}
