import CallsignCatalogue

/// A type that the module declares.
struct ModelPlan {
  enum Shape {
    case object(ObjectPlan)
    case enumeration(EnumPlan)
    case union(UnionPlan)
    /// An alias for a Swift type.
    case alias(String)
  }

  var name: String
  var documentation: [String]
  var shape: Shape
}

/// A struct.
struct ObjectPlan {
  /// In the catalogue's order.
  var properties: [PropertyPlan]
  /// The fields in the form that the runtime reads and writes.
  var layout: LayoutPlan
  /// Whether an `id` identifies a value.
  var isIdentifiable: Bool
}

struct PropertyPlan {
  var name: String
  /// The Swift type, including `Nullable` and `?`.
  var type: String
  /// Whether initializers have an argument for it.
  var isInitialized = true
  var isOptional: Bool
  /// The value that an initializer sets instead of taking an argument.
  var constant: String?
  /// Whether an initializer can leave it out although every response has it, because the API sets it.
  var isReadOnly = false
  /// Whether a missing value is read as `[]`. The type then has no `?`, but the initializer's argument has.
  var isList = false
  var accessor: Accessor
  var documentation: String

  /// The subscript of the storage that the property uses.
  enum Accessor: String {
    case string
    case int
    case number
    case bool
    case date
    case `enum`
    case model
    case value
    case list
    case nullable
    case extra
  }
}

/// The names and types of a model's fields, in the runtime's notation.
struct LayoutPlan {
  var text: String
  /// The Swift types that the text refers to by number.
  var types: [String]
}

/// An enum.
struct EnumPlan {
  var cases: [CasePlan]
  var isClosed: Bool
  var isInteger: Bool
}

/// A value of an enum.
struct CasePlan {
  var name: String
  /// The string in JSON.
  var wire: String
  var documentation: String
}

/// An enum with an associated value for each variant.
struct UnionPlan {
  struct Variant {
    var name: String
    var type: String
    /// Whether the value is stored by reference because it may contain the union itself.
    var isIndirect: Bool
    /// The tag values that select it; empty if the variants differ in shape.
    var tags: [String]
    /// The expression for `value` in the API's form, if its Swift form differs.
    var converted: String?
  }

  /// The member whose value selects the variant.
  var tag: String?
  var variants: [Variant]
  /// The members that all variants have.
  var shared: [SharedMember]
}

/// A member that all variants of a union have.
struct SharedMember {
  var name: String
  var wire: String
  /// The Swift type of a value that exists.
  var type: String
  var isList: Bool
}

/// A member of a response that takes precedence over a member of `Response` with the same name.
struct ResponseMember {
  var name: String
  var type: String
  /// Set if the member is a header field: its name on the wire, and the format of a date.
  var header: (name: String, format: DateFormat?, summary: String?)?
}

extension ResponseMember {
  /// A header field of a response.
  init(_ header: ResponseHeader, types: SwiftTypeNames) {
    let resolved = types.resolved(header.type)
    var format: DateFormat?
    if case .scalar(.date(let dateFormat)) = resolved.kind { format = dateFormat }
    self.init(
      name: header.propertyName, type: types.base(resolved) + "?",
      header: (header.name, format, header.summary))
  }
}

/// Plans the Swift types for the catalogue's models.
struct ModelPlanner {
  let types: SwiftTypeNames

  func plan(_ model: Model) -> ModelPlan {
    let documentation = DocumentationPlan(
      summary: model.summary ?? "The catalogue's model `\(model.name)`.", page: model.documentation,
      deprecation: model.deprecation)
    var plan = ModelPlan(
      name: types.swiftName(ofModel: model.name), documentation: documentation.paragraphs, shape: .alias(""))
    switch model.shape {
    case .object(let fields, let extra):
      plan.shape = .object(object(fields, extra, namesEnums: types.likeVariants.contains(model.name)))
    case .enumeration(let cases):
      plan.shape = .enumeration(
        EnumPlan(cases: cases.map(enumCase), isClosed: model.isClosed, isInteger: model.isInteger))
    case .union(let union): plan.shape = .union(self.union(union))
    case .alias(let type):
      plan.shape = .alias(types.full(type))
      if let constraints = DocumentationPlan.constraints(type, types) { plan.documentation.append(constraints) }
    }
    return plan
  }

  // MARK: Objects

  private func object(_ fields: [Field], _ extra: TypeReference?, namesEnums: Bool) -> ObjectPlan {
    var layout = LayoutWriter(types: types, namesEnums: namesEnums)
    var properties: [PropertyPlan] = []
    properties.reserveCapacity(fields.count + 1)
    var isIdentifiable = false
    for field in fields {
      let property = property(field)
      layout.add(field, as: property.name)
      properties.append(property)
      if property.name == "id", identifies(field) { isIdentifiable = true }
    }
    if let extra {
      layout.addExtra(extra)
      properties.append(
        PropertyPlan(
          name: "extra", type: "[\(types.name(.string)): \(types.value(extra))]", isInitialized: false,
          isOptional: false, accessor: .extra, documentation: "Members that the catalogue does not list."))
    }
    return ObjectPlan(properties: properties, layout: layout.plan, isIdentifiable: isIdentifiable)
  }

