import CallsignCatalogue
import CallsignYAML

/// Merges an overlay's tree into the trees of a catalogue's files.
struct OverlayMerge {
  /// A parsed file of the import.
  struct File {
    var source: SourceText
    var sections: [YAMLEntry]
    var endpoints: [YAMLEntry]
    var models: [YAMLEntry]
    /// Whether the import's file contained nothing except the facts about its group.
    var wasEmpty = false

    /// The file's name without its extension.
    var name: String { String(source.file.split(separator: "/").last?.split(separator: ".").first ?? "") }
  }

  /// Something that the overlay removes.
  struct Removal {
    /// Its name in messages about what still uses it, such as `host `files``.
    var phrase: String
    var name: String
    /// The overlay's line.
    var key: YAMLNode
  }

  let overlay: CatalogueOverlay
  let source: SourceText
  /// Reports problems with the overlay's nodes.
  let reader: FileReader
  var files: [File] = []
  /// The index of the file that contains an endpoint or a model.
  var endpointFiles: [String: Int] = [:]
  var modelFiles: [String: Int] = [:]
  /// The overlay's keys for what it changes, adds and removes. They locate problems that appear in the import's own lines.
  var changedEndpoints: [String: YAMLNode] = [:]
  var changedModels: [String: YAMLNode] = [:]
  var addedEndpoints: Set<String> = []
  var addedModels: [String: YAMLNode] = [:]
  var removals: [Removal] = []
  /// The overlay's facts about all endpoints of a group, by the group's name, and about all endpoints of the API.
  private var groupRules: [String: [YAMLEntry]] = [:]
  private var auth: YAMLEntry?
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
    warnOfWholeSections()
    mergeAPI()
    mergeGroups()
    for target in [MemberKind.parameters, .fields] { mergeRules(for: target) }
    for entry in named(.endpoints) { mergeEndpoint(entry) }
    applyGroupRules()
    for entry in named(.models) { mergeModel(entry) }
    warnOfUnused(before: usedBefore)
    files.removeAll(where: \.isEmptied)

