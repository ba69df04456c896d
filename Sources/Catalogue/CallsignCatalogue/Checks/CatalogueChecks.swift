/// Checks a catalogue as a whole.
struct CatalogueChecks {
  let draft: CatalogueDraft
  private let moduleName: String?
  private(set) var diagnostics: [Diagnostic] = []
  var suggestions = Suggestions()
  /// The first model with each name.
  private(set) var models: [String: Model] = [:]
  private(set) var modelNames: [String] = []
  /// The API's schemes and the scopes of each, by scheme name, and the names of its hosts.
  private let schemes: [String: Scheme]
  private let scopes: [String: Set<String>]
  private let hosts: Set<String>
  /// The types that aliases resolve to. Aliases that refer to themselves are missing.
  var aliases: [String: TypeReference] = [:]
  /// The Swift type names that are taken, and what took each.
  var typeNames: [String: (what: String, location: SourceLocation)] = [:]

  /// Swift names by wire name, cached because a catalogue repeats names such as `id` a thousand times.
  private var members: [String: String] = [:]
  private var properties: [String: String] = [:]
  /// The headers that become members of a response, by response type and property.
  var responseHeaders: [String: ResponseHeader] = [:]

  init(_ draft: CatalogueDraft, moduleName: String?) {
    self.draft = draft
    self.moduleName = moduleName
    let api = draft.apis.first?.api
    schemes = Dictionary((api?.schemes ?? []).map { ($0.name, $0) }) { first, _ in first }
    scopes = schemes.mapValues { Set($0.scopes.map(\.name)) }
    hosts = Set(api?.hosts.map(\.name) ?? [])
    for group in draft.groups {
      for model in group.group.models where models[model.name] == nil {
        models[model.name] = model
        modelNames.append(model.name)
      }
    }
  }

  mutating func run() {
    checkAPI()
    checkModels()
    checkEndpoints()
  }

  /// As `Field.propertyName`.
  mutating func propertyName(_ field: Field) -> String {
    if let name = field.swiftName ?? properties[field.name] { return name }
    let name = SwiftName.property(field.name)
    properties[field.name] = name
    return name
  }

  /// As `Parameter.label`.
  mutating func memberName(_ wire: String, swiftName: String?) -> String {
    if let name = swiftName ?? members[wire] { return name }
    let name = SwiftName.member(wire)
    members[wire] = name
    return name
  }

  // MARK: Reports

  mutating func error(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.error, message, at: location))
  }

  mutating func warning(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.warning, message, at: location))
  }

  /// `b.yaml:3:3`, or `line 3` within the same file.
  func place(_ location: SourceLocation, from other: SourceLocation) -> String {
    location.file == other.file ? "line \(location.line)" : "\(location.file):\(location.line):\(location.column)"
  }

  // MARK: Types

  /// The type with aliases resolved, keeping its own marks; `nil` for a type that is unknown or already reported.
  func resolved(_ type: TypeReference) -> TypeReference? {
    guard case .named(let name) = type.kind else { return type }
    guard let model = models[name] else { return nil }
    guard case .alias = model.shape else { return type }
    return aliases[name]
  }

  /// The model that the type refers to, with aliases resolved.
  func model(_ type: TypeReference) -> Model? {
    guard let type = resolved(type), case .named(let name) = type.kind else { return nil }
    return models[name]
  }

  /// Reports names without a model, at every depth of the type, and marks that are not allowed where they are.
  mutating func checkType(_ type: TypeReference, isElement: Bool = false, mayBeIndirect: Bool = false) {
    if type.isIndirect, !mayBeIndirect {
      error("`indirect` is for fields of models and variants of unions; remove it", at: type.location)
    }
    if isElement, type.isOptional {
      error(
        "an element cannot be left out; remove its `?`, or write `| null` if the API sends null", at: type.location)
    }
    switch type.kind {
    case .scalar: break
    case .list(let element), .map(let element): checkType(element, isElement: true)
    case .named(let name):
      if type.isUnreadable || models[name] != nil || draft.isIncomplete { return }
      let known = modelNames + Scalar.names
      let advice =
        suggestions.clause(for: name, among: known) ?? "; declare it under `models:`, or use one of the built-in types"
      error("unknown type `\(name)`\(advice)", at: nameLocation(type))
    }
  }

  /// The location of a type's name, after `indirect`.
  private func nameLocation(_ type: TypeReference) -> SourceLocation {
    var location = type.location
    if type.isIndirect { location.column += "indirect ".count }
    return location
  }

  /// Claims a Swift type name, or reports what already has it.
  mutating func claimType(_ name: String, for what: String, at location: SourceLocation, advice: String) {
    if let holder = typeNames[name] {
      error(
        "\(what) becomes the Swift type `\(name)`, and so does \(holder.what), in \(place(holder.location, from: location)); "
          + advice, at: location)
    } else if GeneratedNames.types.contains(name) {
      error("\(what) becomes the Swift type `\(name)`, which generated code needs itself; \(advice)", at: location)
    } else {
      typeNames[name] = (what, location)
    }
  }
}

