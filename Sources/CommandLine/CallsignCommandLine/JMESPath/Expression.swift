import CallsignJSON
import Foundation

/// A part of a parsed expression.
struct Expression: Sendable {
  indirect enum Node: Sendable {
    case current
    case literal(JSONValue)
    case field(String)
    case index(Expression, Int)
    case slice(Expression, start: Int?, stop: Int?, step: Int)
    /// Applies the second to the elements of the first; likewise for the values of members.
    case projection(Expression, Expression)
    case valueProjection(Expression, Expression)
    /// A projection of the elements that satisfy the condition.
    case filter(Expression, Expression, Expression)
    case flatten(Expression)
    /// Applies the second to the result of the first.
    case pipe(Expression, Expression)
    case or(Expression, Expression)
    case and(Expression, Expression)
    case not(Expression)
    case comparison(Comparator, Expression, Expression)
    case list([Expression])
    case object([(name: String, value: Expression)])
    case call(FilterFunction, [Argument], position: Int)
  }

  private let node: Node
  /// The number of levels of parts. Evaluation recurses as deeply.
  let depth: Int

  init(_ node: Node) {
    self.node = node
    let parts: [Expression] =
      switch node {
      case .current, .literal, .field: []
      case .index(let part, _), .slice(let part, _, _, _), .flatten(let part), .not(let part): [part]
      case .projection(let first, let second), .valueProjection(let first, let second), .pipe(let first, let second),
        .or(let first, let second), .and(let first, let second), .comparison(_, let first, let second):
        [first, second]
      case .filter(let first, let second, let third): [first, second, third]
      case .list(let parts): parts
      case .object(let members): members.map(\.value)
      case .call(_, let arguments, _): arguments.map(\.expression)
      }
    depth = 1 + (parts.map(\.depth).max() ?? 0)
  }
}

/// An argument of a function: an expression for its value, or one that the function itself applies (`&expression`).
enum Argument: Sendable {
  case value(Expression)
  case reference(Expression)

  var expression: Expression {
    switch self {
    case .value(let expression), .reference(let expression): expression
    }
  }
}

extension Expression {
  /// The result for a value.
  func value(for value: JSONValue) throws(FilterError) -> JSONValue {
    switch node {
    case .current: return value
    case .literal(let literal): return literal
    case .field(let name): return value[name] ?? .null
    case .index(let list, let index):
      guard let elements = try list.value(for: value).array else { return .null }
      let place = index < 0 ? elements.count + index : index
      return elements.indices.contains(place) ? elements[place] : .null
    case .slice(let list, let start, let stop, let step):
      guard let elements = try list.value(for: value).array else { return .null }
      return .array(Self.slice(elements, start, stop, step))
    case .projection(let list, let part):
      guard let elements = try list.value(for: value).array else { return .null }
      return try part.projected(elements)
    case .valueProjection(let object, let part):
      guard let members = try object.value(for: value).object else { return .null }
      return try part.projected(members.sorted { $0.key < $1.key }.map(\.value))
    case .filter(let list, let condition, let part):
      guard let elements = try list.value(for: value).array else { return .null }
      var chosen: [JSONValue] = []
      for element in elements where try condition.value(for: element).isTruthy { chosen.append(element) }
      return try part.projected(chosen)
    case .flatten(let list):
      guard let elements = try list.value(for: value).array else { return .null }
      return .array(elements.flatMap { $0.array ?? [$0] })
    case .pipe(let first, let second): return try second.value(for: try first.value(for: value))
    case .or(let first, let second):
      let result = try first.value(for: value)
      return result.isTruthy ? result : try second.value(for: value)
    case .and(let first, let second):
      let result = try first.value(for: value)
      return result.isTruthy ? try second.value(for: value) : result
    case .not(let part): return .bool(!(try part.value(for: value).isTruthy))
    case .comparison(let comparator, let first, let second):
      return Self.compare(comparator, try first.value(for: value), try second.value(for: value))
    case .list(let parts):
      if value.isNull { return .null }
      var elements: [JSONValue] = []
      for part in parts { elements.append(try part.value(for: value)) }
      return .array(elements)
    case .object(let parts):
      if value.isNull { return .null }
      var members: [String: JSONValue] = [:]
      for part in parts { members[part.name] = try part.value.value(for: value) }
      return .object(members)
    case .call(let function, let arguments, let position):
      return try FunctionCall(function, arguments, value, position).result()
    }
  }

