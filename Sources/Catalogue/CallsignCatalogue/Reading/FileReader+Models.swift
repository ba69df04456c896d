import CallsignYAML

extension FileReader {
  /// Reads one entry of `models:`.
  package func readModel(_ entry: YAMLEntry) -> Model? {
    guard let name = name(entry) else { return nil }
    var model = Model(name: name, shape: .object(fields: [], extra: nil), location: location(entry.key))
    if let problem = Self.problem(withModelName: name) { error(problem, at: entry.key) }
    switch entry.value.content {
    case .scalar(let scalar) where !entry.value.isNull:
      if readUse(entry.value, into: &model) { return model }
      model.shape = readShape(entry.value, scalar, of: name)
    case .scalar:
      error("model `\(name)` is empty; list its fields, or write a type, `enum […]` or `union […]`", at: entry.key)
      model.shape = .alias(.unreadable(at: location(entry.value)))
    case .list:
      model.shape = .alias(readType(entry.value, of: "model `\(name)`"))
    case .mapping(let mapping):
      if mapping.onlyKeyWithoutValue != nil {
        model.shape = .alias(readType(entry.value, of: "model `\(name)`"))
      } else {
        readMapping(mapping, of: entry, into: &model)
      }
    }
    return model
  }

  private static func problem(withModelName name: String) -> String? {
    if Scalar(name) != nil || ["enum", "union", "indirect", "null"].contains(name) {
      return "`\(name)` is a word of the type language; give the model another name"
    }
    let scalars = name.unicodeScalars
    guard let first = scalars.first, TypeParser.isNameStart(first), scalars.allSatisfy(TypeParser.isNamePart) else {
      return "`\(name)` cannot be a model's name; use letters, digits, `_`, `-` and `.`, beginning with a letter"
    }
    return nil
  }

  // MARK: Short forms

  /// Reads `enum […]`, `union […]` or a type.
  private func readShape(_ node: YAMLNode, _ scalar: YAMLScalar, of name: String) -> Model.Shape {
    let locate = locator(node, scalar)
    let shape = parse(node, scalar) { (parser) throws(TypeSyntaxError) -> Model.Shape in
      if parser.takeWord("enum") {
        let values = try parser.bracketed("enum") { (parser) throws(TypeSyntaxError) in try parser.enumValue() }
        return .enumeration(values.map { EnumCase(value: $0.text, location: locate($0.offset)) })
      }
      if parser.takeWord("union") {
        let types = try parser.bracketed("union") { (parser) throws(TypeSyntaxError) in try parser.type() }
        return .union(Union(variants: types.map { Union.Variant(type: $0, location: $0.location) }))
      }
      return .alias(try parser.wholeText())
    }
    return shape ?? .alias(.unreadable(at: location(node)))
  }

  // MARK: Long forms

  private func readMapping(_ mapping: YAMLMapping, of entry: YAMLEntry, into model: inout Model) {
    var own: [YAMLEntry] = []
    var fields: [YAMLEntry] = []
    for entry in mapping.entries {
      guard let key = name(entry) else { continue }
      if key.hasPrefix("$"), !key.hasPrefix("$$") { own.append(entry) } else { fields.append(entry) }
    }
    let keys = keys(own, ModelKey.self, in: "model `\(model.name)`")
    model.summary = keys[.summary].flatMap { line($0) }
    model.documentation = keys[.docs].flatMap { text($0) }
    model.deprecation = deprecation(keys[.deprecated])
    model.swiftName = swiftName(keys[.name])

    let fieldless: [ModelKey] = [.enumeration, .members, .union, .type]
    if let like = keys[.like], let other = fieldless.first(where: { keys[$0] != nil }) {
      error("`$like` is about fields, and `\(other.rawValue)` has none; remove one of them", at: like.key)
    }
    let kinds: [ModelKey] = [.enumeration, .members, .union, .type, .extra]
    let given = kinds.filter { keys[$0] != nil }
    for key in given.dropFirst() {
      guard let entry = keys[key] else { continue }
      error(
        "a model has only one of `$enum`, `$members`, `$union`, `$type` and fields with `$extra`; remove one",
        at: entry.key)
    }
    if let kind = given.first, kind != .extra, let field = fields.first {
      error(
        "a model with `\(kind.rawValue)` has no fields; remove them, or put `$` before a key about the model",
        at: field.key)
    }
    for key in [ModelKey.closed, .of] where keys[.enumeration] == nil && (key == .of || keys[.members] == nil) {
      if let entry = keys[key] { error("`\(key.rawValue)` is about an `$enum`; add that, or remove it", at: entry.key) }
    }
    if let except = keys[.except], keys[.members] == nil {
      error("`$except` leaves out names of `$members`; add that, or remove it", at: except.key)
    }
    if let tag = keys[.tag], keys[.union] == nil {
      error("`$tag` tells the variants of a `$union` apart; add `$union`, or remove it", at: tag.key)
    }
    if let entry = keys[.enumeration] {
      model.shape = .enumeration(readCases(entry))
      readClosed(keys[.closed], into: &model)
      if let of = keys[.of], let text = text(of) {
        model.isInteger = text == "int"
        if text != "int", text != "string" { error("an enum is of `string` or `int`", at: of.value) }
      }
    } else if let entry = keys[.members] {
      // The values are known after all models have been read.
      model.shape = .alias(.unreadable(at: location(entry.value)))
      readClosed(keys[.closed], into: &model)
      readMembers(entry, except: keys[.except], of: model.name)
    } else if let entry = keys[.union] {
      model.shape = .union(readUnion(entry, tag: keys[.tag]))
    } else if let entry = keys[.type] {
      if readUse(entry.value, into: &model) { return }
      model.shape = .alias(readType(entry.value, of: "model `\(model.name)`"))
    } else {
      var extra = keys[.extra].map { FieldEntry(entry: $0) }
      let all = keys[.like].map { withMixins(fields, like: $0, extra: &extra) } ?? fields.map { FieldEntry(entry: $0) }
      model.shape = .object(
        fields: readFields(all.map(parts.filledIn(field:))),
        extra: extra.map { extra in
          with(extra.names.isEmpty ? names : extra.names) { readType(extra.entry.value, of: "`$extra`") }
        })
    }
  }

