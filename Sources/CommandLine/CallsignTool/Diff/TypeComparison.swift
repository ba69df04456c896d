import CallsignCatalogue

/// Compares types of two catalogues by their generated Swift types.
struct TypeComparison {
  private let old: ModelTable
  private let new: ModelTable
  /// The responses of endpoints, by name.
  private let oldResponses: [String: TypeReference]
  private let newResponses: [String: TypeReference]
  /// Models that requests can contain, in either catalogue.
  let sent: Set<String>
  /// Models that responses can contain, including error responses, in either catalogue.
  let received: Set<String>

  init(old: Catalogue, new: Catalogue) {
    self.old = ModelTable(old)
    self.new = ModelTable(new)
    oldResponses = Self.responses(of: old)
    newResponses = Self.responses(of: new)
    sent = self.old.names(reachedFrom: Self.sentTypes(of: old))
      .union(self.new.names(reachedFrom: Self.sentTypes(of: new)))
    received = self.old.names(reachedFrom: Self.receivedTypes(of: old))
      .union(self.new.names(reachedFrom: Self.receivedTypes(of: new)))
  }

  private static func responses(of catalogue: Catalogue) -> [String: TypeReference] {
    let responses = catalogue.groups.flatMap(\.endpoints).compactMap { endpoint in
      endpoint.returns.map { (endpoint.name, $0) }
    }
    return Dictionary(responses) { first, _ in first }
  }

  /// The type of the states of the operation that an endpoint starts.
  func state(of endpoint: Endpoint, _ poll: OperationPoll, isOld: Bool) -> TypeReference? {
    if case .endpoint(let name) = poll.place { return (isOld ? oldResponses : newResponses)[name] }
    return poll.state ?? endpoint.returns
  }

  private static func sentTypes(of catalogue: Catalogue) -> [TypeReference] {
    catalogue.groups.flatMap { $0.endpoints.flatMap { $0.parameters.map(\.type) } }
  }

  private static func receivedTypes(of catalogue: Catalogue) -> [TypeReference] {
    let own = catalogue.groups.flatMap(\.endpoints).flatMap { endpoint in
      [endpoint.returns, endpoint.poll?.state].compactMap(\.self) + endpoint.errors.map(\.type)
    }
    return own + catalogue.api.everyCall.errors.map(\.type)
  }

  /// A difference between two uses of a type.
  enum Difference: Equatable {
    case none
    /// The Swift type is the same, but a bound, a pattern, a date format or an alias differs.
    case detail(String)
    /// The Swift type differs in more than being optional.
    case type(String)
  }

  /// Compares everything except whether the value can be left out.
  func difference(from before: TypeReference, to after: TypeReference) -> Difference {
    let (was, now) = (swiftText(before, in: old), swiftText(after, in: new))
    if was != now {
      // The same name may now refer to another type.
      let isSame = text(before) == text(after)
      return .type(isSame ? "\(now), not \(was)" : "\(text(after)), not \(text(before))")
    }
    if text(before) != text(after) { return .detail("\(text(after)), not \(text(before))") }
    return .none
  }

  /// Whether a value of the old type may be invalid for the new type although the Swift type is the same: a bound is narrower, or
  /// the pattern differs.
  func isNarrower(_ after: TypeReference, than before: TypeReference) -> Bool {
    isNarrower(after, than: before, depth: 0)
  }

  private func isNarrower(_ after: TypeReference, than before: TypeReference, depth: Int) -> Bool {
    guard depth < 32 else { return false }
    let (before, after) = (old.resolved(before), new.resolved(after))
    if after.constraints.isNarrower(than: before.constraints) { return true }
    switch (before.kind, after.kind) {
    case (.list(let old), .list(let new)), (.map(let old), .map(let new)):
      return isNarrower(new, than: old, depth: depth + 1)
    // Models are compared separately.
    default: return false
    }
  }

  /// Whether a property of the new catalogue's type is a list, whether it can be missing or not.
  func isPlainList(_ type: TypeReference) -> Bool {
    let resolved = new.resolved(type)
    return if case .list = resolved.kind { !resolved.isNullable } else { false }
  }

  /// The Swift type, with aliases resolved.
  private func swiftText(_ type: TypeReference, in models: ModelTable, depth: Int = 0) -> String {
    var result: String
    switch type.kind {
    case .scalar(.date): result = "Date"
    case .scalar(let scalar): result = scalar.name
    case .list(let element): result = "[\(swiftText(element, in: models, depth: depth))]"
    case .map(let element): result = "{\(swiftText(element, in: models, depth: depth))}"
    case .named(let name):
      // An alias is a Swift typealias. Callers do not notice which one is used.
      if depth < 32, case .alias(let target)? = models[name]?.shape {
        result = swiftText(target, in: models, depth: depth + 1)
      } else {
        result = models[name]?.swiftName ?? SwiftName.type(name)
      }
    }
    if type.isNullable { result = "Nullable<\(result)>" }
    return result
  }

  /// The type in the catalogue's notation, without whether it can be left out.
  func text(_ type: TypeReference) -> String {
    var type = type
    (type.isOptional, type.isIndirect) = (false, false)
    return type.text
  }
}

extension Constraints {
  /// Whether some value satisfies `others` but not these constraints. A different pattern may match less.
  fileprivate func isNarrower(than others: Constraints) -> Bool {
    if let pattern, pattern != others.pattern { return true }
    if let minimum, Self.isOver(minimum, others.minimum) { return true }
    if let maximum, others.maximum.map({ Self.isOver($0, maximum) }) ?? true { return true }
    return false
  }

  /// Whether a bound is above another, which may be missing. A bound that is not a number is above all bounds except itself.
  private static func isOver(_ bound: String, _ other: String?) -> Bool {
    guard let other, bound != other else { return bound != other }
    // Whole numbers may have more digits than a `Double` keeps.
    if let bound = Int(bound), let other = Int(other) { return bound > other }
    guard let bound = Double(bound), let other = Double(other) else { return true }
    return bound > other
  }
}
