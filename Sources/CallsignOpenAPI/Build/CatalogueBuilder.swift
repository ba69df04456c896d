import CallsignCatalogue

/// Puts operations and named shapes together as a catalogue.
struct CatalogueBuilder {
  let document: OpenAPIDocument
  let apiName: String
  let options: ImportOptions
  let notes: ImportNotes
  let log: ImportLog
  let namer: ModelNamer
  let components: [(pointer: String, use: Use)]
  let operations: [OperationShape]
  let hosts: [Host]
  let schemes: [Scheme]

  func build() -> Catalogue {
    var models = self.models()
    for name in RecursionFinder.markIndirect(&models) {
      log.warn("`\(name)` must contain itself without end; here it may be left out", at: "#/components/schemas")
    }
    let endpoints = self.endpoints()
    MemberCorrections(notes: notes, log: log).apply(to: &models, endpoints: endpoints)
    warnOfStaleNotes(models)
    let placement = GroupPlacement(
      operations: operations, endpoints: endpoints, models: models, notes: notes)
    return Catalogue(api: api(), groups: placement.groups())
  }

  private func api() -> API {
    var schemes = schemes
    // Operations may ask for scopes that the scheme forgot to list.
    for requirement in operations.flatMap(\.auth) {
      guard let index = schemes.firstIndex(where: { $0.name == requirement.scheme }) else { continue }
      for scope in requirement.scopes where !schemes[index].scopes.contains(where: { $0.name == scope }) {
        log.note("`securitySchemes` does not list the scope `\(scope)`", at: "#/components/securitySchemes")
        schemes[index].scopes.append(Scope(name: scope))
      }
    }
    for index in schemes.indices {
      for scope in schemes[index].scopes.indices {
        schemes[index].scopes[scope].summary = notes.scopes[schemes[index].scopes[scope].name]
      }
    }
    if operations.contains(where: { $0.auth.contains { $0.scheme == "none" } }),
      !schemes.contains(where: { $0.name == "none" })
    {
      schemes.append(Scheme(name: "none"))
    }
    return API(
      name: apiName, summary: notes.api.summary,
      documentation: notes.api.documentation ?? document.root["externalDocs"]?["url"]?.string, hosts: hosts,
      schemes: schemes)
  }

  /// A Swift type's name from the document's title: `Pet Store (v2)` is `PetStoreV2`.
  static func apiName(title: String) -> String {
    let name = SwiftName.type(title).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = name.first, first.isLetter else { return "API" }
    return ModelNamer.namesOfOthers.contains(name) ? name + "API" : name
  }

  private func warnOfStaleNotes(_ models: [Model]) {
    let known = Set(operations.map(\.name))
    for name in notes.operations.keys.sorted() where !known.contains(name) {
      log.warn("the notes describe the operation `\(name)`, which the document does not have", at: "#/paths")
    }
    let wireNames = Set(operations.flatMap { $0.parameters.map(\.name) })
    for name in notes.parameters.keys.sorted() where !wireNames.contains(name) {
      log.warn("the notes describe the parameter `\(name)`, which no operation has", at: "#/paths")
    }
    let names = Set(models.map(\.name))
    for (name, note) in notes.parameters.sorted(by: { $0.key < $1.key }) {
      guard let type = note.type, !names.contains(type) else { continue }
      log.warn("the notes say that `\(name)` is a `\(type)`, which the import does not have", at: "#/paths")
    }
    for name in notes.models.keys.sorted() where !namer.usedNotes.contains(name) && !names.contains(name) {
      log.warn("the notes describe the model `\(name)`, which the import does not have", at: "#/components/schemas")
    }
  }

  // MARK: Endpoints

  /// The members of the client's type beside the methods, and the arguments of every method beside the parameters.
  private static let membersOfClient: Set<String> = ["call", "client", "endpoints"]
  private static let argumentsOfMethods: Set<String> = ["options"]

