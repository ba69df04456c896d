import CallsignCatalogue

/// Writes one entry of `endpoints:`.
struct EndpointWriter {
  private let endpoint: Endpoint

  init(_ endpoint: Endpoint) { self.endpoint = endpoint }

  /// - Parameters:
  ///   - auth: The default credentials of endpoints.
  ///   - documentation: The default page.
  ///   - limits: The default limits.
  func write(
    to lines: inout YAMLLines, _ shared: SharedParts = SharedParts(), auth: [AuthRequirement] = [],
    documentation: String? = nil, limits: [RateLimit] = []
  ) {
    let like = shared.like(endpoint: endpoint)
    lines.line(2, QuotedScalar.scalar(endpoint.name) + ":")
    lines.entry(4, "call", "\(endpoint.method) \(endpoint.path)")
    lines.like(4, "like", like.names)
    if let name = endpoint.swiftName { lines.entry(4, "name", name) }
    if let summary = endpoint.summary { lines.entry(4, "summary", summary) }
    if let details = endpoint.details { lines.entry(4, "details", details) }
    if endpoint.documentation != documentation {
      if let page = endpoint.documentation { lines.entry(4, "docs", page) } else { lines.line(4, "docs: ~") }
    }
    if let deprecation = endpoint.deprecation { lines.line(4, "deprecated: " + Self.text(deprecation)) }
    if let host = endpoint.host { lines.entry(4, "host", host) }
    if !endpoint.auth.isEmpty, endpoint.auth != auth {
      lines.wrapped(4, "auth", opening: "[", endpoint.auth.flatMap(Self.pieces), closing: "]")
    }
    if endpoint.limits != limits {
      lines.line(4, "limits: " + (endpoint.limits.isEmpty ? "~" : Self.text(endpoint.limits)))
    }
    if let isRepeatable = endpoint.isRepeatable { lines.line(4, "repeatable: \(isRepeatable)") }
    if let field = endpoint.idempotencyKey {
      if field.isEmpty { lines.line(4, "idempotency: false") } else { lines.entry(4, "idempotency", field) }
    }
    writeBody(to: &lines, ownCount: like.ownCount, shared)
    writeRules(to: &lines)
    if let type = endpoint.accept { lines.entry(4, "accept", type) }
    if let returns = endpoint.returns { lines.line(4, "returns: " + Self.text(returns)) }
    if let status = endpoint.status { lines.line(4, "status: \(status)") }
    if !endpoint.responseHeaders.isEmpty {
      lines.line(4, "response_headers:")
      for header in endpoint.responseHeaders {
        let pairs = Self.pairs(name: header.swiftName, summary: header.summary, deprecation: nil)
        lines.line(6, "\(QuotedScalar.scalar(header.name)): \(Self.text(header.type, with: pairs))")
      }
    }
    if !endpoint.errors.isEmpty {
      lines.wrapped(4, "errors", opening: "{", endpoint.errors.map(Self.text), closing: "}")
    }
    if let stream = endpoint.stream { lines.line(4, "stream: " + text(of: stream)) }
    if let poll = endpoint.poll { lines.wrapped(4, "poll", opening: "{", Self.pairs(poll), closing: "}") }
    if let pages = endpoint.pages, !like.hasPages {
      lines.wrapped(4, "pages", opening: "{", Self.pairs(pages), closing: "}")
    }
  }

  private static func pairs(_ poll: OperationPoll) -> [String] {
    func signs(_ signs: [FailureSign]) -> String {
      let texts = signs.map { sign in
        let values = sign.values.map { QuotedScalar.value(sign.isNegated ? "not " + $0 : $0) }
        return "\(QuotedScalar.scalar(sign.path, isInFlow: true)): "
          + (values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]")
      }
      return "{\(texts.joined(separator: ", "))}"
    }
    var pairs: [String]
    switch poll.place {
    case .endpoint(let name): pairs = ["ask: " + QuotedScalar.scalar(name, isInFlow: true)]
    case .header(let name): pairs = ["header: " + QuotedScalar.scalar(name, isInFlow: true)]
    case .url(let path): pairs = ["url: " + QuotedScalar.scalar(path, isInFlow: true)]
    }
    if !poll.arguments.isEmpty {
      let texts = poll.arguments.map {
        "\(QuotedScalar.scalar($0.name, isInFlow: true)): \(QuotedScalar.scalar($0.value, isInFlow: true))"
      }
      pairs.append("with: {\(texts.joined(separator: ", "))}")
    }
    if let state = poll.state { pairs.append("returns: " + text(state, isInFlow: true)) }
    if !poll.done.isEmpty { pairs.append("done: " + signs(poll.done)) }
    if !poll.failed.isEmpty { pairs.append("failed: " + signs(poll.failed)) }
    if poll.interval != 2_000 {
      pairs.append("every: " + (poll.interval % 1_000 == 0 ? "\(poll.interval / 1_000)s" : "\(poll.interval)ms"))
    }
    if let cancel = poll.cancel { pairs.append("cancel: " + QuotedScalar.scalar(cancel, isInFlow: true)) }
    return pairs
  }

