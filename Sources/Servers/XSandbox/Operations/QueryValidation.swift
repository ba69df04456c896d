import Foundation

/// A query parameter that an operation accepts, with the constraints in X's document.
struct QueryParameter: Sendable {
  enum Kind: Sendable {
    case integer(ClosedRange<Int>, default: Int)
    /// Comma-separated values from a set.
    case list(of: [String])
    /// Comma-separated ids.
    case identifiers(atMost: Int)
    /// Comma-separated user names.
    case usernames(atMost: Int)
    case identifier
    case choice(of: [String])
    /// `true` or `false`, in any case.
    case flag
    case text(length: ClosedRange<Int>)
    /// RFC 3339.
    case date
    case pageToken
  }

  var name: String
  var kind: Kind
  var isRequired = false
}

/// A checked value of a query parameter.
enum QueryValue: Sendable {
  case integer(Int)
  case strings([String])
  case string(String)
}

/// Checks a query against the parameters of an operation. It collects all errors.
struct QueryValidation {
  private(set) var values: [String: QueryValue] = [:]
  private(set) var errors: [InvalidParameter] = []

  init(query: String, accepted: [QueryParameter]) {
    for parameter in RequestParameter.parse(form: query) where !parameter.isProtocolParameter {
      let name = parameter.nameText
      guard let definition = accepted.first(where: { $0.name == name }) else {
        let names = accepted.map(\.name).joined(separator: ",")
        fault(name, parameter.valueText, "The query parameter [\(name)] is not one of [\(names)]")
        continue
      }
      guard values[name] == nil else {
        fault(name, parameter.valueText, "The query parameter [\(name)] is given more than once")
        continue
      }
      guard let text = String(validUTF8: parameter.value) else {
        fault(name, parameter.valueText, "The `\(name)` query parameter value is not valid UTF-8")
        continue
      }
      guard !text.isEmpty else {
        fault(name, text, "The `\(name)` query parameter can not be empty")
        continue
      }
      values[name] = check(text, definition)
    }
    for definition in accepted where definition.isRequired && values[definition.name] == nil {
      if !errors.contains(where: { $0.name == definition.name }) {
        errors.append(
          InvalidParameter(
            name: definition.name, message: "The `\(definition.name)` query parameter can not be empty"))
      }
    }
  }

  private mutating func check(_ text: String, _ parameter: QueryParameter) -> QueryValue? {
    let subject = "The `\(parameter.name)` query parameter value [\(text)]"
    switch parameter.kind {
    case .integer(let range, default: _):
      guard let value = Int(text), text.first != "+" else {
        return fault(parameter.name, text, "\(subject) is not an integer")
      }
      guard range.contains(value) else {
        return fault(
          parameter.name, text, "\(subject) is not between \(range.lowerBound) and \(range.upperBound)")
      }
      return .integer(value)
    case .choice(of: let allowed):
      guard allowed.contains(text) else { return fault(parameter.name, text, subject, notOneOf: allowed) }
      return .string(text)
    case .flag:
      let flag = text.lowercased()
      guard ["true", "false"].contains(flag) else {
        return fault(parameter.name, text, subject, notOneOf: ["true", "false"])
      }
      return .string(flag)
    case .list(of: let allowed):
      let elements = Self.elements(text)
      for element in elements where !allowed.contains(element) {
        fault(
          parameter.name, element, "The `\(parameter.name)` query parameter value [\(element)]", notOneOf: allowed)
      }
      return .strings(elements)
    case .identifiers(atMost: let limit):
      return checkElements(text, parameter, limit: limit, pattern: "^[0-9]{1,19}$", matches: Pattern.isIdentifier)
    case .usernames(atMost: let limit):
      return checkElements(
        text, parameter, limit: limit, pattern: "^[A-Za-z0-9_]{1,15}$", matches: Pattern.isUsername)
    case .identifier:
      guard Pattern.isIdentifier(text) else {
        return fault(parameter.name, text, "\(subject) does not match ^[0-9]{1,19}$")
      }
      return .string(text)
    case .text(length: let range):
      guard range.contains(text.unicodeScalars.count) else {
        return fault(
          parameter.name, text,
          "The `\(parameter.name)` query parameter must have \(range.lowerBound) to \(range.upperBound) characters")
      }
      return .string(text)
    case .date:
      guard Timestamp.parse(text) != nil else {
        return fault(parameter.name, text, "\(subject) is not a date of RFC 3339, such as 2026-01-31T09:00:00Z")
      }
      return .string(text)
    case .pageToken: return .string(text)
    }
  }

  private mutating func checkElements(
    _ text: String, _ parameter: QueryParameter, limit: Int, pattern: String, matches: (String) -> Bool
  ) -> QueryValue? {
    let elements = Self.elements(text)
    for element in elements where !matches(element) {
      fault(
        parameter.name, element,
        "The `\(parameter.name)` query parameter value [\(element)] does not match \(pattern)")
    }
    guard elements.count <= limit else {
      return fault(
        parameter.name, text,
        "The number of values in the `\(parameter.name)` query parameter list "
          + "[\(elements.count)] is not between 1 and \(limit)")
    }
    return .strings(elements)
  }

  private static func elements(_ text: String) -> [String] {
    text.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
  }

  @discardableResult
  private mutating func fault(
    _ name: String, _ value: String, _ message: String, notOneOf allowed: [String]? = nil
  ) -> QueryValue? {
    let list = allowed.map { " is not one of [\($0.joined(separator: ","))]" } ?? ""
    errors.append(InvalidParameter(name: name, values: [value], message: message + list))
    return nil
  }
}
