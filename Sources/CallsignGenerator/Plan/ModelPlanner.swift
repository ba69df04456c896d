import CallsignCatalogue

/// From the catalogue's models to Swift types.
struct ModelPlanner {
  let types: TypeTable

  func plan(_ model: Model) -> ModelPlan {
    let documentation = DocumentationPlan(
      summary: model.summary, page: model.documentation, deprecation: model.deprecation)
    var plan = ModelPlan(
      name: types.swiftName(ofModel: model.name), documentation: documentation.paragraphs, shape: .enumeration([]))
    switch model.shape {
    case .object(let fields, let extra):
      plan.shape = .object(ObjectPlan(properties: fields.map(property), extra: extra.map(types.value)))
    case .enumeration(let cases): plan.shape = .enumeration(cases.map(enumCase))
    case .union(let union): plan.shape = .union(self.union(union))
    case .alias(let type):
      plan.shape = .alias(types.full(type))
      if let constraints = DocumentationPlan.constraints(type, types) { plan.documentation.append(constraints) }
    }
    return plan
  }

  private func property(_ field: Field) -> PropertyPlan {
    let resolved = types.resolved(field.type)
    let format = types.dateFormat(field.type)
    return PropertyPlan(
      name: field.swiftName ?? SwiftName.member(field.name), wire: field.name, type: types.full(field.type),
      base: types.base(field.type), isOptional: resolved.isOptional, isNullable: resolved.isNullable,
      isIndirect: field.type.isIndirect, dateFormat: format == .rfc3339 ? nil : format,
      documentation: DocumentationPlan(
        summary: field.summary, deprecation: field.deprecation,
        constraints: DocumentationPlan.constraints(field.type, types)
      ).line)
  }

  private func enumCase(_ value: EnumCase) -> CasePlan {
    CasePlan(
      name: value.swiftName ?? SwiftName.enumCase(value.value), wire: value.value,
      documentation: value.summary.map(SwiftLiteral.comment) ?? "")
  }

  // MARK: Unions

  private func union(_ union: Union) -> UnionPlan {
    UnionPlan(
      tag: union.tag,
      variants: union.variants.map { variant in
        UnionPlan.Variant(
          name: variant.swiftName ?? caseName(variant.type), type: types.value(variant.type), tags: variant.tags,
          kind: kind(variant.type))
      })
  }

  /// A variant is named for its type: `post(Post)`, `strings([String])`.
  private func caseName(_ type: TypeReference) -> String {
    switch type.kind {
    case .named(let name): SwiftName.enumCase(types.swiftName(ofModel: name))
    case .list(let element): caseName(element) + "s"
    case .map(let element): caseName(element) + "ByName"
    case .scalar(let scalar):
      switch scalar {
      case .string: "string"
      case .int: "int"
      case .number: "number"
      case .bool: "bool"
      case .date: "date"
      case .bytes: "bytes"
      case .file: "file"
      case .json: "json"
      }
    }
  }

  private func kind(_ type: TypeReference) -> UnionPlan.Kind {
    switch types.resolved(type).kind {
    case .list: return .array
    case .map: return .map
    case .scalar(let scalar):
      switch scalar {
      case .string, .bytes, .file: return .string
      case .int, .number: return .number
      case .bool: return .bool
      case .date(.seconds), .date(.milliseconds): return .number
      case .date: return .string
      case .json: return .any
      }
    case .named(let name):
      switch types.model(named: name)?.shape {
      case .object(let fields, _)?:
        return .object(
          required: fields.filter { !types.resolved($0.type).isOptional }.map(\.name), known: fields.map(\.name))
      case .enumeration(let cases)?: return .enumeration(cases.map(\.value))
      default: return .any
      }
    }
  }
}
