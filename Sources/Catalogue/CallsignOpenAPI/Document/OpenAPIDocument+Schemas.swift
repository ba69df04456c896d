/// Examines schemas as written, because bytes and text in requests and responses have no shape.
extension OpenAPIDocument {
  /// Whether a text, or one of its alternatives, is base64.
  func isBase64(_ schema: DocumentValue, at pointer: String) -> Bool {
    var seen: Set<String> = []
    return isAnyPart(of: schema, at: pointer, &seen) { part in
      let words = [part["type"]?.string, part["format"]?.string]
      return part["contentEncoding"] != nil || words.contains("byte") || words.contains("base64")
    }
  }

  /// Whether a schema says more about a value than that it is bytes, or any object.
  ///
  /// - Parameter asText: Whether the value is a text. A number, a flag or a date then also says more.
  func isDescribed(_ schema: DocumentValue, at pointer: String, asText: Bool) -> Bool {
    let types: Set<String> = asText ? ["array", "integer", "number", "boolean"] : ["array"]
    var seen: Set<String> = []
    return isAnyPart(of: schema, at: pointer, &seen) { part in
      for keyword in ["properties", "additionalProperties"]
      where part[keyword]?.object?.members.isEmpty == false {
        return true
      }
      for keyword in ["items", "prefixItems", "enum", "const"] where part[keyword] != nil { return true }
      var words = part["type"]?.list?.compactMap(\.string) ?? []
      if let word = part["type"]?.string { words.append(word) }
      let isDate = asText && ["date-time", "date"].contains(part["format"]?.string ?? "")
      return isDate || words.contains { types.contains($0) }
    }
  }

  /// Whether a condition is true for a schema, or for one of its parts or alternatives.
  ///
  /// - Parameter seen: The references followed so far; they may be circular.
  private func isAnyPart(
    of schema: DocumentValue, at pointer: String, _ seen: inout Set<String>, _ holds: (DocumentValue) -> Bool
  ) -> Bool {
    if let reference = schema["$ref"]?.string, !seen.insert(reference).inserted { return false }
    guard let schema = try? resolved(schema, at: pointer).value else { return false }
    if holds(schema) { return true }
    for keyword in ["allOf", "oneOf", "anyOf"] {
      for part in schema[keyword]?.list ?? [] {
        if isAnyPart(of: part, at: pointer, &seen, holds) { return true }
      }
    }
    return false
  }
}
