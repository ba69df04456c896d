import CallsignCatalogue
import CallsignSupport

/// Plans the method of an endpoint.
struct MethodPlanner {
  let api: API
  let types: SwiftTypeNames
  let endpoints: EndpointTable

  func plan(_ endpoint: Endpoint) -> (plan: MethodPlan, choices: [ChoicePlan]) {
    let name = endpoint.methodName
    let alternatives = Alternatives(endpoint, types: types)
    var arguments: [ArgumentPlan] = []
    var steps: [StepPlan] = []
    for parameter in endpoint.parameters {
      if let choice = alternatives.choice(startingWith: parameter.name) {
        arguments.append(choice.argument)
        steps.append(
          alternatives.step(for: choice.rule, in: choice.argument.name) {
            addition($0, of: endpoint, variable: $1)
          })
      } else if let constant = parameter.constant {
        var plan = addition(parameter, of: endpoint, variable: "")
        plan.constant = literal(constant, of: parameter.type)
        steps.append(.add(plan))
      } else if !alternatives.contains(parameter.name) {
        let label = parameter.label
        arguments.append(
          ArgumentPlan(
            name: label, type: types.full(parameter.type), isOptional: parameter.type.isOptional,
            documentation: documentation(parameter), isPageToken: parameter.name == endpoint.pages?.requestParameter))
        steps.append(.add(addition(parameter, of: endpoint, variable: label)))
        if parameter.name == endpoint.lengthFramingParameter { steps.append(.frameByLength(argument: label)) }
      }
    }
    for rule in endpoint.rules where rule.kind != .oneOf || rule.swiftType == nil {
      steps.append(.require(rule.kind, rule.parameters))
    }
    let taken = Set(arguments.map(\.name))
    let ordered = arguments.filter { !$0.isOptional } + arguments.filter(\.isOptional)
    let result = result(endpoint)
    let plan = MethodPlan(
      name: name, documentation: DocumentationPlan(endpoint, types),
      deprecation: endpoint.deprecation.map { $0.message ?? "The API has deprecated this." },
      endpoint: endpointPlan(endpoint, name: name), arguments: ordered,
      optionsLabel: free(["options", "callOptions", "optionsOfCall"], taken),
      callVariable: free(["call", "request", "outgoingCall"], taken),
      clientExpression: taken.contains("client") ? "self.client" : "client", steps: steps, result: result,
      pages: PagesPlanner(types: types).plan(endpoint, name: name),
      operation: OperationPlanner(types: types, catalogue: endpoints).plan(endpoint, result, taken: taken))
    return (plan, alternatives.choices)
  }

  /// The constant as a Swift literal. An enum's value is sent as its text on the wire.
  private func literal(_ constant: String, of type: TypeReference) -> String {
    switch types.resolved(type).kind {
    case .scalar(.int), .scalar(.number), .scalar(.bool): constant
    case .named(let name) where types.model(named: name)?.isInteger == true: constant
    default: SwiftLiteral.string(constant)
    }
  }

  private func free(_ candidates: [String], _ taken: Set<String>) -> String {
    if let name = candidates.first(where: { !taken.contains($0) }) { return name }
    var name = candidates.last ?? "_"
    while taken.contains(name) { name += "_" }
    return name
  }

  /// The description of a parameter, or its name on the wire if it has none: DocC wants either all parameters or none.
  private func documentation(_ parameter: Parameter) -> String {
    let line = DocumentationPlan(
      summary: parameter.summary, deprecation: parameter.deprecation,
      constraints: DocumentationPlan.constraints(parameter.type, types), defaultValue: parameter.defaultValue
    ).line
    guard line.isEmpty else { return line }
    let name = "`\(SwiftLiteral.comment(parameter.wire))`"
    return switch parameter.place {
    case .path: "\(name) in the path."
    case .query: "\(name) in the query."
    case .header: "The header field \(name)."
    case .cookie: "The cookie \(name)."
    case .field: "\(name) in the body."
    case .body: "The whole body."
    }
  }

  private func endpointPlan(_ endpoint: Endpoint, name: String) -> EndpointPlan {
    let facts = EndpointFacts(endpoint, of: api, types.table)
    return EndpointPlan(
      property: name + "Endpoint", name: endpoint.name, method: endpoint.method, baseURL: facts.baseURL,
      path: endpoint.path, auth: facts.auth, isRepeatable: facts.isRepeatable, body: facts.body,
      stream: endpoint.stream,
      backfill: facts.backfillLimit.flatMap { limit in
        endpoint.backfill.map { BackfillPlan(parameter: $0.parameter, limit: limit, id: $0.id) }
      },
      details: facts.details)
  }

