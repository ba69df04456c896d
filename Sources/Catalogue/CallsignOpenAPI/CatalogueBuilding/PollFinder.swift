import CallsignCatalogue
import CallsignSupport

/// Recognizes how to ask for the state of an operation that continues after its response.
struct PollFinder {
  private let operations: [String: OperationShape]
  private let endpoints: [String: Endpoint]
  private let table: ModelTable
  /// The `GET` operations whose path ends in a parameter, by the path before it.
  private let states: [Substring: [Endpoint]]

  init(_ operations: [OperationShape], _ endpoints: [Endpoint], _ table: ModelTable) {
    self.operations = Dictionary(operations.map { ($0.name, $0) }) { first, _ in first }
    self.endpoints = Dictionary(endpoints.map { ($0.name, $0) }) { first, _ in first }
    self.table = table
    var states: [Substring: [Endpoint]] = [:]
    for endpoint in self.endpoints.values where endpoint.method == "GET" && endpoint.path.hasSuffix("}") {
      guard let slash = endpoint.path.lastIndex(of: "/"), endpoint.path[slash...].hasPrefix("/{") else { continue }
      states[endpoint.path[..<slash], default: []].append(endpoint)
    }
    self.states = states
  }

  /// The state is at the URL in a header field of the response, or an operation that a link in the response leads to returns it.
  func poll(of operation: OperationShape, _ endpoint: Endpoint) -> OperationPoll? {
    guard operation.method != "GET", operation.method != "HEAD", endpoint.stream == nil, endpoint.pages == nil else {
      return nil
    }
    return header(of: operation, endpoint) ?? link(of: operation, endpoint)
  }

  private func header(of operation: OperationShape, _ endpoint: Endpoint) -> OperationPoll? {
    guard let header = operation.stateHeader else { return nil }
    var poll = OperationPoll(place: .header(header.name), state: TypeReference(.scalar(.json)))
    if header.endsAsResponse, let returns = endpoint.returns { poll.state = returns }
    if header.hasStatus {
      // Microsoft's guidelines for REST APIs, §14. Services differ in capitalization.
      poll.done = [FailureSign(path: "status", values: ["succeeded", "Succeeded"])]
      poll.failed = [
        FailureSign(path: "status", values: ["failed", "Failed", "canceled", "Canceled", "cancelled", "Cancelled"])
      ]
    } else if let state = stateBelow(endpoint) {
      poll.state = state
      (poll.done, poll.failed) = signs(of: state)
    }
    return poll
  }

  /// The type of the state that the header field leads to, as far as the document shows: the type of the only `GET` one segment
  /// below the call's path, if it says when the operation is over.
  private func stateBelow(_ endpoint: Endpoint) -> TypeReference? {
    let path = endpoint.path.hasSuffix("/") ? endpoint.path.dropLast() : endpoint.path[...]
    let asked = states[path] ?? []
    guard asked.count == 1, let state = asked.first, state.stream == nil, state.pages == nil, let type = state.returns
    else { return nil }
    return signs(of: type).done.isEmpty ? nil : type
  }

  // MARK: Links

  private static let stateMembers: Set<String> = ["status", "state", "phase"]
  private static let wordsOfSuccess: Set<String> = [
    "succeeded", "success", "successful", "completed", "complete", "done", "finished", "ready",
  ]
  private static let wordsOfFailure: Set<String> = [
    "failed", "failure", "error", "errored", "canceled", "cancelled", "expired", "aborted", "rejected",
  ]

  private func link(of operation: OperationShape, _ endpoint: Endpoint) -> OperationPoll? {
    guard let link = operation.stateLink, let asked = operations[link.operation],
      let state = endpoints[link.operation], asked.method == "GET", state.stream == nil, let type = state.returns
    else { return nil }
    var poll = OperationPoll(place: .endpoint(link.operation))
    for parameter in state.parameters where parameter.constant == nil {
      if let argument = link.arguments.first(where: { $0.name == parameter.name }) {
        guard self.type(at: argument.value, of: endpoint.returns) == table.resolved(parameter.type).kind else {
          return nil
        }
        poll.arguments.append(argument)
      } else if !parameter.type.isOptional {
        let own = endpoint.parameters.first { $0.name == parameter.name && $0.constant == nil }
        guard let own, !own.type.isOptional,
          table.resolved(own.type).kind == table.resolved(parameter.type).kind
        else { return nil }
      }
    }
    (poll.done, poll.failed) = signs(of: type)
    // Otherwise nothing shows when it is over.
    return poll.done.isEmpty && !asked.hasAccepted ? nil : poll
  }

  /// The kind of a member that always exists; `nil` for other members.
  private func type(at path: String, of response: TypeReference?) -> TypeReference.Kind? {
    var type = response
    for name in path.pathNames {
      guard case .named(let model)? = type.map(table.resolved)?.kind,
        case .object(let fields, _)? = table[model]?.shape, let field = fields.first(where: { $0.name == name })
      else { return nil }
      let resolved = table.resolved(field.type)
      if resolved.isOptional || resolved.isNullable || field.type.isOptional || field.type.isNullable { return nil }
      type = field.type
    }
    return type.map(table.resolved)?.kind
  }

  /// The values of a state's enum that mean that the operation is over.
  private func signs(of state: TypeReference) -> (done: [FailureSign], failed: [FailureSign]) {
    guard case .named(let model) = table.resolved(state).kind, case .object(let fields, _)? = table[model]?.shape else {
      return ([], [])
    }
    for field in fields where Self.stateMembers.contains(field.name.lowercased()) {
      guard case .named(let name) = table.resolved(field.type).kind,
        case .enumeration(let cases)? = table[name]?.shape
      else { continue }
      func values(_ words: Set<String>) -> [FailureSign] {
        let found = cases.map(\.value).filter { words.contains($0.lowercased()) }
        return found.isEmpty ? [] : [FailureSign(path: field.name, values: found)]
      }
      let done = values(Self.wordsOfSuccess)
      if !done.isEmpty { return (done, values(Self.wordsOfFailure)) }
    }
    return ([], [])
  }
}
