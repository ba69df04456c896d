import CallsignCatalogue

/// Compares two catalogues from the viewpoint of callers of their generated Swift.
///
/// These are breaking: an endpoint, parameter, model, field, enum value or union variant that was removed or has another Swift name
/// or type; a new required parameter; another order of arguments; a field that has become optional or required; for values that are
/// sent, a narrower bound or another pattern; a method that now streams or no longer does, or has lost its pages; a removed scheme,
/// an additional required scope, or a new rule about several parameters; for a choice among parameters, that it has become
/// required, or a case that was removed or has other values; a body of an operation's errors that was removed or has another type;
/// a union's tag that was removed, and a new value of a closed enum.
///
/// These are not breaking: all other additions, other paths, hosts, places, list styles and date formats, wider bounds, bounds of
/// values that are only received, and rate limits. A new value of an open enum does not break callers, because code must expect
/// `.unknown` anyway. A `switch` that lists every case without a `default` does need the new one; the report says so once per
/// model. Summaries and documentation links are not compared, nor are facts of a document that a catalogue cannot express: that an
/// object has no further members, `multipleOf`, `uniqueItems`.
public struct CatalogueDiff: Sendable {
  /// By group, in the new catalogue's order of groups and of their contents. Removals come last.
  public let changes: [Change]

  /// Whether any change breaks callers.
  public var hasBreaks: Bool { changes.contains(where: \.isBreaking) }

  /// Compares two catalogues that have passed the loader's checks.
  ///
  /// - Parameter renames: Models that had another name for callers, although both catalogues contain the new one.
  public init(from old: Catalogue, to new: Catalogue, renames: [(old: String, new: String)] = []) {
    let types = TypeComparison(old: old, new: new)
    var changes = Self.changes(from: old.api, to: new.api, group: Self.homeOfAPI(new))
    changes += EndpointDiff(
      types: types, errorsBefore: old.api.everyCall.errors, errorsNow: new.api.everyCall.errors
    ).changes(from: old, to: new)
    for group in new.groups {
      for model in group.models {
        changes += renames.filter { $0.new == model.name }.map { rename in
          Change(
            .changed, "model \(model.name)", "was called `\(rename.old)`", isBreaking: true, group: group.name)
        }
      }
    }
    changes += ModelDiff(types: types).changes(from: old, to: new)
    var order: [String: Int] = [:]
    for group in new.groups.map(\.name) + old.groups.map(\.name) where order[group] == nil {
      order[group] = order.count
    }
    self.changes = changes.enumerated().sorted {
      (order[$0.element.group] ?? 0, $0.offset) < (order[$1.element.group] ?? 0, $1.offset)
    }.map(\.element)
  }

  private static func homeOfAPI(_ catalogue: Catalogue) -> String {
    (catalogue.groups.first { $0.name == "api" } ?? catalogue.groups.first)?.name ?? "api"
  }

  /// The variables of a base URL are arguments of the client's initializers.
  private static func variableChanges(of host: CatalogueHost, before: CatalogueHost, isDefault: Bool, group: String)
    -> [Change]
  {
    var changes: [Change] = []
    for variable in host.variables {
      let what = "host \(host.name).\(variable.name)"
      guard let old = before.variables.first(where: { $0.name == variable.name }) else {
        let isNeeded = isDefault && variable.defaultValue == nil
        changes.append(Change(.added, what, isNeeded ? "it must be given" : "", isBreaking: isNeeded, group: group))
        continue
      }
      if old.label != variable.label {
        changes.append(
          Change(
            .changed, what, "the label is `\(variable.label)`, not `\(old.label)`", isBreaking: true, group: group))
      }
      if old.defaultValue != variable.defaultValue {
        changes.append(
          Change(
            .changed, what,
            variable.defaultValue.map { "the default is `\($0)`" } ?? "the default was removed",
            isBreaking: isDefault && variable.defaultValue == nil, group: group))
      }
    }
    for variable in before.variables where !host.variables.contains(where: { $0.name == variable.name }) {
      changes.append(Change(.removed, "host \(host.name).\(variable.name)", isBreaking: true, group: group))
    }
    return changes
  }

