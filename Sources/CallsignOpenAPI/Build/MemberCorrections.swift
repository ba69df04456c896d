import CallsignCatalogue

/// Corrects members of models where the notes know better than the document: makes them required, or optional, and adds
/// the names under which an API sends them, too.
///
/// Many documents mark nothing as required, and every use of such a member would have to be unwrapped. Others require what
/// the API does not yet send, or rename what it goes on sending under the old name.
struct MemberCorrections {
  let notes: ImportNotes
  let log: ImportLog

  func apply(to models: inout [Model], endpoints: [Endpoint]) {
    let index = Dictionary(uniqueKeysWithValues: models.indices.map { (models[$0].name, $0) })
    func correct(_ members: [String: [String]], areOptional: Bool, verb: String) {
      for (name, members) in members.sorted(by: { $0.key < $1.key }) {
        guard let position = index[name] else {
          log.warn("the notes say what `\(name)` \(verb), which the import does not have", at: "#/components/schemas")
          continue
        }
        for member in members where !set(member, of: &models[position], isOptional: areOptional) {
          log.warn(
            "the notes say that `\(name)` \(verb) `\(member)`, which the import does not have",
            at: "#/components/schemas")
        }
      }
    }
    correct(notes.requiredMembers, areOptional: false, verb: "requires")
    correct(notes.optionalMembers, areOptional: true, verb: "may lack")
    for (name, aliases) in notes.aliases.sorted(by: { $0.key < $1.key }) {
      guard let position = index[name] else {
        log.warn("the notes give aliases for `\(name)`, which the import does not have", at: "#/components/schemas")
        continue
      }
      for (member, names) in aliases.sorted(by: { $0.key < $1.key })
      where !change(member, of: &models[position], { $0.aliases = names }) {
        log.warn(
          "the notes give aliases for `\(name).\(member)`, which the import does not have", at: "#/components/schemas")
      }
    }

    // A list of nothing is often left out of an answer.
    let objects = Set(models.filter { if case .object = $0.shape { true } else { false } }.map(\.name))
    func isObject(_ type: TypeReference) -> Bool { type.modelName.map(objects.contains) ?? false }
    for position in Set(endpoints.compactMap(\.returns?.modelName)).compactMap({ index[$0] }) {
      for member in notes.requiredOfAnswers { _ = set(member, of: &models[position], isOptional: false, if: isObject) }
    }
  }

  /// Whether the model has the member at all.
  private func set(
    _ member: String, of model: inout Model, isOptional: Bool, if condition: (TypeReference) -> Bool = { _ in true }
  ) -> Bool {
    change(member, of: &model) { if condition($0.type) { $0.type.isOptional = isOptional } }
  }

  private func change(_ member: String, of model: inout Model, _ change: (inout Field) -> Void) -> Bool {
    guard case .object(var fields, let extra) = model.shape,
      let position = fields.firstIndex(where: { $0.name == member })
    else { return false }
    change(&fields[position])
    model.shape = .object(fields: fields, extra: extra)
    return true
  }
}

extension TypeReference {
  fileprivate var modelName: String? {
    if case .named(let name) = kind { name } else { nil }
  }
}
