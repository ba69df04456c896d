import CallsignCatalogue
import CallsignYAML

/// Writes YAML scalars: plain if they are read back as the same text, otherwise quoted.
enum QuotedScalar {
  /// The text as a scalar of one line.
  ///
  /// - Parameter isInFlow: Whether it is inside `{…}` or `[…]`, where commas and brackets end a plain scalar, and for YAML 1.1
  ///   parsers also question marks.
  static func scalar(_ text: String, isInFlow: Bool = false) -> String {
    isPlain(text, isInFlow: isInFlow) ? text : quoted(text)
  }

  /// A value that is compared as text, so that a flag or number can be plain.
  static func value(_ text: String) -> String {
    ["true", "false"].contains(text) || isNumber(text) ? text : scalar(text, isInFlow: true)
  }

  /// Whether every YAML parser reads the text as the same decimal number and returns it as written. YAML 1.1 parsers read a number
  /// that begins with a zero as octal.
  private static func isNumber(_ text: String) -> Bool {
    let digits = text.utf8.drop { $0 == UInt8(ascii: "-") }
    if digits.first == UInt8(ascii: "0"), digits.count > 1, digits.dropFirst().first != UInt8(ascii: ".") {
      return false
    }
    return Int(text) != nil && text.utf8.first != UInt8(ascii: "+")
      || Double(text) != nil && digits.allSatisfy { (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }
        && digits.first != UInt8(ascii: ".") && digits.last != UInt8(ascii: ".")
  }

  static func isPlain(_ text: String, isInFlow: Bool) -> Bool {
    guard let first = text.unicodeScalars.first, let last = text.unicodeScalars.last else { return false }
    if first == " " || last == " " || last == ":" { return false }
    if "-?:,[]{}#&*!|>'\"%@`=<~".unicodeScalars.contains(first) {
      // `-1` and `?x` are plain and `- x` is not, but none of them is worth a reader's doubt.
      return false
    }
    if looksLikeAnotherType(text) { return false }
    var previous: Unicode.Scalar = " "
    for scalar in text.unicodeScalars {
      if !scalar.isPrintableInYAML { return false }
      if scalar == "#", previous == " " { return false }
      if previous == ":", scalar == " " { return false }
      if isInFlow, ",?[]{}".unicodeScalars.contains(scalar) { return false }
      if isInFlow, previous == ":", !isWordPart(scalar), scalar != "/" { return false }
      previous = scalar
    }
    return true
  }

  private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
  }

  /// Whether some YAML parser would read the text as a number, a flag, a date or null.
  private static func looksLikeAnotherType(_ text: String) -> Bool {
    let words = ["null", "true", "false", "yes", "no", "on", "off", "y", "n", "nan", "inf", ".nan", ".inf", "+.inf"]
    if words.contains(text.lowercased()) || Double(text) != nil { return true }
    guard let first = text.unicodeScalars.first, ("0"..."9").contains(first) || "+.".unicodeScalars.contains(first)
    else { return false }
    return text.unicodeScalars.allSatisfy {
      ("0"..."9").contains($0) || "abcdefABCDEFxXoO_.:+-TZ ".unicodeScalars.contains($0)
    }
  }

  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case "\r": result += "\\r"
      default:
        if scalar.isPrintableInYAML {
          result.unicodeScalars.append(scalar)
        } else {
          let code = String(scalar.value, radix: 16, uppercase: true)
          let digits = String(repeating: "0", count: max(0, 8 - code.count)) + code
          result += "\\U" + digits
        }
      }
    }
    return result + "\""
  }
}

/// Builds text line by line, wrapped to the width of the catalogue's files.
struct YAMLLines {
  static let width = 120

  private(set) var text = ""

  /// Adds lines. If the content has several, they keep their own indentation after the given one.
  mutating func line(_ indentation: Int, _ content: String) {
    for line in content.split(separator: "\n", omittingEmptySubsequences: false) {
      add(String(repeating: " ", count: indentation) + line)
    }
  }

