import CallsignCatalogue

/// A description of a type for messages: `a whole number from 1 to 100`.
package struct TypePhrase {
  /// The words.
  package let text: String

  /// Describes a type in words.
  package init(_ type: TypeReference, _ models: ModelTable) {
    text = Self.text(type, models) + (type.isNullable ? ", or null" : "")
  }

  private static func text(_ type: TypeReference, _ models: ModelTable, depth: Int = 5) -> String {
    // A union may contain lists of itself.
    guard depth > 0 else { return "…" }
    let type = models.resolved(type)
    let constraints = type.constraints
    switch type.kind {
    case .scalar(let scalar):
      switch scalar {
      case .string: return "a text" + length(constraints) + (constraints.pattern.map { " that matches /\($0)/" } ?? "")
      case .int: return "a whole number" + range(constraints)
      case .int32: return "a whole number of 32 bits" + range(constraints)
      case .uint64: return "a whole number from 0 on" + range(constraints)
      case .number: return "a number" + range(constraints)
      case .decimal: return "a decimal number" + range(constraints)
      case .bool: return "true or false"
      case .date(.day): return "a day, such as 2026-11-21"
      case .date(.seconds): return "a date, as seconds since 1970"
      case .date(.milliseconds): return "a date, as milliseconds since 1970"
      case .date: return "a date, such as 2026-11-21T10:00:00Z"
      case .duration: return "a length of time, such as \(type.kind == .scalar(.duration(.iso8601)) ? "PT1H30M" : "90")"
      case .bytes: return "bytes in base64"
      case .base64URL: return "bytes in base64url"
      case .file: return "a file"
      case .json: return "any JSON"
      case .url: return "a URL"
      case .uuid: return "a UUID"
      }
    case .list(let element):
      let count =
        switch (constraints.minimum, constraints.maximum) {
        case (let low?, let high?): low == high ? " of \(low)" : " of \(low) to \(high)"
        case (let low?, nil): " of at least \(low)"
        case (nil, let high?): " of at most \(high)"
        case (nil, nil): ""
        }
      return "a list\(count): \(text(element, models, depth: depth - 1))"
    case .map(let element): return "an object of names, each with \(text(element, models, depth: depth - 1))"
    case .named(let name):
      guard let model = models[name] else { return "any JSON" }
      switch model.shape {
      case .enumeration(let cases):
        let values = cases.map(\.value)
        let shown = values.prefix(24).joined(separator: ", ")
        if model.isExtensible { return "\(model.isInteger ? "a whole number" : "a text") such as \(shown)" }
        return values.count > 24 ? "one of \(shown) and \(values.count - 24) others" : "one of \(shown)"
      case .object: return "an object (\(name))"
      case .union(let union):
        return union.variants.map { text($0.type, models, depth: depth - 1) }.joined(separator: ", or ")
      case .alias(let target): return text(target, models, depth: depth - 1)
      }
    }
  }

  private static func range(_ constraints: Constraints) -> String {
    switch (constraints.minimum, constraints.maximum) {
    case (let low?, let high?): " from \(low) to \(high)"
    case (let low?, nil): " from \(low) on"
    case (nil, let high?): " up to \(high)"
    case (nil, nil): ""
    }
  }

  private static func length(_ constraints: Constraints) -> String {
    switch (constraints.minimum, constraints.maximum) {
    case (let low?, let high?): low == high ? " of \(low) characters" : " of \(low) to \(high) characters"
    case (let low?, nil): " of at least \(low) characters"
    case (nil, let high?): " of at most \(high) characters"
    case (nil, nil): ""
    }
  }
}
