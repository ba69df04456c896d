import CallsignCatalogue

/// Compares the endpoints of two catalogues.
struct EndpointDiff {
  let types: TypeComparison
  /// The error bodies that the API declares for all endpoints.
  let errorsBefore: [ErrorBody]
  let errorsNow: [ErrorBody]

  private struct Placed {
    var endpoint: Endpoint
    var group: String
  }

  func changes(from old: Catalogue, to new: Catalogue) -> [Change] {
    let before = Self.endpoints(of: old)
    let after = Self.endpoints(of: new)
    let oldByName = Dictionary(before.map { ($0.endpoint.name, $0) }) { first, _ in first }
    let newNames = Set(after.map(\.endpoint.name))
    // Finds calls that were only renamed.
    let orphans = Dictionary(
      before.filter { !newNames.contains($0.endpoint.name) }.map { (Self.call($0.endpoint), $0) }
    ) { first, _ in first }
    var renamed: Set<String> = []
    var changes: [Change] = []
    for placed in after {
      let endpoint = placed.endpoint
      if let old = oldByName[endpoint.name] {
        changes += self.changes(from: old.endpoint, to: endpoint, group: placed.group)
      } else if let old = orphans[Self.call(endpoint)] {
        renamed.insert(old.endpoint.name)
        changes.append(
          Change(
            .changed, "endpoint \(endpoint.name)", "was called `\(old.endpoint.name)`", isBreaking: true,
            group: placed.group))
        var renamedOld = old.endpoint
        renamedOld.name = endpoint.name
        renamedOld.swiftName = endpoint.swiftName
        changes += self.changes(from: renamedOld, to: endpoint, group: placed.group)
      } else {
        changes.append(
          Change(.added, "endpoint \(endpoint.name)", Self.call(endpoint), isBreaking: false, group: placed.group))
      }
    }
    for placed in before where !newNames.contains(placed.endpoint.name) && !renamed.contains(placed.endpoint.name) {
      changes.append(
        Change(
          .removed, "endpoint \(placed.endpoint.name)", Self.call(placed.endpoint), isBreaking: true,
          group: placed.group))
    }
    return changes
  }

  private static func endpoints(of catalogue: Catalogue) -> [Placed] {
    catalogue.groups.flatMap { group in group.endpoints.map { Placed(endpoint: $0, group: group.name) } }
  }

  private static func call(_ endpoint: Endpoint) -> String { "\(endpoint.method) \(endpoint.path)" }

  private static func method(_ endpoint: Endpoint) -> String { endpoint.swiftName ?? SwiftName.method(endpoint.name) }

  private func changes(from old: Endpoint, to new: Endpoint, group: String) -> [Change] {
    let subject = "endpoint \(new.name)"
    var changes: [Change] = []
    func change(_ detail: String, breaks: Bool) {
      changes.append(Change(.changed, subject, detail, isBreaking: breaks, group: group))
    }
    if Self.method(old) != Self.method(new) {
      change("the method is `\(Self.method(new))`, not `\(Self.method(old))`", breaks: true)
    }
    if Self.call(old) != Self.call(new) {
      change("calls \(Self.call(new)), not \(Self.call(old))", breaks: false)
    }
    if old.host != new.host { change("is on \(Self.host(new)), not on \(Self.host(old))", breaks: false) }
    if old.body != new.body {
      change("sends \(Self.body(new)), not \(Self.body(old))", breaks: false)
    }
    if old.isBodyRequired != new.isBodyRequired, old.needsBody != new.needsBody {
      change(new.needsBody ? "requires a body" : "no longer requires a body", breaks: false)
    }
    compareAuth(old, new, change)
    if Set(old.limits) != Set(new.limits) { change("has other rate limits", breaks: false) }
    if old.deprecation == nil, new.deprecation != nil { change("is deprecated", breaks: false) }
    if old.deprecation != nil, new.deprecation == nil { change("is no longer deprecated", breaks: false) }
    if old.isRepeatable != new.isRepeatable { change("is repeated under other conditions", breaks: false) }
    compareResponse(old, new, change)
    compareDetails(old, new, change)
    compareErrors(old, new, change)
    comparePages(old, new, change)
    comparePolls(old, new, change)
    compareRules(old, new, change)
    changes += ParameterDiff(types: types).changes(from: old, to: new, group: group)
    return changes
  }

  private static func host(_ endpoint: Endpoint) -> String {
    endpoint.host.map { "host `\($0)`" } ?? "the default host"
  }
  private static func body(_ endpoint: Endpoint) -> String {
    endpoint.body.map { "a \($0.rawValue) body" } ?? "no body"
  }

