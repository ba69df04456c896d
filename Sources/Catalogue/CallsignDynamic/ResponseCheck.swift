import Callsign
import CallsignCatalogue
import CallsignSupport

/// A part of a response that does not match the catalogue. The JSON contains it nevertheless.
public struct ResponseIssue: Sendable, Hashable, CustomStringConvertible {
  /// The place in the response, such as `data[1].text`; empty for the response itself.
  public let path: String
  /// The kind of value that the catalogue declares there.
  public let expected: String
  /// The kind of value that was found; `nothing` if a required member is missing.
  public let found: String

  /// Creates an issue.
  public init(path: String, expected: String, found: String) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// A one-line message for people. It never repeats a value.
  public var description: String { "\(path.isEmpty ? "the response" : path): expected \(expected), found \(found)" }
}

/// Checks a response against the catalogue's types. Additional members, and new values of open enums, are not issues.
struct ResponseCheck {
  let models: ModelTable
  private(set) var issues: [ResponseIssue] = []
  /// The maximum number of issues. A response with a thousand wrong elements is clear enough with fewer.
  private static let limit = 100
  private static let policy = ArgumentPolicy(checksBounds: false)

  init(_ models: ModelTable) { self.models = models }

  mutating func look(at value: JSONValue, as type: TypeReference, path: String = "") {
    guard issues.count < Self.limit else { return }
    let type = models.resolved(type)
    if value.isNull {
      let isAllowed = type.isNullable || type.isOptional || type.kind == .scalar(.json)
      if !isAllowed { report(value, type, path) }
      return
    }
    switch type.kind {
    case .scalar(let scalar): if !fits(value, scalar) { report(value, type, path) }
    case .list(let element):
      guard let elements = value.array else { return report(value, type, path) }
      for (index, item) in elements.enumerated() { look(at: item, as: element, path: "\(path)[\(index)]") }
    case .map(let element):
      guard let members = value.object else { return report(value, type, path) }
      // Keys are data.
      for (_, item) in members { look(at: item, as: element, path: Self.joined(path, "*")) }
    case .named(let name): if let model = models[name] { look(at: value, model, type, path) }
    }
  }

  private mutating func look(
    at value: JSONValue, _ model: CallsignCatalogue.Model, _ type: TypeReference, _ path: String
  ) {
    switch model.shape {
    case .alias(let target): look(at: value, as: target, path: path)
    case .enumeration(let cases):
      guard let text = model.isInteger ? value.int.map({ String($0) }) : value.string else {
        return report(value, type, path)
      }
      if model.isClosed, !cases.contains(where: { $0.value == text }) { report(value, type, path) }
    case .union(let union): look(at: value, union, type, path)
    case .object(let fields, let extra):
      guard let members = value.object else { return report(value, type, path) }
      for field in fields {
        let place = Self.joined(path, field.name)
        let member = ([field.name] + field.aliases).lazy.compactMap { members[$0] }.first
        if member == nil, path.isEmpty, field.aliases.contains(Field.wholeResponse) {
          look(at: value, as: field.type, path: path)
        } else if let member {
          look(at: member, as: field.type, path: place)
        } else if !models.resolved(field.type).isOptional, !field.isWriteOnly {
          issues.append(
            ResponseIssue(path: place, expected: TypePhrase(field.type, models).text, found: "nothing"))
        }
      }
      guard let extra else { return }
      let known = Set(fields.flatMap { [$0.name] + $0.aliases })
      for (name, member) in members where !known.contains(name) {
        look(at: member, as: extra, path: Self.joined(path, "*"))
      }
    }
  }

  private mutating func look(
    at value: JSONValue, _ union: CallsignCatalogue.Union, _ type: TypeReference, _ path: String
  ) {
    if let tag = union.tag {
      guard let text = value[tag]?.tagText else { return report(value, type, path) }
      // A variant that this catalogue does not know yet is not checked.
      guard let variant = union.variants.first(where: { $0.tags.contains(text) }) else { return }
      return look(at: value, as: variant.type, path: path)
    }
    // If no variant fits, reports the issues of the closest variant of the value's kind.
    var nearest: ArraySlice<ResponseIssue>?
    let before = issues
    for variant in union.variants {
      look(at: value, as: variant.type, path: path)
      let found = issues.dropFirst(before.count)
      issues = before
      if found.isEmpty { return }
      if !found.contains(where: { $0.path == path }), found.count < nearest?.count ?? .max { nearest = found }
    }
    if let nearest { issues += nearest } else { report(value, type, path) }
  }

  private mutating func report(_ value: JSONValue, _ type: TypeReference, _ path: String) {
    let found =
      if case .scalar(let scalar) = type.kind {
        ValueReader(models, Self.policy).phrase(value, for: scalar)
      } else {
        ValueReader.phrase(value)
      }
    issues.append(ResponseIssue(path: path, expected: TypePhrase(type, models).text, found: found))
  }

  private func fits(_ value: JSONValue, _ scalar: Scalar) -> Bool {
    // The runtime's strict reading also accepts a text of digits as a number.
    if scalar == .number, let text = value.string { return Double(written: text) != nil }
    if scalar == .int, let text = value.string { return Int(text) != nil }
    if scalar == .int32, let text = value.string { return Int32(text) != nil }
    if scalar == .file { return true }
    var reader = ValueReader(models, Self.policy)
    return reader.read(value, as: TypeReference(.scalar(scalar)), at: "") != nil
  }

  private static func joined(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
