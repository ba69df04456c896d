import CallsignCatalogue

extension TypeReference {
  /// The type as the catalogue's type language writes it.
  var text: String {
    var text = isIndirect ? "indirect " : ""
    switch kind {
    case .scalar(let scalar): text += scalar.text
    case .named(let name): text += name
    case .list(let element): text += "[\(element.text)]"
    case .map(let element): text += "{\(element.text)}"
    }
    text += constraints.text
    if isNullable { text += " | null" }
    if isOptional { text += "?" }
    return text
  }

  /// Whether the text is a YAML flow list or map that the loader reads as the type: `[User]`.
  var isPlainCollection: Bool {
    guard constraints == Constraints(), !isNullable, !isOptional, !isIndirect else { return false }
    switch kind {
    case .list(let element), .map(let element):
      return element.isPlainCollection || YAMLText.isPlain(element.text, isInFlow: true)
    case .scalar, .named: return false
    }
  }
}

extension Scalar {
  fileprivate var text: String {
    switch self {
    case .string: "string"
    case .int: "int"
    case .number: "number"
    case .bool: "bool"
    case .date(.rfc3339): "date"
    case .date(.day): "date(day)"
    case .date(.seconds): "date(seconds)"
    case .date(.milliseconds): "date(milliseconds)"
    case .date(.pattern(let pattern)): "date(\(pattern))"
    case .bytes: "bytes"
    case .file: "file"
    case .json: "json"
    }
  }
}

extension Constraints {
  fileprivate var text: String {
    var parts: [String] = []
    switch (minimum, maximum) {
    case (let low?, let high?): parts.append(low == high ? low : "\(low)..\(high)")
    case (let low?, nil): parts.append("\(low)..")
    case (nil, let high?): parts.append("..\(high)")
    case (nil, nil): break
    }
    if let pattern { parts.append("/\(Self.escaped(pattern))/") }
    return parts.isEmpty ? "" : "(\(parts.joined(separator: ", ")))"
  }

  /// A regular expression between slashes: those inside it are escaped.
  private static func escaped(_ pattern: String) -> String {
    var result = ""
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if scalar == "/", !isEscaped { result.unicodeScalars.append("\\") }
      isEscaped = scalar == "\\" && !isEscaped
      result.unicodeScalars.append(scalar)
    }
    return result
  }
}
