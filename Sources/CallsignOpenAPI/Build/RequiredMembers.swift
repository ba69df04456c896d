import CallsignCatalogue

/// Makes members required that a document leaves open, where the notes know better.
///
/// Many documents mark nothing as required, and every use of such a member would have to be unwrapped.
struct RequiredMembers {
  let notes: ImportNotes
  let log: ImportLog

  func apply(to models: inout [Model], endpoints: [Endpoint]) {
    let index = Dictionary(uniqueKeysWithValues: models.indices.map { (models[$0].name, $0) })
    for (name, members) in notes.requiredMembers.sorted(by: { $0.key < $1.key }) {
      guard let position = index[name] else {
        log.warn("the notes say what `\(name)` requires, which the import does not have", at: "#/components/schemas")
        continue
      }
      for member in members where !require(member, of: &models[position], if: { _ in true }) {
        log.warn("the notes require `\(name).\(member)`, which the import does not have", at: "#/components/schemas")
      }
    }

    // A list of nothing is often left out of an answer, and a stream's record may hold something else instead.
    let objects = Set(models.filter { if case .object = $0.shape { true } else { false } }.map(\.name))
    func isObject(_ type: TypeReference) -> Bool { type.modelName.map(objects.contains) ?? false }
    let streamed = Set(endpoints.filter { $0.stream != nil }.compactMap(\.returns?.modelName))
    let answers = Set(endpoints.compactMap(\.returns?.modelName)).subtracting(streamed)
    for position in answers.compactMap({ index[$0] }) {
      for member in notes.requiredOfAnswers { _ = require(member, of: &models[position], if: isObject) }
    }
  }

  /// Whether the model has the member at all.
  private func require(_ member: String, of model: inout Model, if condition: (TypeReference) -> Bool) -> Bool {
    guard case .object(var fields, let extra) = model.shape,
      let position = fields.firstIndex(where: { $0.name == member })
    else { return false }
    if condition(fields[position].type) { fields[position].type.isOptional = false }
    model.shape = .object(fields: fields, extra: extra)
    return true
  }
}

extension TypeReference {
  fileprivate var modelName: String? {
    if case .named(let name) = kind { name } else { nil }
  }
}
