import CallsignYAML

extension YAMLNode {
  /// The text of a scalar.
  package var text: String? {
    if case .scalar(let scalar) = content { scalar.text } else { nil }
  }

  /// The entries of a mapping that is no type of the form `{T}`. `{key: ~}` removes the key.
  package var entries: [YAMLEntry]? {
    guard case .mapping(let mapping) = content else { return nil }
    let isType = mapping.onlyKeyWithoutValue != nil && mapping.entries.first?.value.isRemoval != true
    return isType ? nil : mapping.entries
  }

  /// The entries of a mapping where no type can be.
  package var keys: [YAMLEntry]? {
    if case .mapping(let mapping) = content { mapping.entries } else { nil }
  }

  /// `~` or `null`, which takes away what the import has. A value that was left out says nothing of the sort.
  package var isRemoval: Bool { isNull && text?.isEmpty == false }

  /// A mapping of the entries in the place of this node.
  package func mapping(_ entries: [YAMLEntry]) -> YAMLNode {
    // In braces an entry alone could be read as a type.
    with(.mapping(YAMLMapping(entries: entries, isFlow: false)))
  }

  /// A text in the place of this node.
  package func scalar(_ text: String, style: YAMLScalar.Style = .plain) -> YAMLNode {
    with(.scalar(YAMLScalar(text: text, style: style)))
  }

  package func with(_ content: Content) -> YAMLNode {
    var node = self
    node.content = content
    return node
  }

  /// The same tree as nodes of the text with this number, but for those of other texts already.
  ///
  /// YAML nests at most ``YAMLReader/maximumDepth`` deep.
  package func numbered(_ source: UInt16) -> YAMLNode {
    var node = self
    if node.source == 0 { node.source = source }
    switch content {
    case .scalar: break
    case .list(let elements): node.content = .list(elements.map { $0.numbered(source) })
    case .mapping(let mapping):
      let entries = mapping.entries.map {
        YAMLEntry(key: $0.key.numbered(source), value: $0.value.numbered(source))
      }
      node.content = .mapping(YAMLMapping(entries: entries, isFlow: mapping.isFlow))
    }
    return node
  }
}

extension [YAMLEntry] {
  /// The value of a key; setting `nil` removes the entry, setting another value keeps its place.
  package subscript(name: String) -> YAMLNode? {
    get { first { $0.key.text == name }?.value }
    set {
      guard let position = firstIndex(where: { $0.key.text == name }) else {
        if let newValue { append(YAMLEntry(key: newValue.scalar(name), value: newValue)) }
        return
      }
      if let newValue { self[position].value = newValue } else { remove(at: position) }
    }
  }

  /// The names of the keys.
  package var names: [String] { compactMap(\.key.text) }
}
