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
      plan.shape = .object(object(fields, extra))
    case .enumeration(let cases): plan.shape = .enumeration(cases.map(enumCase))
    case .union(let union): plan.shape = .union(self.union(union))
    case .alias(let type):
      plan.shape = .alias(types.full(type))
      if let constraints = DocumentationPlan.constraints(type, types) { plan.documentation.append(constraints) }
    }
    return plan
  }

  // MARK: Objects

  private func object(_ fields: [Field], _ extra: TypeReference?) -> ObjectPlan {
    var layout = LayoutWriter(types: types)
    var properties: [PropertyPlan] = []
    properties.reserveCapacity(fields.count + 1)
    for field in fields {
      layout.add(field.name, field.type)
      properties.append(property(field))
    }
    if let extra {
      layout.addExtra(extra)
      properties.append(
        PropertyPlan(
          name: "extra", type: "[\(types.name(.string)): \(types.value(extra))]", isInitialised: false,
          isOptional: false, accessor: .extra, documentation: "Members that the catalogue does not list."))
    }
    let hasStorage = properties.contains { $0.name == "storage" }
    return ObjectPlan(
      properties: properties, layout: layout.plan, storageName: hasStorage ? "modelStorage" : "storage")
  }

  private func property(_ field: Field) -> PropertyPlan {
    let resolved = types.resolved(field.type)
    return PropertyPlan(
      name: field.propertyName, type: types.full(field.type),
      isOptional: resolved.isOptional, accessor: accessor(resolved),
      documentation: DocumentationPlan(
        summary: field.summary, deprecation: field.deprecation,
        constraints: DocumentationPlan.constraints(field.type, types)
      ).line)
  }

  private func accessor(_ type: TypeReference) -> PropertyPlan.Accessor {
    if type.isNullable { return .nullable }
    switch type.kind {
    case .scalar(.string): return .string
    case .scalar(.int): return .int
    case .scalar(.number): return .number
    case .scalar(.bool): return .bool
    case .scalar(.date): return .date
    case .scalar(.bytes), .scalar(.file), .scalar(.json), .list, .map: return .value
    case .named(let name):
      switch types.model(named: name)?.shape {
      case .object: return .model
      case .enumeration: return .enum
      default: return .value
      }
    }
  }

  private func enumCase(_ value: EnumCase) -> CasePlan {
    CasePlan(
      name: value.caseName, wire: value.value,
      documentation: value.summary.map(SwiftLiteral.comment) ?? "")
  }

  // MARK: Unions

  private func union(_ union: Union) -> UnionPlan {
    UnionPlan(
      tag: union.tag,
      variants: union.variants.map { variant in
        UnionPlan.Variant(
          name: variant.caseName, type: types.value(variant.type), tags: variant.tags)
      })
  }
}
