import CallsignYAML

extension FileReader {
  /// Reads a list of names, a list of such lists, or, for `one_of`, Swift types with labels and their alternatives.
  func readRules(
    _ entry: YAMLEntry, _ kind: ParameterRule.Kind, into endpoint: inout Endpoint, _ marks: inout EndpointMarks
  ) {
    switch entry.value.content {
    case .list(let nodes):
      let isNested = nodes.contains { if case .scalar = $0.content { false } else { true } }
      if !isNested {
        readRule(entry.value, kind, into: &endpoint, &marks)
      } else {
        for node in nodes { readRule(node, kind, into: &endpoint, &marks) }
      }
    case .mapping:
      readRule(entry.value, kind, into: &endpoint, &marks)
    case .scalar:
      error("`\(kind.rawValue)` is a list of parameters, such as `[user_id, screen_name]`", at: entry.value)
    }
  }

  private func readRule(
    _ node: YAMLNode, _ kind: ParameterRule.Kind, into endpoint: inout Endpoint, _ marks: inout EndpointMarks
  ) {
    switch node.content {
    case .list(let nodes):
      var rule = ParameterRule(kind: kind, parameters: [], location: location(node))
      var places: [SourceLocation] = []
      for node in nodes {
        guard case .scalar(let scalar) = node.content, !node.isNull else {
          error("a rule lists names of parameters, not \(node.kind)", at: node)
          return
        }
        rule.parameters.append(scalar.text)
        places.append(location(node))
      }
      endpoint.rules.append(rule)
      marks.ruleNames.append(places)
    case .mapping(let mapping):
      for entry in mapping.entries {
        guard kind == .oneOf else {
          error("only `one_of` can become one argument; write a list of names", at: entry.key)
          continue
        }
        guard let (rule, places) = readChoice(entry) else { continue }
        endpoint.rules.append(rule)
        marks.ruleNames.append(places)
      }
    case .scalar:
      error("a rule is a list of parameters, such as `[user_id, screen_name]`", at: node)
    }
  }

  // MARK: Choices

  /// The alternatives of one argument while they are being read.
  private struct ChoiceDraft {
    var rule: ParameterRule
    var places: [SourceLocation] = []
  }

  /// `UserReference user: [user_id, screen_name]`, or with named cases
  /// `UserReference? user: {id: user_id, screenName: screen_name}`.
  private func readChoice(_ entry: YAMLEntry) -> (ParameterRule, [SourceLocation])? {
    guard var words = name(entry)?.split(separator: " ").map(String.init) else { return nil }
    let isOptional = words.first?.hasSuffix("?") == true
    if isOptional { words[0].removeLast() }
    guard words.count == 2, words.allSatisfy(SwiftIdentifier.isValid) else {
      error("before the list come a Swift type and a label, such as `UserReference user`", at: entry.key)
      return nil
    }
    var draft = ChoiceDraft(
      rule: ParameterRule(
        kind: .oneOf, parameters: [], swiftType: words[0], swiftLabel: words[1], isOptional: isOptional,
        location: location(entry.key)))
    switch entry.value.content {
    case .list(let nodes):
      for node in nodes {
        guard let parts = readParts(node, into: &draft) else { return nil }
        draft.rule.alternatives.append(.init(parts: parts, location: location(node)))
      }
      // If every alternative is a single parameter, the parameters say it all.
      if draft.rule.alternatives.count == draft.rule.parameters.count { draft.rule.alternatives = [] }
    case .mapping:
      for entry in entries(entry) {
        guard let caseName = name(entry) else { return nil }
        if !SwiftIdentifier.isValid(caseName) {
          error(
            "`\(caseName)` is not a Swift name; use letters, digits and `_`, not beginning with a digit", at: entry.key)
        }
        guard let parts = readParts(entry.value, into: &draft) else { return nil }
        draft.rule.alternatives.append(.init(name: caseName, parts: parts, location: location(entry.key)))
      }
    case .scalar:
      error("the alternatives are a list of parameters, such as `[user_id, screen_name]`", at: entry.value)
      return nil
    }
    return (draft.rule, draft.places)
  }