    let trees = files.map { (source: $0.source, root: Optional(tree(of: $0))) }
    var result = CatalogueLoader().load(trees, after: [source])
    // A rule for all members gives the same message wherever it is applied.
    var seen: Set<Diagnostic> = []
    result.diagnostics = (reader.diagnostics + warnings + placed(result.diagnostics))
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
            models: sections[FileKey.models.rawValue]?.entries ?? [],
            wasEmpty: sections.names == [FileKey.group.rawValue]
          ))
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

  /// The index of the file with this name, which is created if necessary.
  mutating func file(named name: String) -> Int {
    if let index = files.firstIndex(where: { $0.name == name }) { return index }
    if let source = try? SourceText(file: name + ".yaml", bytes: []) {
      files.append(File(source: source, sections: [], endpoints: [], models: []))
    }
    return files.count - 1
  }

  // MARK: Reports

  /// The entries of a section of the overlay. Anything but a mapping is an error.
  func named(_ key: OverlayKey) -> [YAMLEntry] { overlay.sections[key].map { reader.entries($0) } ?? [] }

  mutating func warn(_ message: String, at node: YAMLNode) {
    warnings.append(Diagnostic(.warning, message, at: reader.location(node)))
  }

  /// `; did you mean `User`?`, or the other advice.
  mutating func advice(for name: String, among names: [String], or other: String = "") -> String {
    suggestions.clause(for: name, among: names) ?? other
  }

  /// Reports a missing value.
  func reportEmpty(_ entry: YAMLEntry) {
    reader.error(
      "`\(entry.key.text ?? "")` has no value; write one, or `~` to remove what the import has", at: entry.key)
  }

  // MARK: Entries

  /// Merges entries by key: `~` removes, a mapping is merged into a mapping, and anything else replaces.
  mutating func merge(
    _ base: [YAMLEntry], with changes: [YAMLEntry], of what: String, replacing: Set<String> = []
  ) -> [YAMLEntry] {
    var result = base
    for change in changes {
      guard let name = reader.name(change) else { continue }
      let old = result[name]
      if replacing.contains(name), change.value.entries?.contains(where: \.value.isRemoval) == true {
        reader.error(
          "`\(name)` is replaced as a whole, so `~` takes nothing out of it; write all that it has, without this",
          at: change.key)
      } else if change.value.isRemoval {
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

  /// Sets a value in the position of its key, or at the end. The key comes from the change, because problems are fixed there.
  func set(_ entries: inout [YAMLEntry], _ change: YAMLEntry, _ value: YAMLNode) {
    let entry = YAMLEntry(key: change.key, value: value)
    if let position = entries.firstIndex(where: { $0.key.text == change.key.text }) {
      entries[position] = entry
    } else {
      entries.append(entry)
    }
  }

  /// Changes a parameter or a field. A type on its own replaces the type; a mapping is merged into the long form.
  mutating func merged(_ base: YAMLNode, with change: YAMLNode, of what: String) -> YAMLNode {
    guard let changes = change.entries else {
      guard var entries = base.entries else { return change }
      entries[ParameterKey.type.rawValue] = change
      return base.mapping(entries)
    }
    let entries = base.entries ?? [YAMLEntry(key: base.scalar(ParameterKey.type.rawValue), value: base)]
    return change.mapping(merge(entries, with: changes, of: what))
  }

  // MARK: Parameters and fields

  /// Applies one change to a parameter or field of the import.
  ///
  /// - Parameters:
  ///   - change: `~` removes it; anything else is merged into it.
  ///   - members: The parameters of the endpoint, or all entries of the model.
  ///   - kind: Whether it is a parameter or a field.
  ///   - owner: The name of the endpoint or model.
  mutating func mergeMember(
    _ change: YAMLEntry, into members: inout [YAMLEntry], _ kind: MemberKind, of owner: String
  ) {
    guard let name = reader.name(change) else { return }
    guard let old = members[name] else {
      let removal = change.value.isRemoval ? ", so there is nothing to remove" : ""
      let known = members.names.filter { kind == .parameters || !$0.hasPrefix("$") || $0.hasPrefix("$$") }
      let advice = advice(
        for: name, among: known, or: removal.isEmpty ? "; to add one, write it under `\(kind.keyToAdd)`" : "")
      return warn("`\(owner)` has no \(kind.noun) `\(name)` in the import\(removal)\(advice)", at: change.key)
    }
    if change.value.isRemoval {
      members[name] = nil
    } else if change.value.isNull {
      reportEmpty(change)
    } else {
      set(&members, change, merged(old, with: change.value, of: "\(kind.noun) `\(name)`"))
    }
  }

  /// Adds a parameter or field that the import lacks.
  mutating func addMember(
    _ entry: YAMLEntry, to members: inout [YAMLEntry], _ kind: MemberKind, of owner: String
  ) {
    guard let name = reader.name(entry) else { return }
    if entry.value.isNull {
      reportEmpty(entry)
    } else if let old = members[name] {
      warn("`\(owner)` has the \(kind.noun) `\(name)` already in the import; leave it out", at: entry.key)
      set(&members, entry, merged(old, with: entry.value, of: "\(kind.noun) `\(name)`"))
    } else {
      members.append(entry)
    }
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
      case .hosts:
        mergeHosts(change, of: api)
        rest.append(change)
      default: rest.append(change)
      }
    }
    api = merge(api, with: rest, of: "`api`")
    files[home].sections[FileKey.api.rawValue] = entry.value.mapping(api)
  }

  /// If the document requires no credentials anywhere, the API's credentials are those of every endpoint.
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
    for file in files.indices { setAll(change, in: file) { _ in true } }
    auth = change
  }

  /// Sets the same value for the selected endpoints of a file.
  private mutating func setAll(_ change: YAMLEntry, in file: Int, where isWanted: (YAMLEntry) -> Bool) {
    let key = change.key.text ?? ""
    for index in files[file].endpoints.indices where isWanted(files[file].endpoints[index]) {
      guard var entries = files[file].endpoints[index].value.entries else { continue }
      // Credentials cannot be removed; that is reported when they are read.
      if change.value.isRemoval, key != GroupKey.auth.rawValue {
        entries[key] = nil
      } else {
        set(&entries, change, change.value)
      }
      files[file].endpoints[index].value = files[file].endpoints[index].value.mapping(entries)
    }
  }

  /// Records the removed hosts, and reports where calls go without them.
  private mutating func mergeHosts(_ change: YAMLEntry, of api: [YAMLEntry]) {
    let before = api[APISectionKey.hosts.rawValue]?.entries ?? []
    let changes = change.value.entries ?? []
    for entry in changes where entry.value.isRemoval {
      guard let name = entry.key.text, before[name] != nil else { continue }
      removals.append(Removal(phrase: "host `\(name)`", name: name, key: entry.key))
    }
    func isRemoved(_ name: String) -> Bool { changes[name]?.isRemoval == true }
    guard let first = before.names.first, isRemoved(first), let next = before.names.first(where: { !isRemoved($0) }),
      let place = changes.first(where: { $0.key.text == first })?.key
    else { return }
    warn("without `\(first)`, calls without a named host go to `\(next)`", at: place)
  }

  /// A scheme can be empty, a summary, a list of scopes or a mapping from scopes. All of them become a mapping.
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
    guard !change.value.isRemoval else {
      return reader.error(
        "name the schemes to remove, such as `schemes: {\(schemes.names.first ?? "key"): ~}`", at: change.key)
    }
    for scheme in reader.entries(change) {
      guard let name = reader.name(scheme) else { continue }
      let old = schemes[name]
      if scheme.value.isRemoval {
        if old == nil { warn("the import has no scheme `\(name)`, so there is nothing to remove", at: scheme.key) }
        schemes[name] = nil
        removals.append(Removal(phrase: "scheme `\(name)`", name: name, key: scheme.key))
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
          removals.append(Removal(phrase: "scope `\(name)`", name: name, key: scope.key))
        } else {
          set(&scopes, scope, scope.value)
        }
      }
      set(&schemes, scheme, scopes.isEmpty ? scheme.value.scalar("") : scheme.value.mapping(scopes))
    }
    set(&api, change, change.value.mapping(schemes))
  }

  /// The names of the groups that the overlay moves endpoints to.
  private var groupsOfEndpoints: Set<String> {
    let endpoints = overlay.sections[.endpoints]?.value.keys ?? []
    return Set(
      endpoints.compactMap { $0.value.keys?[OverlayEndpointKey.group.rawValue]?.text }.filter(Self.isGroupName))
  }

  private mutating func mergeGroups() {
    for entry in named(.groups) {
      guard let name = reader.name(entry) else { continue }
      let isNew = groupsOfEndpoints.contains(name)
      guard let index = files.firstIndex(where: { $0.name == name }) ?? (isNew ? file(named: name) : nil) else {
        let advice = advice(for: name, among: files.map(\.name), or: "; groups are named like their files")
        warn("the import has no group `\(name)`\(advice)", at: entry.key)
        continue
      }
      var changes: [YAMLEntry]
      if case .scalar = entry.value.content, !entry.value.isNull {
        changes = [YAMLEntry(key: entry.key.scalar(GroupKey.summary.rawValue), value: entry.value)]
      } else if let entries = entry.value.keys {
        changes = entries
      } else if entry.value.isNull {
        reader.error(
          "`\(name)` must be a summary or a mapping; a group cannot be removed, but goes with the last of its endpoints "
            + "and models", at: entry.value)
        continue
      } else {
        reader.error("`\(name)` must be a summary or a mapping, not \(entry.value.kind)", at: entry.value)
        continue
      }
      for key in [GroupKey.auth.rawValue, GroupKey.host.rawValue] {
        guard let position = changes.firstIndex(where: { $0.key.text == key }) else { continue }
        groupRules[name, default: []].append(changes.remove(at: position))
      }
      guard !changes.isEmpty else { continue }
      let base = files[index].sections[FileKey.group.rawValue]?.entries ?? []
      let group = merge(base, with: changes, of: "group `\(name)`")
      files[index].sections[FileKey.group.rawValue] = group.isEmpty ? nil : entry.value.mapping(group)
    }
  }

  /// Applies the overlay's facts about a group to all of its endpoints, after every endpoint is in its group. The overlay's facts
  /// about a single endpoint take precedence.
  private mutating func applyGroupRules() {
    let own = overlay.sections[.endpoints]?.value.keys ?? []
    for file in files.indices {
      for rule in groupRules[files[file].name] ?? [] {
        let key = rule.key.text ?? ""
        setAll(rule, in: file) { entry in own[entry.key.text ?? ""]?.keys?[key] == nil }
      }
      guard let auth else { continue }
      setAll(auth, in: file) { [addedEndpoints] entry in
        addedEndpoints.contains(entry.key.text ?? "") && entry.value.entries?[EndpointKey.auth.rawValue] == nil
      }
    }
  }

  /// Warns about sections with `~`, which looks as if it removed everything.
  private mutating func warnOfWholeSections() {
    for (key, section) in overlay.sections.all where section.value.isRemoval && key != .api {
      warn("`\(key.rawValue): ~` removes nothing; name what to remove, or leave this out", at: section.key)
    }
  }
}

extension OverlayMerge.File {
  /// Whether the overlay has removed everything from the file, or put nothing into it.
  fileprivate var isEmptied: Bool {
    let others = sections.names.filter { ![FileKey.group, .endpoints, .models].map(\.rawValue).contains($0) }
    return endpoints.isEmpty && models.isEmpty && others.isEmpty && !wasEmpty
  }
}
