import CallsignCatalogue
import Foundation

import enum CallsignJSON.JSONValue

/// Invents values of a catalogue's types: as Swift source in a call, and as JSON in a response.
struct SampleValues {
  private let models: ModelTable

  private static let maximumDepth = 5
  /// The number of optional members to include in a sample response, so that there is something to see.
  private static let optionalMembers = 6

  init(_ catalogue: Catalogue) {
    models = ModelTable(catalogue)
  }

  func model(_ type: TypeReference) -> Model? {
    if case .named(let name) = resolved(type).kind { models[name] } else { nil }
  }

  /// The kind after all aliases are resolved.
  func resolved(_ type: TypeReference) -> TypeReference { models.resolved(type) }

  // MARK: Swift

  /// An expression for an existing value; `nil` if the type is not worth one.
  ///
  /// - Parameters:
  ///   - type: The type of an argument or property.
  ///   - name: Its name, which becomes part of a text.
  func expression(_ type: TypeReference, named name: String, depth: Int = 0) -> String? {
    let resolved = resolved(type)
    guard depth < Self.maximumDepth, let value = plainExpression(resolved, named: name, depth: depth) else {
      return nil
    }
    return resolved.isNullable ? ".value(\(value))" : value
  }

  private func plainExpression(_ type: TypeReference, named name: String, depth: Int) -> String? {
    switch type.kind {
    case .scalar(.string): return "\"\(text(type, named: name))\""
    case .scalar(.int), .scalar(.int32), .scalar(.uint64): return String(wholeNumber(type))
    case .scalar(.number), .scalar(.decimal): return number(type)
    case .scalar(.duration): return ".seconds(90)"
    // These types would need Foundation, and their values would be optional.
    case .scalar(.url), .scalar(.uuid): return nil
    case .scalar(.bool): return "true"
    case .scalar(.date): return "Date(timeIntervalSince1970: 1_577_836_800)"
    case .scalar(.json): return ".string(\"value\")"
    case .scalar(.bytes), .scalar(.base64URL), .scalar(.file): return nil
    case .list(let element): return expression(element, named: name, depth: depth + 1).map { "[\($0)]" }
    case .map(let element): return expression(element, named: name, depth: depth + 1).map { "[\"key\": \($0)]" }
    case .named(let model):
      switch models[model]?.shape {
      case .enumeration(let cases): return cases.first.map { ".\(SwiftName.escaped($0.caseName))" }
      case .object(let fields, _):
        var arguments: [String] = []
        // The initializer does not ask for constants and for members that the API sets.
        for field in fields
        where !self.resolved(field.type).isOptional && field.constant == nil && !field.isReadOnly {
          guard let value = expression(field.type, named: field.name, depth: depth + 1) else { return nil }
          arguments.append("\(SwiftName.escapedLabel(field.propertyName)): \(value)")
        }
        return ".init(\(arguments.joined(separator: ", ")))"
      case .union(let union):
        guard let variant = union.variants.first, let value = expression(variant.type, named: name, depth: depth + 1)
        else { return nil }
        return ".\(SwiftName.escaped(variant.caseName))(\(value))"
      case .alias, nil: return nil
      }
    }
  }

  // MARK: JSON

  /// A value of a type; `nil` if none can be made.
  func json(_ type: TypeReference, named name: String, depth: Int = 0) -> JSONValue? {
    let type = resolved(type)
    guard depth < Self.maximumDepth * 2 else { return nil }
    switch type.kind {
    case .scalar(.string), .scalar(.file): return .string(text(type, named: name))
    case .scalar(.int), .scalar(.int32), .scalar(.uint64): return .integer(wholeNumber(type))
    case .scalar(.number): return Double(number(type)).map { .number($0) }
    case .scalar(.decimal(isText: false)): return 12.5
    case .scalar(.decimal(isText: true)): return "12.50"
    case .scalar(.url): return "https://example.com/\(text(type, named: name))"
    case .scalar(.uuid): return "123e4567-e89b-12d3-a456-426614174000"
    case .scalar(.duration(let format)):
      switch format {
      case .iso8601: return "PT1M30S"
      case .seconds: return 90
      case .milliseconds: return 90_000
      case .protobuf: return "90s"
      }
    case .scalar(.bool): return true
    case .scalar(.json): return ["key": "value"]
    case .scalar(.bytes): return "aGVsbG8="
    case .scalar(.base64URL): return "aGVsbG8"
    case .scalar(.date(let format)):
      switch format {
      case .rfc3339: return "2020-01-01T00:00:00Z"
      case .day: return "2020-01-01"
      case .seconds: return 1_577_836_800
      case .milliseconds: return 1_577_836_800_000
      case .pattern: return nil
      }
    case .list(let element):
      guard depth < Self.maximumDepth, let value = json(element, named: name, depth: depth + 1) else {
        return .array([])
      }
      return .array([value])
    case .map(let element):
      guard depth < Self.maximumDepth, let value = json(element, named: name, depth: depth + 1) else {
        return .object([:])
      }
      return .object(["key": value])
    case .named(let model):
      switch models[model]?.shape {
      case .enumeration(let cases):
        let isInteger = models[model]?.isInteger == true
        return cases.first.flatMap { value in
          isInteger ? Int(value.value).map { .integer($0) } : .string(value.value)
        }
      case .object(let fields, _): return object(fields, depth: depth)
      case .union(let union): return self.union(union, named: name, depth: depth)
      case .alias, nil: return nil
      }
    }
  }

