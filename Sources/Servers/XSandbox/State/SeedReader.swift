import CallsignYAML
import Foundation

/// Reads the members of a mapping in a seed. A mistake is an error with its line. Otherwise a misspelt key would be ignored
/// silently.
struct SeedReader {
  private let node: YAMLNode
  private var values: [String: YAMLNode] = [:]

  /// - Parameter names: All allowed keys.
  init(_ node: YAMLNode, knows names: [String]) throws(SandboxError) {
    self.node = node
    guard !node.isNull else { return }
    for (name, value) in try Self.entries(node) {
      guard names.contains(name) else {
        throw .invalidSeed("`\(name)` is none of \(names.joined(separator: ", "))", line: value.line)
      }
      values[name] = value
    }
  }

  private static func entries(_ node: YAMLNode) throws(SandboxError) -> [(String, YAMLNode)] {
    guard case .mapping(let mapping) = node.content else {
      throw .invalidSeed("here must be names with values", line: node.line)
    }
    var entries: [(String, YAMLNode)] = []
    for entry in mapping.entries { entries.append((try text(entry.key), entry.value)) }
    return entries
  }

  private static func text(_ node: YAMLNode) throws(SandboxError) -> String {
    guard case .scalar(let scalar) = node.content else { throw .invalidSeed("here must be a text", line: node.line) }
    return scalar.text
  }

  /// The names and values of a mapping, in order.
  func members(_ name: String) throws(SandboxError) -> [(String, YAMLNode)] {
    guard let value = values[name], !value.isNull else { return [] }
    return try Self.entries(value)
  }

  func elements(_ name: String) throws(SandboxError) -> [YAMLNode] {
    guard let value = values[name], !value.isNull else { return [] }
    guard case .list(let elements) = value.content else {
      throw .invalidSeed("`\(name)` must be a list", line: value.line)
    }
    return elements
  }

  func text(_ name: String) throws(SandboxError) -> String? {
    guard let value = values[name], !value.isNull else { return nil }
    return try Self.text(value)
  }

  func required(_ name: String) throws(SandboxError) -> String {
    guard let text = try text(name) else { throw .invalidSeed("`\(name)` is missing", line: node.line) }
    return text
  }

  func texts(_ name: String) throws(SandboxError) -> [String] {
    var texts: [String] = []
    for element in try elements(name) { texts.append(try Self.text(element)) }
    return texts
  }

  func identifier(_ name: String) throws(SandboxError) -> Identifier? {
    try text(name).map { (text) throws(SandboxError) in
      guard Pattern.isIdentifier(text), let id = Identifier(text) else { throw wrong(name, "an id of digits") }
      return id
    }
  }

  /// A count. Default: 0.
  func count(_ name: String) throws(SandboxError) -> Int {
    try text(name).map { (text) throws(SandboxError) in
      guard let count = Int(text), (0...100_000).contains(count) else { throw wrong(name, "a number up to 100000") }
      return count
    } ?? 0
  }

  /// A list of numbers.
  func numbers(_ name: String) throws(SandboxError) -> [Double] {
    var numbers: [Double] = []
    for text in try texts(name) {
      guard let number = Double(text), number.isFinite else { throw wrong(name, "a list of numbers") }
      numbers.append(number)
    }
    return numbers
  }

  /// A longitude and a latitude.
  func point(_ name: String) throws(SandboxError) -> GeographicPoint? {
    guard values[name] != nil else { return nil }
    let numbers = try numbers(name)
    guard numbers.count == 2, let point = GeographicPoint(longitude: numbers[0], latitude: numbers[1]) else {
      throw wrong(name, "a longitude and a latitude, such as [13.4, 52.5]")
    }
    return point
  }

  func flag(_ name: String) throws(SandboxError) -> Bool {
    switch try text(name) {
    case nil, "false": false
    case "true": true
    default: throw wrong(name, "true or false")
    }
  }

  func date(_ name: String) throws(SandboxError) -> Date? {
    try text(name).map { (text) throws(SandboxError) in
      guard let date = Timestamp.parse(text) else { throw wrong(name, "a date such as 2026-01-31T09:00:00Z") }
      return date
    }
  }

  private func wrong(_ name: String, _ expected: String) -> SandboxError {
    .invalidSeed("`\(name)` must be \(expected)", line: values[name]?.line ?? node.line)
  }
}
