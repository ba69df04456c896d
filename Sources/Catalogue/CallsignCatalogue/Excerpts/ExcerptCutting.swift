extension CatalogueExcerpts {
  /// Splits a catalogue into excerpts.
  ///
  /// - Parameters:
  ///   - catalogue: The catalogue of the files.
  ///   - sources: The catalogue's files. Each entry must be on separate lines.
  /// - Throws: ``ExcerptError``.
  package init(_ catalogue: Catalogue, sources: [CatalogueSource]) throws(ExcerptError) {
    var files: [FileExcerpts] = []
    for source in sources { files.append(try FileExcerpts(source)) }
    var api = files.map(\.api).joined()
    for (section, texts) in [
      ("params", files.map(\.parameters)), ("fields", files.map(\.fields)), ("mixins", files.map(\.mixins)),
      ("patterns", files.map(\.patterns)),
    ] {
      let text = texts.joined()
      if !text.isEmpty { api += "\n\(section):\n\(text)" }
    }
    self.init(
      api: api, templates: files.map(\.templates).joined(),
      commonModels: Self.names(catalogue.api.everyCall.errors.map(\.type)))
    var texts: [String: String] = [:]
    var members: [String: String] = [:]
    for file in files {
      for (name, text) in file.models where texts[name] == nil { texts[name] = text }
      for (name, model) in file.members where members[name] == nil { members[name] = model }
      groups.append(Group(file.name, file.group))
    }
    for group in catalogue.groups {
      for model in group.models {
        var types = model.types
        if let other = members[model.name] { types.append(TypeReference(.named(other))) }
        models.append(Model(model.name, Self.names(types), texts[model.name] ?? ""))
      }
      let lines = files.first { $0.name == group.name }?.endpoints ?? [:]
      for endpoint in group.endpoints {
        guard let text = lines[endpoint.name] else {
          throw ExcerptError("no file named \(group.name) has the lines of \(endpoint.name)")
        }
        operations.append(
          Operation(
            endpoint.name, group.name, endpoint.method, endpoint.path, endpoint.summary ?? "",
            Self.names(endpoint.types), (endpoint.poll?.endpoints ?? []).joined(separator: " "), text))
      }
    }
  }

  /// The models that the types name directly, separated by spaces.
  private static func names(_ types: [TypeReference]) -> String {
    var names: Set<String> = []
    var pending = types
    while let next = pending.popLast() {
      switch next.kind {
      case .scalar: break
      case .list(let element), .map(let element): pending.append(element)
      case .named(let name): names.insert(name)
      }
    }
    return names.sorted().joined(separator: " ")
  }
}

extension Endpoint {
  fileprivate var types: [TypeReference] {
    parameters.map(\.type) + [returns, poll?.state].compactMap(\.self) + errors.map(\.type)
      + responseHeaders.map(\.type)
  }
}

extension Model {
  fileprivate var types: [TypeReference] {
    switch shape {
    case .object(let fields, let extra): fields.map(\.type) + [extra].compactMap(\.self)
    case .enumeration: []
    case .union(let union): union.variants.map(\.type)
    case .alias(let target): [target]
    }
  }
}