  /// Compares behaviour that does not change the signature.
  private func compareDetails(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    if old.contentType != new.contentType { change("sends its body as another media type", false) }
    let (before, now) = (old.status ?? old.usualStatus, new.status ?? new.usualStatus)
    // A changed default status is reported through the change that causes it.
    if before != now, (old.returns == nil, old.poll == nil) == (new.returns == nil, new.poll == nil) {
      change("responds with status \(now), not \(before)", false)
    }
    if old.returnsAnyContent != new.returnsAnyContent, old.returns == new.returns {
      change(
        new.returnsAnyContent ? "returns content of any type, not JSON" : "returns JSON, not content of any type", true)
    } else if old.accept != new.accept {
      change("asks for another media type", false)
    }
    if old.idempotencyKey != new.idempotencyKey { change("carries an idempotency key in another way", false) }
    if old.streamEnd != new.streamEnd || old.hasWholeEvents != new.hasWholeEvents {
      change("reads its events in another way", old.hasWholeEvents != new.hasWholeEvents)
    }
    func name(_ header: ResponseHeader) -> String { header.propertyName }
    for header in old.responseHeaders {
      guard let now = new.responseHeaders.first(where: { name($0) == name(header) }) else {
        change("the response's `\(name(header))` is gone", true)
        continue
      }
      if now.type.kind != header.type.kind { change("the response's `\(name(header))` has another type", true) }
    }
    for header in new.responseHeaders where !old.responseHeaders.contains(where: { name($0) == name(header) }) {
      change("the response has `\(name(header))`", false)
    }
  }

  /// Compares error bodies, which are the cases of an enum for each endpoint that declares its own.
  private func compareErrors(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    let (before, now) = (old.errorBodies(with: errorsBefore), new.errorBodies(with: errorsNow))
    if !old.errors.isEmpty, new.errors.isEmpty { return change("no longer has a type of its errors", true) }
    for body in old.errors.isEmpty ? [] : before {
      guard let now = now.first(where: { $0.status == body.status }) else {
        change("no longer describes the errors of \(body.status)", true)
        continue
      }
      switch types.difference(from: body.type, to: now.type) {
      case .none: break
      case .detail(let detail): change("responds to errors of \(body.status) with \(detail)", false)
      case .type(let detail): change("responds to errors of \(body.status) with \(detail)", true)
      }
    }
    // Error bodies for all endpoints are reported once, for the API.
    for body in new.errors where !before.contains(where: { $0.status == body.status }) {
      change("describes the errors of \(body.status)", false)
    }
  }

  private func compareAuth(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    // A caller that sends unnecessary credentials still gets a response.
    let isOpen = Self.isOpen(new)
    if isOpen, !Self.isOpen(old) { change("needs no credentials any more", false) }
    for joint in old.auth where !joint.others.isEmpty && !new.auth.contains(joint) && !isOpen {
      change("no longer accepts \(joint.all.map { "`\($0.scheme)`" }.joined(separator: " with "))", true)
    }
    for joint in new.auth where !joint.others.isEmpty && !old.auth.contains(joint) {
      change("accepts \(joint.all.map { "`\($0.scheme)`" }.joined(separator: " with "))", false)
    }
    var (old, new) = (old, new)
    old.auth.removeAll { !$0.others.isEmpty }
    new.auth.removeAll { !$0.others.isEmpty }
    for requirement in old.auth {
      let scheme = requirement.scheme
      let now = new.auth.filter { $0.scheme == scheme }
      if now.isEmpty {
        if !isOpen { change("no longer accepts `\(scheme)`", true) }
      } else if !now.contains(where: { Set($0.scopes).isSubset(of: requirement.scopes) }) {
        let more = Set(now[0].scopes).subtracting(requirement.scopes).sorted()
        change("`\(scheme)` needs \(more.map { "`\($0)`" }.joined(separator: ", ")) in addition", true)
      } else if !now.contains(where: { Set($0.scopes) == Set(requirement.scopes) }) {
        let fewer = Set(requirement.scopes).subtracting(now[0].scopes).sorted()
        change("`\(scheme)` no longer needs \(fewer.map { "`\($0)`" }.joined(separator: ", "))", false)
      }
    }
    for requirement in new.auth where !old.auth.contains(where: { $0.scheme == requirement.scheme }) {
      if requirement.scheme != "none" { change("accepts `\(requirement.scheme)`, too", false) }
    }
  }

  /// Whether it can be called without credentials.
  private static func isOpen(_ endpoint: Endpoint) -> Bool {
    endpoint.auth.contains { $0.scheme == "none" && $0.others.isEmpty }
  }

  private func compareResponse(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    switch (old.returns, new.returns) {
    case (nil, nil): break
    case (nil, let after?): change("responds with \(types.text(after)), not nothing", true)
    case (let before?, nil): change("responds with nothing, not \(types.text(before))", true)
    case (let before?, let after?):
      switch types.difference(from: before, to: after) {
      case .none: break
      case .detail(let detail): change("responds with \(detail)", false)
      case .type(let detail): change("responds with \(detail)", true)
      }
    }
    switch (old.stream, new.stream) {
    case (nil, .some): change("is a stream now", true)
    case (.some, nil): change("is not a stream any more", true)
    case (let before, let after) where before != after: change("frames its records in another way", false)
    default: break
    }
    switch (old.backfill, new.backfill) {
    case (nil, .some): change("sends again what a lost connection has missed", false)
    case (.some, nil): change("no longer sends again what a lost connection has missed", false)
    case (let before, let after) where before != after: change("sends missed records again in another way", false)
    default: break
    }
  }