  private func readFields(_ entries: [FieldEntry]) -> [Field] {
    var fields: [Field] = []
    var lines: [String: Int] = [:]
    for source in entries {
      let outerNames = names
      defer { names = outerNames }
      if !source.names.isEmpty { names = source.names }
      let entry = source.entry
      guard var name = name(entry) else { continue }
      if name.hasPrefix("$$") { name.removeFirst() }
      if name.isEmpty {
        error("a field needs a name", at: entry.key)
        continue
      }
      if let line = lines[name] {
        error("the field `\(name)` is in this model already, in line \(line); remove or rename one", at: entry.key)
        continue
      }
      lines[name] = entry.key.line
      var field = Field(name: name, type: .unreadable(at: location(entry.value)), location: location(entry.key))
      let what = "field `\(name)`"
      if case .mapping(let mapping) = entry.value.content, !mapping.isTypeForm {
        let keys = keys(mapping.entries, FieldKey.self, in: what)
        if let entry = keys[.type] {
          field.type = readType(entry.value, of: what)
        } else if keys[.value] != nil {
          field.type = TypeReference(.scalar(.string), location: location(entry.value))
        } else {
          error(
            "\(what) has no `type`; give an object inside an object a name under `models:`", at: entry.key)
        }
        field.swiftName = swiftName(keys[.name])
        field.aliases = keys[.also].map { readAliases($0, of: what) } ?? []
        field.constant = keys[.value].flatMap { text($0) }
        field.defaultValue = keys[.fallback].flatMap { readDefault($0) }
        field.isReadOnly = keys[.readOnly].flatMap { flag($0) } ?? false
        field.isWriteOnly = keys[.writeOnly].flatMap { flag($0) } ?? false
        if field.isReadOnly, field.isWriteOnly, let entry = keys[.writeOnly] {
          error(
            "\(what) is either set by the API or never responded; remove one of `read_only` and `write_only`",
            at: entry.key)
        }
        field.summary = keys[.summary].flatMap { $0.value.isRemoval ? nil : line($0) }
        field.deprecation = deprecation(keys[.deprecated])
      } else {
        field.type = readType(entry.value, of: what)
      }
      fields.append(field)
    }
    return fields
  }

  /// Reads a list of names, or a single name.
  private func readAliases(_ entry: YAMLEntry, of what: String) -> [String] {
    let nodes: [YAMLNode]
    switch entry.value.content {
    case .list(let list): nodes = list
    default: nodes = [entry.value]
    }
    return nodes.compactMap { node in
      guard case .scalar(let scalar) = node.content, !node.isNull else {
        error("`also` of \(what) lists further names on the wire: `also: [old_name]`", at: node)
        return nil
      }
      return scalar.text
    }
  }

