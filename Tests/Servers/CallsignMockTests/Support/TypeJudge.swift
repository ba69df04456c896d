import CallsignCatalogue
import Foundation

/// Checks JSON against types of a catalogue. It shares no code with the mock: it uses Foundation's parser.
struct TypeJudge {
  private let models: [String: CallsignCatalogue.Model]

  init(_ catalogue: Catalogue) {
    models = Dictionary(catalogue.groups.flatMap(\.models).map { ($0.name, $0) }, uniquingKeysWith: { $1 })
  }

  func issues(of data: Data, _ type: TypeReference) throws -> [String] {
    var issues: [String] = []
    let value = try JSONSerialization.jsonObject(with: data, options: .fragmentsAllowed)
    judge(value, type, "", &issues)
    return issues
  }

  private func judge(_ value: Any, _ type: TypeReference, _ path: String, _ issues: inout [String]) {
    if issues.count > 10 { return }
    if value is NSNull {
      if !type.isOptional, !isNullable(type) { issues.append("\(path): null for \(type.text)") }
      return
    }
    switch type.kind {
    case .scalar(let scalar): judge(value, scalar, type.constraints, path, &issues)
    case .list(let element):
      guard let elements = value as? [Any] else { return issues.append("\(path): no array") }
      if let least = type.constraints.minimum.flatMap({ Int($0) }), elements.count < least, least <= 1_000 {
        issues.append("\(path): \(elements.count) elements, of \(type.text)")
      }
      if let most = type.constraints.maximum.flatMap({ Int($0) }), elements.count > most {
        issues.append("\(path): \(elements.count) elements, of \(type.text)")
      }
      for (index, value) in elements.enumerated() { judge(value, element, "\(path)[\(index)]", &issues) }
    case .map(let element):
      guard let members = value as? [String: Any] else { return issues.append("\(path): no object") }
      for (name, value) in members { judge(value, element, "\(path).\(name)", &issues) }
    case .named(let name):
      guard let model = models[name] else { return issues.append("\(path): no model \(name)") }
      judge(value, model, type, path, &issues)
    }
  }

  private func isNullable(_ type: TypeReference) -> Bool {
    if type.isNullable { return true }
    if case .scalar(.json) = type.kind { return true }
    if case .named(let name) = type.kind, case .alias(let target)? = models[name]?.shape { return isNullable(target) }
    return false
  }

  private func judge(
    _ value: Any, _ model: CallsignCatalogue.Model, _ type: TypeReference, _ path: String, _ issues: inout [String]
  ) {
    switch model.shape {
    case .alias(var target):
      if target.constraints == Constraints() { target.constraints = type.constraints }
      judge(value, target, path, &issues)
    case .enumeration(let cases):
      let text = model.isInteger ? (value as? Int).map(String.init) : value as? String
      if !cases.contains(where: { $0.value == text }) { issues.append("\(path): \(value) is no \(model.name)") }
    case .object(let fields, let extra):
      guard let members = value as? [String: Any] else { return issues.append("\(path): no object, but \(value)") }
      for field in fields {
        if let value = members[field.name] {
          judge(value, field.type, "\(path).\(field.name)", &issues)
          if field.isWriteOnly { issues.append("\(path).\(field.name): a response has what is only sent") }
        } else if !field.type.isOptional, !field.isWriteOnly {
          issues.append("\(path).\(field.name): missing")
        }
      }
      for (name, value) in members where !fields.contains(where: { $0.name == name }) {
        guard let extra else {
          issues.append("\(path).\(name): unknown")
          continue
        }
        judge(value, extra, "\(path).\(name)", &issues)
      }
    case .union(let union):
      if let tag = union.tag {
        let given = (value as? [String: Any])?[tag].map { "\($0)" } ?? ""
        guard let variant = union.variants.first(where: { $0.tags.contains(given) }) else {
          return issues.append("\(path): no variant of \(model.name) for \(given)")
        }
        // The variant may not list the tag as a member.
        var members = value as? [String: Any] ?? [:]
        if !knows(tag, variant.type) { members[tag] = nil }
        return judge(members, variant.type, path, &issues)
      }
      let fits = union.variants.contains { variant in
        var own: [String] = []
        judge(value, variant.type, path, &own)
        return own.isEmpty
      }
      if !fits { issues.append("\(path): fits no variant of \(model.name)") }
    }
  }