  private func endpoints() -> [Endpoint] {
    let modelNames = Set(namer.componentNames.values)
    var methods = Self.membersOfClient
    return operations.map { operation in
      let note = notes.operations[operation.name]
      var endpoint = Endpoint(name: operation.name, method: operation.method, path: operation.path)
      endpoint.swiftName = note?.name
      let method = endpoint.swiftName ?? SwiftName.method(operation.name)
      if !methods.insert(method).inserted {
        var other = method + "2"
        while !methods.insert(other).inserted { other += "2" }
        endpoint.swiftName = other
        log.warn(
          "another operation's method is called `\(method)` in Swift; this one is `\(other)`", at: operation.pointer)
      }
      endpoint.host = operation.host
      endpoint.summary = summary(of: operation, note)
      endpoint.details = note?.details
      endpoint.documentation = note?.documentation ?? operation.documentation
      endpoint.auth = operation.auth
      endpoint.limits = note?.limits ?? []
      endpoint.deprecation = operation.isDeprecated ? Deprecation() : nil
      endpoint.parameters = parameters(of: operation, modelNames).leading(with: note?.first ?? [])
      for name in note?.first ?? [] where !endpoint.parameters.contains(where: { $0.name == name }) {
        log.warn("the notes put `\(name)` first, which `\(operation.name)` does not take", at: operation.pointer)
      }
      endpoint.body = operation.body
      endpoint.rules = operation.rules.map { ParameterRule(kind: $0.kind, parameters: $0.names) }
      endpoint.returns = operation.answer.map { type(of: $0, base: Words("item"), isOptional: false) }
      endpoint.stream = operation.stream
      let finder = PageFinder(components)
      if operation.stream != nil {
        endpoint.backfill = finder.backfill(of: operation)
      } else {
        endpoint.pages = finder.pages(of: operation)
        if endpoint.pages == nil, let token = finder.token(of: operation) {
          log.note("`\(operation.name)` takes `\(token)`, but its answer has no such token", at: operation.pointer)
        }
      }
      return endpoint
    }
  }

  private func summary(of operation: OperationShape, _ note: ImportNotes.OperationNotes?) -> String {
    if let summary = note?.summary { return summary }
    if options.copiesSummaries, let summary = operation.documentSummary {
      let line = summary.split(separator: "\n").first.map(String.init) ?? summary
      if !line.isEmpty { return line }
    }
    log.warn("`\(operation.name)` has no summary of its own; write one in the notes", at: operation.pointer)
    return ImportNotes.derivedSummary(method: operation.method, path: operation.path)
  }

  private func parameters(of operation: OperationShape, _ modelNames: Set<String>) -> [Parameter] {
    var labels = Self.argumentsOfMethods
    return operation.parameters.map { shape in
      let base = ModelNamer.base(of: shape.name, in: shape.use)
      var parameter = Parameter(
        name: shape.name, place: shape.place, type: type(of: shape.use, base: base, isOptional: !shape.isRequired),
        listStyle: shape.listStyle, summary: Self.summary(of: shape.annotations),
        deprecation: shape.annotations.isDeprecated ? Deprecation() : nil)
      let note = notes.parameters[shape.name]
      if let model = note?.type, parameter.type.kind == .scalar(.string), modelNames.contains(model) {
        // The model has the constraints.
        parameter.type = TypeReference(
          .named(model), isOptional: parameter.type.isOptional, isNullable: parameter.type.isNullable)
      }
      let label = note?.name ?? SwiftName.member(shape.name)
      let distinct = Self.distinct(label, in: &labels)
      parameter.swiftName = distinct ?? (label == SwiftName.member(shape.name) ? nil : label)
      if distinct != nil {
        log.note(
          "`\(shape.name)` has the Swift name of another parameter; it gets one of its own", at: operation.pointer)
      }
      return parameter
    }
  }

  private static func summary(of annotations: Annotations) -> String? {
    annotations.fallback.map { "Default \($0)." }
  }

  /// A name to use instead, where another member has the same one in Swift.
  private static func distinct(_ name: String, in taken: inout Set<String>) -> String? {
    if taken.insert(name).inserted { return nil }
    var number = 2
    while !taken.insert("\(name)\(number)").inserted { number += 1 }
    return "\(name)\(number)"
  }

  // MARK: Models

