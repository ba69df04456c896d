import CallsignCatalogue
import CallsignYAML

extension OverlayMerge {
  /// Merges one entry of the overlay's `models`: a type, changes, a whole model, or `~`.
  mutating func mergeModel(_ entry: YAMLEntry) {
    guard let name = reader.name(entry) else { return }
    if name.contains("<") { return addTemplate(entry) }
    guard let file = modelFiles[name], let old = files[file].models[name] else { return addModel(entry, name) }
    if entry.value.isRemoval {
      files[file].models[name] = nil
      modelFiles[name] = nil
      removals.append(Removal(phrase: "`\(name)`", name: name, key: entry.key))
      return
    }
    if entry.value.isNull { return reportEmpty(entry) }
    changedModels[name] = entry.key
    guard let changes = entry.value.entries else {
      // A different type. Everything else about the model stays.
      files[file].models[name] = entry.value
      return
    }
    files[file].models[name] = entry.value.mapping(merged(old, with: changes, of: name))
  }

  /// Adds a template, which models of the import and of the overlay can use. It replaces a template with the same name.
  private mutating func addTemplate(_ entry: YAMLEntry) {
    func name(_ entry: YAMLEntry) -> Substring? { entry.key.text?.split(separator: "<").first }
    for file in files.indices {
      let position = files[file].models.firstIndex { other in
        other.key.text?.contains("<") == true && name(other) == name(entry)
      }
      guard let position else { continue }
      files[file].models[position] = entry
      if entry.value.isRemoval { files[file].models.remove(at: position) }
      return
    }
    guard !entry.value.isRemoval else {
      return warn("the import has no template `\(entry.key.text ?? "")`, so there is nothing to remove", at: entry.key)
    }
    guard let home = files.firstIndex(where: { $0.sections[FileKey.api.rawValue] != nil }) else { return }
    files[home].models.append(entry)
  }

  /// A model that the import lacks. It is added if the overlay describes it completely.
  private mutating func addModel(_ entry: YAMLEntry, _ name: String) {
    guard entry.value.isWholeModel else {
      let removal = entry.value.isRemoval ? ", so there is nothing to remove" : ""
      let advice = advice(
        for: name, among: Array(modelFiles.keys), or: removal.isEmpty ? "; one to add needs all of its types" : "")
      return warn("the import has no model `\(name)`\(removal)\(advice)", at: entry.key)
    }
    let isEnumeration =
      entry.value.text?.hasPrefix("enum")
      ?? [.enumeration, .members].contains { (key: ModelKey) in entry.value.entries?[key.rawValue] != nil }
    let home = file(named: isEnumeration ? "enums" : "models")
    let models = files[home].models
    let position = models.firstIndex { ($0.key.text ?? "") > name } ?? models.count
    files[home].models.insert(entry, at: position)
    modelFiles[name] = home
    addedModels[name] = entry.key
    changedModels[name] = entry.key
  }

  private mutating func merged(_ old: YAMLNode, with changes: [YAMLEntry], of name: String) -> [YAMLEntry] {
    var model = old.modelForm
    let what = "model `\(name)`"
    var own: [YAMLEntry] = []
    var fields: [YAMLEntry] = []
    var added: YAMLEntry?
    for change in changes {
      guard let key = reader.name(change) else { continue }
      if key == OverlayModelKey.add.rawValue {
        added = change
      } else if key.hasPrefix("$"), !key.hasPrefix("$$") {
        own.append(change)
      } else {
        fields.append(change)
      }
    }
    let isObject = !ModelKey.shapes.contains { model[$0.rawValue] != nil }
    own.removeAll { change in
      guard change.value.isRemoval, let key = change.key.text, model[key] != nil,
        ModelKey.shapes.contains(where: { $0.rawValue == key })
      else { return false }
      reader.error(
        "`\(key)` is what `\(name)` is; say what it is instead, such as `\(name): json`, or remove the model by "
          + "`\(name): ~`", at: change.key)
      return true
    }
    let newShape = own.first { change in
      ModelKey.shapes.contains { $0.rawValue == change.key.text }
        && !change.value.isRemoval
        && !(change.key.text == ModelKey.enumeration.rawValue && change.value.entries != nil
          && model[ModelKey.enumeration.rawValue] != nil)
    }
    if newShape != nil {
      // The whole shape is replaced.
      model = model.filter { entry in
        [.summary, .docs, .deprecated, .name].contains { (key: ModelKey) in key.rawValue == entry.key.text }
      }
    } else if let position = own.firstIndex(where: {
      $0.key.text == ModelKey.enumeration.rawValue && !$0.value.isRemoval
    }) {
      mergeCases(own.remove(at: position), into: &model, of: what)
    }
    if !isObject, newShape == nil, let field = fields.first {
      if model[ModelKey.type.rawValue] != nil {
        // An alias becomes an object.
        model[ModelKey.type.rawValue] = nil
        added = added ?? YAMLEntry(key: field.key, value: field.value.mapping([]))
        model = merge(model, with: own, of: what) + fields + (added?.value.entries ?? [])
        return model
      }
      let kind = model[ModelKey.enumeration.rawValue] != nil ? "an enum" : "a union"
      reader.error(
        "`\(name)` is \(kind) in the import and has no fields; name its \(kind == "an enum" ? "values under `$enum`" : "types under `$union`")",
        at: field.key)
      return model
    }
    model = merge(model, with: own, of: what, replacing: [ModelKey.union.rawValue, ModelKey.extra.rawValue])
    if newShape != nil { return model + fields }
    for change in fields { mergeMember(change, into: &model, .fields, of: name) }
    if let added { add(added, to: &model, of: name) }
    return model
  }

