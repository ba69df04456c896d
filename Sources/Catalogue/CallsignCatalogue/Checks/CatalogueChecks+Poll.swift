import CallsignSupport

extension CatalogueChecks {
  /// Checks how the client asks for an operation's state: the endpoints, their arguments, and the members of the state.
  mutating func checkPoll(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    guard let poll = endpoint.poll, let location = marks.values[.poll] else { return }
    if endpoint.stream != nil || endpoint.pages != nil {
      error("streams and pages cannot be polled; remove `poll`", at: location)
      return
    }
    var state = poll.state ?? endpoint.returns
    switch poll.place {
    case .endpoint(let name):
      guard let asked = checkPolled(name, by: poll, .ask, of: endpoint, marks) else { return }
      state = asked.returns
      if asked.returns == nil || asked.stream != nil {
        error("`\(name)` responds with no state; name an endpoint that `returns` one", at: marks.poll[.ask] ?? location)
        return
      }
    case .url(let path):
      guard let returns = endpoint.returns else {
        error("`url` is a member of the response; add its type as `returns`", at: marks.poll[.url] ?? location)
        return
      }
      if let place = marks.poll[.url], let type = find(path, in: returns, at: place),
        ![.scalar(.string), .scalar(.url)].contains(type.kind)
      {
        error("`\(path)` is not a URL; name a `string` or `url` of the response", at: place)
      }
    case .header: break
    }
    if let type = poll.state {
      checkType(type)
      checkNoFile(received: type)
      checkNoFormat(in: type, butOfDates: [.rfc3339, .day, .seconds])
    }
    guard let state else {
      error("the state has no type; add it as `returns` of `poll`", at: location)
      return
    }
    for (key, signs) in [(PollKey.done, poll.done), (.failed, poll.failed)] {
      for sign in signs { _ = find(sign.path, in: state, at: marks.poll[key] ?? location) }
    }
    if let cancel = poll.cancel { _ = checkPolled(cancel, by: poll, .cancel, of: endpoint, marks) }
    for argument in poll.arguments {
      let isKnown = poll.endpoints.contains { name in
        draft.endpoint(named: name)?.parameters.contains { $0.name == argument.name } ?? true
      }
      if !isKnown {
        error(
          "no endpoint that `poll` names has a parameter `\(argument.name)`; remove it",
          at: marks.pollArguments[argument.name] ?? location)
      }
    }
  }

  /// The endpoint that asks for the state or cancels, if every argument that it requires is given.
  private mutating func checkPolled(
    _ name: String, by poll: OperationPoll, _ key: PollKey, of endpoint: Endpoint, _ marks: EndpointMarks
  ) -> Endpoint? {
    let location = marks.poll[key] ?? endpoint.location
    guard let asked = draft.endpoint(named: name) else {
      let known = draft.groups.flatMap { $0.group.endpoints.map(\.name) }
      error("unknown endpoint `\(name)`\(suggestions.clause(for: name, among: known) ?? "; add it")", at: location)
      return nil
    }
    if asked.rules.contains(where: { $0.kind == .oneOf && $0.swiftType != nil && !$0.isOptional }) {
      error("`\(name)` has to be given a choice, which `poll` cannot make", at: location)
    }
    for parameter in asked.parameters where parameter.constant == nil {
      guard let argument = poll.arguments.first(where: { $0.name == parameter.name }) else {
        if parameter.type.isOptional { continue }
        let own = endpoint.parameters.first { $0.name == parameter.name && !$0.type.isOptional && $0.constant == nil }
        let (given, wanted) = (own.flatMap { resolved($0.type) }, resolved(parameter.type))
        if given?.kind != wanted?.kind || isNullable(own?.type) != isNullable(parameter.type) {
          error(
            "`\(name)` requires `\(parameter.name)`; name the member that has it: `with: {\(parameter.name): id}`",
            at: location)
        }
        continue
      }
      let place = marks.pollArguments[argument.name] ?? location
      guard let returns = endpoint.returns else {
        error("the response has no members; add its type as `returns`", at: place)
        continue
      }
      guard let found = find(argument.value, in: returns, at: place), let wanted = resolved(parameter.type) else {
        continue
      }
      if mayBeMissing(argument.value, in: returns) {
        error("the response may lack `\(argument.value)`; if it never does, take the `?` from its type", at: place)
      } else if found.kind != wanted.kind || isNullable(parameter.type) {
        error("`\(argument.value)` is `\(found.text)`, and `\(name)` takes `\(wanted.text)`", at: place)
      }
    }
    return asked
  }

  /// Whether the type distinguishes null from a missing value; an alias never does.
  private func isNullable(_ type: TypeReference?) -> Bool { type?.isNullable ?? false }

  /// Whether any member on the path can be missing or null.
  private func mayBeMissing(_ path: String, in type: TypeReference) -> Bool {
    var current = type
    for member in path.pathNames where path != "." {
      guard let model = model(current), case .object(let fields, _) = model.shape,
        let field = fields.first(where: { $0.name == member })
      else { return true }
      if field.type.isOptional || field.type.isNullable || resolved(field.type)?.isNullable ?? false { return true }
      current = field.type
    }
    return false
  }
}

extension CatalogueDraft {
  func endpoint(named name: String) -> Endpoint? {
    for group in groups {
      if let endpoint = group.group.endpoints.first(where: { $0.name == name }) { return endpoint }
    }
    return nil
  }
}