  private func comparePages(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    switch (old.pages, new.pages) {
    case (nil, nil): break
    case (nil, .some): change("has pages now", false)
    case (.some, nil): change("has no pages any more", true)
    case (let before?, let after?):
      // The method for pages does not have this parameter.
      if before.items != after.items || before.parameter != after.parameter {
        change(
          "pages by `\(after.parameter)` through `\(after.items)`, not by `\(before.parameter)` through `\(before.items)`",
          true)
      } else if before.previous != nil, after.previous == nil {
        change("pages go forwards only", true)
      } else if before != after {
        change("finds its pages in another way", false)
      }
    }
  }

  private func comparePolls(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    func method(_ endpoint: Endpoint) -> String { OperationPoll.methodName(Self.method(endpoint)) }
    switch (old.poll, new.poll) {
    case (nil, nil): break
    case (nil, .some): change("has `\(method(new))` now, which follows what it starts", false)
    case (.some, nil): change("`\(method(old))`, which waits for the operation's end, was removed", true)
    case (let before?, let after?):
      switch (types.state(of: old, before, isOld: true), types.state(of: new, after, isOld: false)) {
      case (let was?, let now?):
        switch types.difference(from: was, to: now) {
        case .none: break
        case .detail(let detail): change("has states of \(detail)", false)
        case .type(let detail): change("has states of \(detail)", true)
        }
      default: break
      }
      if before.cancel != nil, after.cancel == nil { change("can no longer be cancelled", true) }
      if before.cancel == nil, after.cancel != nil { change("can be cancelled", false) }
      if before.done != after.done || before.failed != after.failed {
        change("marks the end of its operation differently", false)
      }
      if before.place != after.place || before.arguments != after.arguments || before.interval != after.interval {
        change("asks in another way for the state of what it starts", false)
      }
    }
  }

  private func compareRules(_ old: Endpoint, _ new: Endpoint, _ change: (String, Bool) -> Void) {
    func text(_ rule: ParameterRule) -> String {
      "\(rule.kind.rawValue) [\(rule.parameters.joined(separator: ", "))]"
    }
    func isSame(_ one: ParameterRule, _ other: ParameterRule) -> Bool {
      one.kind == other.kind && Set(one.parameters) == Set(other.parameters) && one.swiftType == other.swiftType
        && one.swiftLabel == other.swiftLabel
    }
    for rule in new.rules {
      guard let before = old.rules.first(where: { isSame($0, rule) }) else {
        change("demands \(text(rule))", true)
        continue
      }
      if rule.swiftType != nil { compareChoices((before, old), (rule, new), change) }
    }
    for rule in old.rules where !new.rules.contains(where: { isSame($0, rule) }) {
      // A rule that was an argument of its own leaves its parameters as arguments.
      change("no longer requires \(text(rule))", rule.swiftType != nil)
    }
  }

  /// Compares two choices with the same Swift type, label and parameters, each with its endpoint.
  private func compareChoices(
    _ old: (rule: ParameterRule, endpoint: Endpoint), _ new: (rule: ParameterRule, endpoint: Endpoint),
    _ change: (String, Bool) -> Void
  ) {
    let label = new.rule.swiftLabel ?? ""
    if old.rule.isOptional, !new.rule.isOptional { change("the argument `\(label)` is required now", true) }
    if !old.rule.isOptional, new.rule.isOptional { change("the argument `\(label)` may be left out now", false) }
    let before = Self.cases(of: old.rule, old.endpoint)
    let now = Self.cases(of: new.rule, new.endpoint)
    for one in now {
      guard let other = before.first(where: { $0.name == one.name }) else {
        change("`\(label)` has the new case `\(one.text)`", false)
        continue
      }
      if one.text != other.text {
        change("the case `\(one.name)` of `\(label)` is `\(one.text)`, not `\(other.text)`", true)
      }
      for (choice, earlier) in zip(one.nested, other.nested) where one.text == other.text {
        compareChoices((earlier, old.endpoint), (choice, new.endpoint), change)
      }
    }
    for one in before where !now.contains(where: { $0.name == one.name }) {
      change("`\(label)` is without the case `\(one.text)`", true)
    }
  }

  /// A case of the enum for a choice's alternatives, as written by a caller, with the values that it sends.
  private struct ChoiceCase {
    var name: String
    /// `.slug(slug, owner: UserReference)`
    var text: String
    var nested: [ParameterRule] = []
  }

  private static func cases(of rule: ParameterRule, _ endpoint: Endpoint) -> [ChoiceCase] {
    rule.spelledOut.compactMap { alternative in
      guard case .parameter(let first)? = alternative.parts.first, let name = endpoint.caseName(alternative) else {
        return nil
      }
      var made = ChoiceCase(name: name, text: "")
      var values = [first]
      for part in alternative.parts.dropFirst() {
        switch part {
        case .parameter(let name): values.append(endpoint.label(of: name) + ":")
        case .choice(let nested):
          values.append("\(nested.swiftLabel ?? ""): \(nested.swiftType ?? "")")
          made.nested.append(nested)
        }
      }
      made.text = ".\(name)(\(values.joined(separator: ", ")))"
      return made
    }
  }
}
