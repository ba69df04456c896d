import CallsignCatalogue
import CallsignYAML

/// Merges an overlay's tree onto the trees of a catalogue's files.
struct OverlayMerge {
  /// A file of the import, taken apart.
  struct File {
    var source: SourceText
    var sections: [YAMLEntry]
    var endpoints: [YAMLEntry]
    var models: [YAMLEntry]

    /// The file's name without extension.
    var name: String { String(source.file.split(separator: "/").last?.split(separator: ".").first ?? "") }
  }

  let overlay: CatalogueOverlay
  let source: SourceText
  /// Reports what is wrong with the overlay's nodes.
  let reader: FileReader
  var files: [File] = []
  /// The number of the file that an endpoint or a model is in.
  var endpointFiles: [String: Int] = [:]
  var modelFiles: [String: Int] = [:]
  /// The overlay's keys of what it changes, adds and removes, for problems that show in the import's own lines.
  var changedEndpoints: [String: YAMLNode] = [:]
  var changedModels: [String: YAMLNode] = [:]
  var removedModels: [String: YAMLNode] = [:]
  var addedModels: [String: YAMLNode] = [:]
  private var warnings: [Diagnostic] = []
  private var suggestions = Suggestions()

  init(_ overlay: CatalogueOverlay, _ source: SourceText) {
    self.overlay = overlay
    self.source = source
    reader = FileReader(source)
  }

  mutating func run(_ sources: [CatalogueSource]) -> LoadResult {
    let problems = read(sources)
    if problems.hasErrors { return LoadResult(catalogue: nil, diagnostics: problems) }
    writeOutMixins()
    let usedBefore = modelsInUse()
    mergeAPI()
    mergeGroups()
    mergeParameterRules()
    mergeFieldRules()
    for entry in named(.endpoints) { mergeEndpoint(entry) }
    for entry in named(.models) { mergeModel(entry) }
    warnOfUnused(before: usedBefore)

    let trees = files.map { (source: $0.source, root: Optional(tree(of: $0))) }
    var result = CatalogueLoader().load(trees, after: [source])
    // A rule for all says the same wherever it is applied.
    var seen: Set<Diagnostic> = []
    result.diagnostics = (reader.diagnostics + warnings + result.diagnostics.map { placed($0) })
      .filter { seen.insert($0).inserted }
    if result.diagnostics.hasErrors { result.catalogue = nil }
    result.catalogue = result.catalogue.map { placingAddedModels(in: $0) }
    return result
  }

  // MARK: Files

  private mutating func read(_ sources: [CatalogueSource]) -> [Diagnostic] {
    var problems: [Diagnostic] = []
    for file in sources {
      do throws(SourceProblem) {
        let source = try SourceText(file: file.path, bytes: file.bytes)
        let yaml = YAMLReader(source)
        problems += yaml.diagnostics
        let sections = yaml.root?.withLongForms().entries ?? []
        files.append(
          File(
            source: source, sections: sections, endpoints: sections[FileKey.endpoints.rawValue]?.entries ?? [],
            models: sections[FileKey.models.rawValue]?.entries ?? []))
      } catch {
        problems.append(
          Diagnostic(.error, error.message, at: SourceLocation(file: file.path, line: error.line, column: error.column))
        )
      }
    }
    for (index, file) in files.enumerated() {
      for name in file.endpoints.names where endpointFiles[name] == nil { endpointFiles[name] = index }
      for name in file.models.names where modelFiles[name] == nil { modelFiles[name] = index }
    }
    return problems
  }

  func tree(of file: File) -> YAMLNode {
    var sections = file.sections
    let root = YAMLNode(content: .list([]), line: 1, column: 1)
    sections[FileKey.endpoints.rawValue] = file.endpoints.isEmpty ? nil : root.mapping(file.endpoints)
    sections[FileKey.models.rawValue] = file.models.isEmpty ? nil : root.mapping(file.models)
    return root.mapping(sections)
  }

