import CallsignCatalogue
import CallsignJSON
import Foundation

/// Checks JSON against types of the catalogue.
struct ValueChecker: Sendable {
  /// The direction of a value. Requests do not need the members that only the API sets, and responses do not need those that only
  /// the client sends.
  enum Direction { case request, response }

  /// A part of a value that violates its type.
  struct Problem: Equatable {
    /// The location in the value, such as `.pets[0].name`; empty for the value itself.
    var path: String
    /// The reason, as the end of a sentence.
    var detail: String
    /// The type in the catalogue's notation.
    var allowed: String
  }

  let types: ModelIndex
  let direction: Direction
  /// Whether members that are not in the catalogue are problems.
  var isStrict = false

  /// The maximum number of problems. More would only hide the first ones.
  static let maximumProblems = 20
  private static let maximumDepth = 100

  func problems(of value: JSONValue, _ type: TypeReference) -> [Problem] {
    var problems: [Problem] = []
    check(value, type, "", 0, &problems)
    return problems
  }

  func accepts(_ value: JSONValue, _ type: TypeReference) -> Bool { problems(of: value, type).isEmpty }

  private func check(
    _ value: JSONValue, _ type: TypeReference, _ path: String, _ depth: Int, _ problems: inout [Problem]
  ) {
    guard problems.count < Self.maximumProblems else { return }
    let resolved = types.resolve(type)
    func add(_ detail: String, allowed: String? = nil) {
      problems.append(Problem(path: path, detail: detail, allowed: allowed ?? type.text))
    }
    guard depth < Self.maximumDepth else { return add("nests deeper than \(Self.maximumDepth) levels") }
    if value.isNull {
      // In a response, null is read as a missing value.
      if !resolved.isNullable, !(direction == .response && resolved.isOptional), !takesNull(resolved.kind) {
        add("must not be null")
      }
      return
    }
    switch resolved.kind {
    case .scalar(let scalar):
      if let reason = ScalarCheck(scalar, resolved.constraints).problem(of: value) { add(reason) }
    case .list(let element):
      guard case .array(let elements) = value else { return add("must be an array, not \(value.kind.phrase)") }
      if let reason = Self.outOfBounds(elements.count, resolved.constraints, "element") { add(reason) }
      for (index, value) in elements.enumerated() { check(value, element, "\(path)[\(index)]", depth + 1, &problems) }
    case .map(let element):
      guard case .object(let members) = value else { return add("must be an object, not \(value.kind.phrase)") }
      for (name, value) in members.sorted(by: { $0.key < $1.key }) {
        check(value, element, "\(path).\(name)", depth + 1, &problems)
      }
    case .enumeration(let model, let cases):
      let text = model.isInteger ? value.int.map(String.init) : value.string
      let allowed = cases.map(\.value)
      guard let text else {
        return add(
          "must be \(model.isInteger ? "a whole number" : "a string"), not \(value.kind.phrase)",
          allowed: Self.list(allowed))
      }
      if !model.isExtensible, !allowed.contains(text) {
        add("\(Self.quoted(text)) is not one of its values", allowed: Self.list(allowed))
      }
    case .object(_, let fields, let extra):
      guard case .object(let members) = value else { return add("must be an object, not \(value.kind.phrase)") }
      check(members, fields, extra, path, depth, &problems)
    case .union(_, let union): check(value, union, type, path, depth, &problems)
    case .missing(let name): add("has the type `\(name)`, which the catalogue does not have")
    }
  }

  private func check(
    _ members: [String: JSONValue], _ fields: [Field], _ extra: TypeReference?, _ path: String, _ depth: Int,
    _ problems: inout [Problem]
  ) {
    for field in fields {
      let isNeeded = !field.type.isOptional && !(direction == .request ? field.isReadOnly : field.isWriteOnly)
      let given = members[field.name] ?? field.aliases.lazy.compactMap { members[$0] }.first
      if given == nil, path.isEmpty, direction == .response, field.aliases.contains(Field.wholeResponse) {
        return check(.object(members), field.type, path, depth + 1, &problems)
      }
      if let given {
        check(given, field.type, "\(path).\(field.name)", depth + 1, &problems)
        if let constant = field.constant, ParameterText.plain(given) != constant {
          problems.append(Problem(path: "\(path).\(field.name)", detail: "is always `\(constant)`", allowed: constant))
        }
      } else if isNeeded {
        problems.append(Problem(path: "\(path).\(field.name)", detail: "is missing", allowed: field.type.text))
      }
    }
    let known = Set(fields.flatMap { [$0.name] + $0.aliases })
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where !known.contains(name) {
      if let extra {
        check(value, extra, "\(path).\(name)", depth + 1, &problems)
      } else if isStrict {
        problems.append(
          Problem(path: "\(path).\(name)", detail: "is not known", allowed: Self.list(fields.map(\.name))))
      }
    }
  }

