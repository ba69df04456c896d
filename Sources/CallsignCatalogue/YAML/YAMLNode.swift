/// A value of a YAML document with its place, as the readers of the catalogue see it.
struct YAMLNode {
  enum Content {
    case scalar(YAMLScalar)
    case list([YAMLNode])
    case mapping(YAMLMapping)
  }

  var content: Content
  /// Counted from 1; columns count Unicode scalars.
  var line: Int
  var column: Int

  /// Nothing, `~` or `null`, unless quoted.
  var isNull: Bool {
    guard case .scalar(let scalar) = content, scalar.style == .plain else { return false }
    return ["", "~", "null", "Null", "NULL"].contains(scalar.text)
  }

  /// What it is, for messages.
  var kind: String {
    switch content {
    case .scalar: isNull ? "nothing" : "a text"
    case .list: "a list"
    case .mapping: "a mapping"
    }
  }
}

struct YAMLScalar {
  enum Style {
    case plain
    case singleQuoted
    case doubleQuoted
    /// `|` or `>`
    case block
  }

  var text: String
  var style: Style
}

struct YAMLMapping {
  var entries: [YAMLEntry]
  /// In braces.
  var isFlow: Bool

  /// For `{T}`, the type language's map: the `T`.
  var onlyKeyWithoutValue: YAMLNode? {
    guard isFlow, entries.count == 1, let entry = entries.first, entry.value.isNull else { return nil }
    // `{$enum: }` is a model's long form with something missing.
    if case .scalar(let scalar) = entry.key.content, scalar.text.hasPrefix("$") { return nil }
    return entry.key
  }

  /// Whether it is written as the type language's map, `{T}`, if only in part.
  var isTypeForm: Bool { onlyKeyWithoutValue != nil || entries.isEmpty }
}

struct YAMLEntry {
  var key: YAMLNode
  var value: YAMLNode
}