  /// Whether every value has the field and the field identifies the value.
  private func identifies(_ field: Field) -> Bool {
    let resolved = types.resolved(field.type)
    guard !resolved.isOptional, !resolved.isNullable else { return false }
    switch resolved.kind {
    case .scalar(.string), .scalar(.int), .scalar(.int32), .scalar(.uint64), .scalar(.uuid): return true
    default: return false
    }
  }

  private func property(_ field: Field) -> PropertyPlan {
    let resolved = types.resolved(field.type)
    let isList = types.isList(resolved)
    return PropertyPlan(
      name: field.propertyName, type: isList ? types.value(field.type) : types.full(field.type),
      isInitialized: field.constant == nil, isOptional: resolved.isOptional,
      constant: field.constant.map { resolved.kind == .scalar(.string) ? SwiftLiteral.string($0) : $0 },
      isReadOnly: field.isReadOnly, isList: isList, accessor: accessor(resolved),
      documentation: DocumentationPlan(
        summary: summary(of: field) ?? "The member `\(field.name)`.", deprecation: field.deprecation,
        constraints: DocumentationPlan.constraints(field.type, types), defaultValue: field.defaultValue
      ).line)
  }

  private func summary(of field: Field) -> String? {
    let always = field.constant.map { "Sent as `\(SwiftLiteral.comment($0))`." }
    guard field.isReadOnly || field.isWriteOnly || always != nil else { return field.summary }
    let note =
      always ?? (field.isReadOnly ? "In responses only: the API sets it." : "In requests only: no response has it.")
    return field.summary.map { "\($0) \(note)" } ?? note
  }

  private func accessor(_ type: TypeReference) -> PropertyPlan.Accessor {
    if type.isNullable { return .nullable }
    switch type.kind {
    case .scalar(.string): return .string
    case .scalar(.int): return .int
    case .scalar(.number): return .number
    case .scalar(.bool): return .bool
    case .scalar(.date): return .date
    case .scalar(.bytes), .scalar(.base64URL), .scalar(.file), .scalar(.json), .scalar(.int32), .scalar(.uint64),
      .scalar(.decimal), .scalar(.url), .scalar(.uuid), .scalar(.duration), .map:
      return .value
    case .list: return .list
    case .named(let name):
      let model = types.model(named: name)
      switch model?.shape {
      case .object: return .model
      case .enumeration: return model?.isClosed == true || model?.isInteger == true ? .value : .enum
      default: return .value
      }
    }
  }

  private func enumCase(_ value: EnumCase) -> CasePlan {
    CasePlan(
      name: value.caseName, wire: value.value,
      documentation: value.summary.map(SwiftLiteral.comment)
        ?? (value.value.isEmpty ? "The empty string." : "The value `\(SwiftLiteral.comment(value.value))`."))
  }

  // MARK: Unions

  private func union(_ union: Union) -> UnionPlan {
    UnionPlan(
      tag: union.tag,
      variants: union.variants.map { variant in
        UnionPlan.Variant(
          name: variant.caseName, type: types.value(variant.type), isIndirect: isIndirect(variant.type),
          tags: variant.tags, converted: types.wireForm(of: "value", variant.type))
      }, shared: shared(union))
  }

  /// Whether a variant needs a separate reference. A model is already one.
  private func isIndirect(_ type: TypeReference) -> Bool {
    guard type.isIndirect else { return false }
    if case .object? = types.object(type) { return false }
    return true
  }

  /// The members that all variants have with the same names and type. A member for which null is a separate value is left out, and
  /// so is a member with the name of a case.
  private func shared(_ union: Union) -> [SharedMember] {
    let objects = union.variants.map { variant in
      if case .object(let fields, _)? = types.object(variant.type) { fields } else { [Field]() }
    }
    guard objects.count > 1, let first = objects.first, objects.allSatisfy({ !$0.isEmpty }) else { return [] }
    let others = objects.dropFirst().map { fields in Dictionary(fields.map { ($0.name, $0) }) { first, _ in first } }
    let taken = Set(union.variants.map(\.caseName)).union(["unknown"])
    return first.compactMap { field in
      let resolved = types.resolved(field.type)
      let type = types.value(field.type)
      guard !resolved.isNullable, !taken.contains(field.propertyName) else { return nil }
      for other in others {
        guard let same = other[field.name], same.propertyName == field.propertyName, types.value(same.type) == type
        else { return nil }
      }
      return SharedMember(name: field.propertyName, wire: field.name, type: type, isList: types.isList(resolved))
    }
  }

  // MARK: Responses

  /// The members of a response's model that have the same names as members of `Response`.
  func responseMembers(of type: TypeReference) -> [ResponseMember] {
    guard case .named(let name) = types.resolved(type).kind else { return [] }
    switch types.model(named: name)?.shape {
    case .object(let fields, _):
      return fields.filter { GeneratedNames.responseMembers.contains($0.propertyName) }.map { field in
        let property = property(field)
        return ResponseMember(name: property.name, type: property.type)
      }
    case .union(let union):
      return shared(union).filter { GeneratedNames.responseMembers.contains($0.name) }
        .map { ResponseMember(name: $0.name, type: $0.type + ($0.isList ? "" : "?")) }
    default: return []
    }
  }
}