  /// Only the framing or, if there is more to write, the long form.
  private func text(of stream: StreamFraming) -> String {
    var pairs: [(String, String)] = []
    if let length = endpoint.lengthFramingParameter { pairs.append(("length", length)) }
    if let backfill = endpoint.backfill { pairs.append(("backfill", backfill.parameter)) }
    if let id = endpoint.backfill?.id { pairs.append(("id", id)) }
    if let end = endpoint.streamEnd { pairs.append(("end", end)) }
    if endpoint.hasWholeEvents { pairs.append(("record", "event")) }
    if pairs.isEmpty { return stream.rawValue }
    let texts = pairs.map { "\($0.0): \(QuotedScalar.scalar($0.1, isInFlow: true))" }
    return "{framing: \(stream.rawValue), \(texts.joined(separator: ", "))}"
  }

  // MARK: Parameters

  private var hasDefaultBody: Bool { Endpoint.hasBodyByDefault(endpoint.method) }

  /// The entries of `params`.
  var parameterEntries: [NamedEntry] { endpoint.parameters.map(entry) }

  /// The value of `pages`.
  var pagesLine: String? { endpoint.pages.map { "{" + Self.pairs($0).joined(separator: ", ") + "}" } }

  private func writeBody(to lines: inout YAMLLines, ownCount: Int, _ shared: SharedParts) {
    let hasFields = endpoint.parameters.contains { $0.place == .field }
    if let type = endpoint.contentType {
      lines.entry(4, "body", type)
    } else if let body = endpoint.body, !(body == .json && hasDefaultBody && hasFields) {
      lines.entry(4, "body", body.rawValue)
    }
    if endpoint.isBodyRequired { lines.line(4, "body_required: true") }
    guard !endpoint.parameters.isEmpty, ownCount > 0 else { return }
    let entries = parameterEntries.prefix(ownCount)
    lines.line(4, "params:")
    for entry in entries { lines.line(6, entry.text(after: shared.parameters[entry.name])) }
  }

  /// The place of a parameter that does not set one.
  private func defaultPlace(of parameter: Parameter) -> Parameter.Place {
    if ["", "+"].contains(where: { endpoint.path.contains("{\($0)\(parameter.name)}") }) { return .path }
    return endpoint.body != nil || hasDefaultBody ? .field : .query
  }

  private func entry(_ parameter: Parameter) -> NamedEntry {
    var pairs: [(key: String, text: String)] = []
    if let constant = parameter.constant { pairs.append(("value", "value: \(QuotedScalar.value(constant))")) }
    if parameter.place != defaultPlace(of: parameter) { pairs.append(("in", "in: \(parameter.place.rawValue)")) }
    if let wire = parameter.wireName { pairs.append(("as", "as: \(QuotedScalar.scalar(wire, isInFlow: true))")) }
    if let value = parameter.defaultValue { pairs.append(("default", Self.text(value))) }
    if parameter.listStyle != .comma { pairs.append(("list", "list: \(parameter.listStyle.rawValue)")) }
    if let style = parameter.objectStyle { pairs.append(("object", "object: \(style.rawValue)")) }
    if parameter.keepsReserved { pairs.append(("reserved", "reserved: true")) }
    pairs += Self.keyed(name: parameter.swiftName, summary: parameter.summary, deprecation: parameter.deprecation)
    return NamedEntry(name: parameter.name, type: parameter.type, pairs: pairs, summaryText: parameter.summary)
  }

  private func writeRules(to lines: inout YAMLLines) {
    for kind in ParameterRule.Kind.allCases {
      let rules = endpoint.rules.filter { $0.kind == kind }
      guard !rules.isEmpty else { continue }
      let texts = rules.map { Self.choice($0) ?? Self.list($0.parameters) }
      let text = texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
      lines.line(4, "\(kind.rawValue): \(text)")
    }
  }

  private static func list(_ names: [String]) -> String {
    "[" + names.map { QuotedScalar.scalar($0, isInFlow: true) }.joined(separator: ", ") + "]"
  }

  /// `{ListReference list: {id: list_id, slug: [slug, {UserReference owner: {id: owner_id}}]}}`; `nil` for a rule without a Swift
  /// type.
  private static func choice(_ rule: ParameterRule) -> String? {
    guard let type = rule.swiftType, let label = rule.swiftLabel else { return nil }
    // Some parsers end a plain text in braces at its question mark.
    let head = rule.isOptional ? "\"\(type)? \(label)\": " : "\(type) \(label): "
    if rule.alternatives.isEmpty { return "{\(head)\(list(rule.parameters))}" }
    let parts = rule.alternatives.map { alternative in
      let texts = alternative.parts.compactMap { part in
        switch part {
        case .parameter(let name): QuotedScalar.scalar(name, isInFlow: true)
        case .choice(let nested): choice(nested)
        }
      }
      return texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
    }
    let names = rule.alternatives.compactMap(\.name)
    guard names.count == parts.count else { return "{\(head)[\(parts.joined(separator: ", "))]}" }
    let cases = zip(names, parts).map { "\(QuotedScalar.scalar($0, isInFlow: true)): \($1)" }
    return "{\(head){\(cases.joined(separator: ", "))}}"
  }

