// Sound: each place is compared with the number of bytes before it is read, and no address is kept.

/// Percent-encoding of RFC 3986: letters, digits and `-._~` stay, every other byte of the UTF-8 form becomes `%XX`.
/// It is also what OAuth 1.0 signs (RFC 5849 §3.6).
package enum PercentEncoding {
  /// Whether a byte stays as it is.
  package static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 {
    // Seven characters lie between `9` and `A`.
    UInt8(ascii: "0") &+ value &+ ((9 &- value) &>> 7) &* 7
  }

  /// The value of a hexadecimal digit; `nil` for another character.
  package static func hexadecimal(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    default: nil
    }
  }

  /// The byte of the two hexadecimal digits at the start of a text; `nil` if it does not start with two.
  package static func hexadecimalByte(_ text: some Collection<UInt8>) -> UInt8? {
    guard let high = text.first.flatMap(hexadecimal), let low = text.dropFirst().first.flatMap(hexadecimal) else {
      return nil
    }
    return high << 4 | low
  }

  /// The encoded text.
  package static func encode(_ text: String) -> String {
    var bytes: [UInt8] = []
    append(text, to: &bytes)
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Decodes an encoded text; `nil` if a `%` is not followed by two digits, or the decoded bytes are not UTF-8.
  package static func decode(_ text: some StringProtocol) -> String? { decode(text.utf8) }

  /// The same of bytes.
  ///
  /// - Parameter isForm: Whether a `+` is a space.
  package static func decode(_ encoded: some Sequence<UInt8>, isForm: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = encoded.makeIterator()
    while let byte = rest.next() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(isForm && byte == UInt8(ascii: "+") ? 0x20 : byte)
        continue
      }
      guard let high = rest.next().flatMap(hexadecimal), let low = rest.next().flatMap(hexadecimal) else { return nil }
      bytes.append(high << 4 | low)
    }
    return String(validating: bytes)
  }

  /// A path or query with only those characters encoded that are invalid in a URL (RFC 3986 §2), so that existing escapes stay.
  package static func encodeIllegal(_ text: String) -> String {
    guard text.utf8.contains(where: isIllegal) else { return text }
    var bytes: [UInt8] = []
    for byte in text.utf8 {
      if isIllegal(byte) { append(byte, to: &bytes) } else { bytes.append(byte) }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func isIllegal(_ byte: UInt8) -> Bool {
    switch byte {
    case ...0x20, 0x7F..., UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\\"),
      UInt8(ascii: "^"), UInt8(ascii: "`"), UInt8(ascii: "{"), UInt8(ascii: "|"), UInt8(ascii: "}"):
      true
    default: false
    }
  }

  /// The reserved expansion of RFC 6570 §3.2.3, from the encoded form of a value: reserved characters are not encoded, so that a
  /// value may have several segments. `?` and `#` stay encoded, because a value must not end the path.
  package static func reservedExpansion(ofEncoded text: String) -> String {
    guard text.utf8.contains(UInt8(ascii: "%")) else { return text }
    return String(decoding: decode(":/[]@!$&'()*+,;=", ofEncoded: text.utf8), as: UTF8.self)
  }

  /// An encoded text with some characters decoded again.
  package static func decode(_ characters: String, ofEncoded text: some Collection<UInt8>) -> [UInt8] {
    var result: [UInt8] = []
    var rest = text[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%"), let value = hexadecimalByte(rest), characters.utf8.contains(value) else {
        result.append(byte)
        continue
      }
      result.append(value)
      rest = rest.dropFirst(2)
    }
    return result
  }

  /// Appends the encoded form of a text.
  package static func append(_ text: String, to output: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &output) }
  }

  /// Appends the encoded form of some bytes.
  package static func append(_ bytes: UnsafeBufferPointer<UInt8>, to output: inout [UInt8]) {
    // Whole runs at once, because most bytes are not encoded.
    var place = 0
    while place < bytes.count {
      let end = endOfUnreserved(in: bytes, from: place)
      if end > place { output.append(contentsOf: UnsafeBufferPointer(rebasing: bytes[place..<end])) }
      place = end
      while place < bytes.count, !isUnreserved(bytes[place]) {
        append(bytes[place], to: &output)
        place &+= 1
      }
    }
  }

  /// The position of the first byte, at or after a position, that has to be encoded; the number of bytes if there is none.
  private static func endOfUnreserved(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var place = start
    while place < bytes.count, isUnreserved(bytes[place]) { place &+= 1 }
    return place
  }

  /// Appends the encoded form of a byte.
  package static func append(_ byte: UInt8, to output: inout [UInt8]) {
    if isUnreserved(byte) {
      output.append(byte)
    } else {
      output.append(UInt8(ascii: "%"))
      output.append(digit(byte >> 4))
      output.append(digit(byte & 15))
    }
  }

  /// Appends `name=value`, after a `&` where something precedes it.
  package static func appendPair(_ name: String, _ value: String, suffix: String = "", to output: inout [UInt8]) {
    if !output.isEmpty { output.append(UInt8(ascii: "&")) }
    append(name, to: &output)
    append(suffix, to: &output)
    output.append(UInt8(ascii: "="))
    append(value, to: &output)
  }

  /// Appends `name=value` for a value with several elements. The delimiter between them is not encoded, and no element can be
  /// mistaken for two (RFC 6570 §3.2.8).
  package static func appendPair(
    _ name: String, elements: [String], delimiter: String, to output: inout [UInt8]
  ) {
    appendPair(name, "", to: &output)
    for (index, element) in elements.enumerated() {
      if index > 0 { output.append(contentsOf: delimiter.utf8) }
      append(element, to: &output)
    }
  }
}

/// How a list is written in a place that has no lists: in a query, form, header or path.
public enum ListStyle: UInt8, Sendable, Hashable {
  /// `name=a,b,c`. The commas are not encoded; a comma within an element is, except in header fields and text parts (RFC 6570
  /// §3.2.8).
  case comma
  /// `name=a b c`, encoded, as no URL has a space.
  case space
  /// `name=a|b|c`, encoded, as no URL has a pipe.
  case pipe
  /// `name=a&name=b`; in a path, repeats the text before the value from its `;` on: `;name=a;name=b` (RFC 6570 §3.2.7).
  case `repeat`
  /// `name[]=a&name[]=b`
  case brackets
  /// `name[0]=a&name[1]=b`
  case indexed
  /// `a.b.c`. Dots within an element cannot be distinguished from separators (RFC 6570 §3.2.5).
  case dot
}

extension String {
  /// The text that bytes are in UTF-8; `nil` when they are not UTF-8.
  package init?(validating bytes: [UInt8]) {
    let text = String(decoding: bytes, as: UTF8.self)
    // Decoding replaces invalid UTF-8, and the bytes show it.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}

extension String {
  /// The text as one word that a POSIX shell takes literally (IEEE 1003.1, 2.2.2).
  package var shellQuoted: String {
    let isPlain = !isEmpty && utf8.allSatisfy { PercentEncoding.isUnreserved($0) || "/:@=,+%".utf8.contains($0) }
    if isPlain, first != "~" { return self }
    // By code points: a quote with an accent on it is one character, and ends the word all the same.
    return "'" + String(unicodeScalars.replacing("'".unicodeScalars, with: #"'\''"#.unicodeScalars)) + "'"
  }
}
