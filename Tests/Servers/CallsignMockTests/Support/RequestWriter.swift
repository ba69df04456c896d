import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes

@testable import CallsignMock

/// Writes requests with arguments that are made by the operation's types, as `spec/README.md` says that they are written.
struct RequestWriter {
  private let catalogue: Catalogue
  private let seed: Seed
  private let types: ModelIndex

  init(catalogue: Catalogue, seed: Seed) {
    (self.catalogue, self.seed) = (catalogue, seed)
    types = ModelIndex(catalogue)
  }

  /// The arguments that can be sent together: what is needed, and of the rest what the rules permit.
  func arguments(_ endpoint: Endpoint, all: Bool = false) -> [String: JSONValue] {
    let generator = ValueGenerator(types: types, seed: seed, direction: .request)
    var left = Set<String>()
    var wanted = Set<String>()
    for rule in endpoint.rules {
      left.formUnion(rule.parameters)
      switch rule.kind {
      case .oneOf: wanted.formUnion(Self.firstAlternative(rule))
      case .anyOf, .together: wanted.formUnion(rule.parameters)
      }
    }
    let turning = [endpoint.pages?.requestParameter, endpoint.pages?.since, endpoint.lengthFramingParameter]
    var arguments: [String: JSONValue] = [:]
    for parameter in endpoint.parameters {
      let isWanted =
        parameter.constant != nil || wanted.contains(parameter.name) || !parameter.type.isOptional
        || (all && !left.contains(parameter.name) && !turning.contains(parameter.name))
      guard isWanted else { continue }
      if let constant = parameter.constant {
        arguments[parameter.name] = ParameterText(types: types).value(.text(constant), parameter.type)
        continue
      }
      var type = parameter.type
      type.isNullable = false
      arguments[parameter.name] = generator.value(
        type, seed.derived(endpoint.name).derived(parameter.name), name: parameter.name)
    }
    return arguments
  }

  private static func firstAlternative(_ rule: ParameterRule) -> Set<String> {
    guard let first = rule.alternatives.first else { return Set(rule.parameters.prefix(1)) }
    return first.parts.reduce(into: []) { names, part in
      switch part {
      case .parameter(let name): names.insert(name)
      case .choice(let choice): if !choice.isOptional { names.formUnion(firstAlternative(choice)) }
      }
    }
  }

  func request(_ endpoint: Endpoint, _ arguments: [String: JSONValue]) -> IncomingRequest {
    var path = endpoint.path
    var query: [(String, String)] = []
    var fields: [(String, String)] = []
    var members: [String: JSONValue] = [:]
    var headers = HTTPFields()
    var body = Data()
    for parameter in endpoint.parameters {
      guard let value = arguments[parameter.name] else { continue }
      switch parameter.place {
      case .path:
        path = path.replacingOccurrences(of: "{\(parameter.name)}", with: Self.encoded(text(value, parameter)))
          .replacingOccurrences(of: "{+\(parameter.name)}", with: Self.encoded(text(value, parameter)))
      case .query: query += pairs(value, parameter)
      case .header:
        if let name = HTTPField.Name(parameter.name) { headers[name] = text(value, parameter) }
      case .cookie:
        let pair = "\(parameter.name)=\(Self.encoded(text(value, parameter)))"
        headers[.cookie] = headers[.cookie].map { "\($0); \(pair)" } ?? pair
      case .field:
        members[parameter.name] = value
        fields += pairs(value, parameter)
      case .body:
        let isRaw =
          switch types.resolve(parameter.type).kind {
          case .scalar(.bytes): true
          case .scalar(.string): endpoint.body != .json
          default: false
          }
        body = isRaw ? Data((value.string ?? "").utf8) : JSONText.data(value)
        headers[.contentType] = endpoint.contentType ?? (isRaw ? "application/octet-stream" : "application/json")
      }
    }
    // A parameter that is the whole body, and is left out, leaves none.
    let hasWholeBody = endpoint.parameters.contains { $0.place == .body }
    if !hasWholeBody, let format = endpoint.body {
      switch format {
      case .json:
        body = JSONText.data(.object(members))
        headers[.contentType] = endpoint.contentType ?? "application/json"
      case .form:
        body = Data(Self.joined(fields).utf8)
        headers[.contentType] = "application/x-www-form-urlencoded"
      case .multipart:
        var text = ""
        for (name, value) in fields {
          text += "--b0undary\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n"
        }
        body = Data((text + "--b0undary--\r\n").utf8)
        headers[.contentType] = "multipart/form-data; boundary=b0undary"
      }
    }
    let host = catalogue.api.hosts.first { $0.name == endpoint.host } ?? catalogue.api.hosts.first
    let url = AbsoluteURL(host?.sampleURL ?? "https://localhost")
    return IncomingRequest(
      method: endpoint.method, origin: url?.origin ?? "", path: (url?.path ?? "") + path,
      query: query.isEmpty ? nil : Self.joined(query), headers: headers, body: body)
  }

  private func text(_ value: JSONValue, _ parameter: Parameter) -> String {
    if case .array(let elements) = value {
      let separator: String =
        switch parameter.listStyle {
        case .space: " "
        case .pipe: "|"
        default: ","
        }
      return elements.compactMap(ParameterText.plain).joined(separator: separator)
    }
    return ParameterText.plain(value) ?? JSONText.text(value)
  }

  private func pairs(_ value: JSONValue, _ parameter: Parameter) -> [(String, String)] {
    let name = parameter.name
    switch (parameter.objectStyle, value) {
    case (.json?, .array(let elements)) where parameter.listStyle == .repeat:
      return elements.map { (name, JSONText.text($0)) }
    case (.members?, .object(let members)):
      return members.sorted { $0.key < $1.key }.flatMap { Self.nested($0.value, $0.key, .brackets) }
    case (.json?, _): return [(name, JSONText.text(value))]
    case (let style?, _): return Self.nested(value, name, style)
    case (nil, .array(let elements)):
      switch parameter.listStyle {
      case .comma, .space, .pipe, .dot: return [(name, text(value, parameter))]
      case .repeat: return elements.map { (name, ParameterText.plain($0) ?? "") }
      case .brackets: return elements.map { ("\(name)[]", ParameterText.plain($0) ?? "") }
      case .indexed: return elements.enumerated().map { ("\(name)[\($0)]", ParameterText.plain($1) ?? "") }
      }
    default: return [(name, text(value, parameter))]
    }
  }

  private static func nested(
    _ value: JSONValue, _ name: String, _ style: Parameter.ObjectStyle
  ) -> [(String, String)] {
    switch value {
    case .object(let members):
      members.sorted { $0.key < $1.key }.flatMap { member in
        nested(member.value, style == .dots ? "\(name).\(member.key)" : "\(name)[\(member.key)]", style)
      }
    case .array(let elements): elements.enumerated().flatMap { nested($1, "\(name)[\($0)]", style) }
    case .null: []
    default: [(name, ParameterText.plain(value) ?? "")]
    }
  }

  private static func joined(_ pairs: [(String, String)]) -> String {
    pairs.map { "\(encoded($0.0))=\(encoded($0.1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(
      withAllowedCharacters: .alphanumerics.intersection(.init(charactersIn: "\u{0}"..."\u{7F}")))
      ?? ""
  }
}
