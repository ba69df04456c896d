import CallsignCatalogue

/// A selection of a catalogue's endpoints, with the models that they need.
package struct CatalogueSelection {
  /// Names of endpoints or their methods, and of groups.
  private let names: Set<String>
  /// Models that stay if no endpoint of the whole catalogue uses them, such as the events of webhooks.
  private let models: Set<String>

  /// - Parameters:
  ///   - names: Names of endpoints or their methods, and of groups.
  ///   - models: Models that stay if no endpoint of the whole catalogue uses them. Default: none.
  package init(_ names: [String], models: Set<String> = []) {
    self.names = Set(names)
    self.models = models
  }

  /// The catalogue reduced to the selection. Every group stays, so that each file still has an output.
  package func applied(to catalogue: Catalogue) -> Catalogue {
    var selected = catalogue
    var needed = ModelClosure(catalogue)
    var used = needed
    // A method's name will do, unless it is another endpoint's own name.
    let methodNames = names.subtracting(catalogue.groups.flatMap { $0.endpoints.map(\.name) })
    // Operations that follow a selected one are included.
    let all = catalogue.groups.flatMap { group in group.endpoints.map { (group.name, $0) } }
    let followers = Set(
      all.filter { group, endpoint in
        names.contains(group) || names.contains(endpoint.name) || methodNames.contains(endpoint.methodName)
      }.flatMap { $0.1.poll?.endpoints ?? [] })
    for (index, group) in catalogue.groups.enumerated() {
      for endpoint in group.endpoints { used.add(endpoint) }
      if !names.contains(group.name) {
        selected.groups[index].endpoints = group.endpoints.filter {
          names.contains($0.name) || methodNames.contains($0.methodName) || followers.contains($0.name)
        }
      }
      for endpoint in selected.groups[index].endpoints { needed.add(endpoint) }
    }
    for body in catalogue.api.everyCall.errors { needed.add(body.type) }
    for name in models.subtracting(used.names) { needed.add(modelNamed: name) }
    for index in selected.groups.indices {
      selected.groups[index].models.removeAll { !needed.names.contains($0.name) }
    }
    return selected
  }

  /// The selected names that the catalogue does not have.
  func unknownNames(in catalogue: Catalogue) -> [String] {
    var known: Set<String> = []
    for group in catalogue.groups {
      known.insert(group.name)
      for endpoint in group.endpoints { known.formUnion([endpoint.name, endpoint.methodName]) }
    }
    return names.subtracting(known).sorted()
  }
}

/// Models and everything that they contain.
private struct ModelClosure {
  private(set) var names: Set<String> = []
  private var models: [String: Model] = [:]

  init(_ catalogue: Catalogue) {
    for group in catalogue.groups {
      for model in group.models { models[model.name] = model }
    }
  }

  mutating func add(_ endpoint: Endpoint) {
    for parameter in endpoint.parameters { add(parameter.type) }
    if let returns = endpoint.returns { add(returns) }
    if let state = endpoint.poll?.state { add(state) }
    for body in endpoint.errors { add(body.type) }
    for header in endpoint.responseHeaders { add(header.type) }
  }

  mutating func add(_ type: TypeReference) {
    var pending = [type]
    while let next = pending.popLast() {
      switch next.kind {
      case .scalar: break
      case .list(let element), .map(let element): pending.append(element)
      case .named(let name): pending += insert(name)
      }
    }
  }

  mutating func add(modelNamed name: String) {
    for type in insert(name) { add(type) }
  }

  /// - Returns: The types that the model is made of, if it is new here.
  private mutating func insert(_ name: String) -> [TypeReference] {
    guard names.insert(name).inserted, let model = models[name] else { return [] }
    switch model.shape {
    case .object(let fields, let extra): return fields.map(\.type) + (extra.map { [$0] } ?? [])
    case .enumeration: return []
    case .union(let union): return union.variants.map(\.type)
    case .alias(let target): return [target]
    }
  }
}