  private func addition(_ parameter: Parameter, of endpoint: Endpoint, variable: String) -> AdditionPlan {
    let resolved = types.resolved(parameter.type)
    let place: AdditionPlan.Place =
      switch parameter.place {
      case .path: .path
      case .query: .query
      case .header: .header
      case .cookie: .cookie
      case .body:
        switch resolved.kind {
        case .scalar(.bytes): .wholeBytes
        case .scalar(.string) where endpoint.hasRawBody: .wholeText
        default: .wholeJSON
        }
      case .field:
        switch endpoint.body {
        case .json, nil: .json
        case .form: .form
        case .multipart: isFile(resolved) ? .file : .part
        }
      }
    var isList = false
    if case .list = resolved.kind { isList = true }
    let isText = place != .json && place != .wholeJSON
    let objectStyle = isText ? parameter.objectStyle : nil
    var hasListStyle = isList && isText && parameter.listStyle != .comma
    if let objectStyle {
      hasListStyle =
        objectStyle == .json
        ? isList && parameter.listStyle == .repeat : ![.comma, .brackets].contains(parameter.listStyle)
    }
    let hasCommas = !hasListStyle && (objectStyle?.isOneText ?? isList)
    // The call's function takes one date format, for a date or for the dates of a list.
    let format = objectStyle == nil && place != .wholeJSON ? dateFormat(resolved) : nil
    return AdditionPlan(
      place: place, wire: parameter.wire, variable: variable, listStyle: hasListStyle ? parameter.listStyle : nil,
      objectStyle: objectStyle,
      reserved: parameter.keepsReserved ? hasCommas ? .allButCommas : .all : nil,
      dateFormat: format,
      // Whatever its style, an object is made from its JSON.
      converted: types.wireForm(
        of: SwiftName.escaped(variable), parameter.type,
        isJSON: place == .json || place == .wholeJSON || objectStyle != nil, convertsDates: format == nil))
  }

  private func isFile(_ type: TypeReference) -> Bool {
    switch type.kind {
    case .scalar(.file): true
    case .list(let element): isFile(types.resolved(element))
    default: false
    }
  }

  /// The format of a date, or of a list's dates if none of them can be null.
  private func dateFormat(_ type: TypeReference) -> DateFormat? {
    switch type.kind {
    case .scalar(.date(let format)): return format
    case .list(let element):
      let element = types.resolved(element)
      if case .scalar(.date(let format)) = element.kind, !element.isNullable { return format }
      return nil
    default: return nil
    }
  }

  private func result(_ endpoint: Endpoint) -> ResultPlan {
    // A stream of records without a type is a stream of any JSON.
    guard let returns = endpoint.returns else {
      return endpoint.stream == nil ? .none : .stream(types.name(.jsonValue))
    }
    if endpoint.stream != nil { return .stream(types.base(returns)) }
    if endpoint.returnsAnyContent { return .content }
    switch types.resolved(returns).kind {
    case .scalar(.bytes): return .bytes
    case .scalar(.string) where endpoint.accept.map({ !MediaType.isJSON($0) }) ?? false: return .text
    default: return .value(types.value(returns))
    }
  }
}

/// Plans the method that returns the pages of an endpoint with `pages:`.
struct PagesPlanner {
  let types: SwiftTypeNames

  func plan(_ endpoint: Endpoint, name: String) -> PagesPlan? {
    guard let pages = endpoint.pages, let returns = endpoint.returns, endpoint.stream == nil,
      let (items, item) = items(pages.items, in: returns)
    else { return nil }
    let parameter = endpoint.parameters.first { $0.name == pages.requestParameter }
    var next = (pages.style == .url ? pages.parameter : pages.next).flatMap { access($0, in: returns) }.map(text)
    var previous = pages.previous.flatMap { access($0, in: returns) }.map(text)
    // Both tokens must have the same type.
    if let one = next, let other = previous, types.resolved(one.type).kind != types.resolved(other.type).kind {
      (next, previous) = (parameterText(one), parameterText(other))
    }
    let size = pages.size.flatMap { name in endpoint.parameters.first { $0.name == name } }
    return PagesPlan(
      name: SwiftName.pagesMethod(name), style: pages.style, parameter: pages.requestParameter,
      isInBody: parameter?.place == .field, page: types.value(returns), item: types.value(item),
      next: next?.expression, previous: previous?.expression, items: items,
      itemPath: pages.items == "." ? "" : pages.items,
      more: pages.more.flatMap { access($0, in: returns) }.map { json($0, "bool").expression },
      total: pages.total.flatMap { access($0, in: returns) }.map { json($0, "int").expression },
      nextHeader: pages.nextHeader, first: pages.first, size: size.map { expression(ofSize: $0) },
      id: pages.id.flatMap { access($0, in: item) }.map { text($0).expression }, since: pages.since)
  }