  /// The number of the file with this name, which is made if need be.
  mutating func file(named name: String) -> Int {
    if let index = files.firstIndex(where: { $0.name == name }) { return index }
    if let source = try? SourceText(file: name + ".yaml", bytes: []) {
      files.append(File(source: source, sections: [], endpoints: [], models: []))
    }
    return files.count - 1
  }

  // MARK: Reports

  /// The entries of a section of the overlay, with an error for anything but a mapping.
  func named(_ key: OverlayKey) -> [YAMLEntry] { overlay.sections[key].map { reader.entries($0) } ?? [] }

  mutating func warn(_ message: String, at node: YAMLNode) {
    warnings.append(Diagnostic(.warning, message, at: reader.location(node)))
  }

  /// `; did you mean `User`?`, or the other advice.
  mutating func advice(for name: String, among names: [String], or other: String = "") -> String {
    suggestions.clause(for: name, among: names) ?? other
  }

  /// Reports a value that was left out.
  func reportEmpty(_ entry: YAMLEntry) {
    reader.error(
      "`\(entry.key.text ?? "")` has no value; write one, or `~` to remove what the import has", at: entry.key)
  }

  // MARK: Entries

  /// Merges entries by their keys: `~` removes, a mapping is merged with a mapping, and anything else replaces.
  mutating func merge(
    _ base: [YAMLEntry], with changes: [YAMLEntry], of what: String, replacing: Set<String> = []
  ) -> [YAMLEntry] {
    var result = base
    for change in changes {
      guard let name = reader.name(change) else { continue }
      let old = result[name]
      if change.value.isRemoval {
        if old == nil {
          warn("\(what) has no `\(name)` in the import, so there is nothing to remove", at: change.key)
        }
        result[name] = nil
      } else if change.value.isNull {
        reportEmpty(change)
      } else if let entries = change.value.entries, let oldEntries = old?.entries, !replacing.contains(name) {
        let merged = merge(oldEntries, with: entries, of: "`\(name)`")
        set(&result, change, change.value.mapping(merged))
      } else {
        set(&result, change, change.value)
      }
    }
    return result
  }

  /// Puts a value in its key's place, or last; the key is the change's, which is where problems are mended.
  func set(_ entries: inout [YAMLEntry], _ change: YAMLEntry, _ value: YAMLNode) {
    let entry = YAMLEntry(key: change.key, value: value)
    if let position = entries.firstIndex(where: { $0.key.text == change.key.text }) {
      entries[position] = entry
    } else {
      entries.append(entry)
    }
  }

  /// A parameter or a field with changes: a type alone takes the type's place, a mapping is merged with the long form.
  mutating func merged(_ base: YAMLNode, with change: YAMLNode, of what: String) -> YAMLNode {
    guard let changes = change.entries else {
      guard var entries = base.entries else { return change }
      entries[ParameterKey.type.rawValue] = change
      return base.mapping(entries)
    }
    let entries = base.entries ?? [YAMLEntry(key: base.scalar(ParameterKey.type.rawValue), value: base)]
    return change.mapping(merge(entries, with: changes, of: what))
  }

  // MARK: The API and its groups

  private mutating func mergeAPI() {
    guard let entry = overlay.sections[.api] else { return }
    guard let changes = entry.value.keys else {
      return reader.error("`api` must be a mapping, not \(entry.value.kind)", at: entry.value)
    }
    guard let home = files.firstIndex(where: { $0.sections[FileKey.api.rawValue] != nil }),
      var api = files[home].sections[FileKey.api.rawValue]?.entries
    else { return }
    var rest: [YAMLEntry] = []
    for change in changes {
      switch change.key.text.flatMap(APISectionKey.init) {
      case .auth: mergeAuth(change)
      case .schemes: mergeSchemes(change, into: &api)
      default: rest.append(change)
      }
    }
    api = merge(api, with: rest, of: "`api`")
    files[home].sections[FileKey.api.rawValue] = entry.value.mapping(api)
  }

