extension CatalogueChecks {
  mutating func checkParameters(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    for (parameter, mark) in zip(endpoint.parameters, marks.parameters) {
      checkType(parameter.type)
      checkPlace(parameter, mark, of: endpoint)
      checkList(parameter, mark)
      checkObject(parameter, mark, of: endpoint)
      checkConstant(parameter, mark, of: endpoint)
      checkDefault(parameter, mark)
    }
    checkLabels(endpoint)
  }

  // MARK: Labels

  private mutating func checkLabels(_ endpoint: Endpoint) {
    var folded: Set<String> = []
    for rule in endpoint.rules where rule.swiftType != nil { folded.formUnion(rule.parameters) }
    var labels: [String: String] = [:]
    for parameter in endpoint.parameters where parameter.constant == nil {
      if !folded.isEmpty, folded.contains(parameter.name) { continue }
      let label = memberName(parameter.name, swiftName: parameter.swiftName)
      claimLabel(label, for: parameter.name, at: parameter.location, among: &labels)
    }
    for rule in endpoint.rules {
      guard let type = rule.swiftType else { continue }
      claimLabel(rule.swiftLabel ?? "", for: type, at: rule.location, among: &labels)
    }
  }

  private mutating func claimLabel(
    _ label: String, for name: String, at location: SourceLocation, among labels: inout [String: String]
  ) {
    guard let other = labels.updateValue(name, forKey: label) else { return }
    error("`\(other)` and `\(name)` both become the argument `\(label)`; give one another `name`", at: location)
  }

  // MARK: Places

  private mutating func checkPlace(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    let type = parameter.type
    switch parameter.place {
    case .path:
      if type.isOptional {
        error("`\(parameter.name)` is part of the path and cannot be left out; remove `?`", at: type.location)
      }
      if type.isNullable {
        error("`\(parameter.name)` is part of the path and cannot be null; remove `| null`", at: type.location)
      }
      checkText(type, in: "a path")
    case .query:
      if parameter.objectStyle == nil { checkText(type, in: "a query") }
    case .cookie:
      if type.isNullable { error("a cookie cannot be null; remove `| null`", at: type.location) }
      // RFC 6265 §4.1.1: a cookie's name is a token, as a header field's is.
      if !HeaderName.isValid(parameter.name) {
        error("`\(parameter.name)` cannot be a cookie's name; use letters, digits and `-._`", at: parameter.location)
      }
      checkText(type, in: "a cookie")
    case .header:
      if type.isNullable { error("a header cannot be null; remove `| null`", at: type.location) }
      checkHeader(parameter)
      checkText(type, in: "a header")
    case .field:
      switch endpoint.body {
      case .form where parameter.objectStyle != nil, .multipart where parameter.objectStyle != nil:
        checkNoFile(in: type)
      case .form: checkText(type, in: "a form")
      case .multipart: checkPart(type)
      case .json, nil: checkNoFile(in: type)
      }
    case .body:
      checkNoFile(in: type)
      if type.isNullable, type.kind == .scalar(.bytes) {
        error("raw bytes cannot be null; remove `| null`", at: type.location)
      }
    }
  }

  private mutating func checkHeader(_ parameter: Parameter) {
    if !HeaderName.isValid(parameter.name) { error(HeaderName.advice(parameter.name), at: parameter.location) }
    let own: Set<String> = [
      "authorization", "connection", "content-length", "content-type", "host", "proxy-authorization",
      "transfer-encoding",
    ]
    if own.contains(parameter.name.lowercased()) {
      error(
        "the client sets the header `\(parameter.name)` itself; remove it here (credentials are said by `auth`)",
        at: parameter.location)
    }
  }

  /// Only values that are one text, and lists of them, can be outside JSON.
  private mutating func checkText(_ type: TypeReference, in place: String, isElement: Bool = false) {
    guard let resolved = resolved(type) else { return }
    let advice =
      ["a path", "a header", "a cookie"].contains(place)
      ? "; send it as a field of a JSON body, or as a `string` that the caller writes"
      : "; say how it is written, such as `object: brackets`, or send it as a field of a JSON body"
    switch resolved.kind {
    case .scalar(.bytes):
      error(
        "`bytes` cannot be in \(place); make it the whole body (`in: body`), or use a multipart `file`",
        at: type.location)
    case .scalar(.file):
      error("a `file` is a part of a multipart body; add `body: multipart`, and leave `in` out", at: type.location)
    case .scalar(.json):
      error("`json` cannot be in \(place)\(advice)", at: type.location)
    case .scalar: break
    case .map:
      error("a map cannot be in \(place)\(advice)", at: type.location)
    case .list(let element):
      if isElement {
        error("a list of lists cannot be in \(place)\(advice)", at: type.location)
      } else {
        checkText(element, in: place, isElement: true)
      }
    case .named(let name):
      switch model(resolved)?.shape {
      case .object: error("`\(name)` is an object and cannot be in \(place)\(advice)", at: type.location)
      case .union: error("`\(name)` is a union and cannot be in \(place)\(advice)", at: type.location)
      default: break
      }
    }
  }