  private func check(
    _ value: JSONValue, _ union: CallsignCatalogue.Union, _ type: TypeReference, _ path: String, _ depth: Int,
    _ problems: inout [Problem]
  ) {
    guard let tag = union.tag else {
      var best: [Problem]?
      for variant in union.variants {
        var found: [Problem] = []
        check(value, variant.type, path, depth + 1, &found)
        if found.isEmpty { return }
        if found.count < best?.count ?? .max { best = found }
      }
      let allowed = union.variants.map(\.type.text).joined(separator: " or ")
      // If the closest variant has a single problem, that is the answer. Otherwise the value is far from all of them.
      if let best, best.count == 1 {
        problems += best
      } else {
        problems.append(Problem(path: path, detail: "is none of the types of \(type.text)", allowed: allowed))
      }
      return
    }
    guard case .object(let members) = value else {
      return problems.append(
        Problem(path: path, detail: "must be an object, not \(value.kind.phrase)", allowed: type.text))
    }
    let tags = union.variants.flatMap(\.tags)
    guard let given = members[tag].flatMap(ParameterText.plain) else {
      return problems.append(Problem(path: "\(path).\(tag)", detail: "is missing", allowed: Self.list(tags)))
    }
    guard let variant = union.variants.first(where: { $0.tags.contains(given) }) else {
      return problems.append(
        Problem(
          path: "\(path).\(tag)", detail: "\(Self.quoted(given)) is not one of its values", allowed: Self.list(tags)))
    }
    check(value, variant.type, path, depth + 1, &problems)
  }

  private func takesNull(_ kind: ModelIndex.Resolved.Kind) -> Bool {
    if case .scalar(.json) = kind { return true }
    return false
  }
}

extension ValueChecker {
  /// The variant of a union without a tag that a client chooses for a value, as defined by the catalogue's format. Among the models
  /// whose required members all exist, it is the one whose constants match; among several, the one that knows most of the members;
  /// then the one whose enums contain the values. Otherwise it is the first variant of the value's kind.
  func variant(of value: JSONValue, in union: CallsignCatalogue.Union) -> Int? {
    guard case .object(let members) = value else { return union.variants.firstIndex { isKind(value, $0.type) } }
    // The order of preference: the lowest first, compared by the first number that differs.
    typealias Order = (Int, Int, Int, Int, Int)
    var best: (index: Int, order: Order)?
    for (index, variant) in union.variants.enumerated() {
      switch types.resolve(variant.type).kind {
      case .object(_, let fields, _):
        let present = fields.filter { field in
          ([field.name] + field.aliases).contains { members[$0].map { !$0.isNull } ?? false }
        }
        let names = Set(present.map(\.name))
        let isComplete = fields.allSatisfy {
          $0.type.isOptional || types.resolve($0.type).isNullable || names.contains($0.name)
        }
        guard isComplete else { continue }
        var fit = Fit()
        compare(members, fields, &fit, mayNest: true)
        let order: Order = (fit.contradictions, -fit.constants, -present.count, fit.others, -fit.cases)
        if best.map({ order < $0.order }) ?? true { best = (index, order) }
      case .map, .scalar(.json), .union: if best == nil { best = (index, (0, 0, 0, 0, 0)) }
      default: break
      }
    }
    return best?.index
  }

  /// How many constants and enums of a model match the value's members, and how many do not.
  private struct Fit {
    var contradictions = 0
    var constants = 0
    var others = 0
    var cases = 0
  }

  private func compare(
    _ members: [String: JSONValue], _ fields: [Field], _ fit: inout Fit, mayNest: Bool
  ) {
    for field in fields {
      guard let value = members[field.name], !value.isNull else { continue }
      if let constant = field.constant {
        if ParameterText.plain(value) == constant { fit.constants += 1 } else { fit.contradictions += 1 }
        continue
      }
      switch types.resolve(field.type).kind {
      case .enumeration(let model, let cases) where !model.isInteger:
        guard let text = value.string else { continue }
        // An optional constant is written as an enum with a single value.
        switch (cases.contains { $0.value == text }, cases.count == 1) {
        case (true, true): fit.constants += 1
        case (false, true): fit.contradictions += 1
        case (true, false): fit.cases += 1
        case (false, false): fit.others += 1
        }
      case .object(_, let fields, _):
        if mayNest, let members = value.object { compare(members, fields, &fit, mayNest: false) }
      default: continue
      }
    }
  }

  private func isKind(_ value: JSONValue, _ type: TypeReference) -> Bool {
    switch types.resolve(type).kind {
    case .scalar(let scalar):
      switch scalar {
      case .string, .bytes, .base64URL, .file, .url, .uuid: value.kind == .string
      case .int, .int32, .uint64, .number: value.kind == .number
      case .decimal, .duration: value.kind == .string || value.kind == .number
      case .date: value.kind == .string
      case .bool: value.kind == .bool
      case .json: true
      }
    case .list: value.kind == .array
    case .map, .object: value.kind == .object
    case .enumeration(let model, _): value.kind == (model.isInteger ? .number : .string)
    case .union: true
    case .missing: false
    }
  }

  /// The reason why a count or a length is out of bounds.
  static func outOfBounds(_ count: Int, _ constraints: Constraints, _ noun: String) -> String? {
    func phrase(_ bound: Int) -> String { "\(bound) \(noun)\(bound == 1 ? "" : "s")" }
    if let least = constraints.minimum.flatMap({ Int($0) }), count < least {
      return "has \(phrase(count)), but needs \(least) or more"
    }
    if let most = constraints.maximum.flatMap({ Int($0) }), count > most {
      return "has \(phrase(count)), but may have \(most) or fewer"
    }
    return nil
  }

  /// A value from a request for a message, shortened and without control characters.
  static func quoted(_ text: String) -> String {
    let cut = text.unicodeScalars.count > 60 ? "…" : ""
    return "\"" + shown(text.unicodeScalars.prefix(60)) + cut + "\""
  }

  /// A text for a message, without control characters.
  static func shown(_ text: some Sequence<Unicode.Scalar>) -> String {
    let shown = text.map { $0.value < 0x20 || $0.value == 0x7F ? "\u{FFFD}" : $0 }
    return String(String.UnicodeScalarView(shown))
  }

  static func list(_ words: [String]) -> String { words.joined(separator: ", ") }
}