  /// Merges `$add`: the fields of an object, or the values of an enum, that the import lacks.
  private mutating func add(_ added: YAMLEntry, to model: inout [YAMLEntry], of name: String) {
    if added.value.isNull { return reader.error("`$add` lists what `\(name)` lacks; it is empty", at: added.key) }
    let key = ModelKey.enumeration.rawValue
    if let cases = model[key] {
      var entries = Self.cases(cases)
      for entry in Self.cases(added.value) where reader.name(entry) != nil {
        if entries[entry.key.text ?? ""] != nil {
          warn(
            "`\(name)` has the value `\(entry.key.text ?? "")` already in the import; leave it out", at: entry.key)
        }
        set(&entries, entry, entry.value)
      }
      model[key] = cases.mapping(entries)
      return
    }
    if let members = model[ModelKey.members.rawValue] {
      return reader.error(
        "the values of `\(name)` are the members of `\(members.text ?? "")`; add fields there, or say all values by `$enum`",
        at: added.key)
    }
    for entry in reader.entries(added) {
      addMember(YAMLEntry(key: entry.key, value: entry.longForm), to: &model, .fields, of: name)
    }
  }

  // MARK: Enums

  private mutating func mergeCases(_ change: YAMLEntry, into model: inout [YAMLEntry], of what: String) {
    let key = ModelKey.enumeration.rawValue
    guard let old = model[key] else { return }
    var cases = Self.cases(old)
    for entry in reader.entries(change) {
      guard let value = reader.name(entry) else { continue }
      guard let before = cases[value] else {
        let removal = entry.value.isRemoval ? ", so there is nothing to remove" : ""
        let advice = advice(
          for: value, among: cases.names, or: removal.isEmpty ? "; to add one, write it under `$add`" : "")
        warn("\(what) has no value `\(value)` in the import\(removal)\(advice)", at: entry.key)
        continue
      }
      if entry.value.isRemoval {
        cases[value] = nil
      } else if let changes = entry.value.entries {
        let summary = before.isNull ? nil : before.text.flatMap { $0.isEmpty ? nil : $0 }
        let entries =
          before.entries
          ?? (summary.map { [YAMLEntry(key: before.scalar("summary"), value: before.scalar($0))] } ?? [])
        set(&cases, entry, entry.value.mapping(merge(entries, with: changes, of: "the value `\(value)`")))
      } else if var entries = before.entries, !entry.value.isNull {
        entries[EnumCaseKey.summary.rawValue] = entry.value
        set(&cases, entry, before.mapping(entries))
      } else if !entry.value.isNull {
        set(&cases, entry, entry.value)
      }
    }
    model[key] = old.mapping(cases)
  }

  /// An enum's values as a mapping from values to summaries.
  private static func cases(_ node: YAMLNode) -> [YAMLEntry] {
    switch node.content {
    case .scalar: []
    case .list(let nodes): nodes.flatMap { $0.keys ?? [YAMLEntry(key: $0, value: $0.scalar(""))] }
    case .mapping(let mapping): mapping.entries
    }
  }
}

extension YAMLNode {
  /// A model as a mapping with `$type`, `$enum` or `$union`, or with fields.
  var modelForm: [YAMLEntry] {
    if let entries { return entries }
    guard let text else { return [YAMLEntry(key: scalar(ModelKey.type.rawValue), value: self)] }
    // The import's own text has already been parsed.
    var parser = TypeParser(text) { _ in .none }
    if parser.takeWord("enum"),
      let values = try? parser.bracketed("enum", { (parser) throws(TypeSyntaxError) in try parser.enumValue() })
    {
      let nodes = values.map { scalar($0.text, style: .doubleQuoted) }
      return [YAMLEntry(key: scalar(ModelKey.enumeration.rawValue), value: with(.list(nodes)))]
    }
    if parser.takeWord("union"),
      let types = try? parser.bracketed("union", { (parser) throws(TypeSyntaxError) in try parser.type() })
    {
      let nodes = types.map { scalar($0.text, style: .doubleQuoted) }
      return [YAMLEntry(key: scalar(ModelKey.union.rawValue), value: with(.list(nodes)))]
    }
    return [YAMLEntry(key: scalar(ModelKey.type.rawValue), value: self)]
  }

  /// Whether the entry describes the whole model, so that it does not need an imported one.
  fileprivate var isWholeModel: Bool {
    if isNull { return false }
    guard let entries else { return true }
    if ModelKey.shapes.contains(where: { entries[$0.rawValue] != nil }) { return true }
    let fields = entries.filter { entry in
      guard let name = entry.key.text else { return false }
      return !name.hasPrefix("$") || name.hasPrefix("$$")
    }
    return (!fields.isEmpty || entries[ModelKey.extra.rawValue] != nil)
      && fields.allSatisfy { entry in
        if entry.value.isNull { return false }
        return entry.value.entries.map { $0[FieldKey.type.rawValue] != nil } ?? true
      }
  }
}
