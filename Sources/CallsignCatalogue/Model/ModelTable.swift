/// The models of a catalogue by their names.
package struct ModelTable: Sendable {
  private var models: [String: Model] = [:]
  private var aliases: [String: TypeReference] = [:]

  /// Takes a catalogue's models; of several of one name the first counts.
  package init(_ catalogue: Catalogue) {
    for group in catalogue.groups {
      for model in group.models where models[model.name] == nil { models[model.name] = model }
    }
    takeAliases()
  }

  /// Takes models by their names.
  package init(_ models: [String: Model]) {
    self.models = models
    takeAliases()
  }

  private mutating func takeAliases() {
    for (name, model) in models {
      if case .alias(let type) = model.shape { aliases[name] = type }
    }
  }

  /// The model of that name.
  package subscript(name: String) -> Model? { models[name] }

  /// The kind that remains when aliases are followed, with the bounds of the last one. A cycle of aliases,
  /// which the checker refuses, ends as JSON.
  package func resolved(_ type: TypeReference) -> TypeReference {
    guard case .named(let first) = type.kind, aliases[first] != nil else { return type }
    var current = type
    for _ in 0..<64 {
      guard case .named(let name) = current.kind, var next = aliases[name] else { return current }
      next.isOptional = next.isOptional || current.isOptional
      next.isNullable = next.isNullable || current.isNullable
      next.isIndirect = current.isIndirect
      current = next
    }
    return TypeReference(.scalar(.json))
  }
}
