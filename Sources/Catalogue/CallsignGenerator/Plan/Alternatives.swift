import CallsignCatalogue

/// The `one_of` rules of an endpoint with a Swift type: several parameters that become one argument.
struct Alternatives {
  struct Choice {
    var argument: ArgumentPlan
    var rule: ParameterRule
  }

  private let endpoint: Endpoint
  private let types: SwiftTypeNames
  private(set) var choices: [ChoicePlan] = []
  private var choiceByFirst: [String: Choice] = [:]
  private var covered: Set<String> = []

  init(_ endpoint: Endpoint, types: SwiftTypeNames) {
    self.endpoint = endpoint
    self.types = types
    for rule in endpoint.rules where rule.kind == .oneOf {
      guard let typeName = rule.swiftType else { continue }
      let parameters = endpoint.parameters.filter { rule.parameters.contains($0.name) }
      guard let first = parameters.first else { continue }
      covered.formUnion(rule.parameters)
      addType(of: rule, named: typeName)
      let names = rule.spelledOut.map { Self.documentation(of: $0.parts) }.joined(separator: " or ")
      choiceByFirst[first.name] = Choice(
        argument: ArgumentPlan(
          name: rule.swiftLabel ?? SwiftName.member(typeName),
          type: types.name(ofDeclared: typeName) + (rule.isOptional ? "?" : ""),
          isOptional: rule.isOptional, documentation: "Sent as \(names)."),
        rule: rule)
    }
  }

  /// Adds the enum for a choice, after the enums for its nested choices.
  private mutating func addType(of rule: ParameterRule, named typeName: String) {
    var plan = ChoicePlan(name: typeName, alternatives: [])
    for alternative in rule.spelledOut {
      var values: [String] = []
      let sent = "Sent as \(Self.documentation(of: alternative.parts))."
      var documentation = sent
      for (index, part) in alternative.parts.enumerated() {
        switch part {
        case .parameter(let name):
          guard let parameter = parameter(name) else { continue }
          values.append(
            (index == 0 ? "" : SwiftName.escapedLabel(parameter.label) + ": ") + types.value(parameter.type))
          if index == 0 {
            documentation =
              DocumentationPlan(
                summary: parameter.summary ?? sent, deprecation: parameter.deprecation,
                constraints: DocumentationPlan.constraints(parameter.type, types), defaultValue: parameter.defaultValue
              ).line
          }
        case .choice(let nested):
          guard let type = nested.swiftType, let label = nested.swiftLabel else { continue }
          addType(of: nested, named: type)
          values.append(SwiftName.escapedLabel(label) + ": " + type)
        }
      }
      plan.alternatives.append(
        ChoicePlan.Alternative(
          name: endpoint.caseName(alternative) ?? "value", values: values, documentation: documentation))
    }
    choices.append(plan)
  }

  /// The choice whose argument takes the position of the parameter.
  func choice(startingWith parameter: String) -> Choice? { choiceByFirst[parameter] }

  func contains(_ parameter: String) -> Bool { covered.contains(parameter) }

  /// The step that sends the choice in a variable.
  func step(for rule: ParameterRule, in variable: String, addition: (Parameter, String) -> AdditionPlan) -> StepPlan {
    let alternatives = rule.spelledOut.map { alternative in
      var values: [(variable: String, step: StepPlan)] = []
      for (index, part) in alternative.parts.enumerated() {
        let name = index == 0 ? "value" : "value\(index + 1)"
        switch part {
        case .parameter(let wire):
          guard let parameter = parameter(wire) else { continue }
          values.append((name, .add(addition(parameter, name))))
        case .choice(let nested):
          values.append((name, step(for: nested, in: name, addition: addition)))
        }
      }
      return ChosenPlan(name: endpoint.caseName(alternative) ?? "value", values: values)
    }
    return .choose(argument: variable, isOptional: rule.isOptional, alternatives: alternatives)
  }

  /// The parameter as part of an alternative, where it is always sent.
  private func parameter(_ name: String) -> Parameter? {
    guard var parameter = endpoint.parameters.first(where: { $0.name == name }) else { return nil }
    parameter.type.isOptional = false
    return parameter
  }

  private static func documentation(of parts: [ParameterRule.Part]) -> String {
    let texts = parts.map { part in
      switch part {
      case .parameter(let name): "`" + SwiftLiteral.comment(name) + "`"
      case .choice(let rule):
        rule.spelledOut.map { documentation(of: $0.parts) }.joined(separator: " or ")
      }
    }
    return texts.joined(separator: " with ")
  }
}