  private mutating func add(_ line: String) {
    guard let end = Self.endOfLongKey(line) else {
      text += line + "\n"
      return
    }
    let margin = line.prefix { $0 == " " }
    text += "\(margin)? \(line[margin.endIndex..<end])\n\(margin)\(line[end...])\n"
  }

  /// The end of the key at the start of the line, if the key may exceed the 1,024 characters that YAML accepts without a leading
  /// `?` (YAML 1.2 §7.4.2).
  private static func endOfLongKey(_ line: String) -> String.Index? {
    guard line.utf8.count > 1000 else { return nil }
    let scalars = line.unicodeScalars
    let start = scalars.firstIndex { $0 != " " } ?? scalars.startIndex
    let end: String.Index?
    if scalars[start] == "\"" {
      var isEscaped = false
      let quote = scalars[scalars.index(after: start)...].firstIndex { scalar in
        defer { isEscaped = !isEscaped && scalar == "\\" }
        return scalar == "\"" && !isEscaped
      }
      end = quote.map { scalars.index(after: $0) }
    } else {
      // A plain key contains no colon followed by a space.
      end = scalars[start...].indices.first { index in
        let next = scalars.index(after: index)
        return scalars[index] == ":" && (next == scalars.endIndex || scalars[next] == " ")
      }
    }
    guard let end, end < scalars.endIndex, scalars[end] == ":" else { return nil }
    return scalars.distance(from: start, to: end) > 900 ? end : nil
  }

  mutating func blank() { text += "\n" }

  /// Adds a comment on a separate line. It never starts with a key, however long it is. Comments have no escapes, so characters
  /// that the file cannot contain, or that would end the line, become spaces.
  mutating func comment(_ content: String) {
    text += content.isEmpty ? "#" : "# "
    for scalar in content.unicodeScalars { text.unicodeScalars.append(scalar.isPrintableInYAML ? scalar : " ") }
    text += "\n"
  }

  /// `key: value`, with the value as a scalar.
  mutating func entry(_ indentation: Int, _ key: String, _ value: String) {
    line(indentation, "\(QuotedScalar.scalar(key)): \(QuotedScalar.scalar(value))")
  }

  /// `like: paged`, or a list of several names; nothing without names.
  mutating func like(_ indentation: Int, _ key: String, _ names: [String]) {
    let texts = names.map { QuotedScalar.scalar($0, isInFlow: true) }
    guard let first = texts.first else { return }
    if texts.count == 1 { return line(indentation, "\(key): \(first)") }
    wrapped(indentation, key, opening: "[", texts, closing: "]")
  }

  /// `key: opening item, item, … closing`, continued on further lines if it is long. YAML reads a line break in a plain scalar, and
  /// in a flow list, as a space.
  mutating func wrapped(
    _ indentation: Int, _ key: String, opening: String, _ items: [String], closing: String
  ) {
    for line in Self.wrapping(indentation, key, opening: opening, items, closing: closing) { self.line(0, line) }
  }

  private static func wrapping(
    _ indentation: Int, _ key: String, opening: String, _ items: [String], closing: String
  ) -> [String] {
    var lines: [String] = []
    var current = String(repeating: " ", count: indentation) + "\(QuotedScalar.scalar(key)): \(opening)"
    let margin = String(repeating: " ", count: indentation + 2)
    for (index, item) in items.enumerated() {
      let piece = item + (index + 1 < items.count ? "," : closing)
      let space = index == 0 ? "" : " "
      if index > 0, current.count + space.count + piece.count > width {
        lines.append(current)
        current = margin + piece
      } else {
        current += space + piece
      }
    }
    return lines + [items.isEmpty ? current + closing : current]
  }
}

extension TypeReference {
  /// Whether the text is a YAML flow list or map that the loader reads as the type: `[User]`.
  var isPlainCollection: Bool {
    guard constraints == Constraints(), !isNullable, !isOptional, !isIndirect else { return false }
    switch kind {
    case .list(let element):
      return element.isPlainCollection || QuotedScalar.isPlain(element.text, isInFlow: true)
    // Not every parser accepts a list or a map as a key.
    case .map(let element): return QuotedScalar.isPlain(element.text, isInFlow: true)
    case .scalar, .named: return false
    }
  }
}
