import CallsignJSON
import Foundation

/// The functions of the specification.
enum FilterFunction: String, CaseIterable {
  case abs, avg, ceil, contains, ends_with, floor, join, keys, length, map, max, max_by, merge, min, min_by, not_null
  case reverse, sort, sort_by, starts_with, sum, to_array, to_number, to_string, type, values

  /// The function that was probably meant by a misspelt name: one with a small difference.
  static func suggestion(for name: String) -> String? {
    func plain(_ text: String) -> String { text.lowercased().filter { $0 != "_" } }
    return allCases.map(\.rawValue).first { plain($0) == plain(name) }
      ?? allCases.map(\.rawValue).filter { $0.count > 2 && name.count > 2 }.first {
        plain($0).hasPrefix(plain(name)) || plain(name).hasPrefix(plain($0))
      }
  }

  func checkCount(_ count: Int, at position: Int) throws(FilterError) {
    let (least, most) = counts
    guard count < least || count > most else { return }
    let expected =
      most == .max ? "one argument or more" : "\(least) argument\(least == 1 ? "" : "s")"
    throw FilterError(.invalidArity(rawValue, expected: expected, given: count), at: position)
  }

  private var counts: (least: Int, most: Int) {
    switch self {
    case .contains, .ends_with, .join, .map, .max_by, .min_by, .sort_by, .starts_with: (2, 2)
    case .merge, .not_null: (1, .max)
    default: (1, 1)
    }
  }
}

/// Calls a function with its arguments, for a value.
struct FunctionCall {
  private let function: FilterFunction
  private let arguments: [Argument]
  private let subject: JSONValue
  private let position: Int

  init(_ function: FilterFunction, _ arguments: [Argument], _ subject: JSONValue, _ position: Int) {
    self.function = function
    self.arguments = arguments
    self.subject = subject
    self.position = position
  }

  func result() throws(FilterError) -> JSONValue {
    switch function {
    case .abs: return try magnitude()
    case .ceil: return try rounded(.up)
    case .floor: return try rounded(.down)
    case .sum: return Self.sum(try numbers())
    case .avg:
      let numbers = try numbers()
      return numbers.isEmpty ? .null : Self.number(numbers.reduce(0) { $0 + ($1.double ?? 0) } / Double(numbers.count))
    case .contains: return try contains()
    case .starts_with:
      return .bool(Self.begins(Array(try text(0).unicodeScalars), with: Array(try text(1).unicodeScalars)))
    case .ends_with:
      return .bool(Self.begins(try text(0).unicodeScalars.reversed(), with: try text(1).unicodeScalars.reversed()))
    case .join:
      let glue = try text(0)
      var texts: [String] = []
      for element in try list(1) {
        guard let text = element.string else { throw invalid("an array of strings", element) }
        texts.append(text)
      }
      return .string(texts.joined(separator: glue))
    case .keys: return .array(try members(0).keys.sorted().map(JSONValue.string))
    case .values: return .array(try members(0).sorted { $0.key < $1.key }.map(\.value))
    case .length: return try length()
    case .map:
      let expression = try reference(0)
      var results: [JSONValue] = []
      for element in try list(1) { results.append(try expression.value(for: element)) }
      return .array(results)
    case .max: return try ordered(try list(0)).last?.element ?? .null
    case .min: return try ordered(try list(0)).first?.element ?? .null
    case .max_by:
      let ordered = try ordered(try list(0), by: try reference(1))
      // Of several greatest elements, takes the first.
      return ordered.first { $0.key.isSame(as: ordered.last?.key ?? .null) }?.element ?? .null
    case .min_by: return try ordered(try list(0), by: try reference(1)).first?.element ?? .null
    case .sort: return .array(try ordered(try list(0)).map(\.element))
    case .sort_by: return .array(try ordered(try list(0), by: try reference(1)).map(\.element))
    case .merge:
      var merged: [String: JSONValue] = [:]
      for index in arguments.indices { merged.merge(try members(index)) { $1 } }
      return .object(merged)
    case .not_null:
      for index in arguments.indices {
        let value = try value(index)
        if !value.isNull { return value }
      }
      return .null
    case .reverse:
      let value = try value(0)
      if let text = value.string { return .string(String(String.UnicodeScalarView(text.unicodeScalars.reversed()))) }
      guard let elements = value.array else { throw invalid("an array or a string", value) }
      return .array(elements.reversed())
    case .to_array:
      let value = try value(0)
      return value.array == nil ? .array([value]) : value
    case .to_number: return Self.number(of: try value(0))
    case .to_string:
      let value = try value(0)
      return value.string == nil ? .string(value.description) : value
    case .type: return .string(Self.typeName(try value(0)))
    }
  }

  // MARK: Arguments

  private func value(_ index: Int) throws(FilterError) -> JSONValue {
    guard arguments.indices.contains(index) else { return .null }
    guard case .value(let expression) = arguments[index] else {
      throw FilterError(.invalidType(function.rawValue, expected: "a value", found: "an expression (&…)"), at: position)
    }
    return try expression.value(for: subject)
  }

  private func reference(_ index: Int) throws(FilterError) -> Expression {
    guard arguments.indices.contains(index), case .reference(let expression) = arguments[index] else {
      throw FilterError(.invalidType(function.rawValue, expected: "an expression (&…)", found: "a value"), at: position)
    }
    return expression
  }

