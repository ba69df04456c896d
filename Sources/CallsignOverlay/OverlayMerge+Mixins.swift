import CallsignCatalogue
import CallsignYAML

extension OverlayMerge {
  /// Writes out what endpoints and models have of mixins, and what is said of names, so that the overlay changes it like
  /// what they say themselves.
  ///
  /// Mistakes in a mixin are reported when the merged files are read.
  mutating func writeOutMixins() {
    let parts = ReusableParts()
    _ = parts.collect(files.map { ($0.source, tree(of: $0)) })
    guard !parts.mixins.isEmpty || !parts.parameters.isEmpty || !parts.fields.isEmpty else { return }
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
  /// An endpoint's entries with those of its mixins, and what is said of names; `nil` if they cannot be read.
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

  /// A model's entries with those of its mixins, and what is said of names; `nil` if they cannot be read, or what is mixed
  /// in is of a template.
  fileprivate func writtenOut(model entry: YAMLEntry) -> [YAMLEntry]? {
    guard let entries = entry.value.entries else { return nil }
    let like = entries.first { $0.key.text == ModelKey.like.rawValue }
    func isField(_ entry: YAMLEntry) -> Bool {
      guard let name = entry.key.text else { return false }
      return !name.hasPrefix("$") || name.hasPrefix("$$")
    }
    var extra: FieldEntry?
    let named = entries.filter(isField)
    let fields = (like.map { withMixins(named, like: $0, extra: &extra) } ?? named.map { FieldEntry(entry: $0) })
      .map(parts.filledIn(field:))
    guard diagnostics.isEmpty, extra == nil, fields.allSatisfy(\.names.isEmpty) else { return nil }
    let own = entries.filter { !isField($0) && $0.key.text != ModelKey.like.rawValue }
    return own + fields.map { $0.entry.standing(at: like?.value ?? entry.key) }
  }
}

extension YAMLEntry {
  fileprivate func holding(_ entries: [YAMLEntry]) -> YAMLEntry {
    YAMLEntry(key: key, value: value.mapping(entries))
  }

  fileprivate func standing(at place: YAMLNode) -> YAMLEntry {
    YAMLEntry(key: key.standing(at: place), value: value.standing(at: place))
  }
}

extension YAMLNode {
  /// The tree with all that is of other texts at the given place, which is where a person looks for it.
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
