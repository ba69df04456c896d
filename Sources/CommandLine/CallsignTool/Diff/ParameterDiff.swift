import CallsignCatalogue

/// Compares the parameters of an endpoint, which are the arguments of its method.
struct ParameterDiff {
  let types: TypeComparison

  func changes(from old: Endpoint, to new: Endpoint, group: String) -> [Change] {
    var changes: [Change] = []
    for parameter in new.parameters {
      let subject = "parameter \(new.name).\(parameter.name)"
      guard let before = old.parameters.first(where: { $0.name == parameter.name }) else {
        let isRequired = !parameter.type.isOptional && parameter.constant == nil
        changes.append(
          Change(
            .added, subject, (isRequired ? "required, " : "") + types.text(parameter.type), isBreaking: isRequired,
            group: group))
        continue
      }
      changes += self.changes(from: before, to: parameter, subject: subject, group: group)
    }
    for parameter in old.parameters where !new.parameters.contains(where: { $0.name == parameter.name }) {
      changes.append(
        Change(
          .removed, "parameter \(new.name).\(parameter.name)", isBreaking: parameter.constant == nil, group: group))
    }
    let order = Change.ofOrder(
      from: Self.labels(of: old), to: Self.labels(of: new), "endpoint \(new.name)", "the order of arguments is",
      group: group)
    if let order { changes.append(order) }
    return changes
  }

  /// The labels in the order of the method's arguments: required ones first. A choice has the position of its first parameter.
  private static func labels(of endpoint: Endpoint) -> [String] {
    var arguments: [(label: String, isOptional: Bool)] = []
    var seen: Set<String> = []
    for parameter in endpoint.parameters where parameter.constant == nil && !seen.contains(parameter.name) {
      let choice = endpoint.rules.first { $0.swiftType != nil && $0.parameters.contains(parameter.name) }
      seen.formUnion(choice?.parameters ?? [])
      arguments.append((choice?.swiftLabel ?? parameter.label, choice?.isOptional ?? parameter.type.isOptional))
    }
    return (arguments.filter { !$0.isOptional } + arguments.filter(\.isOptional)).map(\.label)
  }

  private func changes(
    from old: Parameter, to new: Parameter, subject: String, group: String
  ) -> [Change] {
    var changes: [Change] = []
    func change(_ detail: String, breaks: Bool) {
      changes.append(Change(.changed, subject, detail, isBreaking: breaks, group: group))
    }
    // A constant is always sent, so a change of its name or type breaks no call.
    let isArgument = old.constant == nil && new.constant == nil
    if old.label != new.label {
      change("the label is `\(new.label)`, not `\(old.label)`", breaks: isArgument)
    }
    switch types.difference(from: old.type, to: new.type) {
    case .none: break
    case .detail(let detail):
      change("is \(detail)", breaks: isArgument && types.isNarrower(new.type, than: old.type))
    case .type(let detail): change("is \(detail)", breaks: isArgument)
    }
    if (old.constant == nil) != (new.constant == nil) {
      change(
        new.constant == nil ? "is an argument again" : "is not an argument any more",
        breaks: new.constant != nil || !new.type.isOptional)
    } else if let constant = new.constant, constant != old.constant {
      change("is sent as `\(constant)`", breaks: false)
    }
    if old.type.isOptional, !new.type.isOptional, new.constant == nil { change("is required now", breaks: true) }
    // The argument may move after others. If it does, that is reported as a separate breaking change.
    if !old.type.isOptional, new.type.isOptional { change("may be left out now", breaks: false) }
    if old.place != new.place {
      change("is sent in the \(new.place.rawValue), not in the \(old.place.rawValue)", breaks: false)
    }
    if old.wire != new.wire, old.name == new.name { change("is sent as `\(new.wire)`", breaks: false) }
    if old.listStyle != new.listStyle { change("is listed by \(new.listStyle.rawValue)", breaks: false) }
    if old.objectStyle != new.objectStyle {
      change("is written \(new.objectStyle.map { "as an object by \($0.rawValue)" } ?? "as text")", breaks: false)
    }
    if old.keepsReserved != new.keepsReserved {
      change("\(new.keepsReserved ? "keeps" : "encodes") reserved characters", breaks: false)
    }
    if old.defaultValue != new.defaultValue {
      change(new.defaultValue.map { "has the default \($0.words)" } ?? "has no default any more", breaks: false)
    }
    if old.deprecation == nil, new.deprecation != nil { change("is deprecated", breaks: false) }
    return changes
  }
}
