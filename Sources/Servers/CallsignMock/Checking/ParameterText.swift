import CallsignCatalogue
import CallsignJSON
import Foundation

/// A value in a query, form, path or header field: one text, or several texts that belong together.
indirect enum ParameterNode: Sendable, Equatable {
  case text(String)
  case list([ParameterNode])
  case object([String: ParameterNode])
  /// JSON, which has its own types.
  case json(JSONValue)
}

/// Converts texts to values of the catalogue's types.
struct ParameterText: Sendable {
  let types: ModelIndex

  private static let maximumDepth = 32

  /// The value of a node, as JSON for a ``ValueChecker``. A text that cannot be read as its type stays a string.
  func value(_ node: ParameterNode, _ type: TypeReference, depth: Int = 0) -> JSONValue {
    guard depth < Self.maximumDepth else { return .null }
    let resolved = types.resolve(type)
    switch (resolved.kind, node) {
    case (_, .json(let value)): return value
    case (.union(_, let union), _):
      // Takes the first variant that fits. A text becomes a string only if it cannot be anything else.
      let checker = ValueChecker(types: types, direction: .request)
      let values = union.variants.map { value(node, $0.type, depth: depth + 1) }
      let fitting = zip(values, union.variants).first { checker.accepts($0.0, $0.1.type) }
      return fitting?.0 ?? values.first ?? .null
    case (_, .text(let text)) where text.isEmpty && resolved.isNullable: return .null
    case (.list(let element), .list(let nodes)): return .array(nodes.map { value($0, element, depth: depth + 1) })
    case (.list(let element), .text): return .array([value(node, element, depth: depth + 1)])
    case (.list(let element), .object(let members)):
      // `a[0]=…&a[1]=…`
      let ordered = members.compactMap { name, node in Int(name).map { ($0, node) } }.sorted { $0.0 < $1.0 }
      if ordered.count == members.count { return .array(ordered.map { value($0.1, element, depth: depth + 1) }) }
      return .array([value(node, element, depth: depth + 1)])
    case (.object(_, let fields, let extra), .object(let members)):
      return .object(
        members.reduce(into: [:]) { result, member in
          let type = fields.first { $0.name == member.key }?.type ?? extra ?? TypeReference(.scalar(.string))
          result[member.key] = value(member.value, type, depth: depth + 1)
        })
    case (.map(let element), .object(let members)):
      return .object(members.mapValues { value($0, element, depth: depth + 1) })
    case (.enumeration(let model, _), .text(let text)):
      return model.isInteger ? Int(text).map { JSONValue.integer($0) } ?? .string(text) : .string(text)
    case (.scalar(let scalar), .text(let text)): return Self.value(text, scalar)
    case (_, .text(let text)): return .string(text)
    case (_, .list(let nodes)):
      return .array(nodes.map { value($0, TypeReference(.scalar(.string)), depth: depth + 1) })
    case (_, .object(let members)):
      return .object(members.mapValues { value($0, TypeReference(.scalar(.string)), depth: depth + 1) })
    }
  }

  private static func value(_ text: String, _ scalar: Scalar) -> JSONValue {
    switch scalar {
    case .uint64: UInt64(text).flatMap { try? JSONValue(jsonString: String($0)) } ?? .string(text)
    case .int, .int32: Int(text).map { JSONValue.integer($0) } ?? .string(text)
    case .number, .decimal(isText: false), .date(.seconds), .date(.milliseconds), .duration(.seconds),
      .duration(.milliseconds):
      Int(text).map { .integer($0) } ?? JSONValue(written: text) ?? .string(text)
    case .bool: text == "true" ? .bool(true) : text == "false" ? .bool(false) : .string(text)
    case .json: (try? JSONValue(jsonData: Data(text.utf8))) ?? .string(text)
    default: .string(text)
    }
  }

  /// A value as the text of a query or path, for example of a constant; `nil` for objects, arrays and null.
  static func plain(_ value: JSONValue) -> String? {
    switch value {
    case .string(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .integer, .number, .literal: value.description
    case .null, .array, .object: nil
    }
  }
}
