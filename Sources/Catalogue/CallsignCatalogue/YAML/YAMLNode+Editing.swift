import CallsignYAML

extension YAMLNode {
  /// The text of a scalar.
  package var text: String? {
    if case .scalar(let scalar) = content { scalar.text } else { nil }
  }

  /// The entries of a mapping that is not a type of the form `{T}`. `{key: ~}` removes the key.
  package var entries: [YAMLEntry]? {
    guard case .mapping(let mapping) = content else { return nil }
    let isType = mapping.onlyKeyWithoutValue != nil && mapping.entries.first?.value.isRemoval != true
    return isType ? nil : mapping.entries
  }

  /// The entries of a mapping in a place where types are not allowed.
  package var keys: [YAMLEntry]? {
    if case .mapping(let mapping) = content { mapping.entries } else { nil }
  }

  /// Whether it is `~` or `null`, which removes what the import wrote. A missing value does not.
  package var isRemoval: Bool { isNull && text?.isEmpty == false }

  /// A mapping of the entries, at the location of this node.
  package func mapping(_ entries: [YAMLEntry]) -> YAMLNode {
    // In braces, a single entry could be read as a type.
    with(.mapping(YAMLMapping(entries: entries, isFlow: false)))
  }

  /// A text at the location of this node.
  package func scalar(_ text: String, style: YAMLScalar.Style = .plain) -> YAMLNode {
    with(.scalar(YAMLScalar(text: text, style: style)))
  }

  package func with(_ content: Content) -> YAMLNode {
    var node = self
    node.content = content
    return node
  }

  /// The same tree as nodes of the text with this number, except for nodes that already belong to other texts.
  ///
  /// YAML is nested at most ``YAMLReader/maximumDepth`` deep.
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
  /// The value of a key. Setting `nil` removes the entry; setting another value keeps its position.
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
