// Which types a model is made of, and who uses a model.

extension Model.Shape {
  /// The types that the model is made of.
  package var types: [TypeReference] {
    switch self {
    case .object(let fields, let extra): fields.map(\.type) + [extra].compactMap { $0 }
    case .enumeration: []
    case .union(let union): union.variants.map(\.type)
    case .alias(let type): [type]
    }
  }
}

extension Catalogue {
  /// The numbers of the groups whose endpoints alone use a model, by the model's name. Models that several groups use, or the
  /// whole API, are missing.
  package func ownersOfModels() -> [String: Int] {
    let models = ModelTable(self)
    /// `nil` for models that several use: what these are made of is so, too, and need not be looked at again.
    var owners: [String: Int?] = [:]
    for owner in [nil] + groups.indices.map(Optional.some) {
      var stack = owner.map { groups[$0].endpoints.flatMap(\.modelTypes) } ?? api.everyCall.errors.map(\.type)
      while let type = stack.popLast() {
        switch type.kind {
        case .scalar: break
        case .list(let element), .map(let element): stack.append(element)
        case .named(let name):
          guard let model = models[name] else { continue }
          if let known = owners[name] {
            if known == nil || known == owner { continue }
            owners[name] = .some(nil)
          } else {
            owners[name] = .some(owner)
          }
          stack += model.shape.types
        }
      }
    }
    return owners.compactMapValues { $0 }
  }
}

extension ModelTable {
  /// The names of the models that values of the types can have in them, at any depth.
  package func names(reachedFrom types: [TypeReference]) -> Set<String> {
    var stack = types
    var names: Set<String> = []
    while let type = stack.popLast() {
      switch type.kind {
      case .scalar: break
      case .list(let element), .map(let element): stack.append(element)
      case .named(let name):
        guard let model = self[name], names.insert(name).inserted else { continue }
        stack += model.shape.types
      }
    }
    return names
  }
}

extension Endpoint {
  /// The types of what is sent, responded and told of failures.
  fileprivate var modelTypes: [TypeReference] {
    parameters.map(\.type) + [returns].compactMap { $0 } + errors.map(\.type)
  }
}
