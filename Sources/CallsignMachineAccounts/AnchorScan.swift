/// Finds anchors (`&name`) on lists and mappings, with which a small document can stand for an endless one. It looks at
/// the text alone and so takes one inside quotes for an anchor too, which no tool writes.
enum AnchorScan {
  static func namesCollection(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    var index = bytes.startIndex
    var before = UInt8(ascii: "\n")
    while index < bytes.endIndex {
      let byte = bytes[index]
      index += 1
      defer { before = byte }
      guard byte == UInt8(ascii: "&"), " \t\n\r[{,".utf8.contains(before) else { continue }
      let name = bytes[index...].prefix { !" \t\n\r,[]{}".utf8.contains($0) }
      let rest = bytes[name.endIndex...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
      guard let next = rest.first, !"\n\r#[{?!-&*".utf8.contains(next), !isKey(rest) else { return true }
    }
    return false
  }

  /// Whether a line goes on as `key: value`, so that the anchor is on a mapping that begins here.
  private static func isKey(_ rest: ArraySlice<UInt8>) -> Bool {
    let line = rest.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return false }
    return colon + 1 == line.endIndex || line[colon + 1] == UInt8(ascii: " ")
  }
}
