import Callsign
import CallsignCatalogue
import CallsignSupport

/// A part of a response that is not what the catalogue says. The JSON has it all the same.
public struct ResponseIssue: Sendable, Hashable, CustomStringConvertible {
  /// The place in the response, such as `data[1].text`; empty for the response itself.
  public let path: String
  /// The kind of value that the catalogue has there.
  public let expected: String
  /// The kind of value that was there; `nothing` for a required member that is missing.
  public let found: String

  /// States an issue.
  public init(path: String, expected: String, found: String) {
    self.path = path
    self.expected = expected
    self.found = found
  }

  /// One line for people. It never repeats a value.
  public var description: String { "\(path.isEmpty ? "the response" : path): expected \(expected), found \(found)" }
}

/// Looks at a response by the catalogue's types. Members that these do not have, and new values of open enums, are no
/// issues.
struct ResponseCheck {
  let models: ModelTable
  private(set) var issues: [ResponseIssue] = []
  /// A response of a thousand wrong elements is as wrong with fewer.
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
      // A variant that this catalogue does not know yet is none of its business.
      guard let variant = union.variants.first(where: { $0.tags.contains(text) }) else { return }
      return look(at: value, as: variant.type, path: path)
    }
    // Where no variant fits, what is wrong with the nearest one of the value's kind.
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
    // What the runtime's strict reading takes: digits in a text are a number, too.
    if scalar == .number, let text = value.string { return Double(written: text) != nil }
    if scalar == .int, let text = value.string { return Int(text) != nil }
    if scalar == .int32, let text = value.string { return Int32(text) != nil }
    if scalar == .file { return true }
    var reader = ValueReader(models, Self.policy)
    return reader.read(value, as: TypeReference(.scalar(scalar)), at: "") != nil
  }

  private static func joined(_ path: String, _ name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
