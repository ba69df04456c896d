import CallsignYAML

/// A field's entry, with the values of the template names in scope.
package struct FieldEntry {
  package var entry: YAMLEntry
  package var names: TemplateNames

  package init(entry: YAMLEntry, names: TemplateNames = TemplateNames()) {
    self.entry = entry
    self.names = names
  }
}

// Mixins: keys that several endpoints share, or fields that several models share.
extension FileReader {
  /// The keys of an endpoint, with those of the mixins that its `like` names.
  package func withMixins(
    _ keys: Keyed<EndpointKey, YAMLEntry>, of endpoint: String
  ) -> Keyed<EndpointKey, YAMLEntry> {
    guard let like = keys[.like] else { return keys }
    var mixed = Keyed<MixinKey, YAMLEntry>()
    var own = Keyed<MixinKey, YAMLEntry>()
    for (key, entry) in keys.all {
      if let key = MixinKey(rawValue: key.rawValue) { own[key] = entry }
    }
    for (name, node) in mixinNames(like) { add(name, at: node, own, into: &mixed, []) }
    if mixed[.fields] != nil {
      error("endpoint `\(endpoint)` has no fields, and this mixin has; name one with `params`", at: like.value)
    }
    var all = keys
    for (key, entry) in mixed.all {
      guard let name = EndpointKey(rawValue: key.rawValue), key != .like, key != .summary else { continue }
      guard let ownEntry = keys[name] else {
        all[name] = entry
        continue
      }
      if Self.isMerged(key) { all[name] = merged(ownEntry, with: entry) }
    }
    return all
  }

  /// The fields of a model, with those of the mixins and templates that its `$like` names.
  package func withMixins(
    _ fields: [YAMLEntry], like: YAMLEntry, extra: inout FieldEntry?
  ) -> [FieldEntry] {
    var mixed: [FieldEntry] = []
    let own = fields.names
    for (text, node) in mixinNames(like) {
      guard let (name, arguments) = templateUse(node) else { continue }
      if arguments.isEmpty, parts.templates[name] == nil {
        var keys = Keyed<MixinKey, YAMLEntry>()
        var ownKeys = Keyed<MixinKey, YAMLEntry>()
        ownKeys[.fields] = YAMLEntry(key: like.key, value: like.value.mapping(fields))
        add(text, at: node, ownKeys, into: &keys, [])
        if let other = keys.all.first(where: { ![.fields, .summary, .like].contains($0.key) })?.key {
          error("a model has no `\(other.rawValue)`, and this mixin has; name one with `fields`", at: node)
        }
        for entry in keys[.fields]?.value.keys ?? [] { add(FieldEntry(entry: entry), own, at: node, into: &mixed) }
        continue
      }
      guard let template = template(name, arguments, at: node) else { continue }
      parts.usedTemplates.insert(template.name)
      let names = TemplateNames(template, arguments)
      guard let entries = template.entry.value.keys, entries["$enum"] == nil, entries["$union"] == nil else {
        error("`\(template.name)` has no fields; name a template that is an object", at: node)
        continue
      }
      for entry in entries {
        let key = entry.key.text ?? ""
        if key == ModelKey.extra.rawValue, extra == nil { extra = FieldEntry(entry: entry, names: names) }
        if key.hasPrefix("$"), !key.hasPrefix("$$") { continue }
        add(FieldEntry(entry: entry, names: names), own, at: node, into: &mixed)
      }
    }
    // A field that the model changes keeps the mixin's position.
    var rest: [FieldEntry] = []
    for entry in fields {
      if let index = mixed.firstIndex(where: { $0.entry.key.text == entry.key.text }) {
        mixed[index] = changed(mixed[index], by: entry)
      } else {
        rest.append(FieldEntry(entry: entry))
      }
    }
    return rest + mixed
  }

  /// Adds a field of a mixin unless it already exists. Two different fields with the same name are reported.
  private func add(_ field: FieldEntry, _ own: [String], at node: YAMLNode, into mixed: inout [FieldEntry]) {
    guard let name = field.entry.key.text else { return }
    if let other = mixed.first(where: { $0.entry.key.text == name }) {
      if !Self.isSame(other.entry, field.entry), !own.contains(name) {
        error("the field `\(name)` also comes from another mixin; write it here, or leave one mixin out", at: node)
      }
      return
    }
    mixed.append(field)
  }

  /// A mixin's field as changed by the model: with another type, or with facts that the mixin does not state.
  private func changed(_ field: FieldEntry, by own: YAMLEntry) -> FieldEntry {
    let isWhole = own.value.saysType && !own.value.isNull
    return FieldEntry(entry: Self.changed(field.entry, by: own), names: isWhole ? TemplateNames() : field.names)
  }

