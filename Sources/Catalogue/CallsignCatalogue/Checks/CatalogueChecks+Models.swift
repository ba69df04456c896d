extension CatalogueChecks {
  mutating func checkModels() {
    checkAliases()
    var first: [String: SourceLocation] = [:]
    for model in draft.groups.flatMap(\.group.models) {
      if let other = first[model.name] {
        error(
          "the model `\(model.name)` is declared already, in \(place(other, from: model.location)); rename or remove one",
          at: model.location)
        continue
      }
      first[model.name] = model.location
      if Scalar(model.name) != nil { continue }
      claimType(
        model.typeName, for: "the model `\(model.name)`", at: model.location,
        advice: "give one a Swift name with `$name:`")
      switch model.shape {
      case .object(let fields, let extra): checkFields(fields, extra: extra, of: model)
      case .enumeration(let cases): checkCases(cases, of: model)
      case .union(let union): checkUnion(union, of: model)
      case .alias(let type): checkAlias(type)
      }
    }
    checkCycles()
  }

  // MARK: Objects

  /// The maximum number of fields in a model. The runtime stores the count in 15 bits.
  private static let fieldLimit = 32_767

  private mutating func checkFields(_ fields: [Field], extra: TypeReference?, of model: Model) {
    if fields.count > Self.fieldLimit {
      error(
        "the model `\(model.name)` has \(fields.count) fields, and a model has at most \(Self.fieldLimit); put some of "
          + "them into a map with `$extra`", at: model.location)
    }
    var names: [String: Field] = [:]
    for field in fields {
      checkType(field.type, mayBeIndirect: true)
      checkNoFile(field.type)
      checkConstant(of: field)
      if let value = field.defaultValue { checkDefault(value, of: field.type, at: field.location) }
      for name in [field.name] + field.aliases where name.unicodeScalars.contains("\n") {
        error("a member's name has no line end; leave `\(name)` out", at: field.location)
      }
      let name = propertyName(field)
      if let other = names[name] {
        error(
          "`\(other.name)` and `\(field.name)` both become the Swift property `\(name)`; give one another "
            + "name: `{type: …, name: …}`", at: field.location)
      }
      names[name] = field
    }
    checkAliasNames(of: fields)
    guard let extra else { return }
    checkType(extra)
    checkNoFile(extra)
    if let field = names[GeneratedNames.extraField] {
      error(
        "`\(field.name)` becomes the Swift property `extra`, which `$extra` needs; give the field another name: "
          + "`{type: …, name: …}`", at: field.location)
    }
  }

  /// A constant field must be a string, a whole number or a flag.
  private mutating func checkConstant(of field: Field) {
    guard let constant = field.constant, let type = resolved(field.type) else { return }
    let fits =
      switch type.kind {
      case .scalar(.string): true
      case .scalar(.int): NumberText.isWhole(constant)
      case .scalar(.bool): constant == "true" || constant == "false"
      default: false
      }
    if !fits || type.isOptional || type.isNullable {
      error(
        "a field with a `value` is a `string`, `int` or `bool` that has it, and has no `?` or `| null`",
        at: field.location)
    }
  }

  /// Each name on the wire must belong to one member only.
  private mutating func checkAliasNames(of fields: [Field]) {
    var owners = Dictionary(fields.map { ($0.name, $0.name) }) { first, _ in first }
    for field in fields {
      for alias in field.aliases {
        if alias.isEmpty || alias.unicodeScalars.contains(where: { $0 == ":" || Character($0).isNewline }) {
          error("a name that `also` lists has a character, and no colon or line break", at: field.location)
        } else if alias == Field.wholeResponse, !mayBeWholeResponse(field) {
          error(
            "`.` in `also` reads the whole response as a field that is always there and has a model for its type",
            at: field.location)
        } else if let owner = owners[alias] {
          error(
            owner == field.name
              ? "`\(alias)` is the name of this field already; remove it from `also`"
              : "`\(alias)` is read as the field `\(owner)` already; remove it from `also`", at: field.location)
        } else {
          owners[alias] = field.name
        }
      }
    }
  }

  private func mayBeWholeResponse(_ field: Field) -> Bool {
    guard let type = resolved(field.type), !type.isOptional, !type.isNullable else { return false }
    guard case .named = type.kind else { return false }
    return true
  }

  /// Rejects a `file` at any depth outside a request body.
  mutating func checkNoFile(
    _ type: TypeReference,
    because problem: String = "a `file` is a part of a multipart body, not of a model; use `bytes`"
  ) {
    switch type.kind {
    case .scalar(.file): error(problem, at: type.location)
    case .list(let element), .map(let element): checkNoFile(element, because: problem)
    default: break
    }
  }

  /// Rejects formats that only a model's field supports, and neither a whole response nor a union's variant: date formats, and
  /// numbers in milliseconds.
  mutating func checkNoFormat(in type: TypeReference, butOfDates read: [DateFormat]) {
    switch resolved(type)?.kind {
    case .scalar(.duration(.milliseconds)):
      error(
        "only a field or an argument is a length of time in milliseconds; write `number` here", at: type.location)
    case .scalar(.date(let format)) where !read.contains(format):
      let plain = [.seconds, .milliseconds].contains(format) ? "number" : "string"
      error("only a model's field has dates of this format; write `\(plain)` here", at: type.location)
    case .list(let element), .map(let element): checkNoFormat(in: element, butOfDates: read)
    default: break
    }
  }

  // MARK: Enums

  private mutating func checkCases(_ cases: [EnumCase], of model: Model) {
    if cases.isEmpty {
      error("the enum `\(model.name)` has no values; list them, or use `string`", at: model.location)
    }
    var values: Set<String> = []
    var names: [String: String] = [:]
    for enumCase in cases {
      if !values.insert(enumCase.value).inserted {
        error("the value `\(enumCase.value)` is in this enum twice; remove one", at: enumCase.location)
        continue
      }
      if enumCase.value.unicodeScalars.contains("\n") {
        error("an enum's value has no line end; leave `\(enumCase.value)` out", at: enumCase.location)
      }
      if model.isInteger, !NumberText.isWhole(enumCase.value) {
        error("`\(enumCase.value)` is not a whole number, and the enum is `$of: int`", at: enumCase.location)
      }
      let name = enumCase.caseName
      if let other = names[name] {
        error(
          "`\(other)` and `\(enumCase.value)` both become the Swift case `\(name)`; give one another name in the long "
            + "form: `$enum: {\(enumCase.value): {name: …}}`", at: enumCase.location)
      } else if name == "unknown", !model.isClosed {
        error(
          "the Swift case `unknown` holds what the catalogue does not know; choose another `name`",
          at: enumCase.location)
      }
      names[name] = enumCase.value
    }
  }

  // MARK: Unions

  private mutating func checkUnion(_ union: Union, of model: Model) {
    if union.variants.isEmpty {
      error("the union `\(model.name)` has no variants; list its types, or use `json`", at: model.location)
    }
    var names: Set<String> = []
    var kinds: [[JSONKind]] = []
    for variant in union.variants {
      if let tag = union.tag { checkTags(of: variant, tag: tag) }
      checkType(variant.type, mayBeIndirect: true)
      checkNoFile(variant.type)
      checkNoFormat(in: variant.type, butOfDates: [.rfc3339, .day])
      if variant.type.isOptional || variant.type.isNullable {
        error(
          "a variant is neither left out nor null; put `?` or `| null` on the uses of the union", at: variant.location)
      }
      let name = variant.caseName
      if !variant.type.isUnreadable, !names.insert(name).inserted || name == "unknown" {
        error(
          "another variant becomes the Swift case `\(name)` too; give one a name: `{name: …, type: …}`",
          at: variant.location)
      }
      guard let kind = jsonKind(variant.type) else { continue }
      if union.tag != nil {
        if kind != .object {
          error("a variant that a tag selects is an object; use a model with fields", at: variant.location)
        }
      } else if kind != .object {
        let kind = jsonKinds(variant.type)
        if kinds.contains(where: { kind.starts(with: $0) }) {
          warning(
            "in JSON this variant looks like one before it, which is always taken; remove one, or use `json`",
            at: variant.location)
        }
        kinds.append(kind)
      }
    }
  }

  /// Rejects tag values that the selected variant never has.
  private mutating func checkTags(of variant: Union.Variant, tag: String) {
    var visited: Set<String> = []
    guard let allowed = tagValues(variant.type, tag, &visited) else { return }
    for value in variant.tags where !allowed.contains(value) {
      let known =
        allowed.prefix(5).map { "`\($0)`" }.joined(separator: " or ") + (allowed.count > 5 ? " or another" : "")
      error(
        "`\(value)` selects `\(variant.type.text)`, whose `\(tag)` is \(known); use that here, or correct the model",
        at: variant.location)
    }
  }

  /// The values that a tag can have in a type; `nil` if it can have any value.
  private func tagValues(_ type: TypeReference, _ tag: String, _ visited: inout Set<String>) -> [String]? {
    guard let model = model(type), visited.insert(model.name).inserted else { return nil }
    switch model.shape {
    case .object(let fields, _):
      guard let field = fields.first(where: { $0.name == tag }) else { return nil }
      if let constant = field.constant { return [constant] }
      guard let values = self.model(field.type), case .enumeration(let cases) = values.shape, !values.isExtensible
      else { return nil }
      return cases.map(\.value)
    case .union(let union) where union.tag == tag: return union.variants.flatMap(\.tags)
    case .union(let union) where union.tag == nil:
      var all: [String] = []
      for variant in union.variants {
        guard let values = tagValues(variant.type, tag, &visited) else { return nil }
        all += values
      }
      return all
    default: return nil
    }
  }

  /// The kind of a JSON value, as far as it distinguishes variants.
  private enum JSONKind { case object, list, string, number, integer, bool }

  /// The kind of a value and, for a list, the kind of its elements if known.
  private func jsonKinds(_ type: TypeReference) -> [JSONKind] {
    guard let kind = jsonKind(type) else { return [] }
    if kind == .list, case .list(let element)? = resolved(type)?.kind { return [kind] + jsonKinds(element) }
    return [kind]
  }

  private func jsonKind(_ type: TypeReference) -> JSONKind? {
    guard let type = resolved(type) else { return nil }
    switch type.kind {
    case .list: return .list
    case .map: return .object
    case .scalar(let scalar):
      switch scalar {
      case .string, .bytes, .base64URL, .date(.rfc3339), .date(.day), .date(.pattern), .url, .uuid,
        .decimal(isText: true),
        .duration(.iso8601), .duration(.protobuf):
        return .string
      case .int, .int32, .uint64, .date(.seconds), .date(.milliseconds): return .integer
      case .number, .decimal(isText: false), .duration(.seconds), .duration(.milliseconds): return .number
      case .bool: return .bool
      case .json, .file: return nil
      }
    case .named:
      switch model(type)?.shape {
      case .object: return .object
      case .enumeration: return model(type)?.isInteger == true ? .integer : .string
      default: return nil
      }
    }
  }

  // MARK: Aliases

  private mutating func checkAlias(_ type: TypeReference) {
    checkType(type)
    checkNoFile(type)
    if type.isOptional || type.isNullable {
      error("another name for a type has no `?` or `| null`; put it on the uses of the name", at: type.location)
    }
  }

  /// Resolves every alias. An alias that leads back to itself is reported and resolves to nothing.
  private mutating func checkAliases() {
    var done: Set<String> = []
    for name in modelNames where !done.contains(name) {
      var path: [String] = []
      var position: [String: Int] = [:]
      var current = name
      // An alias mentions at most one other type, however deep in lists and maps.
      while !done.contains(current), case .alias(let type)? = models[current]?.shape {
        if let start = position[current] {
          reportAliasCycle(Array(path[start...]))
          break
        }
        position[current] = path.count
        path.append(current)
        guard let next = Self.mentioned(type) else { break }
        current = next
      }
      for name in path.reversed() {
        done.insert(name)
        guard case .alias(let type)? = models[name]?.shape else { continue }
        guard case .named(let next) = type.kind else {
          aliases[name] = type
          continue
        }
        guard let model = models[next] else { continue }
        if case .alias = model.shape { aliases[name] = aliases[next] } else { aliases[name] = type }
      }
    }
  }

  private mutating func reportAliasCycle(_ path: [String]) {
    guard let first = path.first, let model = models[first] else { return }
    let chain = (path + [first]).prefix(8).map { "`\($0)`" }.joined(separator: " → ")
    error("`\(first)` is another name for itself (\(chain)); give one of them its own type", at: model.location)
  }

  /// The name inside the type.
  static func mentioned(_ type: TypeReference) -> String? {
    switch type.kind {
    case .scalar: nil
    case .named(let name): name
    case .list(let element), .map(let element): mentioned(element)
    }
  }
}
