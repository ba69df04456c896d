extension CatalogueChecks {
  /// A Swift type for a set of alternatives, and where it was first used.
  struct ChoiceType {
    var cases: [String]
    var location: SourceLocation
  }

  mutating func checkRules(
    _ endpoint: Endpoint, _ marks: EndpointMarks, _ choices: inout [String: ChoiceType]
  ) {
    guard !endpoint.rules.isEmpty else { return }
    let names = endpoint.parameters.map(\.name)
    let parameters = Dictionary(endpoint.parameters.map { ($0.name, $0) }) { first, _ in first }
    var folded: Set<String> = []
    for (rule, places) in zip(endpoint.rules, marks.ruleNames) {
      if rule.parameters.count < 2 {
        error("`\(rule.kind.rawValue)` is about two parameters or more; add one, or remove the rule", at: rule.location)
      }
      var seen: Set<String> = []
      for (name, location) in zip(rule.parameters, places) {
        guard let parameter = parameters[name] else {
          let advice = suggestions.clause(for: name, among: names) ?? "; add it under `params`, or remove it here"
          error("`\(rule.kind.rawValue)` names `\(name)`, which is not a parameter\(advice)", at: location)
          continue
        }
        if !seen.insert(name).inserted { error("`\(name)` is in this rule twice; remove one", at: location) }
        if !parameter.type.isOptional, !parameter.type.isUnreadable {
          error(
            "`\(name)` is always sent, so `\(rule.kind.rawValue)` has no effect on it; add `?` to its type",
            at: location)
        }
        if rule.swiftType != nil, !folded.insert(name).inserted {
          error("`\(name)` is in another argument of `one_of` already; remove it from one", at: location)
        }
      }
      if let type = rule.swiftType { checkChoice(type, rule, of: endpoint, &choices) }
    }
  }

  /// Many choices can share one Swift type if its cases carry the same types.
  private mutating func checkChoice(
    _ type: String, _ rule: ParameterRule, of endpoint: Endpoint, _ choices: inout [String: ChoiceType]
  ) {
    var cases: [String] = []
    var names: Set<String> = []
    for alternative in rule.spelledOut {
      guard case .parameter? = alternative.parts.first, let name = endpoint.caseName(alternative) else { continue }
      if !names.insert(name).inserted {
        error(
          "the case `\(name)` already exists; give the cases different names, such as `{id: user_id}`",
          at: alternative.location
        )
      }
      var values: [String] = []
      for (index, part) in alternative.parts.enumerated() {
        switch part {
        case .parameter(let name):
          guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else { return }
          values.append((index == 0 ? "" : parameter.label + ": ") + Self.spelling(parameter.type))
        case .choice(let nested):
          guard let type = nested.swiftType, let label = nested.swiftLabel else { return }
          values.append(label + ": " + type)
          checkChoice(type, nested, of: endpoint, &choices)
        }
      }
      cases.append("\(name)(\(values.joined(separator: ", ")))")
    }
    guard let known = choices[type] else {
      choices[type] = ChoiceType(cases: cases, location: rule.location)
      claimType(type, for: "the argument of `\(endpoint.name)`", at: rule.location, advice: "give it another name")
      return
    }
    if known.cases != cases {
      error(
        "`\(type)` stands for `\(known.cases.joined(separator: ", "))` in \(place(known.location, from: rule.location)), "
          + "here for `\(cases.joined(separator: ", "))`; name the cases alike, or give it another name",
        at: rule.location)
    }
  }

  /// The type as written in the catalogue, without the parts that apply only to this use.
  private static func spelling(_ type: TypeReference) -> String {
    switch type.kind {
    case .scalar(let scalar): "\(scalar)"
    case .named(let name): name
    case .list(let element): "[\(spelling(element))]"
    case .map(let element): "{\(spelling(element))}"
    }
  }
}

extension ParameterRule {
  /// The enum's cases. If the catalogue lists none, each parameter is one case.
  public var spelledOut: [Alternative] {
    alternatives.isEmpty
      ? parameters.map { Alternative(parts: [.parameter($0)], location: location) } : alternatives
  }
}
