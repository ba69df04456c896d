import CallsignCatalogue

/// Turns text from the catalogue into safe Swift source.
package enum SwiftLiteral {
  /// A string literal with quotes, for any text.
  package static func string(_ text: String) -> String {
    if isPlainASCII(text, besides: UInt8(ascii: "\""), UInt8(ascii: "\\")) { return "\"" + text + "\"" }
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += "\\\""
      case "\\": literal += "\\\\"
      case "\n": literal += "\\n"
      case "\t": literal += "\\t"
      default:
        if isPlain(scalar) {
          literal.unicodeScalars.append(scalar)
        } else {
          literal += "\\u{" + String(scalar.value, radix: 16, uppercase: true) + "}"
        }
      }
    }
    return literal + "\""
  }

  /// JSON that can be placed between `#"""` and `"""#` without a change in meaning. Characters that Swift rejects or reads as an
  /// escape there, and invisible characters, become JSON escapes.
  package static func json(_ text: String) -> String {
    var literal = ""
    var previous: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      if isPlain(scalar) && !(scalar == "#" && previous == "\\") || scalar == "\n" {
        literal.unicodeScalars.append(scalar)
      } else {
        literal += scalar.jsonEscape
      }
      previous = scalar
    }
    return literal
  }

  /// Paragraphs that are safe in a `///` comment: without line breaks, control characters, invisible formatting characters or DocC
  /// symbol links.
  static func commentParagraphs(_ text: String) -> [String] {
    if isPlainComment(text) {
      let trimmed = text.trimmingSpaces()
      return trimmed.isEmpty ? [] : [trimmed]
    }
    var paragraphs: [String] = []
    var current = ""
    func finish() {
      let trimmed = current.trimmingSpaces()
      if !trimmed.isEmpty { paragraphs.append(trimmed) }
      current = ""
    }
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\n": finish()
      case "`" where current.hasSuffix("`"): break
      default:
        if isPlain(scalar) {
          current.unicodeScalars.append(scalar)
        } else if !current.hasSuffix(" ") {
          current += " "
        }
      }
    }
    finish()
    return paragraphs
  }

  /// The text as one line of a `///` comment.
  package static func comment(_ text: String) -> String {
    isPlainComment(text) ? text.trimmingSpaces() : commentParagraphs(text).joined(separator: " ")
  }

  // Most texts are ASCII. App builds use a debug build of this code, in which only pointers are cheap.

  /// Whether a text contains only printable ASCII, without the two given characters.
  private static func isPlainASCII(_ text: String, besides one: UInt8, _ other: UInt8) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return true }
      let count = bytes.count
      var index = 0
      while index < count {
        let byte = start[index]
        if byte < 0x20 || byte > 0x7E || byte == one || byte == other { return false }
        index += 1
      }
      return true
    }
  }

  /// Whether a text is safe in a comment unchanged: printable ASCII without two adjacent backticks.
  private static func isPlainComment(_ text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return true }
      let count = bytes.count
      var wasBacktick = false
      var index = 0
      while index < count {
        let byte = start[index]
        if byte < 0x20 || byte > 0x7E { return false }
        let isBacktick = byte == 0x60
        if isBacktick && wasBacktick { return false }
        wasBacktick = isBacktick
        index += 1
      }
      return true
    }
  }

  private static func isPlain(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.isASCII { return scalar.value >= 0x20 && scalar.value < 0x7F }
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: return false
    default: return true
    }
  }
}

extension String {
  func trimmingSpaces() -> String {
    guard utf8.first == 0x20 || utf8.last == 0x20 else { return self }
    var rest = self[...]
    while rest.utf8.first == 0x20 { rest = rest.dropFirst() }
    while rest.utf8.last == 0x20 { rest = rest.dropLast() }
    return String(rest)
  }
}

/// A date format as an expression of the runtime's `DateFormat`.
enum DateFormatText {
  static func expression(_ format: DateFormat) -> String {
    switch format {
    case .rfc3339: ".rfc3339"
    case .day: ".day"
    case .seconds: ".seconds"
    case .milliseconds: ".milliseconds"
    case .pattern(let pattern): ".pattern(\(SwiftLiteral.string(pattern)))"
    }
  }
}
