import CallsignCatalogue

/// Combines operations and named shapes into a catalogue.
struct CatalogueBuilder {
  let document: OpenAPIDocument
  let apiName: String
  let options: ImportOptions
  let guide: ImportGuide
  let log: ImportLog
  let namer: ModelNamer
  let components: [(pointer: String, use: Use)]
  let operations: [OperationShape]
  let hosts: [CatalogueHost]
  let schemes: [Scheme]
  let webhooks: WebhookScheme?

  /// The catalogue, and which members of responses needed the overlay's `required`.
  func build() -> (Catalogue, required: [String: Bool]) {
    var models = self.models()
    for (union, variant) in RecursionFinder.endUnions(&models) {
      log.warn(
        "the alternative `\(variant)` of `\(union)` leads back to `\(union)`, so reading it may never end; it is left out",
        at: "#/components/schemas")
    }
    for name in RecursionFinder.markIndirect(&models) {
      log.warn("`\(name)` must contain itself without end; here it may be left out", at: "#/components/schemas")
    }
    let table = ModelTable(Dictionary(models.map { ($0.name, $0) }) { first, _ in first })
    var endpoints = self.endpoints(table)
    checkDefaults(of: &endpoints, &models, table)
    for index in endpoints.indices where !(endpoints[index].returns.map { Self.isOwn($0, table) } ?? false) {
      if !endpoints[index].responseHeaders.isEmpty {
        log.count(ResponseReader.headersElsewhere, at: Pointer.child(operations[index].pointer, "responses"))
      }
      endpoints[index].responseHeaders = []
    }
    refuseNull(of: &endpoints, table)
    Self.nameHeaders(of: &endpoints, table)
    let everyCall = CommonFacts.take(from: &endpoints, table)
    for sign in everyCall.failures {
      log.note(
        "a response whose `\(sign.path)` is \(sign.values.map { "`\($0)`" }.joined(separator: " or ")) is a failure; if it "
          + "is not, say `failure: {\(QuotedScalar.scalar(sign.path, isInFlow: true)): ~}` under `api` of the overlay",
        at: "#/paths")
    }
    let required = guide.requireMembersOfResponses(in: &models, endpoints: endpoints)
    let placement = GroupPlacement(
      operations: operations, endpoints: endpoints, models: models, guide: guide, commonErrors: everyCall.errors)
    var catalogue = Catalogue(api: api(everyCall), groups: placement.groups())
    for (index, group) in catalogue.groups.enumerated() {
      if let summary = guide.summaries.groups[group.name] { catalogue.groups[index].summary = summary }
    }
    catalogue.examples = examples()
    return (catalogue, required)
  }

  /// Removes null, with a warning, from whole responses that are read as pages, states, records, bytes or text, or that have header
  /// fields as members.
  private func refuseNull(of endpoints: inout [Endpoint], _ table: ModelTable) {
    for index in endpoints.indices {
      let endpoint = endpoints[index]
      guard let returns = endpoint.returns, returns.isNullable else { continue }
      let isBytes = table.resolved(returns).kind == .scalar(.bytes)
      let isJSON = endpoint.accept.map(MediaType.isJSON) ?? true && !isBytes
      let hasMembers =
        endpoint.pages != nil || endpoint.poll != nil || endpoint.stream != nil || !endpoint.responseHeaders.isEmpty
      if isJSON, !hasMembers { continue }
      log.warn("the whole response may be null, which is an error here", at: operations[index].pointer)
      endpoints[index].returns?.isNullable = false
    }
  }

