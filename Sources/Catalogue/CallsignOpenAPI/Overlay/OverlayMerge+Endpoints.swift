import CallsignCatalogue
import CallsignYAML

extension OverlayMerge {
  fileprivate static let params = EndpointKey.params.rawValue

  /// The changes to an endpoint in an entry of the overlay.
  private struct EndpointChange {
    /// The keys that an endpoint has in a catalogue, except `params`.
    var facts: [YAMLEntry]
    var params: YAMLEntry?
    /// The keys that an endpoint has only in an overlay.
    var own = Keyed<OverlayEndpointKey, YAMLEntry>()
    /// The name that `group` sets.
    var group: String?
  }

  /// Merges one entry of the overlay's `endpoints`: a summary, changes, a whole endpoint, or `~`.
  mutating func mergeEndpoint(_ entry: YAMLEntry) {
    guard let name = reader.name(entry) else { return }
    if entry.value.isRemoval { return removeEndpoint(entry, name) }
    guard let change = endpointChange(entry, name) else { return }
    guard let file = endpointFiles[name] else { return addEndpoint(entry, name, change) }
    changedEndpoints[name] = entry.key
    var facts = change.facts
    var endpoint = files[file].endpoints[name]?.entries ?? []
    takeAway(&facts, ofGroup: change.group ?? files[file].name, from: &endpoint)
    // The mappings of these keys have a meaning only as a whole, so they are not merged in part.
    let wholes: [EndpointKey] = [.pages, .stream, .poll, .oneOf, .anyOf, .together, .returns]
    endpoint = merge(endpoint, with: facts, of: "endpoint `\(name)`", replacing: Set(wholes.map(\.rawValue)))
    mergeParameters(change, into: &endpoint, of: name)
    files[file].endpoints[name] = entry.value.mapping(endpoint)
    if let group = change.group, group != files[file].name { move(entry, name, from: file, to: group) }
  }

  /// Parses an entry. The result is `nil` for an entry that does not describe an endpoint, which is an error.
  private func endpointChange(_ entry: YAMLEntry, _ name: String) -> EndpointChange? {
    var change: EndpointChange
    if case .scalar = entry.value.content, !entry.value.isNull {
      change = EndpointChange(
        facts: [YAMLEntry(key: entry.key.scalar(EndpointKey.summary.rawValue), value: entry.value)])
    } else if let entries = entry.value.keys {
      change = EndpointChange(facts: entries)
    } else if entry.value.isNull {
      reportEmpty(entry)
      return nil
    } else {
      reader.error(
        "endpoint `\(name)` must be a summary, a mapping, or `~` to remove it, not \(entry.value.kind)", at: entry.value
      )
      return nil
    }
    for key in OverlayEndpointKey.allCases {
      guard let position = change.facts.firstIndex(where: { $0.key.text == key.rawValue }) else { continue }
      change.own[key] = change.facts.remove(at: position)
    }
    if let position = change.facts.firstIndex(where: { $0.key.text == Self.params }) {
      change.params = change.facts.remove(at: position)
    }
    change.group = change.own[.group].flatMap { groupName($0) }
    if let add = change.own[.add], add.value.isNull {
      reader.error("`add` lists the parameters that the import lacks; it is empty", at: add.key)
    }
    return change
  }

  private mutating func removeEndpoint(_ entry: YAMLEntry, _ name: String) {
    guard let file = endpointFiles[name] else {
      let advice = advice(for: name, among: Array(endpointFiles.keys))
      return warn("the import has no endpoint `\(name)`, so there is nothing to remove\(advice)", at: entry.key)
    }
    files[file].endpoints[name] = nil
    endpointFiles[name] = nil
    removals.append(Removal(phrase: "`\(name)`", name: name, key: entry.key))
  }

