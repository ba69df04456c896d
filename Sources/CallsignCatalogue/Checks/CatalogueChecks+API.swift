extension CatalogueChecks {
  /// The schemes that `auth:` may name without declaring them, as long as the API declares none.
  static let knownSchemes = ["oauth1", "oauth2", "bearer", "basic", "digest", "none"]

  mutating func checkAPI() {
    guard let (api, auth) = draft.apis.first else {
      guard !draft.isIncomplete else { return }
      let file = draft.groups.first?.group.file ?? ""
      error(
        "no file of the catalogue has an `api:` section; write one with `name` and `hosts`, as in spec/README.md",
        at: SourceLocation(file: file, line: file.isEmpty ? 0 : 1, column: 1))
      return
    }
    for (other, _) in draft.apis.dropFirst() {
      error(
        "a catalogue has one `api:` section, and \(place(api.location, from: other.location)) has it; remove this one",
        at: other.location)
    }
    if !api.name.isEmpty {
      claimType(api.name, for: "the API", at: api.location, advice: "give it another `name`")
    }
    checkAuth(auth)
    for group in draft.groups {
      checkAuth(group.auth ?? [])
      if let host = group.host { checkHost(host.name, at: host.location) }
    }
  }

  mutating func checkHost(_ name: String, at location: SourceLocation) {
    guard let api = draft.apis.first?.api, !api.hosts.contains(where: { $0.name == name }) else { return }
    let known = api.hosts.map(\.name)
    let advice =
      suggestions.clause(for: name, among: known)
      ?? (name.contains("://")
        ? "; give the URL a name under `api.hosts`, and write the name here"
        : "; it is one of \(known.map { "`\($0)`" }.joined(separator: ", "))")
    error("unknown host `\(name)`\(advice)", at: location)
  }

  mutating func checkAuth(_ marks: [AuthMark]) {
    guard let api = draft.apis.first?.api else { return }
    var seen: Set<AuthRequirement> = []
    for mark in marks {
      let name = mark.requirement.scheme
      if !seen.insert(mark.requirement).inserted {
        warning("`\(name)` is in this list twice; remove one", at: mark.location)
      }
      guard let scheme = api.schemes.first(where: { $0.name == name }) else {
        if name == "none" {
          if let scope = mark.scopes.first { error("`none` has no scopes; remove them", at: scope) }
          continue
        }
        if api.schemes.isEmpty, Self.knownSchemes.contains(name) { continue }
        let known = api.schemes.isEmpty ? Self.knownSchemes : api.schemes.map(\.name) + ["none"]
        let advice = suggestions.clause(for: name, among: known) ?? "; declare it under `api.schemes`"
        error("unknown auth scheme `\(name)`\(advice)", at: mark.location)
        continue
      }
      guard let first = mark.scopes.first else { continue }
      if scheme.scopes.isEmpty, Self.knownSchemes.contains(name), name != "oauth2" {
        error("`\(name)` has no scopes; remove them", at: first)
        continue
      }
      let known = scheme.scopes.map(\.name)
      for (scope, location) in zip(mark.requirement.scopes, mark.scopes) where !known.isEmpty && !known.contains(scope)
      {
        let advice =
          suggestions.clause(for: scope, among: known) ?? "; declare it under `api.schemes.\(name)`"
        error("unknown scope `\(scope)` of `\(name)`\(advice)", at: location)
      }
    }
  }
}