  private func readClosed(_ entry: YAMLEntry?, into model: inout Model) {
    guard let flag = entry.flatMap({ flag($0) }) else { return }
    (model.isClosed, model.isExtensible) = (flag, !flag)
  }

  /// Reads a list of values, or a mapping from values to summaries or `{name, summary}`. A list may also contain such mappings.
  private func readCases(_ entry: YAMLEntry) -> [EnumCase] {
    switch entry.value.content {
    case .list(let nodes):
      return nodes.flatMap { node in
        switch node.content {
        case .scalar(let scalar): return [EnumCase(value: scalar.text, location: location(node))]
        case .mapping(let mapping): return mapping.entries.compactMap(readCase)
        case .list:
          error("an enum's value is a text, not \(node.kind)", at: node)
          return []
        }
      }
    case .mapping: return entries(entry).compactMap(readCase)
    case .scalar:
      if !entry.value.isNull {
        error("`$enum` is a list of values, or a mapping from values to summaries", at: entry.value)
      }
      return []
    }
  }

  /// Reads `value: summary`, `value: {name, summary}`, or only a value.
  private func readCase(_ entry: YAMLEntry) -> EnumCase? {
    guard let value = name(entry) else { return nil }
    var enumCase = EnumCase(value: value, location: location(entry.key))
    if case .mapping(let mapping) = entry.value.content {
      let keys = keys(mapping.entries, EnumCaseKey.self, in: "the enum's value `\(value)`")
      enumCase.swiftName = swiftName(keys[.name])
      enumCase.summary = keys[.summary].flatMap { line($0) }
    } else if !entry.value.isNull {
      enumCase.summary = line(entry)
    }
    return enumCase
  }

  /// Reads `$members: User`: the values are the names of the model's fields, except those in `$except`.
  private func readMembers(_ entry: YAMLEntry, except: YAMLEntry?, of name: String) {
    guard let text = text(entry) else { return }
    var uses = MemberEnum(name: name, model: text, location: location(entry.value))
    if case .named(let model)? = names.types[text]?.kind { uses.model = model }
    if let except {
      guard case .list(let nodes) = except.value.content else {
        return error("`$except` lists names of fields, such as `[id]`", at: except.value)
      }
      for node in nodes {
        if let text = node.text, !node.isNull {
          uses.exceptions.append((text, location(node)))
        } else {
          error("`$except` lists names of fields, not \(node.kind)", at: node)
        }
      }
    }
    memberEnums.append(uses)
  }

  /// Reads a mapping from tag values to types or, without a tag, a list of types.
  private func readUnion(_ entry: YAMLEntry, tag: YAMLEntry?) -> Union {
    var union = Union(tag: tag.flatMap { text($0) }, variants: [])
    switch entry.value.content {
    case .list(let nodes):
      if tag != nil {
        error("with `$tag`, `$union` is a mapping from the tag's values to types", at: entry.value)
      }
      union.variants = nodes.map { readVariant($0, tags: [], location: location($0)) }
    case .mapping:
      if tag == nil {
        error("without `$tag`, `$union` is a list of types; add `$tag: member`, or write `[A, B]`", at: entry.value)
      }
      // Several tag values with the same type and name are one variant.
      var positions: [TypeReference: [String?: Int]] = [:]
      for entry in entries(entry) {
        guard let value = name(entry) else { continue }
        let variant = readVariant(entry.value, tags: [value], location: location(entry.key))
        if !variant.type.isUnreadable, let same = positions[variant.type]?[variant.swiftName] {
          union.variants[same].tags.append(value)
        } else {
          positions[variant.type, default: [:]][variant.swiftName] = union.variants.count
          union.variants.append(variant)
        }
      }
    case .scalar:
      if !entry.value.isNull {
        error("`$union` is a list of types, or with `$tag` a mapping from its values to types", at: entry.value)
      }
    }
    return union
  }

  private func readVariant(_ node: YAMLNode, tags: [String], location: SourceLocation) -> Union.Variant {
    if case .mapping(let mapping) = node.content, !mapping.isTypeForm {
      let keys = keys(mapping.entries, VariantKey.self, in: "a union's variant")
      guard let type = keys[.type] else {
        error("the variant has no `type`; write `{name: spot, type: \"[number]\"}`", at: node)
        return Union.Variant(tags: tags, type: .unreadable(at: location), location: location)
      }
      return Union.Variant(
        tags: tags, swiftName: swiftName(keys[.name]), type: readType(type.value, of: "the variant"), location: location
      )
    }
    return Union.Variant(tags: tags, type: readType(node, of: "the variant"), location: location)
  }
}