  /// An endpoint that the import lacks. It is added if the overlay has its `call`.
  private mutating func addEndpoint(_ entry: YAMLEntry, _ name: String, _ change: EndpointChange) {
    var facts = change.facts
    guard facts[EndpointKey.call.rawValue] != nil else {
      let advice = advice(
        for: name, among: Array(endpointFiles.keys), or: "; one to add needs `call`, such as `call: GET /pets`")
      return warn("the import has no endpoint `\(name)`\(advice)", at: entry.key)
    }
    let lists = [change.params, change.own[.add]].compactMap { $0 }
    let all = lists.flatMap { reader.entries($0) }
    if !all.isEmpty { facts[Self.params] = lists.first?.value.mapping(all) }
    let home = file(named: change.group ?? "added")
    files[home].endpoints.append(YAMLEntry(key: entry.key, value: entry.value.mapping(facts)))
    endpointFiles[name] = home
    changedEndpoints[name] = entry.key
    addedEndpoints.insert(name)
  }

  /// Merges `params`, `add` and `first`: the endpoint's parameters with the changes, in their new order.
  private mutating func mergeParameters(
    _ change: EndpointChange, into endpoint: inout [YAMLEntry], of name: String
  ) {
    var parameters = endpoint[Self.params]?.entries ?? []
    let add = change.own[.add]
    if let params = change.params, params.value.isRemoval {
      if parameters.isEmpty {
        warn("endpoint `\(name)` has no `params` in the import, so there is nothing to remove", at: params.key)
      }
      parameters = []
    } else if let params = change.params, params.value.isNull {
      reportEmpty(params)
    } else if let params = change.params {
      for change in reader.entries(params) { mergeMember(change, into: &parameters, .parameters, of: name) }
    }
    if let add {
      for entry in reader.entries(add) { addMember(entry, to: &parameters, .parameters, of: name) }
    }
    if let first = change.own[.first] { order(&parameters, by: first, of: name) }
    if parameters.isEmpty {
      endpoint[Self.params] = nil
    } else if let node = endpoint[Self.params] ?? change.params?.value ?? add?.value {
      endpoint[Self.params] = node.mapping(parameters)
    }
  }

  /// The name that `group` sets; `nil` for one that a file cannot have, which is an error.
  private func groupName(_ entry: YAMLEntry) -> String? {
    if let name = entry.value.text, files.contains(where: { $0.name == name }) || Self.isGroupName(name) { return name }
    reader.error(
      "a group is named like its file, in letters, digits, hyphens and underscores: `group: orders`", at: entry.value)
    return nil
  }

  /// Whether a new file can have the name. It is also the name of a Swift file.
  static func isGroupName(_ name: String) -> Bool {
    // `callsign.yaml` is the settings file.
    guard name != "callsign", name.utf8.count <= 120, let first = name.first, first.isLetter || first.isNumber else {
      return false
    }
    return name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" }
  }

  /// `docs: ~` and `limits: ~` on an endpoint override its group's setting for all endpoints, so they stay there.
  private func takeAway(_ changes: inout [YAMLEntry], ofGroup name: String, from endpoint: inout [YAMLEntry]) {
    guard let group = files.first(where: { $0.name == name })?.sections[FileKey.group.rawValue]?.entries else { return }
    for key in [GroupKey.docs.rawValue, GroupKey.limits.rawValue] where group[key] != nil {
      guard let position = changes.firstIndex(where: { $0.key.text == key && $0.value.isRemoval }) else { continue }
      let change = changes.remove(at: position)
      set(&endpoint, change, change.value)
    }
  }

  private mutating func move(_ change: YAMLEntry, _ name: String, from file: Int, to group: String) {
    guard let position = files[file].endpoints.firstIndex(where: { $0.key.text == name }) else { return }
    // Its lines now belong to another file, so its problems are reported in the overlay.
    let entry = files[file].endpoints.remove(at: position).standing(at: change.key)
    let home = self.file(named: group)
    files[home].endpoints.append(entry)
    endpointFiles[name] = home
  }

