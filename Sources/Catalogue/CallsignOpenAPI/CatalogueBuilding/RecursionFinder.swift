import CallsignCatalogue

/// Marks the fields through which a model contains itself by value.
enum RecursionFinder {
  /// - Returns: fields that were required although they close a cycle of nothing but required fields; no finite value
  ///   has them all, so they are optional now.
  static func markIndirect(_ models: inout [Model]) -> [String] {
    var search = Search(models)
    for index in models.indices { search.visit(index) }
    models = search.models
    return search.loosened
  }

  private struct Search {
    var models: [Model]
    var loosened: [String] = []
    private let positions: [String: Int]
    /// The models that are being visited, each with whether the step to it was a required field.
    private var path: [(index: Int, isRequired: Bool)] = []
    private var isDone: [Bool]

    init(_ models: [Model]) {
      self.models = models
      positions = Dictionary(models.enumerated().map { ($1.name, $0) }) { first, _ in first }
      isDone = Array(repeating: false, count: models.count)
    }

    mutating func visit(_ index: Int, isRequired: Bool = false) {
      guard !isDone[index] else { return }
      path.append((index, isRequired))
      switch models[index].shape {
      case .object(var fields, let extra):
        for position in fields.indices {
          let type = fields[position].type
          let isRequired = !type.isOptional && !type.isNullable
          guard let start = cycleStart(type, isRequired: isRequired) else { continue }
          fields[position].type.isIndirect = true
          if isRequired, path[(start + 1)...].allSatisfy(\.isRequired) {
            fields[position].type.isOptional = true
            loosened.append("\(models[index].name).\(fields[position].name)")
          }
        }
        models[index].shape = .object(fields: fields, extra: extra)
      case .union(var union):
        for variant in union.variants.indices {
          union.variants[variant].type.isIndirect = cycleStart(union.variants[variant].type, isRequired: false) != nil
        }
        models[index].shape = .union(union)
      case .alias(let type): _ = cycleStart(type, isRequired: true)
      case .enumeration: break
      }
      path.removeLast()
      isDone[index] = true
    }

    /// The place on the path of the model that the type leads back to. Lists and maps are references anyway.
    private mutating func cycleStart(_ type: TypeReference, isRequired: Bool) -> Int? {
      guard case .named(let name) = type.kind, let target = positions[name] else { return nil }
      if let start = path.firstIndex(where: { $0.index == target }) { return start }
      visit(target, isRequired: isRequired)
      return nil
    }
  }
}