  private func object(_ fields: [Field], depth: Int) -> JSONValue? {
    var members: [String: JSONValue] = [:]
    var optional = 0
    for field in fields {
      let isOptional = resolved(field.type).isOptional
      if isOptional, depth > 1 || optional >= Self.optionalMembers || !isPlain(field.type) { continue }
      guard let value = json(field.type, named: field.name, depth: depth + 1) else {
        if isOptional { continue }
        return nil
      }
      if isOptional { optional += 1 }
      members[field.name] = value
    }
    return .object(members)
  }

  private func union(_ union: Union, named name: String, depth: Int) -> JSONValue? {
    for variant in union.variants {
      guard var value = json(variant.type, named: name, depth: depth + 1) else { continue }
      if let tag = union.tag {
        guard let selected = variant.tags.first, case .object(var members) = value else { continue }
        members[tag] = .string(selected)
        value = .object(members)
      }
      return value
    }
    return nil
  }

  /// A value whose member at a path does not say that the call failed.
  func value(
    _ value: JSONValue, of type: TypeReference, avoiding sign: FailureSign, at path: ArraySlice<String>
  ) -> JSONValue {
    guard let name = path.first else {
      guard let text = Self.text(value), sign.values.contains(text) != sign.isNegated else { return value }
      return candidates(type, sign).first { candidate in
        sign.values.contains(Self.text(candidate) ?? "") == sign.isNegated
      } ?? value
    }
    guard case .object(var members) = value, let member = members[name],
      case .object(let fields, _)? = model(type)?.shape, let field = fields.first(where: { $0.name == name })
    else { return value }
    members[name] = self.value(member, of: field.type, avoiding: sign, at: path.dropFirst())
    return .object(members)
  }

  private func candidates(_ type: TypeReference, _ sign: FailureSign) -> [JSONValue] {
    if case .enumeration(let cases)? = model(type)?.shape {
      return cases.compactMap { value in
        model(type)?.isInteger == true ? Int(value.value).map { .integer($0) } : .string(value.value)
      }
    }
    switch resolved(type).kind {
    case .scalar(.bool): return [true, false]
    case .scalar(.int), .scalar(.int32): return (sign.values.compactMap { Int($0) } + [0, 1]).map { .integer($0) }
    default: return (sign.values + ["ok"]).map { .string($0) }
    }
  }

  private static func text(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .integer(let number): String(number)
    case .bool(let flag): String(flag)
    default: nil
    }
  }

  /// Whether the type is a string, a number, a flag, a date or an enum.
  func isPlain(_ type: TypeReference) -> Bool {
    switch resolved(type).kind {
    case .scalar(.json), .scalar(.file), .scalar(.bytes), .scalar(.base64URL), .list, .map: false
    case .scalar: true
    case .named(let name): if case .enumeration? = models[name]?.shape { true } else { false }
    }
  }

  // MARK: Texts and numbers

  /// A string of letters, digits and underscores, with the length that the type requires.
  func text(_ type: TypeReference, named name: String) -> String {
    let words = name.lowercased().split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
    let isNumber = words.last == "id" || type.constraints.pattern.map(Self.wantsDigits) == true
    var text = isNumber ? "1" : words.joined(separator: "_")
    if text.isEmpty { text = "text" }
    if let least = type.constraints.minimum.flatMap({ Int($0) }), least <= 1_000 {
      while text.utf8.count < least { text += isNumber ? "1" : "a" }
    }
    if let most = type.constraints.maximum.flatMap({ Int($0) }), most > 0 { text = String(text.prefix(most)) }
    return text
  }

  /// Whether a regular expression contains digits but no letters.
  private static func wantsDigits(_ pattern: String) -> Bool {
    (pattern.contains("0-9") || pattern.contains("\\d")) && !pattern.contains("a-z") && !pattern.contains("A-Z")
      && !pattern.contains("\\w") && !pattern.contains(".")
  }

  private func wholeNumber(_ type: TypeReference) -> Int {
    let least = type.constraints.minimum.flatMap { Double($0) }.map { Int(clamped: $0.rounded(.up)) }
    let most = type.constraints.maximum.flatMap { Double($0) }.map { Int(clamped: $0.rounded(.down)) }
    return min(max(1, least ?? 1), most ?? .max)
  }

  /// A number that is written the same way in JSON and Swift.
  private func number(_ type: TypeReference) -> String {
    let least = type.constraints.minimum.flatMap { Double($0) }
    let most = type.constraints.maximum.flatMap { Double($0) }
    return "\(min(max(1.5, least ?? 1.5), most ?? .greatestFiniteMagnitude))"
  }
}

extension Int {
  /// The nearest 64-bit whole number.
  fileprivate init(clamped value: Double) {
    self = Int(exactly: value) ?? (value > 0 ? .max : .min)
  }
}
