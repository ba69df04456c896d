/// Finds YAML aliases (`*name`) before anything is composed.
///
/// A catalogue has no use for them, and a dozen lines of aliases to aliases stand for more nodes than memory holds.
/// The scan does not know about quotes; it finds each `*name` that could be an alias of an `&name` that could be an
/// anchor. It misses none, and takes ordinary text for one only where both stand in it with the same name.
enum AliasScan {
  /// The byte offset and the name of the first alias.
  static func firstAlias(in bytes: [UInt8]) -> (offset: Int, name: String)? {
    // Without an `&` (0x26) there is no anchor, and without an anchor no alias.
    guard bytes.contains(0x26) else { return nil }
    var anchors: Set<String> = []
    var aliases: [(offset: Int, name: String)] = []
    bytes.withUnsafeBufferPointer { buffer in
      var index = 0
      while index < buffer.count {
        let byte = buffer[index]
        index += 1
        guard byte == 0x26 || byte == 0x2A else { continue }
        guard index == 1 || mayPrecedeToken(buffer[index - 2]) else { continue }
        var end = index
        while end < buffer.count, isNamePart(buffer[end]) { end += 1 }
        guard end > index else { continue }
        let name = String(decoding: buffer[index..<end], as: UTF8.self)
        if byte == 0x26 { anchors.insert(name) } else { aliases.append((index - 1, name)) }
      }
    }
    return anchors.isEmpty ? nil : aliases.first { anchors.contains($0.name) }
  }

  /// White space, line breaks (of which some are not ASCII), and the indicators that a token may follow at once.
  private static func mayPrecedeToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0...0x20, 0x80...0xFF: true
    case UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: ","), UInt8(ascii: ":"), UInt8(ascii: "?"),
      UInt8(ascii: "-"):
      true
    default: false
    }
  }

  /// What libyaml takes as part of an anchor's name.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    byte.isLowercase || byte.isUppercase || byte.isDigit || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
  }
}