  private func api(_ everyCall: EveryCall) -> API {
    var schemes = schemes
    // Operations may request scopes that the scheme does not list.
    let positions = Dictionary(schemes.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var listed = schemes.map { Set($0.scopes.map(\.name)) }
    for requirement in operations.flatMap(\.auth).flatMap(\.all) {
      guard let index = positions[requirement.scheme] else { continue }
      for scope in requirement.scopes where listed[index].insert(scope).inserted {
        log.note("`securitySchemes` does not list the scope `\(scope)`", at: "#/components/securitySchemes")
        schemes[index].scopes.append(Scope(name: scope))
      }
    }
    if operations.contains(where: { $0.auth.contains { $0.scheme == "none" } }),
      !schemes.contains(where: { $0.name == "none" })
    {
      schemes.append(Scheme(name: "none"))
    }
    var api = API(
      name: apiName, documentation: document.root["externalDocs"]?["url"]?.string, hosts: hosts, schemes: schemes)
    api.summary = guide.summaries.api
    api.everyCall = everyCall
    api.webhooks = webhooks
    return api
  }

  /// A Swift type name from the document's title: `Pet Store (v2)` becomes `PetStoreV2`.
  static func apiName(title: String) -> String {
    let name = SwiftName.type(title).filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    guard let first = name.first, first.isLetter else { return "API" }
    return ModelNamer.namesOfOthers.contains(name) ? name + "API" : name
  }

  // MARK: Defaults

  /// Removes defaults that are not a value of their type, and those that are always sent anyway.
  private func checkDefaults(of endpoints: inout [Endpoint], _ models: inout [Model], _ table: ModelTable) {
    func checked(_ value: DefaultValue?, _ type: TypeReference, _ name: String, at pointer: String) -> DefaultValue? {
      guard var value else { return nil }
      // A list with one element, written without brackets.
      if case .single(let text) = value, case .list = table.resolved(type).kind { value = .list([text]) }
      if value.fits(type, table) { return value }
      log.note("the default \(value.words) of `\(name)` is not a value of its type; it is left out", at: pointer)
      return nil
    }
    for (index, operation) in zip(endpoints.indices, operations) {
      for position in endpoints[index].parameters.indices {
        let parameter = endpoints[index].parameters[position]
        guard let value = parameter.defaultValue else { continue }
        if parameter.type.isOptional {
          endpoints[index].parameters[position].defaultValue = checked(
            value, parameter.type, parameter.name, at: operation.pointer)
        } else {
          log.note(
            "`\(parameter.name)` must be sent, so its default \(value.words) has no effect; it is left out",
            at: operation.pointer)
          endpoints[index].parameters[position].defaultValue = nil
        }
      }
    }
    for index in models.indices {
      guard case .object(var fields, let extra) = models[index].shape else { continue }
      for position in fields.indices where fields[position].defaultValue != nil {
        fields[position].defaultValue = checked(
          fields[position].defaultValue, fields[position].type, "\(models[index].name).\(fields[position].name)",
          at: "#/components/schemas")
      }
      models[index].shape = .object(fields: fields, extra: extra)
    }
  }

  // MARK: Endpoints

  /// The client type's members other than methods, and the arguments of every method other than parameters.
  private static let membersOfClient: Set<String> = ["call", "client", "endpoints"]
  private static let argumentsOfMethods: Set<String> = ["options"]

  private func endpoints(_ table: ModelTable) -> [Endpoint] {
    var distinct = DistinctNames(taken: Self.membersOfClient)
    let methodNames = distinct.names(for: operations.map(\.name), SwiftName.method)
    let finder = PageFinder(components)
    var endpoints = zip(operations, methodNames).map { endpoint(of: $0, methodName: $1, finder) }
    var methods = Self.membersOfClient.union(endpoints.map(\.methodName))
    dropPagesWithTakenNames(of: &endpoints, &methods)
    addPolls(to: &endpoints, &methods, table)
    for (index, operation) in zip(endpoints.indices, operations) {
      endpoints[index].status = Self.status(of: operation, endpoints[index])
    }
    return endpoints
  }

  /// - Parameter methodName: The Swift name of its method, if another operation has the usual one.
  private func endpoint(of operation: OperationShape, methodName: String?, _ finder: PageFinder) -> Endpoint {
    let adopted = guide.adopted[operation.name]
    var endpoint = Endpoint(name: operation.name, method: operation.method, path: operation.path)
    endpoint.swiftName = methodName
    if let methodName {
      log.warn(
        "another operation's method is called `\(SwiftName.method(operation.name))` in Swift; this one is `\(methodName)`",
        at: operation.pointer)
    }
    endpoint.host = operation.host
    endpoint.summary = summary(of: operation, adopted)
    endpoint.details = adopted?.details ?? Self.details(of: operation)
    endpoint.documentation = operation.documentation
    endpoint.auth = operation.auth
    endpoint.limits = adopted?.limits ?? []
    endpoint.deprecation = operation.isDeprecated ? Deprecation() : nil
    endpoint.parameters = parameters(of: operation)
    endpoint.body = operation.body
    // Of a body that a parameter needs, that says enough.
    endpoint.isBodyRequired = operation.isBodyRequired && operation.body != nil && !endpoint.needsBody
    endpoint.rules = operation.rules.map { ParameterRule(kind: $0.kind, parameters: $0.names) }
    endpoint.returns = operation.response.map { type(of: $0, base: Words("item"), isOptional: false) }
    endpoint.stream = operation.stream
    endpoint.streamEnd = operation.streamEnd
    endpoint.hasWholeEvents = operation.hasWholeEvents
    endpoint.contentType = operation.contentType
    endpoint.accept = operation.accept
    endpoint.idempotencyKey = operation.idempotencyKey
    endpoint.errors = errors(of: operation)
    endpoint.responseHeaders = responseHeaders(of: operation)
    if operation.stream != nil {
      endpoint.backfill = finder.backfill(of: operation)
    } else {
      endpoint.pages = finder.pages(of: operation)
      let isDecided = guide.overlay?.endpointsWithPages.contains(operation.name) == true
      if endpoint.pages == nil, !isDecided, let token = finder.token(of: operation) {
        log.note("`\(operation.name)` takes `\(token)`, but its response has no such token", at: operation.pointer)
      }
    }
    return endpoint
  }

  /// Removes the pages whose method would have the name of another method.
  ///
  /// - Parameter methods: The names of all methods so far.
  private func dropPagesWithTakenNames(of endpoints: inout [Endpoint], _ methods: inout Set<String>) {
    for (index, operation) in zip(endpoints.indices, operations) where endpoints[index].pages != nil {
      guard !methods.insert(SwiftName.pagesMethod(endpoints[index].methodName)).inserted else { continue }
      endpoints[index].pages = nil
      log.note("no method has the pages of `\(operation.name)`: its name is another operation's", at: operation.pointer)
    }
  }

  /// Adds polling to operations that continue after the call, unless their method would have the name of another.
  ///
  /// - Parameter methods: The names of all methods so far.
  private func addPolls(to endpoints: inout [Endpoint], _ methods: inout Set<String>, _ table: ModelTable) {
    let polls = PollFinder(operations, endpoints, table)
    for (index, operation) in zip(endpoints.indices, operations) {
      guard let poll = polls.poll(of: operation, endpoints[index]) else { continue }
      if methods.insert(OperationPoll.methodName(endpoints[index].methodName)).inserted {
        endpoints[index].poll = poll
      } else {
        log.note("no method can follow `\(operation.name)`: its name is another operation's", at: operation.pointer)
      }
    }
  }

  /// The status of a successful response, if it differs from the catalogue's default.
  private static func status(of operation: OperationShape, _ endpoint: Endpoint) -> Int? {
    guard let status = operation.status, status != endpoint.usualStatus else { return nil }
    if endpoint.poll != nil, operation.hasAccepted { return nil }
    // RFC 9110 §15.3.5: these have no content, whatever the document says.
    return endpoint.returns != nil && [204, 205].contains(status) ? nil : status
  }

  private static func details(of operation: OperationShape) -> String? {
    var seen: Set<String> = []
    let links = operation.links.filter { seen.insert($0).inserted }
    return links.isEmpty ? nil : AdoptedText.linkPhrase + links.joined(separator: ", ") + "."
  }

  /// The document's examples, by the catalogue's names.
  private func examples() -> CatalogueExamples? {
    var collector = ExampleCollector(log: log)
    for operation in operations {
      collector.addResponses(operation.examples, of: operation.name, at: operation.pointer)
    }
    var names: Set<String> = []
    for component in components {
      guard let name = namer.componentNames[component.pointer], names.insert(name).inserted else { continue }
      let schema = try? document.value(at: component.pointer, referredFrom: component.pointer)
      collector.add(component.use, schema: schema, of: name, at: component.pointer)
    }
    for (name, shape) in namer.namedShapes where names.insert(name).inserted {
      collector.add(Use(shape), schema: nil, of: name, at: "#")
    }
    return collector.text(ImportOrigin(title: document.title, version: document.version))
      .map { CatalogueExamples(json: Array($0.utf8)) }
  }

  /// The types of error bodies.
  private func errors(of operation: OperationShape) -> [ErrorBody] {
    operation.errors.compactMap { body in
      if let name = namer.errorName(body.use.shape) {
        return ErrorBody(status: body.status, type: TypeReference(.named(name)))
      }
      let type = type(of: body.use, base: ModelNamer.baseOfErrors, isOptional: false)
      switch type.kind {
      // A type for any JSON would say nothing.
      case .scalar(.json), .map(TypeReference(.scalar(.json))): return nil
      case .scalar:
        log.count(
          "an error's body that is a single value has no type in a catalogue; it is in `error.rawResponse`",
          at: Pointer.child(Pointer.child(operation.pointer, "responses"), body.status))
        return nil
      case .named, .list, .map: break
      }
      return ErrorBody(status: body.status, type: TypeReference(type.kind))
    }
  }

  /// The header fields of a response, as members of the response.
  private func responseHeaders(of operation: OperationShape) -> [ResponseHeader] {
    guard operation.stream == nil else {
      if !operation.responseHeaders.isEmpty {
        log.count(ResponseReader.headersElsewhere, at: Pointer.child(operation.pointer, "responses"))
      }
      return []
    }
    return operation.responseHeaders.map { header in
      ResponseHeader(name: header.name, type: TypeReference(.scalar(Self.scalar(header.use))))
    }
  }

  /// Gives header fields another Swift name if the response or another of its header fields has the same name. All responses of one
  /// type share the members that any of them has.
  private static func nameHeaders(of endpoints: inout [Endpoint], _ table: ModelTable) {
    var known: [String: ResponseHeader] = [:]
    for index in endpoints.indices {
      guard let returns = endpoints[index].returns else { continue }
      let type = returns.canonical { table.resolved($0) }.text
      var names: Set<String> = []
      for position in endpoints[index].responseHeaders.indices {
        let header = endpoints[index].responseHeaders[position]
        let name = header.propertyName.counted { candidate in
          if names.contains(candidate) { return true }
          if GeneratedNames.responseMembers.contains(candidate), hasMember(candidate, returns, table) { return true }
          guard let other = known["\(type) \(candidate)"] else { return false }
          return other.name.lowercased() != header.name.lowercased() || other.type.kind != header.type.kind
        }
        names.insert(name)
        known["\(type) \(name)"] = header
        if name != header.propertyName { endpoints[index].responseHeaders[position].swiftName = name }
      }
    }
  }

  /// Whether an object, or every variant of a union, has a member that becomes this property.
  private static func hasMember(_ name: String, _ type: TypeReference, _ table: ModelTable) -> Bool {
    guard case .named(let model) = table.resolved(type).kind else { return false }
    switch table[model]?.shape {
    case .object(let fields, _)?: return fields.contains { $0.propertyName == name }
    case .union(let union)?:
      return union.variants.allSatisfy { variant in
        guard case .named(let model) = table.resolved(variant.type).kind,
          case .object(let fields, _)? = table[model]?.shape
        else { return false }
        return fields.contains { $0.propertyName == name }
      }
    default: return false
    }
  }

  /// Whether a type is a model, or a list or map of models. Only these can have header fields as members.
  private static func isOwn(_ type: TypeReference, _ table: ModelTable) -> Bool {
    switch table.resolved(type).kind {
    case .named: true
    case .list(let element), .map(let element): isOwn(element, table)
    case .scalar: false
    }
  }

  private static func scalar(_ use: Use) -> Scalar {
    if case .scalar(let scalar) = use.shape { scalar } else { .string }
  }

  private func summary(of operation: OperationShape, _ adopted: AdoptedText?) -> String {
    if let summary = adopted?.summary { return summary }
    let own = FirstSentence.of(operation.documentSummary)
    if options.copiesSummaries, let own { return own }
    if guide.overlay?.summarizedEndpoints.contains(operation.name) != true {
      log.warn(
        ImportWarning.missingSummary(of: operation.name, isInDocument: own != nil), at: operation.pointer)
    }
    return AdoptedText.derivedSummary(method: operation.method, path: operation.path)
  }

  /// The first sentence of the document's text, if texts are copied.
  private func copied(_ text: String?) -> String? {
    options.copiesSummaries ? FirstSentence.of(text) : nil
  }

  private func parameters(of operation: OperationShape) -> [Parameter] {
    var distinct = DistinctNames(taken: Self.argumentsOfMethods)
    let labels = distinct.names(for: operation.parameters.map(\.name), SwiftName.member)
    return zip(operation.parameters, labels).map { shape, label in
      let base = ModelNamer.base(of: shape.name, in: shape.use)
      var parameter = Parameter(
        name: shape.name, place: shape.place, type: type(of: shape.use, base: base, isOptional: !shape.isRequired),
        listStyle: shape.listStyle, constant: shape.constant,
        deprecation: shape.annotations.isDeprecated ? Deprecation() : nil)
      let isJSON =
        shape.place == .body || shape.place == .field && operation.body == .json || shape.objectStyle == .json
      if !isJSON { parameter.type.dropNullOutsideJSON() }
      parameter.summary = guide.adopted[operation.name]?.parameters[shape.name] ?? copied(shape.annotations.text)
      parameter.wireName = shape.wireName
      parameter.objectStyle = shape.objectStyle
      parameter.keepsReserved = shape.keepsReserved
      parameter.defaultValue = shape.constant == nil ? shape.annotations.fallback : nil
      parameter.swiftName = label
      if label != nil {
        log.note(
          "`\(shape.name)` has the Swift name of another parameter; it gets another one", at: operation.pointer)
      }
      return parameter
    }
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
    var model = Model(name: name, shape: .alias(TypeReference(.scalar(.json))))
    if let schema = try? document.value(at: pointer, referredFrom: pointer), schema["deprecated"]?.bool == true {
      model.deprecation = Deprecation()
    }
    switch use.shape {
    case .object(let object):
      var distinct = DistinctNames(taken: object.extra == nil ? [] : ["extra"])
      let names = distinct.names(for: object.members.map(\.name), SwiftName.property)
      let fields = zip(object.members, names).map { member, swiftName in
        var field = Field(
          name: member.name, swiftName: swiftName,
          type: type(
            of: member.use, base: ModelNamer.base(of: member.name, in: member.use), isOptional: !member.isRequired),
          isReadOnly: member.annotations.isReadOnly && !member.annotations.isWriteOnly,
          isWriteOnly: member.annotations.isWriteOnly && !member.annotations.isReadOnly,
          constant: member.annotations.constant, summary: copied(member.annotations.text),
          deprecation: member.annotations.isDeprecated ? Deprecation() : nil)
        if field.constant == nil { field.defaultValue = member.annotations.fallback }
        return field
      }
      model.shape = .object(
        fields: fields, extra: object.extra.map { type(of: $0, base: Words("value"), isOptional: false) })
    case .enumeration(let enumeration):
      (model.isInteger, model.isClosed) = (enumeration.isInteger, enumeration.isClosed)
      model.isExtensible = enumeration.isExtensible
      func given(_ value: String) -> String? {
        let name = enumeration.names[value].map(SwiftName.enumCase).flatMap { $0 == "empty" ? nil : $0 }
        // Without its sign, it would have the same name as the positive number.
        return name ?? (enumeration.isInteger && value.hasPrefix("-") ? "minus" + value.dropFirst() : nil)
      }
      var distinct = DistinctNames()
      let names = distinct.names(for: enumeration.values) { given($0) ?? SwiftName.enumCase($0) }
      model.shape = .enumeration(
        zip(enumeration.values, names).map { value, name in
          EnumCase(value: value, swiftName: name ?? given(value), summary: copied(enumeration.summaries[value]))
        })
    case .union(let union):
      model.shape = .union(self.union(union))
    case .scalar, .named, .list, .map:
      model.shape = .alias(type(of: use, base: Words("item"), isOptional: false))
    }
    guide.summaries.describe(&model)
    return model
  }

  private func union(_ shape: UnionShape) -> Union {
    var union = Union(tag: shape.tag, variants: [])
    var positions: [TypeReference: Int] = [:]
    for (index, variant) in shape.variants.enumerated() {
      let type = type(of: variant.use, base: ModelNamer.base(of: variant, at: index), isOptional: false)
      if let same = positions[type] {
        union.variants[same].tags += variant.tags
      } else {
        positions[type] = union.variants.count
        union.variants.append(Union.Variant(tags: variant.tags, type: type))
      }
    }
    var distinct = DistinctNames(taken: ["unknown"])
    let names = distinct.names(for: union.variants.map(\.caseName)) { $0 }
    for index in union.variants.indices { union.variants[index].swiftName = names[index] }
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
      let name = namer.name(of: use.shape, base: base) ?? namer.responseName(use.shape)
      kind = name.map { .named($0) } ?? .scalar(.json)
    }
    return TypeReference(
      kind, isOptional: isOptional, isNullable: use.isNullable,
      constraints: use.shape.isNominal ? Constraints() : use.constraints)
  }
}

extension TypeReference {
  /// Removes null from files and from the elements of lists, because a text or a part cannot represent it.
  fileprivate mutating func dropNullOutsideJSON() {
    switch kind {
    case .scalar(.file): isNullable = false
    case .list(var element):
      element.isNullable = false
      kind = .list(element)
      if element.kind == .scalar(.file) { isNullable = false }
    default: break
    }
  }
}
