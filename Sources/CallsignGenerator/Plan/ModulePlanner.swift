import CallsignCatalogue

/// From a catalogue to the plan of its module.
struct ModulePlanner {
  let catalogue: Catalogue
  private let types: TypeTable

  init(catalogue: Catalogue) {
    self.catalogue = catalogue
    types = TypeTable(catalogue)
  }

  func plan() -> ModulePlan {
    let methods = MethodPlanner(api: catalogue.api, types: types)
    let models = ModelPlanner(types: types)
    var choices: Set<String> = []
    var files: [FilePlan] = []
    for group in catalogue.groups {
      var file = FilePlan(source: group.file, group: group.name)
      for endpoint in group.endpoints {
        let method = methods.plan(endpoint)
        file.methods.append(method.plan)
        // Endpoints that offer the same alternatives share one type, which the first of them declares.
        for choice in method.choices where choices.insert(choice.name).inserted { file.choices.append(choice) }
      }
      for model in group.models { file.models.append(models.plan(model)) }
      files.append(file)
    }
    let home = catalogue.groups.firstIndex { $0.file == catalogue.api.location.file } ?? 0
    if files.indices.contains(home) {
      files[home].client = ClientPlan(
        documentation: documentation(), baseURLs: catalogue.api.hosts.map(\.url),
        endpoints: files.flatMap { $0.methods.map(\.endpoint.property) },
        answers: files.flatMap { file in
          file.methods.compactMap { method in method.result.decoded.map { (method.endpoint.name, $0) } }
        })
    }
    return ModulePlan(client: SwiftName.escaped(catalogue.api.name), types: types, files: files)
  }

  private func documentation() -> [String] {
    var paragraphs = SwiftLiteral.commentParagraphs(catalogue.api.summary ?? "The client of \(catalogue.api.name).")
    if let page = catalogue.api.documentation { paragraphs.append("Documentation: \(SwiftLiteral.comment(page))") }
    return paragraphs
  }
}