  /// Reads one alternative: a parameter, or a list of parameters and nested choices that are sent together.
  private func readParts(_ node: YAMLNode, into draft: inout ChoiceDraft) -> [ParameterRule.Part]? {
    switch node.content {
    case .scalar(let scalar) where !node.isNull:
      draft.rule.parameters.append(scalar.text)
      draft.places.append(location(node))
      return [.parameter(scalar.text)]
    case .list(let nodes):
      var parts: [ParameterRule.Part] = []
      for node in nodes {
        switch node.content {
        case .scalar(let scalar) where !node.isNull:
          draft.rule.parameters.append(scalar.text)
          draft.places.append(location(node))
          parts.append(.parameter(scalar.text))
        case .mapping(let mapping):
          for entry in mapping.entries {
            guard let (rule, places) = readChoice(entry) else { return nil }
            if rule.isOptional {
              error("a choice within an alternative is always made; remove the `?`", at: entry.key)
            }
            draft.rule.parameters += rule.parameters
            draft.places += places
            parts.append(.choice(rule))
          }
        default:
          error("an alternative lists parameters, and choices such as `{UserReference owner: […]}`", at: node)
          return nil
        }
      }
      guard case .parameter? = parts.first else {
        error("an alternative begins with a parameter; put one before the choice", at: node)
        return nil
      }
      return parts
    default:
      error("an alternative is a parameter, or a list of those that are sent together", at: node)
      return nil
    }
  }
}

extension FileReader {
  /// Reads `params:`, and fills in every parameter's place and the endpoint's body format.
  func readParameters(_ entry: YAMLEntry?, of endpoint: inout Endpoint, _ marks: inout EndpointMarks) {
    let hasDefaultBody = Endpoint.hasBodyByDefault(endpoint.method)
    let rest: Parameter.Place = endpoint.body != nil || hasDefaultBody ? .field : .query
    for entry in entry.map({ entries($0) }) ?? [] {
      guard let name = name(entry) else { continue }
      if name.isEmpty { error("a parameter needs a name", at: entry.key) }
      let isInPath = marks.placeholders.contains { $0.name == name }
      var parameter = Parameter(
        name: name, place: isInPath ? .path : rest, type: .unreadable(at: location(entry.value)),
        location: location(entry.key))
      var mark = ParameterMarks()
      if case .mapping(let mapping) = entry.value.content, !mapping.isTypeForm {
        readLongForm(mapping, of: entry, into: &parameter, &mark)
      } else {
        parameter.type = readType(entry.value, of: "parameter `\(name)`")
      }
      endpoint.parameters.append(parameter)
      marks.parameters.append(mark)
    }
    // A call without body fields has no body, unless it requests an empty object with `body: json`.
    if endpoint.body == nil, endpoint.contentType == nil, hasDefaultBody,
      endpoint.parameters.contains(where: { $0.place == .field })
    {
      endpoint.body = .json
    }
  }

  private func readLongForm(
    _ mapping: YAMLMapping, of entry: YAMLEntry, into parameter: inout Parameter, _ mark: inout ParameterMarks
  ) {
    let what = "parameter `\(parameter.name)`"
    let keys = keys(mapping.entries, ParameterKey.self, in: what)
    if let entry = keys[.value] {
      mark.value = location(entry.value)
      parameter.constant = text(entry)
    }
    if let entry = keys[.type] {
      parameter.type = readType(entry.value, of: what)
    } else if keys[.value] != nil {
      parameter.type = TypeReference(.scalar(.string), location: location(entry.value))
    } else {
      error("\(what) has no `type`; write one, such as `type: string`", at: entry.key)
    }
    if let entry = keys[.place] {
      mark.place = location(entry.value)
      if let place = choice(entry, Parameter.Place.self) { parameter.place = place }
    }
    if let entry = keys[.list] {
      mark.list = location(entry.value)
      if let style = choice(entry, Parameter.ListStyle.self) { parameter.listStyle = style }
    }
    if let entry = keys[.object] {
      mark.object = location(entry.value)
      parameter.objectStyle = choice(entry, Parameter.ObjectStyle.self)
    }
    if let entry = keys[.reserved] {
      mark.reserved = location(entry.value)
      parameter.keepsReserved = flag(entry) ?? false
    }
    if let entry = keys[.fallback] {
      mark.fallback = location(entry.value)
      parameter.defaultValue = readDefault(entry)
    }
    if let entry = keys[.wire] {
      mark.wire = location(entry.value)
      parameter.wireName = text(entry)
    }
    mark.name = keys[.name].map { location($0.value) }
    parameter.swiftName = swiftName(keys[.name])
    parameter.summary = keys[.summary].flatMap { $0.value.isRemoval ? nil : line($0) }
    parameter.deprecation = deprecation(keys[.deprecated])
  }
}
