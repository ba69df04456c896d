import CallsignCatalogue

/// A documentation comment: paragraphs that are safe to write after `///`.
struct DocumentationPlan {
  var paragraphs: [String] = []

  init() {}

  /// Documents an endpoint, apart from its parameters.
  init(_ endpoint: Endpoint, _ types: SwiftTypeNames) {
    if let summary = endpoint.summary { add(summary) }
    let call = "`\(endpoint.method) \(SwiftLiteral.comment(endpoint.path))`"
    if paragraphs.isEmpty { paragraphs.append(call) } else { paragraphs.append(call) }
    if let details = endpoint.details { add(details) }
    var facts: [String] = []
    if !endpoint.auth.isEmpty { facts.append("Accepts " + Self.alternatives(endpoint.auth) + ".") }
    if !endpoint.limits.isEmpty {
      facts.append("Rate limits: " + endpoint.limits.map(Self.text).joined(separator: ", ") + ".")
    }
    if !facts.isEmpty { paragraphs.append(facts.joined(separator: " ")) }
    for rule in endpoint.rules where rule.swiftType == nil {
      let names = rule.parameters.map { "`" + SwiftLiteral.comment($0) + "`" }.joined(separator: ", ")
      switch rule.kind {
      case .oneOf: paragraphs.append("Takes exactly one of \(names).")
      case .anyOf: paragraphs.append("Takes at least one of \(names).")
      case .together: paragraphs.append("Takes \(names) together or not at all.")
      }
    }
    if let errors = Self.text(endpoint.errors, types, by: types.errors.name(of: endpoint)) { paragraphs.append(errors) }
    if let page = endpoint.documentation { paragraphs.append("Documentation: \(SwiftLiteral.comment(page))") }
  }

  /// Documents a declaration with a summary, a page and a deprecation.
  init(
    summary: String?, page: String? = nil, deprecation: Deprecation? = nil, constraints: String? = nil,
    defaultValue: DefaultValue? = nil
  ) {
    if let summary { add(summary) }
    if let constraints { add(constraints, joining: true) }
    if let defaultValue { add("Default: \(defaultValue.words).", joining: true) }
    if let deprecation { add(Self.text(deprecation), joining: true) }
    if let page { paragraphs.append("Documentation: \(SwiftLiteral.comment(page))") }
  }

  /// Everything on one line, for lists of parameters.
  var line: String { paragraphs.joined(separator: " ") }

  private mutating func add(_ text: String, joining: Bool = false) {
    let new = SwiftLiteral.commentParagraphs(text)
    if joining, let last = paragraphs.indices.last {
      // The addition is a sentence, so the text before it needs a full stop.
      if let sign = paragraphs[last].last, sign.isLetter || sign.isNumber || ")`\"'”".contains(sign) {
        paragraphs[last] += "."
      }
      paragraphs[last] += " " + new.joined(separator: " ")
    } else {
      paragraphs += new
    }
  }

  static func text(_ deprecation: Deprecation) -> String {
    deprecation.message.map { "Deprecated: \($0)" } ?? "Deprecated."
  }

  /// The types of error bodies; `nil` if none is known.
  static func text(_ errors: [ErrorBody], _ types: SwiftTypeNames, by cases: String? = nil) -> String? {
    guard !errors.isEmpty else { return nil }
    let list = errors.map { body in
      let status = body.status == "default" ? "others" : SwiftLiteral.comment(body.status)
      return "\(status) `\(SwiftLiteral.comment(types.base(body.type)))`"
    }
    return "Bodies of errors, for `error.body(as:)`: " + list.joined(separator: ", ")
      + (cases.map { ", or any of them as `\($0)`." } ?? ".")
  }

  /// `` `oauth1`, or `oauth2` with `list.write`, `tweet.read` ``
  private static func alternatives(_ auth: [AuthRequirement]) -> String {
    var seen: Set<AuthRequirement> = []
    return auth.filter { seen.insert($0).inserted }.map { alternative in
      alternative.all.map { requirement in
        let scheme = requirement.scheme == "none" ? "no credentials" : "`\(SwiftLiteral.comment(requirement.scheme))`"
        guard !requirement.scopes.isEmpty else { return scheme }
        return scheme + " with " + requirement.scopes.map { "`\(SwiftLiteral.comment($0))`" }.joined(separator: ", ")
      }.joined(separator: " together with ")
    }.joined(separator: ", or ")
  }

  private static func text(_ limit: RateLimit) -> String {
    let subject = SwiftLiteral.comment(limit.subject)
    let seconds = limit.windowSeconds
    let window =
      switch seconds {
      case let day where day % 86_400 == 0 && day > 0: count(day / 86_400, "day")
      case let hour where hour % 3_600 == 0 && hour > 0: count(hour / 3_600, "hour")
      case let minute where minute % 60 == 0 && minute > 0: count(minute / 60, "minute")
      default: count(seconds, "second")
      }
    return "\(count(limit.requests, "request")) in \(window) for each \(subject)"
  }

  private static func count(_ number: Int, _ unit: String) -> String {
    number == 1 ? "1 \(unit)" : "\(number) \(unit)s"
  }

  /// The bounds of a type in words: `1 to 25 characters`. `nil` if it has none.
  static func constraints(_ type: TypeReference, _ types: SwiftTypeNames) -> String? {
    var sentences: [String] = []
    var current = type
    for _ in 0..<8 {
      if let text = bounds(current, types) { sentences.append(text) }
      guard case .named(let name) = current.kind, case .alias(let target)? = types.model(named: name)?.shape else {
        break
      }
      current = target
    }
    switch types.resolved(type).kind {
    case .scalar(.date(.day)): sentences.append("Sent as a day in UTC.")
    case .list(let element):
      if let text = bounds(element, types) { sentences.append("Each: " + text) }
    default: break
    }
    return sentences.isEmpty ? nil : sentences.joined(separator: " ")
  }

  private static func bounds(_ type: TypeReference, _ types: SwiftTypeNames) -> String? {
    let limits = type.constraints
    var parts: [String] = []
    let unit =
      switch types.resolved(type).kind {
      case .scalar(.string): " characters"
      case .scalar(.bytes), .scalar(.base64URL), .scalar(.file): " bytes"
      case .list, .map: " elements"
      default: ""
      }
    // The bounds of 32 bits say nothing that helps a reader.
    let low = limits.minimum == String(Int32.min) ? nil : limits.minimum
    let high = limits.maximum == String(Int32.max) ? nil : limits.maximum
    switch (low, high) {
    case (let low?, let high?) where low == high:
      parts.append("Exactly \(low)\(low == "1" ? String(unit.dropLast()) : unit)")
    case (let low?, let high?): parts.append("\(low) to \(high)\(unit)")
    case (let low?, nil): parts.append("At least \(low)\(low == "1" ? String(unit.dropLast()) : unit)")
    case (nil, let high?): parts.append("At most \(high)\(high == "1" ? String(unit.dropLast()) : unit)")
    case (nil, nil): break
    }
    if let pattern = limits.pattern {
      parts.append((parts.isEmpty ? "Matches" : "matching") + " `\(SwiftLiteral.comment(pattern))`")
    }
    return parts.isEmpty ? nil : parts.joined(separator: ", ") + "."
  }
}
