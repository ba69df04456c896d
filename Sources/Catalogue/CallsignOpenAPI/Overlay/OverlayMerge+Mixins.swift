import CallsignCatalogue
import CallsignYAML

extension OverlayMerge {
  /// Expands the mixins, templates and name descriptions that endpoints and models use, so that the overlay can change them like
  /// the entries' own content.
  ///
  /// Mistakes in a mixin or template are reported when the merged files are read.
  mutating func writeOutMixins() {
    let parts = ReusableParts()
    _ = parts.collect(files.map { ($0.source, tree(of: $0)) })
    guard
      !parts.mixins.isEmpty || !parts.parameters.isEmpty || !parts.fields.isEmpty || !parts.templates.isEmpty
    else { return }
    for file in files.indices {
      let source = files[file].source
      files[file].endpoints = files[file].endpoints.map { entry in
        let reader = FileReader(source, others: parts.sources, parts: parts)
        return reader.writtenOut(endpoint: entry).map { entry.holding($0) } ?? entry
      }
      files[file].models = files[file].models.map { entry in
        let reader = FileReader(source, others: parts.sources, parts: parts)
        return reader.writtenOut(model: entry).map { entry.holding($0) } ?? entry
      }
    }
  }
}

extension FileReader {
  /// An endpoint's entries, with its mixins and name descriptions expanded; `nil` if they cannot be read.
  fileprivate func writtenOut(endpoint entry: YAMLEntry) -> [YAMLEntry]? {
    guard let name = entry.key.text, let entries = entry.value.keys else { return nil }
    let like = entries[EndpointKey.like.rawValue] ?? entry.key
    let own = keys(entries, EndpointKey.self, in: "endpoint `\(name)`")
    var all = withMixins(own, of: name)
    all[.params] = all[.params].map(parts.filledIn(params:))
    guard diagnostics.isEmpty else { return nil }
    let ownKeys = entries.names.compactMap(EndpointKey.init)
    let mixedKeys = EndpointKey.allCases.filter { own[$0] == nil }
    return (ownKeys + mixedKeys).filter { $0 != .like }.compactMap { all[$0]?.standing(at: like) }
  }

  /// A model's entries, with its mixins and name descriptions expanded; `nil` if they cannot be read. A model made from a template
  /// gets the template's entries.
  fileprivate func writtenOut(model entry: YAMLEntry) -> [YAMLEntry]? {
    if let made = writtenOut(use: entry) { return diagnostics.isEmpty ? made : nil }
    guard let entries = entry.value.entries else { return nil }
    let result = writtenOut(entries, at: entry.key)
    return diagnostics.isEmpty ? result : nil
  }

  /// The entries of `PostResponse: Response<Post>` without the template; `nil` for a model that does not use one.
  private func writtenOut(use entry: YAMLEntry) -> [YAMLEntry]? {
    let own = entry.value.entries
    let node = own.map { $0[ModelKey.type.rawValue] } ?? entry.value
    guard let model = entry.key.text, let text = node?.text, text.contains("<"),
      let (template, arguments) = parts.use(text),
      parts.isDeclared(model, template, arguments)
    else { return nil }
    let entries = template.entry.value.modelForm
    let made = with(TemplateNames(template, arguments)) { writtenOut(entries, at: entry.key) }
    // The model's own texts take precedence over the template's. The template's Swift name does not apply to the model.
    let ownKeys = (own ?? []).filter { $0.key.text != ModelKey.type.rawValue }
    let replaced = ownKeys.names + [ModelKey.name.rawValue]
    return ownKeys + made.filter { !replaced.contains($0.key.text ?? "") }.map { $0.standing(at: entry.key) }
  }

  /// The entries of a model.
  private func writtenOut(_ entries: [YAMLEntry], at place: YAMLNode) -> [YAMLEntry] {
    let like = entries.first { $0.key.text == ModelKey.like.rawValue }
    func isField(_ entry: YAMLEntry) -> Bool {
      guard let name = entry.key.text else { return false }
      return !name.hasPrefix("$") || name.hasPrefix("$$")
    }
    var extra: FieldEntry?
    let named = entries.filter(isField)
    let fields = (like.map { withMixins(named, like: $0, extra: &extra) } ?? named.map { FieldEntry(entry: $0) })
      .map(parts.filledIn(field:))
    var own = entries.filter { !isField($0) && $0.key.text != ModelKey.like.rawValue }.map { writtenOut(key: $0) }
    if let extra, own[ModelKey.extra.rawValue] == nil {
      own.append(with(extra.names.isEmpty ? names : extra.names) { writtenOut(key: extra.entry) })
    }
    return (own + fields.map { writtenOut(field: $0) }).map { $0.standing(at: like?.value ?? place) }
  }

