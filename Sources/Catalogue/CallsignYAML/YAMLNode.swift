/// A value of a YAML document with its place. Tags are not kept, and anchors and aliases are resolved.
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
  /// The text that it is from, where a tree is put together from several; those who do that number them.
  package var source: UInt16 = 0

  package init(content: Content, line: Int, column: Int) {
    self.content = content
    self.line = line
    self.column = column
  }

  /// Nothing, `~` or `null`, unless quoted.
  package var isNull: Bool {
    guard case .scalar(let scalar) = content, case .plain = scalar.style else { return false }
    return Self.isNullText(scalar.text)
  }

  /// Whether a plain text stands for nothing.
  package static func isNullText(_ text: String) -> Bool {
    switch text {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }
}

/// A text as it was written: nothing is made of numbers, booleans or dates.
package struct YAMLScalar: Sendable {
  /// The way of writing.
  package enum Style: Sendable {
    case plain
    case singleQuoted
    case doubleQuoted
    /// `|` or `>`
    case block
  }

  /// Without quotes, escapes and folding.
  package var text: String
  package var style: Style

  package init(text: String, style: Style) {
    self.text = text
    self.style = style
  }
}

/// A mapping in the document's order, without entries whose key was there already.
package struct YAMLMapping: Sendable {
  package var entries: [YAMLEntry]
  /// In braces.
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
  /// Whether the character may stand in a YAML text as it is; others are there as escapes in double quotes alone (YAML 1.2
  /// §5.1). U+2028 and U+2029 count among these, which YAML 1.1 takes for line breaks, and so does the byte order mark.
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