  /// A mixin's entry as overridden by another: completely, or only in part if the other has no type.
  private static func changed(_ entry: YAMLEntry, by own: YAMLEntry) -> YAMLEntry {
    if own.value.isNull { return entry }
    return own.value.saysType ? own : YAMLEntry(key: own.key, value: own.value.overlaid(on: entry.value))
  }

  // MARK: Names

  /// `like: paged`, `like: [paged, fielded]`
  private func mixinNames(_ entry: YAMLEntry) -> [(name: String, node: YAMLNode)] {
    let nodes: [YAMLNode] = if case .list(let nodes) = entry.value.content { nodes } else { [entry.value] }
    return nodes.compactMap { node in
      guard let text = node.text, !node.isNull else {
        error("`\(name(entry) ?? "")` lists names of mixins, such as `[paged, fielded]`, not \(node.kind)", at: node)
        return nil
      }
      return (text, node)
    }
  }

  /// The template, checked to have as many parameters as there are arguments.
  func template(_ name: String, _ arguments: [TemplateArgument], at node: YAMLNode) -> ReusableParts.Template? {
    guard let template = parts.templates[name] else {
      let known = Array(parts.templates.keys)
      error(
        "unknown template `\(name)`\(suggestions.clause(for: name, among: known) ?? "; declare it under `models:`, such as `\(name)<T>`")",
        at: node)
      return nil
    }
    guard template.parameters.count == arguments.count else {
      let what = template.parameters.contains(where: TemplateNames.isForWords) ? "part" : "type"
      let count = template.parameters.count == 1 ? "one \(what)" : "\(template.parameters.count) \(what)s"
      error(
        "`\(template.name)` is made of \(count): `\(template.name)<\(template.parameters.joined(separator: ", "))>`",
        at: node)
      return nil
    }
    return template
  }

  /// A template with its arguments, or the name of a mixin.
  private func templateUse(_ node: YAMLNode) -> (name: String, arguments: [TemplateArgument])? {
    guard case .scalar(let scalar) = node.content else { return nil }
    if !scalar.text.contains("<") { return (scalar.text, []) }
    return parse(node, scalar) { (parser) throws(TypeSyntaxError) in try parser.wholeUse() }
  }

  /// The template use in the spelling under which generated models are stored; `nil` for any other text.
  func canonicalUse(_ text: String) -> String? {
    parts.use(text).map { ReusableParts.key($0.template, $0.arguments) }
  }

  // MARK: Models of templates

  /// Fills in a model that is declared as the result of a template: `PostResponse: Response<Post>`.
  func readUse(_ node: YAMLNode, into model: inout Model) -> Bool {
    guard let text = node.text, text.contains("<"), canonicalUse(text) != nil,
      let (name, arguments) = templateUse(node), let template = parts.templates[name],
      parts.isDeclared(model.name, template, arguments), let made = made(model.name, template, arguments)
    else { return false }
    model.shape = made.shape
    (model.isClosed, model.isExtensible) = (made.isClosed, made.isExtensible)
    model.isInteger = made.isInteger
    model.summary = model.summary ?? made.summary
    model.documentation = model.documentation ?? made.documentation
    model.deprecation = model.deprecation ?? made.deprecation
    return true
  }

  /// The models that have been requested from templates.
  func madeModels() -> [Model] {
    var models: [Model] = []
    while case let uses = parts.takeUses(), !uses.isEmpty {
      for use in uses {
        guard var model = made(use.model, use.template, use.arguments) else { continue }
        model.location = use.location
        models.append(model)
      }
    }
    return models
  }

  private func made(_ name: String, _ template: ReusableParts.Template, _ arguments: [TemplateArgument]) -> Model? {
    let entry = YAMLEntry(key: template.entry.key.scalar(name), value: template.entry.value)
    parts.usedTemplates.insert(template.name)
    return with(TemplateNames(template, arguments)) { readModel(entry) }
  }

  /// Runs `body` while a template's names have the given values.
  package func with<Result>(_ names: TemplateNames, _ body: () -> Result) -> Result {
    let outer = self.names
    defer { self.names = outer }
    self.names = names
    return body()
  }

  // MARK: Mixing

