import CallsignCatalogue

/// The `one_of` rules of an endpoint that have a Swift type: several parameters that become one argument.
struct Alternatives {
  struct Choice {
    var argument: ArgumentPlan
    var members: [(name: String, parameter: Parameter)]
  }

  private(set) var choices: [ChoicePlan] = []
  private var choiceByFirst: [String: Choice] = [:]
  private var covered: Set<String> = []

  init(_ endpoint: Endpoint, types: TypeTable) {
    for rule in endpoint.rules where rule.kind == .oneOf {
      guard let typeName = rule.swiftType else { continue }
      let parameters = endpoint.parameters.filter { rule.parameters.contains($0.name) }
      guard let first = parameters.first else { continue }
      covered.formUnion(rule.parameters)
      var plan = ChoicePlan(name: typeName, alternatives: [])
      var members: [(name: String, parameter: Parameter)] = []
      for parameter in parameters {
        let name = parameter.label
        var sent = parameter
        sent.type.isOptional = false
        members.append((name, sent))
        plan.alternatives.append(
          ChoicePlan.Alternative(
            name: name, type: types.value(parameter.type),
            documentation: DocumentationPlan(
              summary: parameter.summary, deprecation: parameter.deprecation,
              constraints: DocumentationPlan.constraints(parameter.type, types)
            ).line))
      }
      choices.append(plan)
      let label = rule.swiftLabel ?? SwiftName.member(typeName)
      let names = parameters.map { "`" + SwiftLiteral.comment($0.name) + "`" }.joined(separator: " or ")
      choiceByFirst[first.name] = Choice(
        argument: ArgumentPlan(name: label, type: typeName, isOptional: false, documentation: "Sent as \(names)."),
        members: members)
    }
  }

  /// The choice whose argument stands where the parameter is.
  func choice(startingWith parameter: String) -> Choice? { choiceByFirst[parameter] }

  func contains(_ parameter: String) -> Bool { covered.contains(parameter) }
}
