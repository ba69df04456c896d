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
  /// For each model the numbers of the groups from whose endpoints it is reached; `nil` is among them where the whole API
  /// uses it.
  package func groupsByModel() -> [String: Set<Int?>] {
    let models = ModelTable(self)
    var owners: [String: Set<Int?>] = [:]
    for index in [nil] + groups.indices.map(Optional.some) {
      let types = index.map { groups[$0].endpoints.flatMap(\.modelTypes) } ?? api.everyCall.errors.map(\.type)
      for name in models.names(reachedFrom: types) { owners[name, default: []].insert(index) }
    }
    return owners
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
