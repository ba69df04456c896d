import CallsignCatalogue

/// Finds what all endpoints of an API have in common, to say it once.
enum CommonFacts {
  /// Takes header fields and parameters with one possible value, types of errors and the idempotency key out of the
  /// endpoints, where all that could have them have the same.
  static func take(from endpoints: inout [Endpoint]) -> EveryCall {
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
    return facts
  }

  /// The type of each status that at least half of the endpoints have, where nearly all that have it agree.
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

  /// The header field that all calls have which could not be repeated otherwise.
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
