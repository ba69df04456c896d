import CallsignCatalogue
import CallsignJSON
import Foundation
import HTTPTypes

/// A request parameter that is invalid or missing.
struct ArgumentProblem: Sendable, Equatable {
  /// The name on the wire, with the path inside it: `pet.tags[2]`.
  var parameter: String
  /// `path`, `query`, `header`, `body`.
  var place: String
  var detail: String
  var allowed: String
}

/// The arguments of an operation, converted to the catalogue's types.
struct ReadArguments: Sendable {
  /// The values, by their names on the wire.
  var values: [String: JSONValue] = [:]
  /// The body: JSON unchanged, a form or multipart body as an object, or text; `nil` for other bytes.
  var body: JSONValue?
  var problems: [ArgumentProblem] = []
  /// Whether the body is bytes or text that is not parsed.
  var isRaw = false
  /// The accepted media types, set if the operation does not accept the body's media type.
  var acceptedMediaTypes: [String]?
}

/// Reads the arguments of a request according to the operation's parameters. Apart from the parsing of JSON text, it shares no code
/// with the clients. A server that must also check how clients write JSON parses it separately.
struct ArgumentReader: Sendable {
  let types: ModelIndex
  let everyCall: EveryCall
  /// Whether parameters that are not in the catalogue are problems.
  var isStrict = false
  /// Query parameters with credentials, which are not arguments.
  var credentialNames: Set<String> = []

  private var checker: ValueChecker { ValueChecker(types: types, direction: .request, isStrict: isStrict) }
  private var texts: ParameterText { ParameterText(types: types) }

  /// - Parameter path: The percent-encoded texts of the path's parameters.
  func read(_ request: IncomingRequest, _ endpoint: Endpoint, path: [String: String]) -> ReadArguments {
    var result = ReadArguments()
    let query = request.query.map(FormText.pairs) ?? []
    var usedQuery = Set(everyCall.query.map(\.name)).union(credentialNames)
    let body = readBody(request, endpoint, &result)
    let names = Set(endpoint.parameters.filter { $0.objectStyle != .members }.map(\.wire)).union(usedQuery)
    for parameter in endpoint.parameters {
      switch parameter.place {
      case .path:
        take(path[parameter.name].map { pathNode($0, parameter) }, parameter, "path", &result)
      case .query:
        take(collect(parameter, from: query, names, &usedQuery), parameter, "query", &result)
        checkCount(of: parameter, in: query, endpoint, &result)
      case .header:
        let field = HTTPField.Name(parameter.wire).flatMap { request.headers[$0] }
        take(field.map { headerNode($0, parameter) }, parameter, "header", &result)
      case .cookie:
        let text = request.cookie(parameter.wire).map { $0.removingPercentEncoding ?? $0 }
        take(text.map { headerNode($0, parameter) }, parameter, "cookie", &result)
      case .field:
        switch body {
        case .json(let members): take(json: members[parameter.wire], parameter, &result)
        case .pairs(let pairs):
          var used: Set<String> = []
          take(collect(parameter, from: pairs, names, &used), parameter, "body", &result)
          checkCount(of: parameter, in: pairs, endpoint, &result)
        case .none: take(nil, parameter, "body", &result)
        // The error has been reported, and the contents are unknown.
        case .unreadable: break
        }
      case .body: takeWhole(request, endpoint, parameter, &result)
      }
    }
    if case .unreadable = body {} else { checkRules(endpoint, &result) }
    if isStrict { checkUnknown(endpoint, query, usedQuery, body, &result) }
    return result
  }

  // MARK: Bodies

  private enum Body {
    case none
    case unreadable
    case json([String: JSONValue])
    case pairs([ReadPair])
  }

