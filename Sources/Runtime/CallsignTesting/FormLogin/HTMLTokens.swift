import Callsign

/// A piece of an HTML page.
enum HTMLToken: Equatable {
  /// A start tag: its name in lower case, and its attributes. If several attributes have the same name, the first
  /// counts.
  case start(String, [String: String])
  /// An end tag: its name in lower case.
  case end(String)
  /// Text with its references resolved.
  case text(String)
}

/// Cuts a page into tags and text. It knows only as much of HTML's syntax (WHATWG HTML §13.2.5) as it needs to find
/// forms, and accepts everything: whatever is not a tag is text. Scripts and styles are skipped.
struct HTMLTokens: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var position = 0
  /// The element whose content is text up to its end tag.
  private var rawElement: String?

  init(_ bytes: some Sequence<UInt8>) { self.bytes = Array(bytes) }

  mutating func next() -> HTMLToken? {
    while position < bytes.count {
      if let name = rawElement {
        rawElement = nil
        let text = textUntilEnd(of: name)
        if name != "script", name != "style", !text.isEmpty { return .text(CharacterReferences.resolve(text)) }
        continue
      }
      if bytes[position] != UInt8(ascii: "<") { return .text(plainText()) }
      switch peek(1) {
      case UInt8(ascii: "!"), UInt8(ascii: "?"): skipDeclaration()
      case UInt8(ascii: "/"):
        guard Self.isLetter(peek(2)) else { return stray() }
        position += 2
        let name = tagName()
        _ = attributes()
        return .end(name)
      case let byte where Self.isLetter(byte):
        position += 1
        let name = tagName()
        let attributes = attributes()
        if ["script", "style", "textarea", "title"].contains(name) { rawElement = name }
        return .start(name, attributes)
      default: return stray()
      }
    }
    return nil
  }

  private func peek(_ distance: Int) -> UInt8 {
    position + distance < bytes.count ? bytes[position + distance] : 0
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }

  private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

  private func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// A `<` that does not begin a tag.
  private mutating func stray() -> HTMLToken {
    position += 1
    return .text("<")
  }

  private mutating func plainText() -> String {
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "<") { position += 1 }
    return CharacterReferences.resolve(text(start..<position))
  }

  /// A comment, a document type, or something that looks like one.
  private mutating func skipDeclaration() {
    let isComment = peek(2) == UInt8(ascii: "-") && peek(3) == UInt8(ascii: "-")
    position += isComment ? 4 : 2
    while position < bytes.count {
      defer { position += 1 }
      guard bytes[position] == UInt8(ascii: ">") else { continue }
      if !isComment || (bytes[position - 1] == UInt8(ascii: "-") && bytes[position - 2] == UInt8(ascii: "-")) { return }
    }
  }

  private mutating func tagName() -> String {
    let start = position
    while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">"),
      bytes[position] != UInt8(ascii: "/")
    {
      position += 1
    }
    return text(start..<position).lowercased()
  }

  /// Up to the `>` of a tag, including it.
  private mutating func attributes() -> [String: String] {
    var attributes: [String: String] = [:]
    while position < bytes.count {
      let byte = bytes[position]
      if byte == UInt8(ascii: ">") {
        position += 1
        break
      }
      if Self.isSpace(byte) || byte == UInt8(ascii: "/") {
        position += 1
        continue
      }
      let start = position
      position += 1
      while position < bytes.count, !Self.isSpace(bytes[position]), !"=>/".utf8.contains(bytes[position]) {
        position += 1
      }
      let name = text(start..<position).lowercased()
      skipSpace()
      var value = ""
      if peek(0) == UInt8(ascii: "="), position < bytes.count {
        position += 1
        skipSpace()
        value = attributeValue()
      }
      if attributes[name] == nil { attributes[name] = value }
    }
    return attributes
  }

  private mutating func skipSpace() {
    while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
  }

  private mutating func attributeValue() -> String {
    let quote = peek(0)
    guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
      let start = position
      while position < bytes.count, !Self.isSpace(bytes[position]), bytes[position] != UInt8(ascii: ">") {
        position += 1
      }
      return CharacterReferences.resolve(text(start..<position))
    }
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != quote { position += 1 }
    defer { position = Swift.min(position + 1, bytes.count) }
    return CharacterReferences.resolve(text(start..<position))
  }

  /// The content of an element that cannot contain elements; its end tag comes next.
  private mutating func textUntilEnd(of name: String) -> String {
    let start = position
    let end = Array("</\(name)".utf8)
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "<"), position + end.count <= bytes.count,
        zip(end, bytes[position...]).allSatisfy({
          $0 == $1 | ($0 == UInt8(ascii: "<") || $0 == UInt8(ascii: "/") ? 0 : 0x20)
        })
      {
        break
      }
      position += 1
    }
    return text(start..<position)
  }
}
