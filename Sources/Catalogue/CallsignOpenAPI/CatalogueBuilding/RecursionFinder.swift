import CallsignCatalogue

/// Finds the fields and variants through which a model contains itself by value.
enum RecursionFinder {
  /// Removes the variants through which a union is a variant of itself. Reading such a variant would read the same value again and
  /// again.
  ///
  /// - Returns: The unions and the types of the removed variants.
  static func endUnions(_ models: inout [Model]) -> [(union: String, variant: String)] {
    var search = Search(models, isOfUnions: true)
    for index in models.indices { search.visit(index) }
    var removed: [(union: String, variant: String)] = []
    for index in models.indices {
      guard case .union(var union) = models[index].shape else { continue }
      for position in search.indirect[index].reversed() {
        removed.append((models[index].name, union.variants.remove(at: position).type.text))
      }
      models[index].shape = union.variants.isEmpty ? .alias(TypeReference(.scalar(.json))) : .union(union)
    }
    return removed
  }

  /// - Returns: The fields that were required although they close a cycle of only required fields. No finite value has all of them,
  ///   so they are now optional.
  static func markIndirect(_ models: inout [Model]) -> [String] {
    var search = Search(models)
    for index in models.indices { search.visit(index) }
    for index in models.indices { search.mark(&models[index], index) }
    return search.loosened
  }

  private struct Search {
    /// A field, variant or alias that refers to another model. Lists and maps are references anyway.
    private struct Edge {
      /// The position of the field or variant.
      var position: Int
      var target: Int
      var isRequired: Bool
    }

    private struct Step {
      var model: Int
      var edges: [Edge]
      var next = 0
      /// The last position on the path that an optional field led to.
      var lastOptional: Int
    }

    private(set) var loosened: [String] = []
    private let models: [Model]
    private let table: ModelTable
    /// Whether only unions count that are variants of unions.
    private let isOfUnions: Bool
    private let positions: [String: Int]
    /// The positions of models on the path.
    private var places: [Int?]
    private var isDone: [Bool]
    /// The fields and variants that lead back, by model.
    private(set) var indirect: [[Int]]
    private var optional: [[Int]]

    init(_ models: [Model], isOfUnions: Bool = false) {
      self.models = models
      self.isOfUnions = isOfUnions
      table = ModelTable(Dictionary(models.map { ($0.name, $0) }) { first, _ in first })
      positions = Dictionary(models.enumerated().map { ($1.name, $0) }) { first, _ in first }
      places = Array(repeating: nil, count: models.count)
      isDone = Array(repeating: false, count: models.count)
      indirect = Array(repeating: [], count: models.count)
      optional = indirect
    }

    /// Visits everything that a model contains. The steps are in a list, because a chain of models may be longer than the thread's
    /// stack is deep.
    mutating func visit(_ index: Int) {
      guard !isDone[index] else { return }
      var path = [Step(model: index, edges: edges(of: index), lastOptional: 0)]
      places[index] = 0
      while let step = path.last {
        guard step.next < step.edges.count else {
          places[step.model] = nil
          isDone[step.model] = true
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let edge = step.edges[step.next]
        if let start = places[edge.target] {
          indirect[step.model].append(edge.position)
          if edge.isRequired, step.lastOptional <= start, case .object(let fields, _) = models[step.model].shape {
            optional[step.model].append(edge.position)
            loosened.append("\(models[step.model].name).\(fields[edge.position].name)")
          }
        } else if !isDone[edge.target] {
          places[edge.target] = path.count
          path.append(
            Step(
              model: edge.target, edges: edges(of: edge.target),
              lastOptional: edge.isRequired ? step.lastOptional : path.count))
        }
      }
    }

    private func edges(of index: Int) -> [Edge] {
      func edge(_ type: TypeReference, _ position: Int, isRequired: Bool) -> Edge? {
        guard case .named(let name) = type.kind, let target = positions[name] else { return nil }
        return Edge(position: position, target: target, isRequired: isRequired)
      }
      switch models[index].shape {
      case .union(let union) where isOfUnions:
        return union.variants.enumerated().compactMap { edge(table.resolved($1.type), $0, isRequired: false) }
      case _ where isOfUnions: return []
      case .object(let fields, _):
        return fields.enumerated().compactMap { position, field in
          edge(field.type, position, isRequired: !field.type.isOptional && !field.type.isNullable)
        }
      case .union(let union):
        return union.variants.enumerated().compactMap { edge($1.type, $0, isRequired: false) }
      case .alias(let type): return [edge(type, 0, isRequired: true)].compactMap(\.self)
      case .enumeration: return []
      }
    }

    /// Records in the model what was found.
    func mark(_ model: inout Model, _ index: Int) {
      switch model.shape {
      case .object(var fields, let extra):
        for position in indirect[index] { fields[position].type.isIndirect = true }
        for position in optional[index] { fields[position].type.isOptional = true }
        model.shape = .object(fields: fields, extra: extra)
      case .union(var union):
        for position in union.variants.indices { union.variants[position].type.isIndirect = false }
        for position in indirect[index] { union.variants[position].type.isIndirect = true }
        model.shape = .union(union)
      case .alias, .enumeration: break
      }
    }
  }
}