  private mutating func order(_ parameters: inout [YAMLEntry], by first: YAMLEntry, of endpoint: String) {
    guard case .list(let nodes) = first.value.content else {
      return reader.error("`first` lists the parameters that come before the others", at: first.value)
    }
    var leading: [YAMLEntry] = []
    for node in nodes {
      guard let position = parameters.firstIndex(where: { $0.key.text == node.text }) else {
        let advice = advice(for: node.text ?? "", among: parameters.names)
        warn("`\(endpoint)` has no parameter `\(node.text ?? "")` to put first\(advice)", at: node)
        continue
      }
      leading.append(parameters.remove(at: position))
    }
    parameters = leading + parameters
  }

  // MARK: Rules for all

  /// The kind of member: endpoints have parameters, models have fields.
  enum MemberKind {
    case parameters, fields

    fileprivate var rules: OverlayKey { self == .parameters ? .params : .fields }
    fileprivate var ownerSection: OverlayKey { self == .parameters ? .endpoints : .models }
    fileprivate var owners: WritableKeyPath<File, [YAMLEntry]> { self == .parameters ? \.endpoints : \.models }
    fileprivate var changed: WritableKeyPath<OverlayMerge, [String: YAMLNode]> {
      self == .parameters ? \.changedEndpoints : \.changedModels
    }
    fileprivate var owner: String { self == .parameters ? "endpoint" : "model" }
    var noun: String { self == .parameters ? "parameter" : "field" }
    /// The overlay's key for members that the import lacks.
    var keyToAdd: String {
      self == .parameters ? OverlayEndpointKey.add.rawValue : OverlayModelKey.add.rawValue
    }

    /// The parameters of an endpoint, or the fields of a model.
    fileprivate func members(of owner: YAMLNode) -> [YAMLEntry]? {
      self == .parameters ? owner.entries?[OverlayMerge.params]?.entries : owner.entries
    }

    fileprivate func setting(_ members: [YAMLEntry], of owner: YAMLNode) -> YAMLNode {
      guard self == .parameters else { return owner.mapping(members) }
      var endpoint = owner.entries ?? []
      endpoint[OverlayMerge.params] = members.isEmpty ? nil : endpoint[OverlayMerge.params]?.mapping(members)
      return owner.mapping(endpoint)
    }
  }

  /// Applies `params` and `fields`: labels and types of parameters in all endpoints, by their names on the wire, and of fields in
  /// all models.
  mutating func mergeRules(for target: MemberKind) {
    for rule in named(target.rules) {
      guard let name = reader.name(rule) else { continue }
      guard !rule.value.isRemoval else {
        remove(name, target, by: rule)
        continue
      }
      guard let changes = changes(of: rule) else { continue }
      var use = RuleUse()
      for (file, index) in places(of: name, target) {
        let owner = files[file][keyPath: target.owners][index].value
        guard var members = target.members(of: owner), let old = members[name] else { continue }
        let label = changes[ParameterKey.name.rawValue]?.text
        let isTaken =
          target == .parameters && members.contains { $0.key.text != name && Self.label(of: $0) == label }
        members[name] = apply(
          isTaken ? changes.filter { $0.key.text != ParameterKey.name.rawValue } : changes, to: old, &use)
        files[file][keyPath: target.owners][index].value = target.setting(members, of: owner)
      }
      warn(of: rule, use, "no \(target.owner) of the import has a \(target.noun) `\(name)`")
    }
  }

  /// Removes a parameter from all endpoints, or a field from all models, except where the overlay has an entry for it.
  private mutating func remove(_ name: String, _ target: MemberKind, by rule: YAMLEntry) {
    let kept = named(target.ownerSection).filter { target.members(of: $0.value)?[name] != nil }.names
    let places = places(of: name, target)
    for (file, index) in places {
      let owner = files[file][keyPath: target.owners][index]
      let ownerName = owner.key.text ?? ""
      guard !kept.contains(ownerName), var members = target.members(of: owner.value) else { continue }
      members[name] = nil
      files[file][keyPath: target.owners][index].value = target.setting(members, of: owner.value)
      self[keyPath: target.changed][ownerName] = rule.key
    }
    if places.isEmpty { warnOfNothing(target.noun, rule) }
  }

