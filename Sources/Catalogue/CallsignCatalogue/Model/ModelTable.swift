/// The models of a catalogue, by name.
package struct ModelTable: Sendable {
  private var models: [String: Model] = [:]

  /// Creates the table from a catalogue. If several models have the same name, the first one counts.
  package init(_ catalogue: Catalogue) {
    for group in catalogue.groups {
      for model in group.models where models[model.name] == nil { models[model.name] = model }
    }
  }

  /// Creates the table from models by name.
  package init(_ models: [String: Model]) { self.models = models }

  /// The model with that name.
  package subscript(name: String) -> Model? { models[name] }

  /// The kind after all aliases are resolved. For each bound, the one closest to the use applies. A cycle of aliases, which the
  /// checker rejects, resolves to JSON.
  package func resolved(_ type: TypeReference) -> TypeReference {
    guard case .named = type.kind else { return type }
    var current = type
    for _ in 0..<64 {
      guard case .named(let name) = current.kind, case .alias(let target)? = models[name]?.shape else { return current }
      var next = target
      next.isOptional = next.isOptional || current.isOptional
      next.isNullable = next.isNullable || current.isNullable
      next.isIndirect = current.isIndirect
      next.constraints = current.constraints.completed(by: next.constraints)
      current = next
    }
    return TypeReference(.scalar(.json))
  }
}

extension Constraints {
  /// These limits, completed by `others` where a limit is missing. A limit from `others` that would leave no possible value is
  /// dropped.
  fileprivate func completed(by others: Constraints) -> Constraints {
    var result = self
    result.minimum = minimum ?? others.minimum
    result.maximum = maximum ?? others.maximum
    if let least = result.minimum.flatMap({ Double($0) }), let most = result.maximum.flatMap({ Double($0) }),
      least > most
    {
      (result.minimum, result.maximum) = (minimum, maximum)
    }
    if pattern == nil { (result.pattern, result.patternName) = (others.pattern, others.patternName) }
    return result
  }
}
