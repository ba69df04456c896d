extension CatalogueChecks {
  mutating func checkBackfill(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    guard let backfill = endpoint.backfill, let location = marks.stream[.backfill] else { return }
    let name = backfill.parameter
    if let parameter = endpoint.parameters.first(where: { $0.name == name }) {
      if parameter.place != .query {
        error("`\(name)` changes from connection to connection and must be in the query", at: location)
      }
      if let type = resolved(parameter.type) {
        if type.kind != .scalar(.int) {
          error("`\(name)` counts minutes, so its type is `int`", at: location)
        } else if type.constraints.maximum.flatMap({ Int($0) }).map({ $0 < 1 || $0 > 10_000 }) ?? true {
          error("`\(name)` needs a greatest number of minutes; give it a type such as `int(0..5)?`", at: location)
        }
      }
    } else {
      let advice =
        suggestions.clause(for: name, among: endpoint.parameters.map(\.name)) ?? "; add it under `params`"
      error("`backfill` names `\(name)`, which is no parameter\(advice)", at: location)
    }
    guard let id = backfill.id, let returns = endpoint.returns, let location = marks.stream[.id] else { return }
    if let type = find(id, in: returns, at: location), !isToken(type) {
      error("`\(id)` is no id; name a `string` or `int` of the record", at: location)
    }
  }
}
