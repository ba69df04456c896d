import CallsignCatalogue

/// The models of a catalogue by name, with lookup of types through aliases.
struct ModelIndex: Sendable {
  private let models: ModelTable
  /// How deeply the smallest value of each model nests, so that values of recursive types end.
  private let heights: [String: Int]

  init(_ catalogue: Catalogue) {
    let models = Dictionary(
      catalogue.groups.flatMap(\.models).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.models = ModelTable(models)
    heights = Self.heights(of: models)
  }

  /// A type with its aliases resolved.
  struct Resolved {
    enum Kind {
      case scalar(Scalar)
      case list(TypeReference)
      case map(TypeReference)
      case object(CallsignCatalogue.Model, fields: [Field], extra: TypeReference?)
      case enumeration(CallsignCatalogue.Model, [EnumCase])
      case union(CallsignCatalogue.Model, Union)
      /// The catalogue does not contain it.
      case missing(String)
    }

    var kind: Kind
    var constraints: Constraints
    var isOptional: Bool
    var isNullable: Bool
  }

  func resolve(_ type: TypeReference) -> Resolved {
    let type = models.resolved(type)
    let kind: Resolved.Kind =
      switch type.kind {
      case .scalar(let scalar): .scalar(scalar)
      case .list(let element): .list(element)
      case .map(let element): .map(element)
      case .named(let name): named(name)
      }
    return Resolved(
      kind: kind, constraints: type.constraints, isOptional: type.isOptional, isNullable: type.isNullable)
  }

  /// The kind of a model that is not an alias.
  private func named(_ name: String) -> Resolved.Kind {
    guard let model = models[name] else { return .missing(name) }
    return switch model.shape {
    case .object(let fields, let extra): .object(model, fields: fields, extra: extra)
    case .enumeration(let cases): .enumeration(model, cases)
    case .union(let union): .union(model, union)
    case .alias: .missing(name)
    }
  }

  /// Whether two types are the same after aliases are resolved, whether null or missing values are allowed or not.
  func isSame(_ one: TypeReference, _ other: TypeReference) -> Bool {
    models.resolved(one).kind == models.resolved(other).kind
  }

  /// The type of a member at a dotted path; `.` is the type itself. For a union, the type in the first variant with the member.
  func type(at path: String, of type: TypeReference) -> TypeReference? {
    if path == "." { return type }
    return path.split(separator: ".").reduce(type as TypeReference?) { type, name in
      type.flatMap { member(String(name), of: $0) }
    }
  }

  func member(_ name: String, of type: TypeReference) -> TypeReference? {
    switch resolve(type).kind {
    case .object(_, let fields, let extra): fields.first { $0.name == name }?.type ?? extra
    case .map(let element): element
    case .union(_, let union): union.variants.lazy.compactMap { member(name, of: $0.type) }.first
    default: nil
    }
  }

  /// How deeply the smallest value of a type nests.
  func height(of type: TypeReference) -> Int { Self.height(of: type, heights) }

  private static func height(of type: TypeReference, _ known: [String: Int]) -> Int {
    switch type.kind {
    case .scalar: 0
    case .list(let element):
      (Int(type.constraints.minimum ?? "") ?? 0) > 0 ? min(1 + height(of: element, known), unbounded) : 0
    case .map: 0
    case .named(let name): known[name] ?? unbounded
    }
  }

  private static let unbounded = 1_000

  private static func heights(of models: [String: CallsignCatalogue.Model]) -> [String: Int] {
    var heights: [String: Int] = [:]
    // Each round settles models whose parts are settled, so there are as many rounds as the deepest value has levels.
    while true {
      var hasChanged = false
      for (name, model) in models {
        let height: Int
        switch model.shape {
        case .enumeration: height = 0
        case .alias(let type): height = type.isNullable ? 0 : Self.height(of: type, heights)
        case .object(let fields, _):
          let needed = fields.filter { !$0.type.isOptional && !$0.type.isNullable }
          height = 1 + (needed.map { Self.height(of: $0.type, heights) }.max() ?? 0)
        case .union(let union): height = 1 + (union.variants.map { Self.height(of: $0.type, heights) }.min() ?? 0)
        }
        if height < heights[name] ?? unbounded {
          heights[name] = height
          hasChanged = true
        }
      }
      if !hasChanged { return heights }
    }
  }
}
