extension CatalogueChecks {
  mutating func checkEndpoints() {
    var names: [String: SourceLocation] = [:]
    var methods: [String: (name: String, location: SourceLocation)] = [:]
    var choices: [String: ChoiceType] = [:]
    for group in draft.groups {
      for (endpoint, marks) in zip(group.group.endpoints, group.marks) {
        if let other = names[endpoint.name] {
          error(
            "the endpoint `\(endpoint.name)` is declared already, in \(place(other, from: endpoint.location)); rename or "
              + "remove one", at: endpoint.location)
        } else {
          names[endpoint.name] = endpoint.location
          checkMethodName(endpoint, among: &methods)
        }
        checkAuth(marks.auth ?? [])
        if endpoint.auth.isEmpty, marks.auth == nil, draft.apis.first != nil {
          error(
            "`\(endpoint.name)` has no `auth`; write `auth:` here, under `group:` or under `api:` "
              + "(`[none]` when the call needs no credentials)", at: endpoint.location)
        }
        if let host = endpoint.host, let location = marks.values[.host] { checkHost(host, at: location) }
        checkPath(endpoint, marks)
        checkParameters(endpoint, marks)
        checkBody(endpoint, marks)
        checkRules(endpoint, marks, &choices)
        checkResponse(endpoint, marks)
        checkPages(endpoint, marks)
        checkPoll(endpoint, marks)
        checkErrors(endpoint.errors)
        checkResponseHeaders(endpoint)
      }
    }
  }

  private mutating func checkMethodName(
    _ endpoint: Endpoint, among methods: inout [String: (name: String, location: SourceLocation)]
  ) {
    var claimed = [endpoint.methodName]
    if endpoint.pages != nil { claimed.append(SwiftName.pagesMethod(endpoint.methodName)) }
    if endpoint.poll != nil { claimed.append(OperationPoll.methodName(endpoint.methodName)) }
    for method in claimed {
      if let other = methods[method] {
        error(
          "`\(other.name)` and `\(endpoint.name)` both have the Swift method `\(method)`, the other in "
            + "\(place(other.location, from: endpoint.location)); give one a `name:`", at: endpoint.location)
      } else if GeneratedNames.methods.contains(method) {
        error("the Swift member `\(method)` already exists; give the endpoint a `name:`", at: endpoint.location)
      } else {
        methods[method] = (endpoint.name, endpoint.location)
      }
    }
  }

  // MARK: Path

  private mutating func checkPath(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    for placeholder in marks.placeholders {
      guard let index = endpoint.parameters.firstIndex(where: { $0.name == placeholder.name }) else {
        let advice =
          suggestions.clause(for: placeholder.name, among: endpoint.parameters.map(\.name))
          ?? "; add `\(placeholder.name): string` (or its type) under `params`"
        error("the path's `{\(placeholder.name)}` is not a parameter\(advice)", at: placeholder.location)
        continue
      }
      let parameter = endpoint.parameters[index]
      if parameter.place != .path, let place = marks.parameters[index].place {
        error("`\(parameter.name)` is in the path of `call`, so it cannot be elsewhere; remove `in`", at: place)
      }
    }
    for (index, parameter) in endpoint.parameters.enumerated() where parameter.place == .path {
      guard !marks.placeholders.contains(where: { $0.name == parameter.name }) else { continue }
      let advice =
        suggestions.clause(for: parameter.name, among: marks.placeholders.map(\.name))
        ?? "; put it there, or give it another place"
      error(
        "the parameter `\(parameter.name)` is to be in the path, which has no `{\(parameter.name)}`\(advice)",
        at: marks.parameters[index].place ?? parameter.location)
    }
  }

  // MARK: Body

  private mutating func checkBody(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    if endpoint.isBodyRequired, let location = marks.values[.bodyRequired] {
      if let whole = endpoint.parameters.first(where: { $0.place == .body }) {
        error(
          "`\(whole.name)` is the whole body; remove `body_required`, and write its type without `?`", at: location)
      } else if endpoint.body == nil {
        error("the endpoint has no body; remove `body_required`, or add `body: json`", at: location)
      }
    }
    if endpoint.method == "GET" || endpoint.method == "HEAD" {
      if let location = marks.values[.body] {
        error(
          "a \(endpoint.method) has no body (RFC 9110 §9.3.1); remove `body`, and the parameters go in the query",
          at: location)
        return
      }
      for (parameter, mark) in zip(endpoint.parameters, marks.parameters)
      where parameter.place == .body || parameter.place == .field {
        error(
          "a \(endpoint.method) has no body (RFC 9110 §9.3.1); remove `in: \(parameter.place.rawValue)`, or use POST",
          at: mark.place ?? parameter.location)
      }
      return
    }
    for (parameter, mark) in zip(endpoint.parameters, marks.parameters)
    where parameter.place == .field && endpoint.body == nil {
      error(
        "`\(parameter.name)` is a field, but a \(endpoint.method) has no body by default; add `body: json`",
        at: mark.place ?? parameter.location)
    }
    let fields = endpoint.parameters.filter { $0.place == .field }
    let bodies = endpoint.parameters.filter { $0.place == .body }
    if let extra = bodies.dropFirst().first {
      error("one parameter can be the whole body, and `\(bodies[0].name)` is; make both fields", at: extra.location)
    }
    if let body = bodies.first {
      if let field = fields.first {
        error(
          "`\(body.name)` is the whole body, but `\(field.name)` is a field of it; give `\(field.name)` another place, "
            + "such as `in: query`", at: body.location)
      } else if let location = marks.values[.body], endpoint.contentType == nil {
        error("`\(body.name)` is the whole body, in its own format; remove `body`", at: location)
      } else if endpoint.hasRawBody, let resolved = resolved(body.type) {
        if ![.scalar(.bytes), .scalar(.string)].contains(resolved.kind) {
          error("a body of this media type is not JSON; write `string` or `bytes`", at: body.type.location)
        } else if body.type.isNullable {
          error("a body of this media type cannot be null; remove `| null`", at: body.type.location)
        }
      }
    } else if endpoint.contentType != nil, endpoint.body == nil, let location = marks.values[.body] {
      error(
        "a body of this media type is one parameter; give it `in: body`, and the type `bytes` unless it is JSON",
        at: location)
    } else if let format = endpoint.body, format != .json, fields.isEmpty, let location = marks.values[.body] {
      error("no parameter is in the body; add one under `params`, or remove `body`", at: location)
    }
  }

