import CallsignCatalogue

/// Finds what all endpoints of an API have in common, to write it once.
enum CommonFacts {
  /// Moves header fields and parameters with a single value, error types and the idempotency key out of the endpoints if all that
  /// could have them have the same ones. It also finds out how most responses report a failed call.
  static func take(from endpoints: inout [Endpoint], _ table: ModelTable) -> EveryCall {
    var facts = EveryCall()
    guard endpoints.count > 1 else { return facts }
    for place in [Parameter.Place.header, .query] {
      for parameter in endpoints[0].parameters where parameter.place == place {
        guard let value = parameter.constant,
          endpoints.allSatisfy({ endpoint in
            endpoint.parameters.contains {
              $0.name == parameter.name && $0.place == place && $0.constant == value
            }
          })
        else { continue }
        let constant = Constant(name: parameter.name, value: value)
        if place == .header { facts.headers.append(constant) } else { facts.query.append(constant) }
        for index in endpoints.indices {
          endpoints[index].parameters.removeAll { $0.name == parameter.name && $0.place == place }
        }
      }
    }
    facts.errors = takeErrors(from: &endpoints)
    takeIdempotencyKey(from: &endpoints, &facts)
    facts.failures = failures(of: endpoints, table)
    return facts
  }

  // MARK: Failures

  /// Flags that are `false` in a failure, and flags that are `true` in one. Names are in lowercase, without separators.
  private static let flagsOfSuccess: Set<String> = [
    "ok", "success", "succeeded", "successful", "issuccess", "issuccessful", "wassuccessful",
  ]
  private static let flagsOfFailure: Set<String> = [
    "error", "iserror", "haserror", "haserrors", "failed", "failure", "isfailure",
  ]
  /// Texts with one of a few values. In a failure, the value is one of the second set.
  private static let outcomes: Set<String> = ["stat", "status", "result", "outcome"]
  private static let wordsOfSuccess: Set<String> = ["ok", "success", "succeeded", "successful"]
  private static let wordsOfFailure: Set<String> = ["fail", "failed", "failure", "error"]

  /// The members with which at least half of the responses that are objects report a failed call, whatever their status.
  private static func failures(of endpoints: [Endpoint], _ table: ModelTable) -> [FailureSign] {
    var count = 0
    var signs: [FailureSign: Int] = [:]
    for endpoint in endpoints where endpoint.stream == nil {
      guard let returns = endpoint.returns, case .named(let name) = table.resolved(returns).kind,
        case .object(let fields, _)? = table[name]?.shape
      else { continue }
      count += 1
      for sign in fields.compactMap({ failure($0, table) }) { signs[sign, default: 0] += 1 }
    }
    // One sign per path, always in the same order.
    var result: [FailureSign] = []
    let found = signs.filter { $0.value > 1 && $0.value * 2 >= count }.keys
    for sign in found.sorted(by: { ($0.path, $0.values.joined()) < ($1.path, $1.values.joined()) }) {
      if let last = result.last, last.path == sign.path {
        let values = last.values + sign.values.filter { !last.values.contains($0) }
        result[result.count - 1] = FailureSign(path: sign.path, values: values)
      } else {
        result.append(sign)
      }
    }
    return result
  }

  /// The failure sign that a member of a response represents. A name with a dot would be read as a path.
  private static func failure(_ field: Field, _ table: ModelTable) -> FailureSign? {
    let name = field.name.lowercased().filter { $0 != "_" && $0 != "-" }
    guard !field.name.contains(".") else { return nil }
    switch table.resolved(field.type).kind {
    case .scalar(.bool):
      if flagsOfSuccess.contains(name) { return FailureSign(path: field.name, values: ["false"]) }
      return flagsOfFailure.contains(name) ? FailureSign(path: field.name, values: ["true"]) : nil
    case .scalar(.string):
      // This name is used only for the outcome of a call.
      return name == "stat" ? FailureSign(path: field.name, values: ["fail"]) : nil
    case .named(let enumeration):
      guard outcomes.contains(name), case .enumeration(let cases)? = table[enumeration]?.shape else { return nil }
      let failures = cases.map(\.value).filter { wordsOfFailure.contains($0.lowercased()) }
      let successes = cases.filter { wordsOfSuccess.contains($0.value.lowercased()) }
      // With further values, it is the state of something, so an error value does not mean that the call failed.
      guard !failures.isEmpty, !successes.isEmpty, failures.count + successes.count == cases.count else { return nil }
      return FailureSign(path: field.name, values: failures)
    case .scalar, .list, .map: return nil
    }
  }

  // MARK: Facts of endpoints

  /// The type for each status that at least half of the endpoints have, if nearly all of them agree on it.
  private static func takeErrors(from endpoints: inout [Endpoint]) -> [ErrorBody] {
    var counts: [String: [String: Int]] = [:]
    for endpoint in endpoints {
      for body in endpoint.errors { counts[body.status, default: [:]][body.type.text, default: 0] += 1 }
    }
    var common: [ErrorBody] = []
    for (status, types) in counts.sorted(by: { $0.key < $1.key }) {
      guard let most = types.max(by: { ($0.value, $1.key) < ($1.value, $0.key) }), most.value * 2 >= endpoints.count,
        let body = endpoints.lazy.flatMap(\.errors).first(where: { $0.status == status && $0.type.text == most.key })
      else { continue }
      common.append(body)
    }
    for index in endpoints.indices { endpoints[index].errors.removeAll { common.contains($0) } }
    return common
  }

  /// The header field that every call has that could not be repeated otherwise.
  private static func takeIdempotencyKey(from endpoints: inout [Endpoint], _ facts: inout EveryCall) {
    let writing = endpoints.filter { ["POST", "PATCH"].contains($0.method) }
    guard writing.count > 1, let key = writing[0].idempotencyKey, writing.allSatisfy({ $0.idempotencyKey == key })
    else {
      return
    }
    facts.idempotencyKey = key
    for index in endpoints.indices where ["POST", "PATCH"].contains(endpoints[index].method) {
      endpoints[index].idempotencyKey = nil
    }
  }
}