  /// An entry about a model, with the values of the template's names.
  private func writtenOut(key entry: YAMLEntry) -> YAMLEntry {
    guard !names.isEmpty else { return entry }
    switch entry.key.text.flatMap(ModelKey.init) {
    case .type, .extra: return YAMLEntry(key: entry.key, value: writtenOut(type: entry.value))
    case .summary, .deprecated: return YAMLEntry(key: entry.key, value: writtenOut(line: entry))
    case .enumeration: return YAMLEntry(key: entry.key, value: writtenOut(cases: entry.value))
    case .union: return YAMLEntry(key: entry.key, value: writtenOut(variants: entry.value))
    // Only the name of a model can have members.
    case .members where names.types[entry.value.text ?? ""] != nil:
      return YAMLEntry(key: entry.key, value: writtenOut(type: entry.value))
    default: return entry
    }
  }

  /// An enum's values with their summaries: `[a, {b: The second.}]`, or a mapping.
  private func writtenOut(cases node: YAMLNode) -> YAMLNode {
    switch node.content {
    case .scalar: return node
    case .list(let nodes):
      return node.with(.list(nodes.map { $0.keys == nil ? $0 : writtenOut(cases: $0) }))
    case .mapping(let mapping):
      return node.mapping(
        mapping.entries.map { entry in
          guard let facts = entry.value.entries else {
            return YAMLEntry(key: entry.key, value: writtenOut(line: entry))
          }
          let filled = facts.map { fact in
            fact.key.text == EnumCaseKey.summary.rawValue
              ? YAMLEntry(key: fact.key, value: writtenOut(line: fact)) : fact
          }
          return YAMLEntry(key: entry.key, value: entry.value.mapping(filled))
        })
    }
  }

  /// A union's types: a list of them, or a mapping from tag values.
  private func writtenOut(variants node: YAMLNode) -> YAMLNode {
    func variant(_ node: YAMLNode) -> YAMLNode {
      guard let facts = node.longForm else { return writtenOut(type: node) }
      return node.mapping(
        facts.map { fact in
          fact.key.text == FieldKey.type.rawValue
            ? YAMLEntry(key: fact.key, value: writtenOut(type: fact.value)) : fact
        })
    }
    switch node.content {
    case .scalar: return node
    case .list(let nodes): return node.with(.list(nodes.map(variant)))
    case .mapping(let mapping):
      return node.mapping(mapping.entries.map { YAMLEntry(key: $0.key, value: variant($0.value)) })
    }
  }

  /// A field's entry, with the values of the names of its template.
  private func writtenOut(field: FieldEntry) -> YAMLEntry {
    with(field.names.isEmpty ? names : field.names) {
      let entry = field.entry
      guard !names.isEmpty, !entry.value.isNull else { return entry }
      guard let entries = entry.value.longForm else {
        return YAMLEntry(key: entry.key, value: writtenOut(type: entry.value))
      }
      let filled = entries.map { entry in
        switch entry.key.text.flatMap(FieldKey.init) {
        case .type: YAMLEntry(key: entry.key, value: writtenOut(type: entry.value))
        case .summary, .deprecated: YAMLEntry(key: entry.key, value: writtenOut(line: entry))
        default: entry
        }
      }
      return YAMLEntry(key: entry.key, value: entry.value.mapping(filled))
    }
  }

  private func writtenOut(type node: YAMLNode) -> YAMLNode {
    let type = readType(node, of: "the template")
    // Without what asks for it, the model would not be there.
    if let name = type.modelName, parts.isMade(name) { error("`\(name)` is made from a template", at: node) }
    return node.scalar(type.text, style: .doubleQuoted)
  }

  private func writtenOut(line entry: YAMLEntry) -> YAMLNode {
    entry.value.isNull ? entry.value : entry.value.scalar(line(entry) ?? "", style: .doubleQuoted)
  }
}

extension YAMLEntry {
  fileprivate func holding(_ entries: [YAMLEntry]) -> YAMLEntry {
    YAMLEntry(key: key, value: value.mapping(entries))
  }

  func standing(at place: YAMLNode) -> YAMLEntry {
    YAMLEntry(key: key.standing(at: place), value: value.standing(at: place))
  }
}

extension YAMLNode {
  /// The tree with all nodes from other texts moved to the given location, where a person would look for them.
  fileprivate func standing(at place: YAMLNode) -> YAMLNode {
    var node = self
    if source != 0 { (node.line, node.column, node.source) = (place.line, place.column, place.source) }
    switch content {
    case .scalar: break
    case .list(let elements): node.content = .list(elements.map { $0.standing(at: place) })
    case .mapping(let mapping):
      node.content = .mapping(
        YAMLMapping(entries: mapping.entries.map { $0.standing(at: place) }, isFlow: mapping.isFlow))
    }
    return node
  }
}

extension TypeReference {
  /// The model that the type refers to, or that its elements or values refer to.
  fileprivate var modelName: String? {
    switch kind {
    case .scalar: nil
    case .named(let name): name
    case .list(let element), .map(let element): element.modelName
    }
  }
}
