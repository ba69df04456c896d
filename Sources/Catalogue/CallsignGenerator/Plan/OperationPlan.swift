import CallsignCatalogue

/// The method that starts an operation and follows it.
struct OperationPlan {
  var name: String
  /// The types of the first response and of a state.
  var started: String
  var state: String
  var interval: Int
  var done: [FailureSign]
  var failed: [FailureSign]
  /// The call that asks for the state, `getExport(id: response.id)`; `nil` if it is at a URL.
  var ask: String?
  /// The expression for the URL of the state.
  var url: String?
  /// The call that cancels.
  var cancel: String?
  /// Names of local variables: the first response as a whole, and only its value.
  var startedVariable: String
  var responseVariable: String
  /// Whether the calls need the first response.
  var usesResponse: Bool
  /// Whether the first response can be empty although the endpoint has a type for it.
  var mayLackResponse = false
}

/// Plans the method that follows the operation of an endpoint with `poll:`.
struct OperationPlanner {
  let types: SwiftTypeNames
  let catalogue: EndpointTable

  func plan(_ endpoint: Endpoint, _ result: ResultPlan, taken: Set<String>) -> OperationPlan? {
    guard let poll = endpoint.poll else { return nil }
    let started: String
    switch result {
    case .none: started = types.name(.noContent)
    case .bytes: started = types.name(.data)
    case .text: started = types.name(.string)
    case .content: started = types.name(.responseContent)
    case .value(let type): started = type
    case .stream: return nil
    }
    func free(_ name: String) -> String { taken.contains(name) ? name + "OfOperation" : name }
    let response = free("response")
    var state = poll.state ?? endpoint.returns
    var plan = OperationPlan(
      name: OperationPoll.methodName(endpoint.methodName), started: started, state: "", interval: poll.interval,
      done: poll.done, failed: poll.failed, startedVariable: free("started"), responseVariable: response,
      usesResponse: false)
    switch poll.place {
    case .endpoint(let name):
      guard let asked = catalogue[name] else { return nil }
      state = asked.returns
      plan.ask = call(asked, poll, endpoint, response)
    case .header(let name): plan.url = "\(plan.startedVariable).rawResponse.header(\(SwiftLiteral.string(name)))"
    case .url(let path):
      plan.url = endpoint.returns.flatMap {
        PagesPlanner(types: types).textExpression(path, in: $0, from: response)
      }
      plan.usesResponse = true
    }
    plan.cancel = poll.cancel.flatMap { catalogue[$0] }.map { call($0, poll, endpoint, response) }
    guard let state else { return nil }
    plan.state = types.value(state)
    if !poll.arguments.isEmpty { plan.usesResponse = true }
    if case .value = result, !plan.usesResponse {
      plan.mayLackResponse = true
      plan.started += "?"
    }
    return plan
  }

  /// `self.getExport(id: response.id)`
  private func call(_ asked: Endpoint, _ poll: OperationPoll, _ endpoint: Endpoint, _ response: String) -> String {
    let required = asked.parameters.filter { $0.constant == nil && !$0.type.isOptional }
    let given = asked.parameters.filter { parameter in
      parameter.constant == nil && parameter.type.isOptional && poll.arguments.contains { $0.name == parameter.name }
    }
    let arguments = (required + given).map { parameter -> String in
      let label = SwiftName.escapedCallLabel(parameter.label)
      if let argument = poll.arguments.first(where: { $0.name == parameter.name }), let returns = endpoint.returns {
        let value = PagesPlanner(types: types).expression(argument.value, in: returns, from: response) ?? response
        return "\(label): \(value)"
      }
      let own = endpoint.parameters.first { $0.name == parameter.name }
      return "\(label): \(SwiftName.escaped(own?.label ?? parameter.label))"
    }
    return "self.\(SwiftName.escaped(asked.methodName))(\(arguments.joined(separator: ", ")))"
  }
}

/// The endpoints of a catalogue, by name.
struct EndpointTable {
  private var endpoints: [String: Endpoint] = [:]

  init(_ catalogue: Catalogue) {
    for endpoint in catalogue.groups.flatMap(\.endpoints) where endpoints[endpoint.name] == nil {
      endpoints[endpoint.name] = endpoint
    }
  }

  subscript(name: String) -> Endpoint? { endpoints[name] }
}