  // MARK: Parts

  /// Only the type, or the type with further facts.
  static func text(_ type: TypeReference, with pairs: [String]) -> String {
    if pairs.isEmpty { return text(type) }
    return "{type: \(text(type, isInFlow: true)), \(pairs.joined(separator: ", "))}"
  }

  static func text(_ type: TypeReference, isInFlow: Bool = false) -> String {
    type.isPlainCollection ? type.text : QuotedScalar.scalar(type.text, isInFlow: isInFlow)
  }

  static func pairs(name: String?, summary: String?, deprecation: Deprecation?) -> [String] {
    keyed(name: name, summary: summary, deprecation: deprecation).map(\.text)
  }

  /// The same pairs as key and text.
  static func keyed(name: String?, summary: String?, deprecation: Deprecation?) -> [(key: String, text: String)] {
    var pairs: [(key: String, text: String)] = []
    if let name { pairs.append(("name", "name: \(QuotedScalar.scalar(name, isInFlow: true))")) }
    if let summary { pairs.append(("summary", "summary: \(QuotedScalar.scalar(summary, isInFlow: true))")) }
    if let deprecation { pairs.append(("deprecated", "deprecated: \(text(deprecation, isInFlow: true))")) }
    return pairs
  }

  /// `default: 10`, or `default: [a, b]`.
  static func text(_ value: DefaultValue) -> String {
    switch value {
    case .single(let text): "default: \(QuotedScalar.value(text))"
    case .list(let texts): "default: [\(texts.map(QuotedScalar.value).joined(separator: ", "))]"
    }
  }

  static func text(_ deprecation: Deprecation, isInFlow: Bool = false) -> String {
    deprecation.message.map { QuotedScalar.scalar($0, isInFlow: isInFlow) } ?? "true"
  }

  /// A requirement as elements of a YAML list, which is split at its commas. The loader joins them again.
  static func pieces(_ requirement: AuthRequirement) -> [String] {
    if !requirement.others.isEmpty {
      return ["[" + requirement.all.flatMap(pieces).joined(separator: ", ") + "]"]
    }
    let whole =
      requirement.scopes.isEmpty
      ? requirement.scheme : "\(requirement.scheme)(\(requirement.scopes.joined(separator: ", ")))"
    let pieces = whole.split(separator: ",").map { String($0.first == " " ? $0.dropFirst() : $0) }
    return pieces.allSatisfy { QuotedScalar.isPlain($0, isInFlow: true) } ? pieces : [QuotedScalar.quoted(whole)]
  }

  private static func text(_ limit: RateLimit) -> String {
    for (unit, seconds) in [("d", 86400), ("h", 3600), ("m", 60)]
    where limit.windowSeconds.isMultiple(of: seconds) && (unit != "d" || limit.windowSeconds > seconds) {
      return "\(limit.requests)/\(limit.windowSeconds / seconds)\(unit)"
    }
    return "\(limit.requests)/\(limit.windowSeconds)s"
  }

  /// `{user: 300/15m, app: [50/15m, 10000/24h]}`
  static func text(_ limits: [RateLimit]) -> String {
    var subjects: [String] = []
    for limit in limits where !subjects.contains(limit.subject) { subjects.append(limit.subject) }
    let texts = subjects.map { subject in
      let texts = limits.filter { $0.subject == subject }.map(Self.text)
      let all = texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]"
      return "\(QuotedScalar.scalar(subject, isInFlow: true)): \(all)"
    }
    return "{\(texts.joined(separator: ", "))}"
  }

  /// `404: NotFound`, inside braces.
  static func text(_ body: ErrorBody) -> String {
    "\(QuotedScalar.isPlain(body.status, isInFlow: true) ? body.status : QuotedScalar.quoted(body.status)): \(text(body.type, isInFlow: true))"
  }

  private static func pairs(_ pages: Pagination) -> [String] {
    var pairs = [(pages.style.rawValue, pages.parameter)]
    if let next = pages.next { pairs.append(("next", next)) }
    if let header = pages.nextHeader { pairs.append(("next_header", header)) }
    if let previous = pages.previous { pairs.append(("previous", previous)) }
    pairs.append(("items", pages.items))
    if let id = pages.id { pairs.append(("id", id)) }
    if let since = pages.since { pairs.append(("since", since)) }
    if let size = pages.size { pairs.append(("size", size)) }
    if let more = pages.more { pairs.append(("more", more)) }
    if let total = pages.total { pairs.append(("total", total)) }
    let texts = pairs.map { "\($0.0): \(QuotedScalar.scalar($0.1, isInFlow: true))" }
    return texts + (pages.first.map { ["first: \($0)"] } ?? [])
  }
}