  /// The expression for a page's elements, and their type. If the response is any JSON, the elements are too.
  private func items(_ path: String, in returns: TypeReference) -> (String, TypeReference)? {
    guard let items = access(path, in: returns) else { return nil }
    switch types.resolved(items.type).kind {
    case .list(let item): return (items.expression + (items.isOptional ? " ?? []" : ""), item)
    case .scalar(.json): return (json(items, "array").expression + " ?? []", TypeReference(.scalar(.json)))
    default: return nil
    }
  }

  /// An expression for the requested page size, as an `Int` that may be optional.
  private func expression(ofSize parameter: Parameter) -> String {
    if let constant = parameter.constant { return constant }
    let type = types.resolved(parameter.type)
    let name = SwiftName.escaped(parameter.label)
    return type.isNullable ? name + (type.isOptional ? "?" : "") + ".value" : name
  }

  private struct Access {
    /// `$0.meta?.nextToken`
    var expression: String
    var type: TypeReference
    /// Whether the whole expression is optional because one of its steps is.
    var isOptional: Bool
    /// Whether the last step is optional. A step after an optional one continues with just a dot.
    var endsOptional = false

    /// Continues to a member of a value whose members can have any name.
    ///
    /// - Parameter property: The property that contains the members; empty if the value itself is a dictionary.
    mutating func lookUp(_ name: String, in property: String, _ type: TypeReference, isNullable: Bool) {
      expression += (endsOptional ? "?" : "") + property + "[\(SwiftLiteral.string(name))]"
      if isNullable { expression += "?.value" }
      self.type = type
      (endsOptional, isOptional) = (true, true)
    }
  }

  /// The value in the form for the next request: URLs and JSON values become text.
  private func text(_ access: Access) -> Access {
    switch types.resolved(access.type).kind {
    case .scalar(.url): member("absoluteString", of: access)
    case .scalar(.json): parameterText(access)
    default: access
    }
  }

  private func parameterText(_ access: Access) -> Access {
    types.resolved(access.type).kind == .scalar(.string) ? access : member("parameterText", of: access)
  }

  /// The value as a Swift type, if it is any JSON.
  private func json(_ access: Access, _ name: String) -> Access {
    types.resolved(access.type).kind == .scalar(.json) ? member(name, of: access) : access
  }

  /// A property of the value, which is a string.
  private func member(_ name: String, of access: Access) -> Access {
    Access(
      expression: access.expression + (access.endsOptional ? "?" : "") + "." + name,
      type: TypeReference(.scalar(.string)), isOptional: access.isOptional)
  }

  /// The value at a dotted path in a variable.
  func expression(_ path: String, in type: TypeReference, from variable: String) -> String? {
    access(path, in: type).map { variable + $0.expression.dropFirst("$0".count) }
  }

  /// The string or URL at a dotted path in a variable, as a string.
  func textExpression(_ path: String, in type: TypeReference, from variable: String) -> String? {
    access(path, in: type).map { variable + text($0).expression.dropFirst("$0".count) }
  }

  /// The type of a member with any name, in a JSON value or in a map.
  private static func member(of kind: TypeReference.Kind) -> TypeReference? {
    switch kind {
    case .scalar(.json): TypeReference(.scalar(.json))
    case .map(let value): value
    case .scalar, .named, .list: nil
    }
  }

  /// The expression for a dotted path, or `nil` if the path leads nowhere.
  private func access(_ path: String, in type: TypeReference) -> Access? {
    var access = Access(expression: "$0", type: type, isOptional: false)
    guard path != "." else { return access }
    for step in path.pathNames {
      let owner = types.resolved(access.type).kind
      if let member = Self.member(of: owner) {
        access.lookUp(step, in: "", member, isNullable: types.resolved(member).isNullable)
        continue
      }
      guard case .named(let name) = owner, let model = types.model(named: name),
        case .object(let fields, let extra) = model.shape
      else { return nil }
      guard let field = fields.first(where: { $0.name == step }) else {
        guard let extra else { return nil }
        access.lookUp(step, in: ".extra", extra, isNullable: types.resolved(extra).isNullable)
        continue
      }
      let property = field.propertyName
      access.expression += (access.endsOptional ? "?." : ".") + property
      access.endsOptional = false
      let resolved = types.resolved(field.type)
      if resolved.isNullable {
        access.expression += (resolved.isOptional ? "?" : "") + ".value"
        access.endsOptional = true
      }
      access.type = field.type
      // A missing list is read as an empty one.
      if resolved.isOptional, !types.isList(resolved) { access.endsOptional = true }
      if access.endsOptional { access.isOptional = true }
    }
    return access
  }
}