  private func knows(_ member: String, _ type: TypeReference) -> Bool {
    guard case .named(let name) = type.kind else { return true }
    switch models[name]?.shape {
    case .object(let fields, let extra): return extra != nil || fields.contains { $0.name == member }
    case .alias(let target): return knows(member, target)
    default: return true
    }
  }

  private func judge(
    _ value: Any, _ scalar: Scalar, _ constraints: Constraints, _ path: String, _ issues: inout [String]
  ) {
    func expect(_ isTrue: Bool) {
      if !isTrue { issues.append("\(path): \(value) is no \(scalar.text)") }
    }
    let number = value as? NSNumber
    switch scalar {
    case .string, .file:
      guard let text = value as? String else { return expect(false) }
      if let least = constraints.minimum.flatMap({ Int($0) }), least < 100_000 { expect(text.count >= least) }
      if let most = constraints.maximum.flatMap({ Int($0) }) { expect(text.count <= most) }
      // Swift's own expressions, if they support the pattern; the mock uses Foundation's.
      if let pattern = constraints.pattern, let regex = try? Regex(pattern) {
        if (try? regex.firstMatch(in: text)) == nil { issues.append("\(path): \(text) does not match \(pattern)") }
      }
    case .uint64: expect(UInt64("\(value)") != nil)
    case .base64URL: expect((value as? String)?.wholeMatch(of: /[A-Za-z0-9_-]*/) != nil)
    case .int, .int32:
      guard let int = value as? Int else { return expect(false) }
      if let least = constraints.minimum.flatMap({ Double($0) }) { expect(Double(int) >= least) }
      if let most = constraints.maximum.flatMap({ Double($0) }) { expect(Double(int) <= most) }
      if scalar == .int32 { expect(Int32(exactly: int) != nil) }
    case .number:
      guard let double = number?.doubleValue, !(value is String) else { return expect(false) }
      if let least = constraints.minimum.flatMap({ Double($0) }) { expect(double >= least) }
      if let most = constraints.maximum.flatMap({ Double($0) }) { expect(double <= most) }
    case .bool: expect(value is Bool)
    case .json: break
    case .bytes: expect((value as? String).flatMap { Data(base64Encoded: $0) } != nil)
    case .decimal(isText: true): expect((value as? String).flatMap { Decimal(string: $0) } != nil)
    case .decimal(isText: false): expect(number != nil)
    case .url: expect((value as? String).flatMap { URL(string: $0) } != nil)
    case .uuid: expect((value as? String).flatMap { UUID(uuidString: $0) } != nil)
    case .date(.seconds), .date(.milliseconds), .duration(.seconds), .duration(.milliseconds): expect(number != nil)
    case .date(let format):
      guard let text = value as? String else { return expect(false) }
      if format == .rfc3339 {
        return expect(text.contains(/^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/))
      }
      let formatter = DateFormatter()
      formatter.locale = Locale(identifier: "en_US_POSIX")
      formatter.timeZone = TimeZone(identifier: "UTC")
      switch format {
      case .day: formatter.dateFormat = "yyyy-MM-dd"
      case .pattern(let pattern): formatter.dateFormat = pattern
      case .rfc3339, .seconds, .milliseconds: break
      }
      expect(formatter.date(from: text) != nil)
    case .duration(let format):
      guard let text = value as? String else { return expect(false) }
      expect(format == .iso8601 ? text.hasPrefix("P") : text.hasSuffix("s"))
    }
  }
}
