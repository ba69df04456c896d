extension CatalogueChecks {
  mutating func checkParameters(_ endpoint: Endpoint, _ marks: EndpointMarks) {
    for (parameter, mark) in zip(endpoint.parameters, marks.parameters) {
      checkType(parameter.type)
      checkPlace(parameter, mark, of: endpoint)
      checkList(parameter, mark)
      checkObject(parameter, mark, of: endpoint)
      checkReserved(parameter, mark)
      checkRepetition(parameter, mark, of: endpoint)
      checkConstant(parameter, mark, of: endpoint)
      checkDefault(parameter, mark)
      checkWire(parameter, mark, of: endpoint)
    }
    checkLabels(endpoint)
  }

  /// A parameter can have another name on the wire only if nothing else refers to the parameter.
  private mutating func checkWire(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    guard let wire = parameter.wireName, let location = mark.wire else { return }
    let pages = endpoint.pages
    let named =
      endpoint.rules.flatMap(\.parameters)
      + [
        pages?.requestParameter, pages?.size, pages?.since, endpoint.backfill?.parameter,
        endpoint.lengthFramingParameter,
      ].compactMap { $0 }
    if parameter.place == .path || parameter.place == .body {
      error("what is in the path, or the whole body, is not sent by its name; remove `as`", at: location)
    } else if named.contains(parameter.name) {
      error("rules, pages and streams know `\(parameter.name)` by the name that is sent; remove `as`", at: location)
    } else if endpoint.parameters.contains(where: {
      $0.name != parameter.name && $0.place == parameter.place && $0.wire == wire
    }) {
      error("another parameter of this place is sent as `\(wire)`; remove one of them", at: location)
    }
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
      if parameter.objectStyle == nil { checkText(type, in: "a path") } else { checkNoFile(in: type) }
    case .query:
      if parameter.objectStyle == nil { checkText(type, in: "a query") } else { checkNoFile(in: type) }
    case .cookie:
      if type.isNullable { error("a cookie cannot be null; remove `| null`", at: type.location) }
      // RFC 6265 §4.1.1: a cookie's name is a token, like a header field's name.
      if !HeaderName.isValid(parameter.wire) {
        error("`\(parameter.wire)` cannot be a cookie's name; use letters, digits and `-._`", at: parameter.location)
      }
      if parameter.objectStyle == nil { checkText(type, in: "a cookie") } else { checkNoFile(in: type) }
    case .header:
      if type.isNullable { error("a header cannot be null; remove `| null`", at: type.location) }
      checkHeader(parameter)
      if parameter.objectStyle == nil { checkText(type, in: "a header") } else { checkNoFile(in: type) }
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
    if !HeaderName.isValid(parameter.wire) { error(HeaderName.advice(parameter.wire), at: parameter.location) }
    let own: Set<String> = [
      "authorization", "connection", "content-length", "content-type", "host", "proxy-authorization",
      "transfer-encoding",
    ]
    if own.contains(parameter.wire.lowercased()) {
      error(
        "the client sets the header `\(parameter.wire)` itself; remove it here (`auth` is for credentials)",
        at: parameter.location)
    }
  }

  /// Outside JSON, only values that are a single string, and lists of them, can be sent.
  private mutating func checkText(_ type: TypeReference, in place: String, isElement: Bool = false) {
    guard let resolved = resolved(type) else { return }
    let isInLine = ["a path", "a header", "a cookie"].contains(place)
    let textAdvice = "; send it as a field of a JSON body, or as a `string` that the caller writes"
    let styleAdvice =
      "; say how it is written, such as `object: \(isInLine ? "flat" : "brackets")`, or send it as a field of a JSON body"
    let advice = isInLine ? textAdvice : styleAdvice
    let objectAdvice = isInLine && isElement ? textAdvice : styleAdvice
    switch resolved.kind {
    case .scalar(.bytes), .scalar(.base64URL):
      error(
        "`bytes` cannot be in \(place); make it the whole body (`in: body`), or use a multipart `file`",
        at: type.location)
    case .scalar(.file):
      error("a `file` is a part of a multipart body; add `body: multipart`, and leave `in` out", at: type.location)
    case .scalar(.json):
      error("`json` cannot be in \(place)\(advice)", at: type.location)
    case .scalar: break
    case .map:
      error("a map cannot be in \(place)\(objectAdvice)", at: type.location)
    case .list(let element):
      if isElement {
        error("a list of lists cannot be in \(place)\(advice)", at: type.location)
      } else {
        checkText(element, in: place, isElement: true)
        if element.isNullable, case .scalar(.date)? = self.resolved(element)?.kind {
          checkNoNull(ofDates: type, in: place)
        }
      }
    case .named(let name):
      switch model(resolved)?.shape {
      case .object:
        error("`\(name)` is an object and cannot be in \(place)\(objectAdvice)", at: type.location)
      case .union: error("`\(name)` is a union and cannot be in \(place)\(advice)", at: type.location)
      default: break
      }
    }
  }

  private mutating func checkPart(_ type: TypeReference) {
    guard let resolved = resolved(type) else { return }
    switch resolved.kind {
    case .scalar(.file): checkNoNull(ofFile: type)
    case .scalar(.bytes), .scalar(.base64URL):
      error("in a multipart body write `file`, which also has a name and a media type", at: type.location)
    case .list(let element):
      if self.resolved(element)?.kind == .scalar(.file) {
        checkNoNull(ofFile: type)
        checkNoNull(ofFile: element)
      } else {
        checkText(type, in: "a multipart body")
      }
    default: checkText(type, in: "a multipart body")
    }
  }

  private mutating func checkNoNull(ofFile type: TypeReference) {
    if type.isNullable { error("a file cannot be null; remove `| null`, or write `?`", at: type.location) }
  }

  private mutating func checkNoNull(ofDates type: TypeReference, in place: String) {
    error(
      "in \(place) no date of a list is null; take `| null` from the elements, or send the list in a JSON body",
      at: type.location)
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
    case .scalar(.int): fits = NumberText.isWhole(constant)
    case .scalar(.number): fits = NumberText.isNumber(constant)
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
        "`\(constant)` is not a value of the type; a constant is a text, number, `true`, `false` or an enum's value",
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
    error("the default \(value.words) is not a value of the type; correct one of them", at: location)
  }

  // MARK: Objects and lists

  private mutating func checkObject(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    guard let style = parameter.objectStyle, let location = mark.object else { return }
    let isInForm = parameter.place == .query || parameter.place == .field && endpoint.body == .form
    let isInText = isInForm || parameter.place == .field && endpoint.body == .multipart
    let isInLine = [.path, .header, .cookie].contains(parameter.place)
    if !isInText, !isInLine {
      error("`object` is for what is not in JSON; remove it", at: location)
    } else if isInLine, !style.isOneText || style == .pairs && parameter.place == .cookie {
      let words = parameter.place == .cookie ? "`object: flat`" : "`object: flat` or `object: pairs`"
      error("in a \(parameter.place.rawValue) an object is one text; write \(words)", at: location)
    } else if style == .pairs && !isInLine || style == .flat && !isInForm && !isInLine {
      error("`\(style.rawValue)` is not for this place; write another style, such as `object: json`", at: location)
    } else if style.isOneText, !isObject(parameter.type) {
      error("`\(style.rawValue)` writes an object or a map; remove `object`", at: location)
    } else if style.isOneText, let member = nestedMember(of: parameter.type) {
      error(
        "`\(style.rawValue)` writes texts, numbers and flags, and \(member) is none of these; "
          + "send the object as a field of a JSON body, or as a `string` that the caller writes", at: location)
    } else if parameter.type.isNullable {
      error("an object that is not in JSON cannot be null; remove `| null`", at: parameter.type.location)
    } else if style == .json, let list = mark.list, parameter.listStyle != .repeat {
      error(
        "JSON has its own lists; remove `list`, or write `list: repeat` for one JSON value per element", at: list)
    }
  }

  /// Whether the type is known to have members.
  private func isObject(_ type: TypeReference) -> Bool {
    guard let resolved = resolved(type) else { return true }
    switch resolved.kind {
    case .map, .scalar(.json): return true
    case .scalar, .list: return false
    case .named:
      switch model(resolved)?.shape {
      case .enumeration: return false
      default: return true
      }
    }
  }

  /// Describes the first member that is itself an object or a list.
  private func nestedMember(of type: TypeReference) -> String? {
    guard let resolved = resolved(type) else { return nil }
    if case .map(let element) = resolved.kind { return isNested(element) ? "a value of the map" : nil }
    guard case .object(let fields, let extra)? = model(resolved)?.shape else { return nil }
    if let field = fields.first(where: { isNested($0.type) }) { return "`\(field.name)`" }
    return extra.flatMap { isNested($0) ? "a member of any other name" : nil }
  }

  private func isNested(_ type: TypeReference) -> Bool {
    guard let resolved = resolved(type) else { return false }
    switch resolved.kind {
    case .list, .map: return true
    case .scalar: return false
    case .named:
      guard case .object? = model(resolved)?.shape else { return false }
      return true
    }
  }

  private mutating func checkReserved(_ parameter: Parameter, _ mark: ParameterMarks) {
    guard parameter.keepsReserved, parameter.place != .query, let location = mark.reserved else { return }
    error(
      parameter.place == .path
        ? "`reserved` is for a query; remove it, and write `{+\(parameter.name)}` in the path"
        : "`reserved` is for a query; remove it", at: location)
  }

  /// In a path, `list: repeat` repeats a matrix parameter of the segment, `;name=a;name=b`, so the segment must contain one.
  private mutating func checkRepetition(_ parameter: Parameter, _ mark: ParameterMarks, of endpoint: Endpoint) {
    guard let location = mark.list, parameter.place == .path, parameter.listStyle == .repeat,
      parameter.objectStyle != .flat
    else { return }
    let path = endpoint.path.replacing("{+", with: "{")
    let segments = path.split(separator: "/").filter { $0.contains("{\(parameter.name)}") }
    let hasSign = segments.allSatisfy { segment in
      segment.firstRange(of: "{\(parameter.name)}").map { range in
        // The text between the placeholder and the previous one.
        segment[..<range.lowerBound].split(separator: "}", omittingEmptySubsequences: false).last?.contains(";") == true
      } ?? false
    }
    guard !hasSign else { return }
    error(
      "a list in a path repeats the text before it from a `;` on, as in `/pets;\(parameter.name)={\(parameter.name)}`; "
        + "write that, or `list: comma`", at: location)
  }

  private mutating func checkList(_ parameter: Parameter, _ mark: ParameterMarks) {
    guard let location = mark.list, let type = resolved(parameter.type) else { return }
    if let style = parameter.objectStyle {
      let isNamed = [.brackets, .indexed].contains(parameter.listStyle)
      let isRepeated = parameter.listStyle == .repeat && !(style == .pairs && parameter.place == .path)
      if style.isOneText, isNamed || isRepeated {
        error("between the members is a `comma`, a `space`, a `pipe` or a `dot`; write one of them", at: location)
      }
      if style != .json { return }
    }
    guard case .list(let element) = type.kind else {
      warning("`\(parameter.name)` is not a list, so `list` has no effect; remove it", at: location)
      return
    }
    let parts: [Parameter.ListStyle] = [.repeat, .brackets, .indexed]
    if resolved(element)?.kind == .scalar(.file), !parts.contains(parameter.listStyle) {
      error("each file is a separate part; remove `list`, or write `list: brackets` or `list: indexed`", at: location)
    }
    let named: [Parameter.ListStyle] =
      parameter.place == .path ? [.brackets, .indexed] : [.repeat, .brackets, .indexed]
    if named.contains(parameter.listStyle), [.path, .header, .cookie].contains(parameter.place) {
      error(
        "in a \(parameter.place.rawValue) a list cannot repeat its name; write `list: comma` or `list: space`",
        at: location)
    }
  }
}
