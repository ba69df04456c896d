import CallsignCatalogue
import CallsignYAML

extension OverlayMerge {
  // MARK: Uses

  /// The names of the models that endpoints or other models use.
  func modelsInUse() -> Set<String> {
    var used: Set<String> = []
    for file in files {
      for endpoint in file.endpoints { collectNames(endpoint.value, nil, into: &used) }
      let api = file.sections[FileKey.api.rawValue]?.entries
      if let errors = api?[APISectionKey.errors.rawValue] { collectNames(errors, nil, into: &used) }
      for model in file.models { collectNames(model.value, model.key.text, into: &used) }
    }
    return used
  }

  /// Collects the words of a tree that are names of models. A parameter's summary may contain one by accident, which then counts as
  /// used.
  private func collectNames(_ node: YAMLNode, _ owner: String?, into used: inout Set<String>) {
    switch node.content {
    case .scalar(let scalar):
      for word in scalar.text.split(whereSeparator: { !($0.isLetter || $0.isNumber || "_.-".contains($0)) }) {
        let name = String(word)
        if name != owner, modelFiles[name] != nil { used.insert(name) }
      }
    case .list(let nodes): for node in nodes { collectNames(node, owner, into: &used) }
    case .mapping(let mapping):
      for entry in mapping.entries where entry.key.text != ModelKey.summary.rawValue {
        // `{T}` has the type as its key.
        if entry.value.isNull { collectNames(entry.key, owner, into: &used) }
        collectNames(entry.value, owner, into: &used)
      }
    }
  }

  /// Warns about added models that nothing uses, and about models that nothing uses any longer.
  mutating func warnOfUnused(before: Set<String>) {
    let used = modelsInUse()
    for (name, key) in addedModels.sorted(by: { $0.key < $1.key }) where !used.contains(name) {
      let advice = advice(for: name, among: modelFiles.keys.sorted().filter { addedModels[$0] == nil })
      warn("the import has no model `\(name)`, and nothing uses the one that is added here\(advice)", at: key)
    }
    let orphans = before.subtracting(used).filter { modelFiles[$0] != nil }.sorted()
    if !orphans.isEmpty, let place = overlay.sections[.models]?.key ?? overlay.sections.all.first?.value.key {
      let names = orphans.map { "`\($0)`" }.joined(separator: ", ")
      let it = orphans.count == 1 ? "it" : "them"
      warn("with these changes nothing uses \(names) any longer; remove \(it) with `~` under `models`", at: place)
    }
  }

  // MARK: Diagnostics

  /// Moves problems to their places in the overlay. Nobody can fix a line of the import, so a problem there moves to the overlay's
  /// removal if the message names what was removed; otherwise to the overlay's entry for the endpoint or model that contains the
  /// line or that the message names.
  func placed(_ diagnostics: [Diagnostic]) -> [Diagnostic] {
    var users: [Int: [String]] = [:]
    let others = diagnostics.compactMap { diagnostic -> Diagnostic? in
      guard diagnostic.location.file != source.file,
        let file = files.first(where: { $0.source.file == diagnostic.location.file })
      else { return diagnostic }
      let owner = owner(of: diagnostic.location, in: file)
      guard diagnostic.severity == .error,
        let removal = removals.firstIndex(where: { diagnostic.message.contains($0.phrase) })
      else {
        var result = diagnostic
        result.message = "in `\(owner)` of the import with these changes: \(diagnostic.message)"
        result.location = place(of: owner, diagnostic.message)
        return result
      }
      if users[removal]?.contains(owner) != true { users[removal, default: []].append(owner) }
      return nil
    }
    return users.sorted { $0.key < $1.key }.map { index, owners in
      let uses = owners.count == 1 ? "uses it; change that, too" : "use it; change these, too"
      return Diagnostic(
        .error, "`\(removals[index].name)` is removed here, but \(Self.list(owners)) of the import \(uses)",
        at: reader.location(removals[index].key))
    } + others
  }

  /// `a`, `b`, `c` and 5 others.
  static func list(_ names: [String]) -> String {
    guard names.count > 1, let last = names.last else { return names.map { "`\($0)`" }.joined() }
    let shown = names.count > 4 ? names.prefix(3) : names.dropLast()
    return shown.map { "`\($0)`" }.joined(separator: ", ") + " and "
      + (names.count > 4 ? "\(names.count - 3) others" : "`\(last)`")
  }

  /// The endpoint or model that contains a line of the import, or otherwise the file.
  private func owner(of location: SourceLocation, in file: File) -> String {
    func key(_ entries: [YAMLEntry]) -> YAMLNode? {
      entries.last { $0.key.source == 0 && $0.key.line <= location.line }?.key
    }
    let keys = [key(file.endpoints), key(file.models)].compactMap { $0 }.max { $0.line < $1.line }
    return keys?.text ?? file.name
  }

  private func place(of owner: String, _ message: String) -> SourceLocation {
    let own = changedEndpoints[owner] ?? changedModels[owner]
    let isNamed = { (name: CatalogueOverlay.Marked) in name.text == owner || message.contains("`\(name.text)`") }
    if own == nil, let name = overlay.modelNames.values.filter(isNamed).min(by: { $0.location.line < $1.location.line })
    {
      return name.location
    }
    // Uses the overlay's order, because a dictionary has none.
    let named = [changedModels, changedEndpoints].flatMap { keys in
      keys.filter { message.contains("`\($0.key)`") }.map(\.value).sorted {
        ($0.line, $0.column) < ($1.line, $1.column)
      }
    }
    let key = own ?? named.first ?? overlay.sections.all.first?.value.key
    return key.map { reader.location($0) } ?? SourceLocation(file: source.file, line: 1, column: 1)
  }

  // MARK: Files of added models

  /// The catalogue with each added model in the file of the only group that uses it, or otherwise in the file for shared models.
  func placingAddedModels(in catalogue: Catalogue) -> Catalogue {
    guard !addedModels.isEmpty else { return catalogue }
    var catalogue = catalogue
    let owners = catalogue.ownersOfModels()
    for (name, _) in addedModels.sorted(by: { $0.key < $1.key }) {
      guard let owner = owners[name],
        let home = catalogue.groups.firstIndex(where: { $0.models.contains { $0.name == name } }), home != owner,
        let position = catalogue.groups[home].models.firstIndex(where: { $0.name == name })
      else { continue }
      let model = catalogue.groups[home].models.remove(at: position)
      let models = catalogue.groups[owner].models
      catalogue.groups[owner].models.insert(model, at: models.firstIndex { $0.name > name } ?? models.count)
    }
    catalogue.groups.removeAll { group in
      group.endpoints.isEmpty && group.models.isEmpty && ["models", "enums"].contains(group.name)
    }
    catalogue.groups.sort { $0.file < $1.file }
    return catalogue
  }
}