  // MARK: Response

  /// Rejects a null response if the call depends on the response's content.
  private mutating func checkNull(_ endpoint: Endpoint, _ type: TypeReference) {
    let isJSON = endpoint.accept.map { MediaType.isJSON($0) } ?? true && resolved(type)?.kind != .scalar(.bytes)
    let hasMembers =
      endpoint.pages != nil || endpoint.poll != nil || endpoint.stream != nil || !endpoint.responseHeaders.isEmpty
    if !isJSON || hasMembers {
      error(
        "only JSON without pages, records, header fields or a state may be null; remove `| null`",
        at: type.location)
    }
  }

  private mutating func checkResponse(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    if let type = endpoint.returns {
      checkType(type)
      if type.isOptional {
        error(
          "a response has no `?`; leave `returns` out when it has no content, or write `| null` when it may be null",
          at: type.location)
      } else if type.isNullable {
        checkNull(endpoint, type)
      }
      if endpoint.method == "HEAD" {
        error(
          "a HEAD gets a response without a body (RFC 9110 §9.3.2); remove `returns`, the header fields are in "
            + "`response.headers`", at: type.location)
      }
      if let status = endpoint.status, [204, 205].contains(status), let location = marks.values[.status] {
        error("a response of \(status) has no content (RFC 9110 §15.3); remove `returns`, or `status`", at: location)
      }
      if endpoint.accept.map({ !MediaType.isJSON($0) }) ?? false, endpoint.stream == nil, let resolved = resolved(type),
        ![.scalar(.bytes), .scalar(.string)].contains(resolved.kind)
      {
        error("what is accepted is not JSON; write `returns: string` or `returns: bytes`", at: type.location)
      }
      if type.kind == .scalar(.file) {
        error("a `file` is sent, not received; write `returns: bytes`", at: type.location)
      } else {
        checkNoFile(received: type)
      }
      checkNoFormat(in: type, butOfDates: [.rfc3339, .day, .seconds])
    }
    guard endpoint.stream != nil, let location = marks.values[.stream] else { return }
    if endpoint.returns == nil {
      error("`stream` needs `returns`, the type of one record; add it (`json` for any)", at: location)
    } else if endpoint.returns?.kind == .scalar(.bytes) {
      error("a stream's records are JSON, not `bytes`; name their type in `returns`", at: location)
    }
    if let name = endpoint.lengthFramingParameter, !endpoint.parameters.contains(where: { $0.name == name }) {
      let advice =
        suggestions.clause(for: name, among: endpoint.parameters.map(\.name)) ?? "; add it under `params`"
      error("`length` names `\(name)`, which is not a parameter\(advice)", at: marks.stream[.length] ?? location)
    }
    checkBackfill(endpoint, marks)
    if let pages = marks.values[.pages] {
      error("an endless response has no pages; remove `pages` or `stream`", at: pages)
    }
  }
}

extension CatalogueChecks {
  mutating func checkBackfill(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    guard let backfill = endpoint.backfill, let location = marks.stream[.backfill] else { return }
    let name = backfill.parameter
    if let parameter = endpoint.parameters.first(where: { $0.name == name }) {
      if parameter.place != .query {
        error("`\(name)` changes from connection to connection and must be in the query", at: location)
      }
      if let type = resolved(parameter.type) {
        let maximum = ModelTable(models).resolved(parameter.type).constraints.maximum.flatMap { Int($0) }
        if type.kind != .scalar(.int) {
          error("`\(name)` counts minutes, so its type is `int`", at: location)
        } else if maximum.map({ $0 < 1 || $0 > 10_000 }) ?? true {
          error("`\(name)` needs a greatest number of minutes; give it a type such as `int(0..5)?`", at: location)
        }
      }
    } else {
      let advice =
        suggestions.clause(for: name, among: endpoint.parameters.map(\.name)) ?? "; add it under `params`"
      error("`backfill` names `\(name)`, which is not a parameter\(advice)", at: location)
    }
    guard let id = backfill.id, let returns = endpoint.returns, let location = marks.stream[.id] else { return }
    if let type = find(id, in: returns, at: location), !isToken(type) {
      error("`\(id)` is not an id; name a `string` or `int` of the record", at: location)
    }
  }
}
