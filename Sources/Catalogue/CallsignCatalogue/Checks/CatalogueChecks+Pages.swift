extension CatalogueChecks {
  mutating func checkPages(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    guard let pages = endpoint.pages else { return }
    let styleKey = PagesKey(rawValue: pages.style.rawValue) ?? .token
    if pages.style.hasParameter { checkPageParameter(pages.parameter, styleKey, of: endpoint, marks) }
    if pages.style == .url || pages.style == .link, endpoint.method != "GET" {
      error(
        "the next page is at a URL, so the call must be a GET",
        at: marks.values[.pages] ?? endpoint.location)
    }
    if let size = pages.size { checkPageParameter(size, .size, of: endpoint, marks) }
    if let since = pages.since { checkPageParameter(since, .since, of: endpoint, marks) }

    guard let returns = endpoint.returns else {
      error("`pages` needs `returns`, the type of a page; add it", at: marks.values[.pages] ?? endpoint.location)
      return
    }
    if let path = pages.more, let location = marks.pages[.more], let type = find(path, in: returns, at: location),
      type.kind != .scalar(.bool), type.kind != .scalar(.json)
    {
      error("`\(path)` is not a flag; name a `bool` of the response", at: location)
    }
    if let path = pages.total, let location = marks.pages[.total], let type = find(path, in: returns, at: location),
      type.kind != .scalar(.int), type.kind != .scalar(.json)
    {
      error("`\(path)` counts nothing; name an `int` of the response", at: location)
    }
    let url = pages.style == .url ? pages.parameter : nil
    for (key, path) in [(PagesKey.next, pages.next), (.previous, pages.previous), (.url, url)] {
      guard let path, let location = marks.pages[key] else { continue }
      guard let type = find(path, in: returns, at: location) else { continue }
      if !isToken(type) {
        error("`\(path)` is not a token; name a `string` or `int` of the response", at: location)
      }
    }
    guard let location = marks.pages[.items], let items = find(pages.items, in: returns, at: location) else { return }
    guard case .list(let element) = items.kind else {
      if items.kind != .scalar(.json) {
        error("`\(pages.items)` is not a list; name the list of the response that has the elements", at: location)
      }
      return
    }
    guard let id = pages.id, let location = marks.pages[.id] else { return }
    if let type = find(id, in: element, at: location), !isToken(type) {
      error("`\(id)` is not an id; name a `string` or `int` of the element", at: location)
    }
  }

  private mutating func checkPageParameter(
    _ name: String, _ key: PagesKey, of endpoint: Endpoint, _ marks: EndpointMarks
  ) {
    let location = marks.pages[key] ?? endpoint.location
    guard let parameter = endpoint.parameters.first(where: { $0.name == name }) else {
      let advice =
        suggestions.clause(for: name, among: endpoint.parameters.map(\.name)) ?? "; add it under `params`"
      error("`pages` names `\(name)`, which is not a parameter\(advice)", at: location)
      return
    }
    if parameter.place == .path || parameter.place == .body {
      error("`\(name)` changes from page to page and cannot be the \(parameter.place.rawValue)", at: location)
    }
    // The caller chooses the number of elements, so it may be in any part of the request.
    if key == .since, parameter.place != .query {
      error("`\(name)` asks for later elements, so it must be in the query; add `in: query` to it", at: location)
    } else if key != .size, parameter.place == .header || parameter.place == .cookie {
      error(
        "`\(name)` changes from page to page and is sent in the query or in the body, not as a \(parameter.place.rawValue)",
        at: location)
    }
    if key != .size, !parameter.type.isOptional, !parameter.type.isUnreadable {
      error("the first request has no `\(name)`; add `?` to its type", at: location)
    }
    guard let type = resolved(parameter.type) else { return }
    let isNumber = type.kind == .scalar(.int)
    if key == .page || key == .size || key == .offset, !isNumber {
      error("`\(name)` counts, so its type is `int`", at: location)
    } else if !isNumber, type.kind != .scalar(.string) {
      error("`\(name)` carries a token, so its type is `string` or `int`", at: location)
    }
  }

  func isToken(_ type: TypeReference) -> Bool {
    switch type.kind {
    case .scalar(.string), .scalar(.int), .scalar(.int32), .scalar(.uint64), .scalar(.json), .scalar(.url),
      .scalar(.uuid):
      true
    default: false
    }
  }

  /// The type at a dotted path, with aliases resolved. A missing member is reported at its own column.
  mutating func find(_ path: String, in type: TypeReference, at location: SourceLocation) -> TypeReference? {
    guard var current = resolved(type) else { return nil }
    if path == "." { return current }
    var place = location
    for member in path.split(separator: ".", omittingEmptySubsequences: false).map(String.init) {
      switch current.kind {
      case .map(let value):
        guard let next = resolved(value) else { return nil }
        current = next
      case .scalar(.json):
        return current
      case .named(let name):
        guard let model = model(current) else { return nil }
        switch model.shape {
        case .object(let fields, let extra):
          guard let field = fields.first(where: { $0.name == member }) else {
            if extra != nil, let extra { return resolved(extra) }
            let advice =
              suggestions.clause(for: member, among: fields.map(\.name))
              ?? "; add the field to the model, or correct the path"
            error("`\(name)` has no field `\(member)`\(advice)", at: place)
            return nil
          }
          guard let next = resolved(field.type) else { return nil }
          current = next
        case .union:
          error("`\(name)` is a union, so `\(member)` cannot be found in it; return a model with fields", at: place)
          return nil
        case .enumeration, .alias:
          error("`\(name)` has no fields, so it has no `\(member)`; correct the path", at: place)
          return nil
        }
      case .list, .scalar:
        error("a \(current.isList ? "list" : "plain value") has no `\(member)`; correct the path", at: place)
        return nil
      }
      place.column += member.unicodeScalars.count + 1
    }
    return current
  }
}

extension TypeReference {
  var isList: Bool { if case .list = kind { true } else { false } }
}