  private func text(_ index: Int) throws(FilterError) -> String {
    let value = try value(index)
    guard let text = value.string else { throw invalid("a string", value) }
    return text
  }

  private func list(_ index: Int) throws(FilterError) -> [JSONValue] {
    let value = try value(index)
    guard let elements = value.array else { throw invalid("an array", value) }
    return elements
  }

  private func members(_ index: Int) throws(FilterError) -> [String: JSONValue] {
    let value = try value(index)
    guard let members = value.object else { throw invalid("an object", value) }
    return members
  }

  private func numbers() throws(FilterError) -> [JSONValue] {
    let elements = try list(0)
    for element in elements where element.double == nil { throw invalid("an array of numbers", element) }
    return elements
  }

  private func invalid(_ expected: String, _ value: JSONValue) -> FilterError {
    FilterError(.invalidType(function.rawValue, expected: expected, found: Self.typeName(value)), at: position)
  }

  /// The type's name in the specification. It never contains the value, which may be a secret.
  private static func typeName(_ value: JSONValue) -> String {
    switch value.kind {
    case .null: "null"
    case .bool: "boolean"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }

  // MARK: Results

  /// The number without its sign, with all of its digits.
  private func magnitude() throws(FilterError) -> JSONValue {
    let value = try value(0)
    guard value.double != nil else { throw invalid("a number", value) }
    let text = value.description
    return text.hasPrefix("-") ? (try? JSONValue(jsonString: String(text.dropFirst()))) ?? value : value
  }

  private func rounded(_ rule: Decimal.RoundingMode) throws(FilterError) -> JSONValue {
    let value = try value(0)
    guard let number = value.double else { throw invalid("a number", value) }
    if case .integer = value { return value }
    // A `Double` would round a number with more digits than it has.
    if case .literal = value, var exact: Decimal = try? value.decode() {
      var result = Decimal()
      NSDecimalRound(&result, &exact, 0, rule)
      return (try? JSONValue(jsonString: result.description)) ?? value
    }
    return Self.number(number.rounded(rule == .up ? .up : .down))
  }

  private func contains() throws(FilterError) -> JSONValue {
    let (place, wanted) = (try value(0), try value(1))
    if let elements = place.array { return .bool(elements.contains { $0.isSame(as: wanted) }) }
    guard let text = place.string else { throw invalid("an array or a string", place) }
    guard let part = wanted.string else { return false }
    return .bool(part.isEmpty || Array(text.unicodeScalars).firstRange(of: Array(part.unicodeScalars)) != nil)
  }

  private func length() throws(FilterError) -> JSONValue {
    let value = try value(0)
    switch value {
    case .string(let text): return .integer(text.unicodeScalars.count)
    case .array(let elements): return .integer(elements.count)
    case .object(let members): return .integer(members.count)
    default: throw invalid("a string, an array or an object", value)
    }
  }

  private typealias Keyed = (element: JSONValue, key: JSONValue)

  /// The elements sorted by their keys, which must be all numbers or all strings. Elements with the same key keep their order.
  private func ordered(_ elements: [JSONValue], by expression: Expression? = nil) throws(FilterError) -> [Keyed] {
    var keyed: [Keyed] = []
    for element in elements { keyed.append((element, try expression?.value(for: element) ?? element)) }
    guard let kind = keyed.first?.key.kind else { return [] }
    for (_, key) in keyed where key.kind != kind || (key.string == nil && key.double == nil) {
      throw invalid("only numbers or only strings", key)
    }
    // Swift's sort keeps the order of equal elements but does not guarantee it.
    return keyed.enumerated().sorted { first, second in
      let order = Self.order(first.element.key, second.element.key)
      return order == 0 ? first.offset < second.offset : order < 0
    }.map(\.element)
  }

  /// Compares strings by code points.
  private static func order(_ first: JSONValue, _ second: JSONValue) -> Int {
    guard let first = first.string, let second = second.string else { return first.order(to: second) ?? 0 }
    if first.unicodeScalars.lexicographicallyPrecedes(second.unicodeScalars) { return -1 }
    return first.unicodeScalars.elementsEqual(second.unicodeScalars) ? 0 : 1
  }

  private static func begins(_ text: [Unicode.Scalar], with part: [Unicode.Scalar]) -> Bool { text.starts(with: part) }

  private static func sum(_ numbers: [JSONValue]) -> JSONValue {
    var whole = 0
    for number in numbers {
      guard case .integer(let next) = number else { return Self.number(numbers.reduce(0) { $0 + ($1.double ?? 0) }) }
      let (sum, isTooBig) = whole.addingReportingOverflow(next)
      guard !isTooBig else { return Self.number(numbers.reduce(0) { $0 + ($1.double ?? 0) }) }
      whole = sum
    }
    return .integer(whole)
  }

  /// A whole number if possible; `null` for a value that JSON cannot represent.
  private static func number(_ value: Double) -> JSONValue {
    guard value.isFinite else { return .null }
    return Int(exactly: value).map { .integer($0) } ?? .number(value)
  }

  private static func number(of value: JSONValue) -> JSONValue {
    switch value {
    case .integer, .number, .literal: return value
    case .string(let text):
      guard let number = try? JSONValue(jsonString: text), number.kind == .number else { return .null }
      return number
    default: return .null
    }
  }
}
