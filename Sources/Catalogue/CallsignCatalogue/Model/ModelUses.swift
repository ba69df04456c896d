// Which types a model contains, and which groups use a model.

extension Model.Shape {
  /// The types that the model contains.
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
  /// The index of the group whose endpoints are the only users of a model, by model name. Models that several groups or the whole
  /// API use are missing.
  package func ownersOfModels() -> [String: Int] {
    let models = ModelTable(self)
    /// `nil` for models with several users. The models that they contain then have several users too, and are not visited again.
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
  /// The names of the models that values of the types can contain, at any depth.
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
  /// The types of requests, responses and error bodies.
  fileprivate var modelTypes: [TypeReference] {
    parameters.map(\.type) + [returns].compactMap { $0 } + errors.map(\.type)
  }
}
