import CallsignYAML

// Summaries after a type: `date? - When it was made.`
extension YAMLNode {
  /// The tree of a file or an overlay, with each such text expanded to its long form `{type: date?, summary: When it was made.}`.
  package func withLongForms() -> YAMLNode {
    inEntries { section in
      switch section.key.text.flatMap(FileKey.init) {
      case .params, .fields: section.value.inEntries { $0.longForm }
      case .mixins, .endpoints:
        section.value.inEntries { entry in
          entry.value.inEntries { part in
            switch part.key.text {
            // An overlay adds parameters below `add`.
            case EndpointKey.params.rawValue, MixinKey.fields.rawValue, "add":
              part.value.inEntries { $0.longForm }
            default: part.value
            }
          }
        }
      case .models: section.value.inEntries { $0.longFormOfModel }
      case .api, .group, .patterns, nil: section.value
      }
    }
  }

  /// The mapping with its values replaced; any other node unchanged.
  private func inEntries(_ value: (YAMLEntry) -> YAMLNode) -> YAMLNode {
    guard case .mapping(let mapping) = content else { return self }
    return with(
      .mapping(
        YAMLMapping(
          entries: mapping.entries.map { YAMLEntry(key: $0.key, value: value($0)) }, isFlow: mapping.isFlow)))
  }

  /// A type followed by a summary, as a mapping with the given keys; `nil` for anything else.
  fileprivate func splitting(type: String, summary: String) -> YAMLNode? {
    guard case .scalar(let scalar) = content, let parts = Self.parts(of: scalar.text) else { return nil }
    return mapping([
      YAMLEntry(key: self.scalar(type), value: self.scalar(parts.type, style: scalar.style)),
      YAMLEntry(key: self.scalar(summary), value: self.scalar(parts.summary, style: .doubleQuoted)),
    ])
  }

  /// The texts before and after the first ` - ` outside the type's brackets and regular expressions.
  private static func parts(of text: String) -> (type: String, summary: String)? {
    let bytes = text.utf8
    var depth = 0
    var index = bytes.startIndex
    var last = UInt8(ascii: " ")
    while index < bytes.endIndex {
      let byte = bytes[index]
      switch byte {
      case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"), UInt8(ascii: "<"): depth += 1
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: ">"): depth -= 1
      case UInt8(ascii: "/") where last == UInt8(ascii: "(") || last == UInt8(ascii: ","):
        repeat {
          if bytes[index] == UInt8(ascii: "\\") { index = bytes.index(after: index) }
          if index < bytes.endIndex { index = bytes.index(after: index) }
        } while index < bytes.endIndex && bytes[index] != UInt8(ascii: "/")
        if index == bytes.endIndex { return nil }
      case UInt8(ascii: "-") where depth == 0 && index > bytes.startIndex:
        let before = bytes.index(before: index)
        let after = bytes.index(after: index)
        if after < bytes.endIndex, bytes[before] == UInt8(ascii: " "), bytes[after] == UInt8(ascii: " ") {
          return (text[..<before].trimmed, text[after...].trimmed)
        }
      default: break
      }
      if byte != UInt8(ascii: " ") { last = byte }
      index = bytes.index(after: index)
    }
    return nil
  }
}

extension YAMLEntry {
  /// The value of a parameter or field.
  package var longForm: YAMLNode {
    value.splitting(type: ParameterKey.type.rawValue, summary: ParameterKey.summary.rawValue) ?? value
  }

  /// The value of a model: an alias for a type, or fields.
  fileprivate var longFormOfModel: YAMLNode {
    guard let entries = value.entries else {
      return value.splitting(type: ModelKey.type.rawValue, summary: ModelKey.summary.rawValue) ?? value
    }
    let fields = entries.map { entry in
      let isAboutModel = entry.key.text.map { $0.hasPrefix("$") && !$0.hasPrefix("$$") } ?? true
      return isAboutModel ? entry : YAMLEntry(key: entry.key, value: entry.longForm)
    }
    guard case .mapping(let mapping) = value.content else { return value }
    return value.with(.mapping(YAMLMapping(entries: fields, isFlow: mapping.isFlow)))
  }
}