  private mutating func checkPart(_ type: TypeReference) {
    guard let resolved = resolved(type) else { return }
    switch resolved.kind {
    case .scalar(.file): break
    case .scalar(.bytes):
      error("in a multipart body write `file`, which says its name and media type too", at: type.location)
    case .list(let element):
      if self.resolved(element)?.kind != .scalar(.file) { checkText(type, in: "a multipart body") }
    default: checkText(type, in: "a multipart body")
    }
  }

  private mutating func checkNoFile(in type: TypeReference) {
    switch resolved(type)?.kind {
    case .scalar(.file):
      error("a `file` is a part of a multipart body; add `body: multipart` to the endpoint", at: type.location)
    case .list(let element), .map(let element): checkNoFile(in: element)
    default: break
    }
  }

  // MARK: Constants

  private mutating func checkConstant(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    guard let constant = parameter.constant, let location = mark.value else { return }
    if parameter.type.isOptional || parameter.type.isNullable {
      error(
        "`\(parameter.name)` has a `value` and is always sent; remove `?` and `| null`", at: parameter.type.location)
    }
    if endpoint.rules.contains(where: { $0.parameters.contains(parameter.name) }) {
      error("`\(parameter.name)` has a `value` and is always sent; remove it from the rules", at: location)
    }
    guard let type = resolved(parameter.type) else { return }
    let fits: Bool
    switch type.kind {
    case .scalar(.string): fits = true
    case .scalar(.int): fits = Int(constant) != nil
    case .scalar(.number): fits = Double(constant)?.isFinite == true
    case .scalar(.bool): fits = constant == "true" || constant == "false"
    case .named:
      if case .enumeration(let cases)? = model(type)?.shape {
        fits = cases.contains { $0.value == constant }
      } else {
        fits = false
      }
    default: fits = false
    }
    if !fits {
      error(
        "`\(constant)` is no value of the type; a constant is a text, number, `true`, `false` or an enum's value",
        at: location)
    }
  }

  // MARK: Defaults

  private mutating func checkDefault(_ parameter: Parameter, _ mark: ParameterMarks) {
    guard let value = parameter.defaultValue, let location = mark.fallback else { return }
    if parameter.constant != nil || !parameter.type.isOptional {
      error("`\(parameter.name)` is always sent, so it has no default; remove `default`, or add `?`", at: location)
    }
    checkDefault(value, of: parameter.type, at: location)
  }

  mutating func checkDefault(_ value: DefaultValue, of type: TypeReference, at location: SourceLocation) {
    guard !type.isUnreadable, resolved(type) != nil, !value.fits(type, ModelTable(models)) else { return }
    error("the default \(value.words) is no value of the type; mend one of them", at: location)
  }

  // MARK: Objects and lists

  private mutating func checkObject(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    guard let style = parameter.objectStyle, let location = mark.object else { return }
    let isInText =
      parameter.place == .query || parameter.place == .field && (endpoint.body == .form || endpoint.body == .multipart)
    if !isInText {
      error("`object` is for queries, forms and multipart bodies; remove it", at: location)
    } else if parameter.type.isNullable {
      error("an object that is not in JSON cannot be null; remove `| null`", at: parameter.type.location)
    } else if style == .json, let list = mark.list, parameter.listStyle != .repeat {
      error(
        "JSON has lists of its own; remove `list`, or write `list: repeat` for one JSON value per element", at: list)
    }
  }

  private mutating func checkList(_ parameter: Parameter, _ mark: ParameterMarks) {
    guard let location = mark.list, let type = resolved(parameter.type) else { return }
    if parameter.objectStyle != nil, parameter.objectStyle != .json { return }
    guard case .list = type.kind else {
      warning("`\(parameter.name)` is no list, so `list` says nothing; remove it", at: location)
      return
    }
    let isNamed = [.repeat, .brackets, .indexed].contains(parameter.listStyle)
    if isNamed, [.path, .header, .cookie].contains(parameter.place) {
      error(
        "in a \(parameter.place.rawValue) a list cannot repeat its name; write `list: comma` or `list: space`",
        at: location)
    }
  }
}