  private func readBody(_ request: IncomingRequest, _ endpoint: Endpoint, _ result: inout ReadArguments) -> Body {
    let fields = endpoint.parameters.filter { $0.place == .field }
    let whole = endpoint.parameters.first { $0.place == .body }
    if request.body.isEmpty, !endpoint.needsBody { return .none }
    guard whole == nil, let format = endpoint.body, !fields.isEmpty || format == .json else { return .none }
    let accepted: (String) -> Bool
    let names: [String]
    switch format {
    case .json:
      names = [endpoint.contentType ?? "application/json"]
      accepted = { $0 == "application/json" || $0.hasSuffix("+json") || $0 == names[0] }
    case .form:
      names = ["application/x-www-form-urlencoded"]
      accepted = { $0 == names[0] }
    case .multipart:
      names = ["multipart/form-data"]
      accepted = { $0 == names[0] }
    }
    // A form without fields has no bytes.
    if request.body.isEmpty, endpoint.isBodyRequired, format != .form || request.mediaType.isEmpty {
      result.problems.append(
        ArgumentProblem(parameter: "", place: "body", detail: "is missing", allowed: names[0]))
      return .unreadable
    }
    guard accepted(request.mediaType) else {
      if !request.body.isEmpty || !request.mediaType.isEmpty { result.acceptedMediaTypes = names }
      return .none
    }
    switch format {
    case .json:
      do {
        let value = try JSONValue(jsonData: request.body)
        result.body = value
        if case .object(let members) = value { return .json(members) }
        result.problems.append(
          ArgumentProblem(
            parameter: "", place: "body", detail: "must be an object, not \(value.kind.phrase)", allowed: "an object"))
      } catch {
        result.problems.append(
          ArgumentProblem(
            parameter: "", place: "body",
            detail: "is not JSON: \(Self.reason(error))", allowed: "JSON (RFC 8259)"))
      }
      return .unreadable
    case .form:
      let pairs = FormText.pairs(String(decoding: request.body, as: UTF8.self))
      result.body = Self.object(pairs)
      return .pairs(pairs)
    case .multipart:
      guard let pairs = MultipartText.pairs(request.body, contentType: request.headers[.contentType] ?? "") else {
        result.problems.append(
          ArgumentProblem(
            parameter: "", place: "body", detail: "is not multipart/form-data: a boundary or a part's name is missing",
            allowed: "multipart/form-data (RFC 7578)"))
        return .unreadable
      }
      result.body = Self.object(pairs)
      return .pairs(pairs)
    }
  }

  private static func object(_ pairs: [ReadPair]) -> JSONValue {
    .object(Dictionary(pairs.map { ($0.name, .string($0.value)) }, uniquingKeysWith: { $1 }))
  }

  /// Reads a parameter that is the whole body.
  private func takeWhole(
    _ request: IncomingRequest, _ endpoint: Endpoint, _ parameter: Parameter, _ result: inout ReadArguments
  ) {
    let isRaw =
      switch types.resolve(parameter.type).kind {
      case .scalar(.bytes), .scalar(.file): true
      case .scalar(.string): endpoint.hasRawBody
      default: false
      }
    guard !request.body.isEmpty else {
      // An empty file is still a file.
      return isRaw && !request.mediaType.isEmpty ? () : take(nil, parameter, "body", &result)
    }
    if isRaw {
      if let wanted = endpoint.contentType, !Self.fits(request.mediaType, wanted) {
        result.acceptedMediaTypes = [wanted]
      }
      result.isRaw = true
      result.values[parameter.name] = .string(String(decoding: request.body.prefix(256 << 10), as: UTF8.self))
      return
    }
    let isJSON = request.mediaType == "application/json" || request.mediaType.hasSuffix("+json")
    guard isJSON || request.mediaType == endpoint.contentType else {
      result.acceptedMediaTypes = [endpoint.contentType ?? "application/json"]
      return
    }
    do {
      let value = try JSONValue(jsonData: request.body)
      result.body = value
      take(json: value, parameter, &result)
    } catch {
      result.problems.append(
        ArgumentProblem(
          parameter: parameter.name, place: "body",
          detail: "is not JSON: \(Self.reason(error))", allowed: "JSON (RFC 8259)"))
    }
  }