  private static func changes(from old: API, to new: API, group: String) -> [Change] {
    var changes: [Change] = []
    if old.name != new.name {
      changes.append(
        Change(.changed, "api", "the Swift type is `\(new.name)`, not `\(old.name)`", isBreaking: true, group: group))
    }
    changes += hostChanges(from: old, to: new, group: group)
    if old.webhooks != new.webhooks {
      changes.append(
        Change(
          .changed, "webhooks", new.webhooks == nil ? "they are not signed any more" : "they are signed in another way",
          isBreaking: new.webhooks == nil, group: group))
    }
    changes += scopeChanges(from: old, to: new, group: group)
    changes += everyCallChanges(from: old, to: new, group: group)
    changes += schemeChanges(from: old, to: new, group: group)
    return changes
  }

  private static func hostChanges(from old: API, to new: API, group: String) -> [Change] {
    var changes: [Change] = []
    for host in new.hosts {
      guard let before = old.hosts.first(where: { $0.name == host.name }) else {
        changes.append(Change(.added, "host \(host.name)", host.url, isBreaking: false, group: group))
        continue
      }
      if before.url != host.url {
        changes.append(
          Change(
            .changed, "host \(host.name)", "\(host.url), not \(before.url)", isBreaking: false, group: group))
      }
      changes += variableChanges(of: host, before: before, isDefault: host.name == new.hosts.first?.name, group: group)
    }
    if let host = new.hosts.first, let before = old.hosts.first, host.name != before.name {
      // Variables of other hosts are optional, and required ones keep their labels.
      let needed = host.variables.filter { $0.defaultValue == nil }.map(\.label)
      let given = before.variables.filter { $0.defaultValue == nil }.map(\.label)
      changes.append(
        Change(
          .changed, "api", "the default host is `\(host.name)`", isBreaking: !Set(needed).isSubset(of: given),
          group: group))
    }
    for host in old.hosts where !new.hosts.contains(where: { $0.name == host.name }) {
      changes.append(Change(.removed, "host \(host.name)", isBreaking: false, group: group))
    }
    return changes
  }

  /// New schemes, and the changed scopes of the others.
  private static func scopeChanges(from old: API, to new: API, group: String) -> [Change] {
    var changes: [Change] = []
    for scheme in new.schemes {
      guard let before = old.schemes.first(where: { $0.name == scheme.name }) else {
        changes.append(Change(.added, "scheme \(scheme.name)", isBreaking: false, group: group))
        continue
      }
      for scope in scheme.scopes where !before.scopes.contains(where: { $0.name == scope.name }) {
        changes.append(Change(.added, "scope \(scope.name)", isBreaking: false, group: group))
      }
      for scope in before.scopes where !scheme.scopes.contains(where: { $0.name == scope.name }) {
        changes.append(Change(.removed, "scope \(scope.name)", isBreaking: true, group: group))
      }
    }
    return changes
  }

  private static func everyCallChanges(from old: API, to new: API, group: String) -> [Change] {
    var changes: [Change] = []
    let (before, after) = (old.everyCall, new.everyCall)
    func bodyText(_ body: ErrorBody) -> String { "\(body.status) \(body.type.text)" }
    for (what, isOther) in [
      ("every call carries other header fields", before.headers != after.headers),
      ("every call carries other query parameters", before.query != after.query),
      ("responses say in another way that a call failed", before.failures != after.failures),
      ("calls carry an idempotency key in another way", before.idempotencyKey != after.idempotencyKey),
      ("errors have other bodies", before.errors.map(bodyText) != after.errors.map(bodyText)),
    ] where isOther {
      changes.append(Change(.changed, "api", what, isBreaking: false, group: group))
    }
    return changes
  }

  /// The places of API keys, and removed schemes.
  private static func schemeChanges(from old: API, to new: API, group: String) -> [Change] {
    var changes: [Change] = []
    for scheme in new.schemes {
      guard let before = old.schemes.first(where: { $0.name == scheme.name }), before.key != scheme.key else {
        continue
      }
      let isGone = scheme.key == nil
      changes.append(
        Change(
          .changed, "scheme \(scheme.name)", isGone ? "is not an API key any more" : "the key goes elsewhere",
          isBreaking: isGone, group: group))
    }
    for scheme in old.schemes where !new.schemes.contains(where: { $0.name == scheme.name }) {
      changes.append(Change(.removed, "scheme \(scheme.name)", isBreaking: true, group: group))
    }
    return changes
  }
}