  private func models() -> [Model] {
    var result: [Model] = []
    var names: Set<String> = []
    for component in components {
      if let name = namer.componentNames[component.pointer] {
        result.append(model(name, component.use, at: component.pointer))
        names.insert(name)
      }
    }
    for (name, shape) in namer.namedShapes where names.insert(name).inserted {
      result.append(model(name, Use(shape), at: "#"))
    }
    return result.sorted { $0.name < $1.name }
  }

  private func model(_ name: String, _ use: Use, at pointer: String) -> Model {
    let note = namer.notesByName[name]
    var model = Model(
      name: name, summary: note?.summary, documentation: note?.documentation,
      shape: .alias(TypeReference(.scalar(.json))))
    if let schema = try? document.value(at: pointer, referredFrom: pointer), schema["deprecated"]?.bool == true {
      model.deprecation = Deprecation()
    }
    switch use.shape {
    case .object(let object):
      var members: Set<String> = object.extra == nil ? [] : ["extra"]
      let fields = object.members.map { member in
        Field(
          name: member.name, swiftName: Self.distinct(SwiftName.property(member.name), in: &members),
          type: type(
            of: member.use, base: ModelNamer.base(of: member.name, in: member.use), isOptional: !member.isRequired),
          // Of a member that may be missing anyway it changes nothing.
          isReadOnly: member.isRequired && member.annotations.isReadOnly && !member.annotations.isWriteOnly,
          isWriteOnly: member.isRequired && member.annotations.isWriteOnly && !member.annotations.isReadOnly,
          constant: member.annotations.constant, summary: Self.summary(of: member.annotations),
          deprecation: member.annotations.isDeprecated ? Deprecation() : nil)
      }
      model.shape = .object(
        fields: fields, extra: object.extra.map { type(of: $0, base: Words("value"), isOptional: false) })
    case .enumeration(let enumeration):
      var cases: Set<String> = []
      model.shape = .enumeration(
        enumeration.values.map {
          EnumCase(value: $0, swiftName: Self.distinct(SwiftName.enumCase($0), in: &cases))
        })
    case .union(let union):
      model.shape = .union(self.union(union))
    case .scalar, .named, .list, .map:
      model.shape = .alias(type(of: use, base: Words("item"), isOptional: false))
    }
    return model
  }

  private func union(_ shape: UnionShape) -> Union {
    var union = Union(tag: shape.tag, variants: [])
    for (index, variant) in shape.variants.enumerated() {
      let type = type(of: variant.use, base: ModelNamer.base(of: variant, at: index), isOptional: false)
      if let same = union.variants.firstIndex(where: { $0.type == type }) {
        union.variants[same].tags += variant.tags
      } else {
        union.variants.append(Union.Variant(tags: variant.tags, type: type))
      }
    }
    var cases: Set<String> = ["unknown"]
    for index in union.variants.indices {
      union.variants[index].swiftName = Self.distinct(union.variants[index].caseName, in: &cases)
    }
    return union
  }

  // MARK: Types

  private func type(of use: Use, base: Words, isOptional: Bool) -> TypeReference {
    let kind: TypeReference.Kind
    switch use.shape {
    case .scalar(let scalar): kind = .scalar(scalar)
    case .named(let pointer):
      kind = namer.componentNames[pointer].map { .named($0) } ?? .scalar(.json)
    case .list(let element): kind = .list(type(of: element, base: base, isOptional: false))
    case .map(let element): kind = .map(type(of: element, base: base, isOptional: false))
    case .object, .enumeration, .union:
      let name = namer.name(of: use.shape, base: base) ?? namer.answerName(use.shape)
      kind = name.map { .named($0) } ?? .scalar(.json)
    }
    return TypeReference(
      kind, isOptional: isOptional, isNullable: use.isNullable,
      constraints: use.shape.isNominal ? Constraints() : use.constraints)
  }
}

extension [Parameter] {
  /// The named ones first, in that order, and then the others as they were.
  fileprivate func leading(with names: [String]) -> [Parameter] {
    names.compactMap { name in first { $0.name == name } } + filter { !names.contains($0.name) }
  }
}