  /// Adds the entries of a mixin, and of the mixins that it is like.
  private func add(
    _ name: String, at node: YAMLNode, _ own: Keyed<MixinKey, YAMLEntry>,
    into mixed: inout Keyed<MixinKey, YAMLEntry>,
    _ path: [String]
  ) {
    guard let mixin = parts.mixins[name] else {
      let known = Array(parts.mixins.keys)
      error(
        "unknown mixin `\(name)`\(suggestions.clause(for: name, among: known) ?? "; declare it under `mixins:`")",
        at: node)
      return
    }
    if path.contains(name) {
      let circle = (path.drop { $0 != name } + [name]).map { "`\($0)`" }.joined(separator: " → ")
      error("the mixin is like itself: \(circle); remove one `like`", at: mixin.name)
      return
    }
    parts.usedMixins.insert(name)
    // A mixin's own entries override those of the mixins that it is like, as for an endpoint.
    var ownOrMixin = own
    for (key, entry) in mixin.keys.all {
      ownOrMixin[key] = own[key].map { Self.isMerged($0) ? merged($0, with: entry) : $0 } ?? entry
    }
    for (key, entry) in mixin.keys.all where key != .like && key != .summary {
      guard let other = mixed[key] else {
        mixed[key] = entry
        continue
      }
      if Self.isMerged(key) {
        mixed[key] = merged(other, with: entry, own: own[key], at: node)
      } else if own[key] == nil, !Self.isSame(other, entry) {
        error("`\(key.rawValue)` also comes from another mixin; write it here, or leave one mixin out", at: node)
      }
    }
    if let like = mixin.keys[.like] {
      for (other, node) in mixinNames(like) { add(other, at: node, ownOrMixin, into: &mixed, path + [name]) }
    }
  }

  /// Whether the value of the key is a set of entries that are merged one by one.
  private static func isMerged(_ key: MixinKey) -> Bool {
    [.params, .fields, .limits, .errors, .responseHeaders].contains(key)
  }

  private static func isMerged(_ entry: YAMLEntry) -> Bool {
    entry.key.text.flatMap(MixinKey.init).map { isMerged($0) } ?? false
  }

  /// Merges the entries of an endpoint with those of a mixin. The endpoint's entries replace the mixin's in place.
  private func merged(_ own: YAMLEntry, with mixin: YAMLEntry) -> YAMLEntry {
    if own.value.isNull { return mixin }
    guard let ownEntries = own.value.keys, var entries = mixin.value.keys else { return own }
    var rest: [YAMLEntry] = []
    for entry in ownEntries {
      guard let index = entries.firstIndex(where: { $0.key.text == entry.key.text }) else {
        rest.append(entry)
        continue
      }
      entries[index] = Self.changed(entries[index], by: entry)
    }
    return YAMLEntry(key: own.key, value: own.value.mapping(rest + entries))
  }

  /// Merges the entries of two mixins. A difference is reported unless the endpoint overrides it.
  private func merged(_ first: YAMLEntry, with second: YAMLEntry, own: YAMLEntry?, at node: YAMLNode) -> YAMLEntry {
    guard var entries = first.value.keys, let others = second.value.keys else { return first }
    for entry in others {
      guard let name = entry.key.text, let index = entries.firstIndex(where: { $0.key.text == name }) else {
        entries.append(entry)
        continue
      }
      if Self.isSame(entries[index], entry) { continue }
      if own?.value.keys?[name] == nil {
        error("`\(name)` also comes from another mixin; write it here, or leave one mixin out", at: node)
      }
      entries[index] = Self.changed(entry, by: entries[index])
    }
    return YAMLEntry(key: first.key, value: first.value.mapping(entries))
  }

  /// Whether both are the same entry reached in two ways, or are written alike.
  private static func isSame(_ first: YAMLEntry, _ second: YAMLEntry) -> Bool {
    first.key.text == second.key.text && first.value.saysTheSame(as: second.value)
  }
}

extension YAMLNode {
  /// The entries of a long form, that is, of a mapping that is not a type.
  package var longForm: [YAMLEntry]? {
    guard case .mapping(let mapping) = content, !mapping.isTypeForm else { return nil }
    return mapping.entries
  }

  /// Whether it is a type, or a long form with a type.
  var saysType: Bool {
    guard let keys = longForm else { return true }
    return keys["type"] != nil || keys["value"] != nil
  }

  /// This long form, completed with the facts of the other, which can also be just a type.
  func overlaid(on other: YAMLNode) -> YAMLNode {
    guard let own = longForm else { return self }
    var entries = other.isNull ? [] : other.longForm ?? [YAMLEntry(key: other.scalar("type"), value: other)]
    for entry in own {
      guard let name = entry.key.text else { continue }
      entries[name] = entry.value
    }
    return mapping(entries)
  }

  /// Whether both have the same text, wherever they are.
  fileprivate func saysTheSame(as other: YAMLNode) -> Bool {
    switch (content, other.content) {
    case (.scalar(let first), .scalar(let second)): first.text == second.text && isNull == other.isNull
    case (.list(let first), .list(let second)):
      first.count == second.count && zip(first, second).allSatisfy { $0.saysTheSame(as: $1) }
    case (.mapping(let first), .mapping(let second)):
      first.entries.count == second.entries.count
        && zip(first.entries, second.entries).allSatisfy {
          $0.key.saysTheSame(as: $1.key) && $0.value.saysTheSame(as: $1.value)
        }
    default: false
    }
  }
}
