import CallsignCatalogue

/// Text of the catalogue as Swift source can hold it.
enum SwiftLiteral {
  /// A string literal, quotes included, whatever the text contains.
  static func string(_ text: String) -> String {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }) {
      return "\"" + text + "\""
    }
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

  /// Paragraphs that are safe in a `///` comment: no line ends, no control or invisible formatting characters, and
  /// none of DocC's symbol links.
  static func commentParagraphs(_ text: String) -> [String] {
    if text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "`") }) {
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

  /// The text on one line of a `///` comment.
  static func comment(_ text: String) -> String { commentParagraphs(text).joined(separator: " ") }

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
