import CallsignCatalogue

/// Marks the fields through which a model contains itself by value.
enum RecursionFinder {
  static func markIndirect(_ models: inout [Model]) {
    var search = Search(models)
    for index in models.indices { search.visit(index) }
    models = search.models
  }

  private struct Search {
    var models: [Model]
    private let positions: [String: Int]
    private var isOnPath: [Bool]
    private var isDone: [Bool]

    init(_ models: [Model]) {
      self.models = models
      positions = Dictionary(models.enumerated().map { ($1.name, $0) }) { first, _ in first }
      isOnPath = Array(repeating: false, count: models.count)
      isDone = isOnPath
    }

    mutating func visit(_ index: Int) {
      guard !isDone[index] else { return }
      isOnPath[index] = true
      switch models[index].shape {
      case .object(var fields, let extra):
        for field in fields.indices { fields[field].type.isIndirect = closesCycle(fields[field].type) }
        models[index].shape = .object(fields: fields, extra: extra)
      case .union(var union):
        for variant in union.variants.indices {
          union.variants[variant].type.isIndirect = closesCycle(union.variants[variant].type)
        }
        models[index].shape = .union(union)
      case .alias(let type): _ = closesCycle(type)
      case .enumeration: break
      }
      isOnPath[index] = false
      isDone[index] = true
    }

    /// Whether the type leads back to a model that is being visited. Lists and maps are references anyway.
    private mutating func closesCycle(_ type: TypeReference) -> Bool {
      guard case .named(let name) = type.kind, let target = positions[name] else { return false }
      if isOnPath[target] { return true }
      visit(target)
      return false
    }
  }
}
