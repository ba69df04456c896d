/// A value of a YAML document with its location. Tags are dropped, and anchors and aliases are resolved.
package struct YAMLNode: Sendable {
  /// The three kinds of values.
  package enum Content: Sendable {
    case scalar(YAMLScalar)
    case list([YAMLNode])
    case mapping(YAMLMapping)
  }

  /// The value.
  package var content: Content
  /// Counted from 1.
  package var line: Int
  /// Counted from 1, in Unicode scalars.
  package var column: Int
  /// The number of the text that it comes from, if a tree combines several. The code that combines them assigns the numbers.
  package var source: UInt16 = 0

  package init(content: Content, line: Int, column: Int) {
    self.content = content
    self.line = line
    self.column = column
  }

  /// Whether it is empty, `~` or `null`, and not quoted.
  package var isNull: Bool {
    guard case .scalar(let scalar) = content, case .plain = scalar.style else { return false }
    return Self.isNullText(scalar.text)
  }

  /// Whether a plain text means null.
  package static func isNullText(_ text: String) -> Bool {
    switch text {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }
}

/// A text as written: it is not converted to a number, Boolean or date.
package struct YAMLScalar: Sendable {
  /// How it is written.
  package enum Style: Sendable {
    case plain
    case singleQuoted
    case doubleQuoted
    /// `|` or `>`
    case block
  }

  /// The text without quotes, escapes and folding.
  package var text: String
  package var style: Style

  package init(text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// A mapping in the document's order, without entries whose key occurred before.
package struct YAMLMapping: Sendable {
  package var entries: [YAMLEntry]
  /// Whether it is written in braces.
  package var isFlow: Bool

  package init(entries: [YAMLEntry], isFlow: Bool) {
    self.entries = entries
    self.isFlow = isFlow
  }
}

/// A key and its value.
package struct YAMLEntry: Sendable {
  package var key: YAMLNode
  package var value: YAMLNode

  package init(key: YAMLNode, value: YAMLNode) {
    self.key = key
    self.value = value
  }
}

extension Unicode.Scalar {
  /// Whether the character can be in a YAML text unescaped. All others can only be written as escapes in double quotes (YAML 1.2
  /// §5.1). These include U+2028 and U+2029, which YAML 1.1 reads as line breaks, and the byte order mark.
  package var isPrintableInYAML: Bool {
    switch value {
    case 0x20...0x7E: true
    case 0xA0...0xD7FF: value != 0x2028 && value != 0x2029
    case 0xE000...0xFFFD: value != 0xFEFF
    case 0x10000...0x10FFFF: true
    default: false
    }
  }
}
