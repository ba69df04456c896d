import CallsignCatalogue
import CallsignGenerator
import CallsignSupport
import Foundation

import enum CallsignJSON.JSONValue

/// A call of one of the API's operations, for a package's README and test, with an invented response.
struct SampleCall {
  let endpoint: Endpoint
  /// `reposGet(owner: "owner", repo: "repo")`
  let expression: String
  /// Whether the expression uses Foundation types.
  let needsFoundation: Bool
  /// The path on the wire that the test expects; `nil` if an argument in it is encoded.
  let path: String?
  /// The response's JSON; `nil` if it has no content.
  let response: JSONValue?
  /// The Swift type of the response, `GitHub.FullRepository`; `nil` if it is not a model.
  let responseType: String?
  /// A property of the response, and its value as Swift source.
  let property: (name: String, value: String)?

  /// The most instructive simple call: one that reads an object and needs few arguments. `nil` if the catalogue has no suitable
  /// call.
  init?(_ catalogue: Catalogue) {
    let values = SampleValues(catalogue)
    let candidates = catalogue.groups.flatMap(\.endpoints).filter { Self.isSuitable($0, values) }
      .map { ($0, Self.worth($0, values)) }
      // The sort is stable: of equal operations, the first wins.
      .enumerated().sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
    for (_, (endpoint, _)) in candidates {
      if let call = SampleCall(endpoint, catalogue.api, values) {
        self = call
        return
      }
    }
    return nil
  }

  private init?(_ endpoint: Endpoint, _ api: API, _ values: SampleValues) {
    var arguments: [String] = []
    var path: String? = endpoint.path.replacingPlus()
    var needsFoundation = false
    for parameter in endpoint.parameters {
      if parameter.constant != nil || values.resolved(parameter.type).isOptional { continue }
      guard let value = values.expression(parameter.type, named: parameter.name) else { return nil }
      arguments.append("\(SwiftName.escapedLabel(parameter.label)): \(value)")
      if value.contains("Date(") { needsFoundation = true }
      if parameter.place == .path {
        path = path.flatMap { Self.filled($0, parameter, values) }
      }
    }
    var response: JSONValue?
    if let returns = endpoint.returns {
      guard let value = values.json(returns, named: "item") else { return nil }
      response = api.everyCall.failures.reduce(value) { value, sign in
        values.value(value, of: returns, avoiding: sign, at: sign.path.pathNames[...])
      }
    }
    self.endpoint = endpoint
    self.needsFoundation = needsFoundation
    self.path = path.map { Self.basePath(endpoint, api) + $0 }.flatMap { $0.utf8.allSatisfy(Self.isPlain) ? $0 : nil }
    self.response = response
    expression = "\(SwiftName.escaped(endpoint.methodName))(\(arguments.joined(separator: ", ")))"
    let model = endpoint.returns.flatMap { values.resolved($0).isNullable ? nil : values.model($0) }
    if let model, case .object(let fields, _) = model.shape {
      responseType = "\(SwiftName.escaped(api.name)).\(SwiftName.escaped(model.typeName))"
      property = fields.lazy.compactMap { Self.property($0, response, values) }.first
    } else {
      responseType = nil
      property = nil
    }
  }

  /// The path with a parameter's value in it, if that is a string or number that needs no encoding.
  private static func filled(_ path: String, _ parameter: Parameter, _ values: SampleValues) -> String? {
    let type = values.resolved(parameter.type)
    let text: String
    switch type.kind {
    case .scalar(.string): text = values.text(type, named: parameter.name)
    case .scalar(.int), .scalar(.bool):
      guard let expression = values.expression(type, named: parameter.name) else { return nil }
      text = expression
    default: return nil
    }
    let parts = path.components(separatedBy: "{\(parameter.name)}")
    return parts.joined(separator: text)
  }

  /// The client's arguments for variables without defaults, of its default host and of the call's host.
  static func hostArguments(_ endpoint: Endpoint?, _ api: API) -> [(label: String, value: String)] {
    let hosts = api.hosts.prefix(1) + [endpoint.flatMap(api.host(of:))].compactMap { $0 }
    var arguments: [(label: String, value: String)] = []
    for variable in hosts.flatMap(\.variables) where variable.defaultValue == nil {
      if arguments.contains(where: { $0.label == variable.label }) { continue }
      arguments.append((SwiftName.escapedLabel(variable.label), variable.sampleValue))
    }
    return arguments
  }

  /// Whether a path can contain the byte unencoded (RFC 3986 §3.3).
  private static func isPlain(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: "-._~/:@!$&'()*+,;=".utf8.contains(byte)
    }
  }

  /// The path of the host's base URL, which precedes the endpoint's path.
  private static func basePath(_ endpoint: Endpoint, _ api: API) -> String {
    let url = api.host(of: endpoint)?.sampleURL ?? ""
    let parts = url.components(separatedBy: "://").last?.split(separator: "/").dropFirst() ?? []
    return parts.map { "/" + $0 }.joined()
  }

  /// A member of the response that always exists and is a string, a whole number or a flag.
  static func property(
    _ field: Field, _ response: JSONValue?, _ values: SampleValues
  ) -> (name: String, value: String)? {
    let type = values.resolved(field.type)
    guard !type.isOptional, !type.isNullable, let value = response?[field.name] else { return nil }
    let name = SwiftName.escaped(field.propertyName)
    switch (type.kind, value) {
    case (.scalar(.string), .string(let text)): return (name, SwiftLiteral.string(text))
    case (.scalar(.int), .integer(let number)): return (name, String(number))
    default: return nil
    }
  }

  private static func isSuitable(_ endpoint: Endpoint, _ values: SampleValues) -> Bool {
    if endpoint.stream != nil { return false }
    // Rules can require arguments that are optional in their types.
    if endpoint.rules.contains(where: { $0.kind != .together || $0.swiftType != nil }) { return false }
    if let returns = endpoint.returns, values.resolved(returns).kind == .scalar(.bytes) { return false }
    return true
  }

  private static func worth(_ endpoint: Endpoint, _ values: SampleValues) -> Int {
    var worth = 0
    if endpoint.deprecation != nil { worth -= 200 }
    if endpoint.method == "GET" { worth += 60 }
    if let returns = endpoint.returns {
      let type = values.resolved(returns)
      if let model = values.model(returns), case .object(let fields, _) = model.shape {
        worth += 40
        let isTelling = fields.contains { field in
          !values.resolved(field.type).isOptional && values.isPlain(field.type)
        }
        if isTelling { worth += 20 }
      } else if case .list = type.kind {
        worth += 30
      }
    }
    let needed = endpoint.parameters.filter { $0.constant == nil && !values.resolved($0.type).isOptional }
    worth -= needed.count * 15
    worth -= needed.filter { !values.isPlain($0.type) }.count * 30
    return worth
  }
}

extension String {
  /// A path template without the `+` for reserved expansion.
  fileprivate func replacingPlus() -> String { components(separatedBy: "{+").joined(separator: "{") }
}