  /// The results for elements, without `null`.
  private func projected(_ elements: [JSONValue]) throws(FilterError) -> JSONValue {
    if case .current = node { return .array(elements.filter { !$0.isNull }) }
    var results: [JSONValue] = []
    for element in elements {
      let result = try value(for: element)
      if !result.isNull { results.append(result) }
    }
    return .array(results)
  }

  /// The elements of a slice, by Python's rules.
  private static func slice(_ elements: [JSONValue], _ start: Int?, _ stop: Int?, _ step: Int) -> [JSONValue] {
    let count = elements.count
    func place(_ given: Int?, _ unlessGiven: Int) -> Int {
      guard let given else { return unlessGiven }
      let lowest = step < 0 ? -1 : 0
      let place = given < 0 ? given.addingReportingOverflow(count).partialValue : given
      return min(max(place, lowest), step < 0 ? count - 1 : count)
    }
    let first = place(start, step < 0 ? count - 1 : 0)
    let end = place(stop, step < 0 ? -1 : count)
    // A step beyond the list's ends must not overflow.
    return stride(from: first, to: end, by: min(max(step, -count - 1), count + 1)).map { elements[$0] }
  }

  private static func compare(_ comparator: Comparator, _ first: JSONValue, _ second: JSONValue) -> JSONValue {
    switch comparator {
    case .equal: return .bool(first.isSame(as: second))
    case .notEqual: return .bool(!first.isSame(as: second))
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    guard first.kind == .number, second.kind == .number, let order = first.order(to: second) else { return .null }
    return switch comparator {
    case .less: .bool(order < 0)
    case .lessOrEqual: .bool(order <= 0)
    case .greater: .bool(order > 0)
    case .greaterOrEqual: .bool(order >= 0)
    case .equal, .notEqual: .null
    }
  }
}

extension JSONValue {
  /// Whether it counts as true: everything except `null`, `false`, and empty values.
  var isTruthy: Bool {
    switch self {
    case .null: false
    case .bool(let value): value
    case .string(let text): !text.isEmpty
    case .array(let elements): !elements.isEmpty
    case .object(let members): !members.isEmpty
    case .integer, .number, .literal: true
    }
  }

  /// -1, 0 or 1, comparing two numbers; `nil` if either cannot be compared.
  func order(to other: JSONValue) -> Int? {
    if case .integer(let first) = self, case .integer(let second) = other {
      return first < second ? -1 : first == second ? 0 : 1
    }
    guard let first = double, let second = other.double else { return nil }
    if first != second { return first < second ? -1 : 1 }
    if case .number = self, case .number = other { return 0 }
    // Different numbers with more digits than a `Double` has may have the same nearest one.
    guard let exact: Decimal = try? decode(), let otherExact: Decimal = try? other.decode() else {
      return self == other ? 0 : nil
    }
    return exact < otherExact ? -1 : exact == otherExact ? 0 : 1
  }

  /// Equality by value: `1` equals `1.0`.
  func isSame(as other: JSONValue) -> Bool {
    switch (self, other) {
    case (.array(let first), .array(let second)):
      first.count == second.count && zip(first, second).allSatisfy { $0.isSame(as: $1) }
    case (.object(let first), .object(let second)):
      first.count == second.count && first.allSatisfy { name, value in second[name].map(value.isSame) ?? false }
    case (.string(let first), .string(let second)): first.unicodeScalars.elementsEqual(second.unicodeScalars)
    default: kind == .number && other.kind == .number ? order(to: other) == 0 || self == other : self == other
    }
  }
}