  /// The reason why a body is not JSON. It repeats nothing from the body except the names in the path, and shortens a long path at
  /// the start.
  private static func reason(_ error: any Error) -> String {
    let text = "\(error)".unicodeScalars
    return (text.count > 300 ? "…" : "") + ValueChecker.shown(text.suffix(300))
  }

  /// Whether a media type matches the wanted one, which may be a range such as `image/*`.
  private static func fits(_ given: String, _ wanted: String) -> Bool {
    let wanted = wanted.prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces).lowercased()
    if wanted == given || wanted == "*/*" { return true }
    return wanted.hasSuffix("/*") && given.hasPrefix(wanted.dropLast())
  }

  // MARK: One parameter

  private func take(_ node: ParameterNode?, _ parameter: Parameter, _ place: String, _ result: inout ReadArguments) {
    guard let node else { return missing(parameter, place, &result) }
    accept(texts.value(node, parameter.type), parameter, place, &result)
  }

  private func take(json value: JSONValue?, _ parameter: Parameter, _ result: inout ReadArguments) {
    guard let value else { return missing(parameter, "body", &result) }
    accept(value, parameter, "body", &result)
  }

  private func missing(_ parameter: Parameter, _ place: String, _ result: inout ReadArguments) {
    if let constant = parameter.constant {
      result.problems.append(
        ArgumentProblem(
          parameter: parameter.name, place: place, detail: "is missing; it is always `\(constant)`", allowed: constant))
    } else if !parameter.type.isOptional {
      result.problems.append(
        ArgumentProblem(parameter: parameter.name, place: place, detail: "is missing", allowed: allowed(parameter.type))
      )
    }
  }

  private func accept(_ value: JSONValue, _ parameter: Parameter, _ place: String, _ result: inout ReadArguments) {
    result.values[parameter.name] = value
    for problem in checker.problems(of: value, parameter.type) {
      let isWhole = problem.path.isEmpty
      result.problems.append(
        ArgumentProblem(
          parameter: parameter.name + problem.path, place: place, detail: problem.detail,
          allowed: isWhole && problem.allowed == parameter.type.text ? allowed(parameter.type) : problem.allowed))
    }
    if let constant = parameter.constant, ParameterText.plain(value) != constant {
      result.problems.append(
        ArgumentProblem(
          parameter: parameter.name, place: place, detail: "is always `\(constant)`", allowed: constant))
    }
  }

  /// The type in the catalogue's notation, with aliases resolved: `string(1..20)` instead of `PetID`.
  private func allowed(_ type: TypeReference) -> String {
    let resolved = types.resolve(type)
    switch resolved.kind {
    case .enumeration(_, let cases): return ValueChecker.list(cases.map(\.value))
    case .scalar(let scalar):
      return TypeReference(.scalar(scalar), isNullable: resolved.isNullable, constraints: resolved.constraints).text
    default:
      var type = type
      type.isOptional = false
      return type.text
    }
  }

  // MARK: Lists and objects as text

  private func node(_ text: String, _ parameter: Parameter) -> ParameterNode {
    guard isDelimited(parameter), !text.isEmpty else { return .text(text) }
    return node(
      text.split(separator: separator(parameter), omittingEmptySubsequences: false).map(String.init), parameter)
  }

  /// Splits the elements of a query or form before decoding, as in RFC 6570. If there is no delimiter, it splits at encoded
  /// delimiters, because some clients encode all of them.
  private func pairNode(_ pair: ReadPair, _ parameter: Parameter) -> ParameterNode {
    let parts = pair.encodedValue.split(separator: separator(parameter), omittingEmptySubsequences: false)
    if parts.count < 2 || !isDelimited(parameter) { return node(pair.value, parameter) }
    return node(parts.map(String.init), parameter) { FormText.decoded($0, plusIsSpace: true) }
  }

  /// Splits the elements of a path before decoding, as in RFC 6570. If there is no delimiter, it splits at encoded delimiters.
  private func pathNode(_ text: String, _ parameter: Parameter) -> ParameterNode {
    func decoded(_ text: String) -> String { FormText.decoded(text, plusIsSpace: false) }
    guard isDelimited(parameter) else { return .text(decoded(text)) }
    let separator: Character = parameter.listStyle == .repeat ? ";" : separator(parameter)
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    if parts.count < 2, parameter.listStyle != .repeat { return node(decoded(text), parameter) }
    // In `a;name=b`, which starts after the first `;name=`, the names are removed.
    let isNamed = parameter.listStyle == .repeat && parameter.objectStyle == nil
    let elements = parts.enumerated().map { index, part in
      String(isNamed && index > 0 ? part.split(separator: "=", maxSplits: 1).last ?? "" : part)
    }
    return node(elements, parameter, decoded: decoded)
  }

  /// Splits a text into a list, or into an object of names and values.
  private func node(
    _ parts: [String], _ parameter: Parameter, decoded: (String) -> String = { $0 }
  ) -> ParameterNode {
    var members: [String: ParameterNode] = [:]
    switch parameter.objectStyle {
    case .pairs:
      for part in parts {
        let halves = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        members[decoded(String(halves[0]))] = .text(halves.count > 1 ? decoded(String(halves[1])) : "")
      }
      return .object(members)
    case .flat:
      for index in stride(from: 0, to: parts.count, by: 2) {
        members[decoded(parts[index])] = .text(index + 1 < parts.count ? decoded(parts[index + 1]) : "")
      }
      return .object(members)
    default: return .list(parts.map { .text(decoded($0)) })
    }
  }

  /// Whether the parameter has several values in one text.
  private func isDelimited(_ parameter: Parameter) -> Bool {
    parameter.objectStyle?.isOneText ?? isList(parameter.type)
  }

  private func separator(_ parameter: Parameter) -> Character {
    switch parameter.listStyle {
    case .space: " "
    case .pipe: "|"
    case .dot: "."
    default: ","
    }
  }

  /// White space around the commas of a header field does not belong to the elements (RFC 9110 §5.6.1).
  private func headerNode(_ text: String, _ parameter: Parameter) -> ParameterNode {
    guard isDelimited(parameter), !text.isEmpty else { return .text(text) }
    let parts = text.split(separator: separator(parameter), omittingEmptySubsequences: false)
    return node(parts.map { $0.trimmingCharacters(in: .whitespaces) }, parameter)
  }

  private func isList(_ type: TypeReference) -> Bool {
    if case .list = types.resolve(type).kind { return true }
    return false
  }

  /// Rejects a parameter that occurs several times but has a single value: a server could use any of them.
  private func checkCount(
    of parameter: Parameter, in pairs: [ReadPair], _ endpoint: Endpoint, _ result: inout ReadArguments
  ) {
    guard hasOneText(parameter), pairs.count(where: { $0.name == parameter.wire }) > 1 else { return }
    // Two parameters may share a name on the wire, such as a single value and a list.
    let namesakes = endpoint.parameters.count { $0.wire == parameter.wire && $0.place == parameter.place }
    guard namesakes == 1 else { return }
    result.problems.append(
      ArgumentProblem(
        parameter: parameter.name, place: parameter.place == .query ? "query" : "body",
        detail: "is given more than once", allowed: allowed(parameter.type)))
  }

  /// Whether a parameter is a single text in a query or form: neither a list nor an object whose members are separate pairs.
  private func hasOneText(_ parameter: Parameter) -> Bool {
    if let style = parameter.objectStyle { return style.isOneText || (style == .json && !isList(parameter.type)) }
    switch types.resolve(parameter.type).kind {
    case .scalar(.json): return false
    case .scalar, .enumeration: return true
    case .list, .map, .object, .union, .missing: return false
    }
  }

  /// The parameter's value from the pairs; `nil` if it is missing.
  ///
  /// - Parameter names: The names of parameters, as opposed to those of members of an object without a name.
  private func collect(
    _ parameter: Parameter, from pairs: [ReadPair], _ names: Set<String>, _ used: inout Set<String>
  ) -> ParameterNode? {
    let name = parameter.wire
    if parameter.objectStyle == .members {
      var root: ParameterNode?
      for pair in pairs where !names.contains(String(pair.name.prefix { $0 != "[" })) {
        used.insert(pair.name)
        Self.insert(pair.value, at: [pair.name], into: &root)
      }
      return root
    }
    if parameter.objectStyle?.isOneText == true {
      guard let pair = pairs.last(where: { $0.name == name }) else { return nil }
      used.insert(name)
      return pairNode(pair, parameter)
    }
    if let style = parameter.objectStyle, style != .json {
      var root: ParameterNode?
      for pair in pairs {
        guard let steps = Self.steps(pair.name, of: name, style) else { continue }
        used.insert(pair.name)
        if steps.isEmpty {
          root = root ?? .text(pair.value)
        } else {
          Self.insert(pair.value, at: steps[...], into: &root)
        }
      }
      return root
    }
    if parameter.objectStyle == .json {
      let nodes = pairs.filter { $0.name == name }.map { pair in
        (try? JSONValue(jsonData: Data(pair.value.utf8))).map { ParameterNode.json($0) } ?? .text(pair.value)
      }
      guard let first = nodes.first else { return nil }
      used.insert(name)
      return isList(parameter.type) && parameter.listStyle == .repeat ? .list(nodes) : first
    }
    guard isList(parameter.type) else {
      guard let pair = pairs.last(where: { $0.name == name }) else { return nil }
      used.insert(name)
      return .text(pair.value)
    }
    switch parameter.listStyle {
    case .comma, .space, .pipe, .dot:
      let given = pairs.filter { $0.name == name }
      guard let last = given.last else { return nil }
      used.insert(name)
      // In a multipart body, and in input typed by hand, repeated names are several elements.
      if given.count > 1 { return .list(given.map { .text($0.value) }) }
      return pairNode(last, parameter)
    case .repeat, .brackets, .indexed:
      let given = pairs.filter { $0.name == name || ($0.name.hasPrefix("\(name)[") && $0.name.hasSuffix("]")) }
      guard !given.isEmpty else { return nil }
      for pair in given { used.insert(pair.name) }
      return .list(given.map { .text($0.value) })
    }
  }

  /// The path from a parameter to a value inside it: `["b", "c"]` for `a[b][c]`; `nil` if the text belongs to another parameter.
  private static func steps(_ text: String, of name: String, _ style: Parameter.ObjectStyle) -> [String]? {
    if text == name { return [] }
    guard text.hasPrefix(name) else { return nil }
    var rest = text.dropFirst(name.count)
    var steps: [String] = []
    while let first = rest.first, steps.count < 32 {
      if first == "[" {
        guard let close = rest.firstIndex(of: "]") else { return nil }
        steps.append(String(rest[rest.index(after: rest.startIndex)..<close]))
        rest = rest[rest.index(after: close)...]
      } else if first == ".", style == .dots {
        let step = rest.dropFirst().prefix { $0 != "." && $0 != "[" }
        steps.append(String(step))
        rest = rest.dropFirst(step.count + 1)
      } else {
        return nil
      }
    }
    return rest.isEmpty ? steps : nil
  }

  private static func insert(_ text: String, at steps: ArraySlice<String>, into node: inout ParameterNode?) {
    guard let step = steps.first else {
      switch node {
      case nil: node = .text(text)
      // A repeated name makes a list.
      case .list(let elements)?: node = .list(elements + [.text(text)])
      case let other?: node = .list([other, .text(text)])
      }
      return
    }
    let rest = steps.dropFirst()
    if step.isEmpty {
      var elements: [ParameterNode] = []
      if case .list(let given)? = node { elements = given }
      // `a[][b]=1&a[][c]=2` is one element until a member repeats.
      if let next = rest.first, case .object(let members)? = elements.last, members[next] == nil {
        var last: ParameterNode? = elements.removeLast()
        insert(text, at: rest, into: &last)
        if let last { elements.append(last) }
      } else {
        var fresh: ParameterNode?
        insert(text, at: rest, into: &fresh)
        if let fresh { elements.append(fresh) }
      }
      node = .list(elements)
      return
    }
    var members: [String: ParameterNode] = [:]
    if case .object(let given)? = node { members = given }
    var inner = members[step]
    insert(text, at: rest, into: &inner)
    members[step] = inner
    node = .object(members)
  }

  // MARK: Several parameters together

  private func checkRules(_ endpoint: Endpoint, _ result: inout ReadArguments) {
    for rule in endpoint.rules {
      let given = rule.parameters.filter { result.values[$0] != nil }
      let names = rule.parameters.map { "`\($0)`" }.joined(separator: ", ")
      var detail: String?
      switch rule.kind {
      case .oneOf:
        let sets = Self.alternatives(of: rule)
        if given.isEmpty {
          if !rule.isOptional { detail = "one of \(names) is needed" }
        } else if !sets.contains(Set(given)) {
          detail = "\(given.map { "`\($0)`" }.joined(separator: " and ")) do not go together; send one of \(names)"
        }
      case .anyOf: if given.isEmpty { detail = "at least one of \(names) is needed" }
      case .together:
        if !given.isEmpty, given.count < rule.parameters.count { detail = "\(names) are sent together or not at all" }
      }
      guard let detail else { continue }
      let place = endpoint.parameters.first { rule.parameters.contains($0.name) }?.place ?? .query
      result.problems.append(
        ArgumentProblem(
          parameter: rule.parameters.joined(separator: ","), place: place == .field ? "body" : place.rawValue,
          detail: detail, allowed: names))
    }
  }

  /// The sets of parameters that can be sent together.
  private static func alternatives(of rule: ParameterRule) -> [Set<String>] {
    if rule.alternatives.isEmpty { return rule.parameters.map { [$0] } }
    return rule.alternatives.flatMap { alternative in
      alternative.parts.reduce([[]] as [Set<String>]) { sets, part in
        let further: [Set<String>] =
          switch part {
          case .parameter(let name): [[name]]
          case .choice(let choice): alternatives(of: choice) + (choice.isOptional ? [[]] : [])
          }
        return sets.flatMap { set in further.map { set.union($0) } }
      }
    }
  }

  private func checkUnknown(
    _ endpoint: Endpoint, _ query: [ReadPair], _ usedQuery: Set<String>, _ body: Body, _ result: inout ReadArguments
  ) {
    let inQuery = endpoint.parameters.filter { $0.place == .query }.map(\.wire)
    // The mock's URLs for pages put the page number in the query.
    let own = Set([PageMark.parameter]).union(usedQuery)
    // RFC 5849 §3.5: OAuth 1 may send its parameters in the query or in a form.
    for pair in query where !own.contains(pair.name) && !pair.name.hasPrefix("oauth_") {
      result.problems.append(
        ArgumentProblem(
          parameter: String(pair.name.prefix(60)), place: "query", detail: "is not known",
          allowed: ValueChecker.list(inQuery)))
    }
    let fields = endpoint.parameters.filter { $0.place == .field }.map(\.wire)
    let given: [String]
    switch body {
    case .json(let members): given = members.keys.sorted()
    case .pairs(let pairs):
      given = pairs.map { String($0.name.prefix { $0 != "[" && $0 != "." }) }.filter { !$0.hasPrefix("oauth_") }
    case .none, .unreadable: given = []
    }
    for name in given
    where !fields.contains(where: { $0 == name || $0.hasPrefix("\(name).") || $0.hasPrefix("\(name)[") }) {
      result.problems.append(
        ArgumentProblem(
          parameter: String(name.prefix(60)), place: "body", detail: "is not known", allowed: ValueChecker.list(fields))
      )
    }
  }
}

/// The query parameter for a page in the mock's own URLs, if an operation has no parameter for it.
enum PageMark {
  static let parameter = "page"
}