  /// The API's credentials are those of every endpoint, where the document asks for none anywhere.
  private mutating func mergeAuth(_ change: YAMLEntry) {
    let key = EndpointKey.auth.rawValue
    let auths = files.flatMap(\.endpoints).map { $0.value.entries?[key] }
    func isNone(_ node: YAMLNode?) -> Bool {
      guard let node else { return true }
      if case .list(let nodes) = node.content { return nodes.map(\.text) == ["none"] }
      return false
    }
    guard auths.allSatisfy(isNone) else {
      return warn(
        "the import says which credentials its operations take, so `auth` of the API changes nothing; give it to groups "
          + "or endpoints", at: change.key)
    }
    for file in files.indices { setAll(key, change, in: file) }
  }

  private mutating func setAll(_ key: String, _ change: YAMLEntry, in file: Int) {
    for index in files[file].endpoints.indices {
      guard var entries = files[file].endpoints[index].value.entries else { continue }
      set(&entries, change, change.value)
      files[file].endpoints[index].value = files[file].endpoints[index].value.mapping(entries)
    }
  }

  /// A scheme is nothing, a summary, a list of scopes or a mapping from scopes; all of them become the last.
  private mutating func mergeSchemes(_ change: YAMLEntry, into api: inout [YAMLEntry]) {
    func longForm(_ node: YAMLNode) -> [YAMLEntry] {
      switch node.content {
      case .scalar(let scalar):
        if node.isNull { return [] }
        return [YAMLEntry(key: node.scalar(ModelKey.summary.rawValue), value: node.with(.scalar(scalar)))]
      case .list(let nodes): return nodes.map { YAMLEntry(key: $0, value: $0.scalar("")) }
      case .mapping(let mapping): return mapping.entries
      }
    }
    let key = APISectionKey.schemes.rawValue
    var schemes = api[key]?.entries ?? []
    for scheme in reader.entries(change) {
      guard let name = reader.name(scheme) else { continue }
      let old = schemes[name]
      if scheme.value.isRemoval {
        if old == nil { warn("the import has no scheme `\(name)`, so there is nothing to remove", at: scheme.key) }
        schemes[name] = nil
        continue
      }
      guard let old else {
        schemes.append(scheme)
        continue
      }
      if scheme.value.isNull { continue }
      var scopes = longForm(old)
      for scope in longForm(scheme.value) {
        guard let name = reader.name(scope) else { continue }
        if scope.value.isRemoval {
          if scopes[name] == nil {
            warn("the import has no scope `\(name)`, so there is nothing to remove", at: scope.key)
          }
          scopes[name] = nil
        } else {
          set(&scopes, scope, scope.value)
        }
      }
      set(&schemes, scheme, scopes.isEmpty ? scheme.value.scalar("") : scheme.value.mapping(scopes))
    }
    set(&api, change, change.value.mapping(schemes))
  }

  private mutating func mergeGroups() {
    for entry in named(.groups) {
      guard let name = reader.name(entry) else { continue }
      guard let index = files.firstIndex(where: { $0.name == name }) else {
        let advice = advice(for: name, among: files.map(\.name), or: "; groups are named like their files")
        warn("the import has no group `\(name)`\(advice)", at: entry.key)
        continue
      }
      var changes: [YAMLEntry]
      if case .scalar = entry.value.content, !entry.value.isNull {
        changes = [YAMLEntry(key: entry.key.scalar(GroupKey.summary.rawValue), value: entry.value)]
      } else if let entries = entry.value.keys {
        changes = entries
      } else {
        reader.error("`\(name)` must be a summary or a mapping, not \(entry.value.kind)", at: entry.value)
        continue
      }
      for key in [GroupKey.auth.rawValue, GroupKey.host.rawValue] {
        guard let position = changes.firstIndex(where: { $0.key.text == key }) else { continue }
        setAll(key, changes.remove(at: position), in: index)
      }
      guard !changes.isEmpty else { continue }
      let base = files[index].sections[FileKey.group.rawValue]?.entries ?? []
      let group = merge(base, with: changes, of: "group `\(name)`")
      files[index].sections[FileKey.group.rawValue] = group.isEmpty ? nil : entry.value.mapping(group)
    }
  }
}