extension CatalogueChecks {
  /// The schemes that `auth:` may name without a declaration, if the API declares none.
  static let knownSchemes = AuthRequirement.knownSchemes

  mutating func checkAPI() {
    guard let (api, auth, nameLocation) = draft.apis.first else {
      guard !draft.isIncomplete else { return }
      let file = draft.groups.first?.group.file ?? ""
      error(
        "no file of the catalogue has an `api:` section; write one with `name` and `hosts`, as in spec/README.md",
        at: SourceLocation(file: file, line: file.isEmpty ? 0 : 1, column: 1))
      return
    }
    for (other, _, _) in draft.apis.dropFirst() {
      error(
        "a catalogue has one `api:` section, and \(place(api.location, from: other.location)) has it; remove this one",
        at: other.location)
    }
    if !api.name.isEmpty {
      claimType(api.name, for: "the API", at: api.location, advice: "give it another `name`")
    }
    if api.name == moduleName {
      warning(
        "`\(api.name)` is also the name of the target, so Swift takes `\(api.name).Post` for a member of the API's type "
          + "and can qualify no name of the module; rename the target, or give the API another `name`",
        at: nameLocation)
    }
    checkHostVariables(api)
    checkAuth(auth)
    checkEveryCall(api)
    for group in draft.groups {
      checkAuth(group.auth ?? [])
      if let host = group.host { checkHost(host.name, at: host.location) }
    }
  }

  /// Host variables become arguments of the client's initializers.
  private mutating func checkHostVariables(_ api: API) {
    var names = ["auth": "auth", "configuration": "configuration", "client": "client"]
    for variable in api.hosts.flatMap(\.variables) {
      let label = memberName(variable.name, swiftName: variable.swiftName)
      if let other = names[label], other != variable.name {
        error(
          "the variable `\(variable.name)` becomes the argument `\(label)`, which is taken; give it another `name`",
          at: variable.location)
      }
      names[label] = variable.name
      if let value = variable.defaultValue, value.contains(where: { "{}=".contains($0) }) {
        error("a default has no braces and no `=`", at: variable.location)
      }
    }
  }

  mutating func checkHost(_ name: String, at location: SourceLocation) {
    // If the API has no hosts, only that is reported.
    guard let api = draft.apis.first?.api, !hosts.isEmpty, !hosts.contains(name) else { return }
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
    for mark in marks where !seen.insert(mark.requirement).inserted {
      warning("`\(mark.requirement.scheme)` is in this list twice; remove one", at: mark.location)
    }
    for mark in marks.flatMap({ [$0] + $0.others }) {
      let name = mark.requirement.scheme
      if name == "none",
        !mark.others.isEmpty || marks.contains(where: { $0.others.contains { $0.requirement.scheme == name } })
      {
        error("`none` cannot be combined; list it by itself", at: mark.location)
      }
      guard let scheme = schemes[name] else {
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
      let known = scopes[scheme.name] ?? []
      for (scope, location) in zip(mark.requirement.scopes, mark.scopes) where !known.isEmpty && !known.contains(scope)
      {
        let advice =
          suggestions.clause(for: scope, among: scheme.scopes.map(\.name)) ?? "; declare it under `api.schemes.\(name)`"
        error("unknown scope `\(scope)` of `\(name)`\(advice)", at: location)
      }
    }
  }
}
