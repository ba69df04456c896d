/// What is wrong with a catalogue as a whole.
struct CatalogueChecks {
  let draft: CatalogueDraft
  private(set) var diagnostics: [Diagnostic] = []
  var suggestions = Suggestions()
  /// The first model of each name.
  private(set) var models: [String: Model] = [:]
  private(set) var modelNames: [String] = []
  /// What aliases stand for in the end; those that stand for themselves are missing.
  var aliases: [String: TypeReference] = [:]
  /// The Swift types that are taken, with what took them.
  var typeNames: [String: (what: String, location: SourceLocation)] = [:]

  /// Swift names by wire name: a catalogue says `id` a thousand times.
  private var members: [String: String] = [:]

  init(_ draft: CatalogueDraft) {
    self.draft = draft
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

  /// As `Field.propertyName` and `Parameter.label`.
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

  /// The type with aliases followed, keeping its own marks; `nil` for what is unknown or was reported.
  func resolved(_ type: TypeReference) -> TypeReference? {
    guard case .named(let name) = type.kind else { return type }
    guard let model = models[name] else { return nil }
    guard case .alias = model.shape else { return type }
    return aliases[name]
  }

  /// The model that the type is, through aliases.
  func model(_ type: TypeReference) -> Model? {
    guard let type = resolved(type), case .named(let name) = type.kind else { return nil }
    return models[name]
  }

  /// Reports names that no model has, at every depth of the type, and marks that have no place there.
  mutating func checkType(_ type: TypeReference, isElement: Bool = false, mayBeIndirect: Bool = false) {
    if type.isIndirect, !mayBeIndirect {
      error("`indirect` is for fields of models and variants of unions; remove it", at: type.location)
    }
    if isElement, type.isOptional {
      error(
        "an element cannot be left out; remove its `?`, or write `| null` where the API sends null", at: type.location)
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

  /// Where the name of a type stands, behind `indirect`.
  private func nameLocation(_ type: TypeReference) -> SourceLocation {
    var location = type.location
    if type.isIndirect { location.column += "indirect ".count }
    return location
  }

  /// Takes a Swift type's name, or says who has it.
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
