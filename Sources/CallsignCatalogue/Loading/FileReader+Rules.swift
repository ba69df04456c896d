import CallsignYAML

extension FileReader {
  /// A list of names, a list of such lists, or, for `one_of`, Swift types and labels with what each chooses from.
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

  /// The alternatives of one argument while they are read.
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
      // Parameters alone need no spelling out.
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

  /// What one alternative sends: a parameter, or a list of parameters and further choices, all of them together.
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
