/// The value that the API uses if a request leaves the parameter out. It is documentation; a call sends it only if the call options
/// ask for that.
public enum DefaultValue: Sendable, Hashable {
  /// A single value, as written in a query.
  case single(String)
  /// The elements of a list.
  case list([String])

  /// The value as text for documentation: `` `10` ``.
  package var words: String {
    switch self {
    case .single(let text): "`\(text)`"
    case .list(let texts): texts.isEmpty ? "none" : texts.map { "`\($0)`" }.joined(separator: ", ")
    }
  }

  /// Whether it is a value of the type, as far as its text shows.
  package func fits(_ type: TypeReference, _ models: ModelTable) -> Bool {
    let kind = models.resolved(type).kind
    switch self {
    case .single(let text):
      switch kind {
      case .scalar(.int), .scalar(.date(.seconds)), .scalar(.date(.milliseconds)): return NumberText.isWhole(text)
      case .scalar(.uint64): return UInt64(text).map { String($0) == text } ?? false
      case .scalar(.int32): return NumberText.isWhole(text) && Int32(text) != nil
      case .scalar(.number), .scalar(.decimal), .scalar(.duration(.seconds)), .scalar(.duration(.milliseconds)):
        return NumberText.isNumber(text)
      case .scalar(.bool): return text == "true" || text == "false"
      case .scalar(.bytes), .scalar(.base64URL), .scalar(.file): return false
      case .scalar: return true
      case .list, .map: return false
      case .named(let name):
        guard let model = models[name], case .enumeration(let cases) = model.shape else { return false }
        if model.isInteger, !NumberText.isWhole(text) { return false }
        return !model.isClosed || cases.contains { $0.value == text }
      }
    case .list(let texts):
      guard case .list(let element) = kind else { return false }
      return texts.allSatisfy { DefaultValue.single($0).fits(element, models) }
    }
  }

  /// The value as JSON, according to its type; `nil` if the type has no single JSON form.
  package func json(_ type: TypeReference, _ models: ModelTable) -> String? {
    switch (self, models.resolved(type).kind) {
    case (.single(let text), .scalar(let scalar)):
      switch scalar {
      case .int, .int32, .uint64, .number, .bool, .decimal(isText: false), .date(.seconds), .date(.milliseconds),
        .duration(.seconds), .duration(.milliseconds):
        return text
      case .bytes, .base64URL, .file, .json: return nil
      default: return Self.quoted(text)
      }
    case (.single(let text), .named(let name)):
      guard let model = models[name], case .enumeration = model.shape else { return nil }
      return model.isInteger ? text : Self.quoted(text)
    case (.list(let texts), .list(let element)):
      let elements = texts.compactMap { DefaultValue.single($0).json(element, models) }
      return elements.count == texts.count ? "[\(elements.joined(separator: ","))]" : nil
    default: return nil
    }
  }

  /// A JSON string (RFC 8259 §7). All control characters are escaped, because terminals also act on DEL and the C1 characters.
  package static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": result += "\\\(scalar)"
      case _ where scalar.isControl: result += scalar.jsonEscape
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}

/// Numbers written the same way in JSON and in Swift. `.5`, `5.` and `007` are not.
package enum NumberText {
  /// Whether it is a 64-bit whole number.
  package static func isWhole(_ text: String) -> Bool { Int(text).map { String($0) == text } ?? false }

  /// Whether it is a number (RFC 8259 §6) that fits a `Double`.
  package static func isNumber(_ text: String) -> Bool {
    var rest = text.utf8[...]
    func digits() -> Int {
      let count = rest.prefix { $0 >= 0x30 && $0 <= 0x39 }.count
      rest = rest.dropFirst(count)
      return count
    }
    if rest.first == UInt8(ascii: "-") { rest = rest.dropFirst() }
    let startsWithZero = rest.first == UInt8(ascii: "0")
    let count = digits()
    guard count == 1 || count > 1 && !startsWithZero else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      guard digits() > 0 else { return false }
    }
    if let sign = rest.first, sign | 0x20 == UInt8(ascii: "e") {
      rest = rest.dropFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
      guard digits() > 0 else { return false }
    }
    return rest.isEmpty && Double(text)?.isFinite == true
  }
}

extension Unicode.Scalar {
  /// The scalar as a JSON escape, or as two escapes if it is a surrogate pair in UTF-16 (RFC 8259 §7).
  package var jsonEscape: String {
    String(self).utf16.map { unit in
      let code = String(unit, radix: 16)
      return "\\u" + String(repeating: "0", count: 4 - code.count) + code
    }.joined()
  }
}

extension Parameter {
  /// The line of an endpoint's details that gives the runtime the default; `nil` if there is no default, or it cannot be sent on
  /// its own.
  func defaultLine(of endpoint: Endpoint, _ models: ModelTable) -> String? {
    guard let value = defaultValue, type.isOptional, objectStyle == nil, wireName == nil,
      !endpoint.rules.contains(where: { $0.parameters.contains(name) })
    else { return nil }
    let words: String
    switch place {
    case .path, .body: return nil
    case .query: words = keepsReserved ? "query reserved" : "query"
    case .header, .cookie: words = place.rawValue
    case .field:
      switch endpoint.body ?? .json {
      case .json:
        return value.json(type, models).map { "default json [\(DefaultValue.quoted(name)),\($0)]" }
      case .form: words = "form"
      case .multipart: words = "part"
      }
    }
    guard value.json(type, models) != nil else { return nil }
    switch value {
    case .single(let text): return "default \(words) [\(DefaultValue.quoted(name)),\(DefaultValue.quoted(text))]"
    case .list(let texts):
      let elements = ([name] + texts).map(DefaultValue.quoted)
      return "default \(words) \(listStyle.rawValue) [\(elements.joined(separator: ","))]"
    }
  }
}
