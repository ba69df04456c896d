/// The models of a catalogue by their names.
package struct ModelTable: Sendable {
  private var models: [String: Model] = [:]

  /// Takes a catalogue's models; of several of one name the first counts.
  package init(_ catalogue: Catalogue) {
    for group in catalogue.groups {
      for model in group.models where models[model.name] == nil { models[model.name] = model }
    }
  }

  /// Takes models by their names.
  package init(_ models: [String: Model]) { self.models = models }

  /// The model of that name.
  package subscript(name: String) -> Model? { models[name] }

  /// The kind that remains when aliases are followed. Of each bound, the one nearest to the use holds. A cycle of
  /// aliases, which the checker refuses, ends as JSON.
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
  /// These limits, and those of others where these say nothing. A bound of theirs that leaves no value is dropped.
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