  /// The endpoints with the parameter, or the models with the field.
  private func places(of name: String, _ target: MemberKind) -> [(file: Int, index: Int)] {
    files.indices.flatMap { file in
      files[file][keyPath: target.owners].indices.compactMap { index in
        target.members(of: files[file][keyPath: target.owners][index].value)?[name] == nil ? nil : (file, index)
      }
    }
  }

  private mutating func warnOfNothing(_ what: String, _ rule: YAMLEntry) {
    warn(
      "nothing in the import has a \(what) `\(rule.key.text ?? "")`, so there is nothing to remove", at: rule.key)
  }

  /// The changes that a rule for all members has made.
  private struct RuleUse {
    var found = false
    var fitted = false
  }

  /// A rule's entries. A type on its own is short for `{type: …}`.
  private func changes(of rule: YAMLEntry) -> [YAMLEntry]? {
    if let entries = rule.value.entries { return entries }
    if rule.value.isNull {
      let name = rule.key.text ?? ""
      reader.error("`\(name)` has no value; write its type or other settings", at: rule.key)
      return nil
    }
    return [YAMLEntry(key: rule.value.scalar(ParameterKey.type.rawValue), value: rule.value)]
  }

  /// The value with a rule's changes. A type replaces a plain string, or the strings in a list of them; `?` and `| null` stay as
  /// they are.
  private mutating func apply(_ changes: [YAMLEntry], to old: YAMLNode, _ use: inout RuleUse) -> YAMLNode {
    use.found = true
    var changes = changes
    let key = ParameterKey.type.rawValue
    if let type = changes[key] {
      let before = old.entries.map { $0[key] } ?? old
      if let fitting = Self.fitting(type, for: before) {
        use.fitted = true
        changes[key] = fitting
      } else {
        changes[key] = nil
      }
    } else {
      use.fitted = true
    }
    // A rule for all members does not depend on a single one.
    let summary = ParameterKey.summary.rawValue
    if old.entries?[summary] != nil { changes[summary] = nil }
    return changes.isEmpty ? old : merged(old, with: old.mapping(changes), of: "the rule")
  }

  private static func fitting(_ type: YAMLNode, for before: YAMLNode?) -> YAMLNode? {
    guard let old = before.flatMap({ TypeReference(tree: $0) }), let new = TypeReference(tree: type) else { return nil }
    var result = old
    switch (old.kind, new.kind) {
    case (.list(let element), .list(let other)) where element.kind == .scalar(.string): result.kind = .list(other)
    case (.scalar(.string), _):
      result.kind = new.kind
      result.constraints = new.constraints
    case _ where old.kind == new.kind: return before
    default: return nil
    }
    return type.scalar(result.text)
  }

  private mutating func warn(of rule: YAMLEntry, _ use: RuleUse, _ message: String) {
    if !use.found {
      warn(message, at: rule.key)
    } else if !use.fitted {
      warn(
        "nothing called `\(rule.key.text ?? "")` is a plain text in the import, so the type changes nothing",
        at: rule.key)
    }
  }

  /// The Swift label of a parameter.
  private static func label(of parameter: YAMLEntry) -> String {
    parameter.value.entries?[ParameterKey.name.rawValue]?.text ?? SwiftName.member(parameter.key.text ?? "")
  }
}

extension TypeReference {
  /// Reads a type in any of its YAML forms; `nil` for anything else.
  fileprivate init?(tree node: YAMLNode) {
    switch node.content {
    case .scalar(let scalar):
      guard let type = try? TypeReference(parsing: scalar.text) else { return nil }
      self = type
    case .list(let nodes):
      guard nodes.count == 1, let element = nodes.first.flatMap({ TypeReference(tree: $0) }) else { return nil }
      self.init(.list(element))
    case .mapping(let mapping):
      guard let element = mapping.onlyKeyWithoutValue.flatMap({ TypeReference(tree: $0) }) else { return nil }
      self.init(.map(element))
    }
  }
}
