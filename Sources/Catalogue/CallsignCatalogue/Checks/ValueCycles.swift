/// Finds models that contain themselves.
struct ValueCycles {
  /// A field, variant or alias whose type is another model.
  struct Edge {
    var owner: String
    /// `nil` for an alias or a variant.
    var field: String?
    var type: TypeReference
    var target: String
  }

  var edges: [String: [Edge]] = [:]

  /// One cycle for each edge that leads back to the start of the search, in the order of the names.
  func cycles(startingFrom names: [String]) -> [[Edge]] {
    var found: [[Edge]] = []
    var finished: Set<String> = []
    for name in names where edges[name] != nil && !finished.contains(name) {
      // Uses an explicit stack because a chain of models may be deeper than the thread's stack.
      var path: [Edge] = []
      var position: [String: Int] = [name: 0]
      var pending: [(name: String, next: Int)] = [(name, 0)]
      while let top = pending.last {
        let outgoing = edges[top.name] ?? []
        guard top.next < outgoing.count else {
          pending.removeLast()
          if !path.isEmpty { path.removeLast() }
          position[top.name] = nil
          finished.insert(top.name)
          continue
        }
        pending[pending.count - 1].next += 1
        let edge = outgoing[top.next]
        if let start = position[edge.target] {
          found.append(Array(path[start...]) + [edge])
        } else if edges[edge.target] != nil, !finished.contains(edge.target) {
          path.append(edge)
          position[edge.target] = path.count
          pending.append((edge.target, 0))
        }
      }
    }
    return found
  }
}

extension CatalogueChecks {
  /// Rejects models that contain themselves: a Swift struct cannot contain itself, a value that must contain another of its kind
  /// never ends, and neither does the choice of a variant in a union that is its own variant.
  mutating func checkCycles() {
    var direct = ValueCycles()
    var required = ValueCycles()
    var unions = ValueCycles()
    for name in modelNames {
      guard let model = models[name] else { continue }
      switch model.shape {
      case .object(let fields, _):
        for field in fields {
          guard case .named(let target) = field.type.kind else { continue }
          let edge = ValueCycles.Edge(owner: name, field: field.name, type: field.type, target: target)
          if !field.type.isIndirect { direct.edges[name, default: []].append(edge) }
          if !field.type.isOptional, !field.type.isNullable { required.edges[name, default: []].append(edge) }
        }
      case .union(let union):
        for variant in union.variants {
          guard case .named(let target) = variant.type.kind else { continue }
          var edge = ValueCycles.Edge(owner: name, field: nil, type: variant.type, target: target)
          if !variant.type.isIndirect { direct.edges[name, default: []].append(edge) }
          guard let inner = self.model(variant.type), case .union = inner.shape else { continue }
          edge.target = inner.name
          unions.edges[name, default: []].append(edge)
        }
      case .alias(let type):
        guard case .named(let target) = type.kind, aliases[name] != nil else { continue }
        let edge = ValueCycles.Edge(owner: name, field: nil, type: type, target: target)
        direct.edges[name, default: []].append(edge)
        required.edges[name, default: []].append(edge)
      case .enumeration: break
      }
    }
    for cycle in direct.cycles(startingFrom: modelNames) { reportValueCycle(cycle) }
    for cycle in required.cycles(startingFrom: modelNames) where cycle.contains(where: { $0.type.isIndirect }) {
      guard let edge = cycle.first(where: { $0.field != nil }) else { continue }
      error(
        "every `\(edge.owner)` must contain another without end (\(Self.chain(cycle))); let one be left out with `?`",
        at: edge.type.location)
    }
    // The runtime would choose a variant of the same value again and again.
    for cycle in unions.cycles(startingFrom: modelNames) {
      guard let edge = cycle.first else { continue }
      error(
        "`\(edge.owner)` is a variant of itself (\(Self.chain(cycle))), so reading it may never end; remove this variant, or "
          + "list others in its place", at: edge.type.location)
    }
  }

  private mutating func reportValueCycle(_ cycle: [ValueCycles.Edge]) {
    // A cycle of unions only is reported as such.
    guard let edge = cycle.first(where: { $0.field != nil }) else { return }
    // A required field behind a reference would never end.
    let mark = edge.type.isNullable ? " | null" + (edge.type.isOptional ? "?" : "") : "?"
    error(
      "`\(edge.owner)` contains itself (\(Self.chain(cycle))); write `indirect \(edge.target)\(mark)`",
      at: edge.type.location)
  }

  private static func chain(_ cycle: [ValueCycles.Edge]) -> String {
    var steps = cycle.prefix(6).map { edge in edge.field.map { "\(edge.owner).\($0)" } ?? edge.owner }
    if cycle.count > 6 { steps.append("…") }
    return (steps + [cycle.last?.target ?? ""]).joined(separator: " → ")
  }
}
