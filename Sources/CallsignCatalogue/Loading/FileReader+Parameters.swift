import CallsignYAML

extension FileReader {
  /// `params:`, with every parameter's place and the endpoint's body format filled in.
  func readParameters(_ entry: YAMLEntry?, of endpoint: inout Endpoint, _ marks: inout EndpointMarks) {
    let hasDefaultBody = ["POST", "PUT", "PATCH"].contains(endpoint.method)
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
    // A call without fields has no body, unless it asks for the empty object with `body: json`.
    if endpoint.body == nil, hasDefaultBody, endpoint.parameters.contains(where: { $0.place == .field }) {
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
    mark.name = keys[.name].map { location($0.value) }
    parameter.swiftName = swiftName(keys[.name])
    parameter.summary = keys[.summary].flatMap { line($0) }
    parameter.deprecation = deprecation(keys[.deprecated])
  }
}
