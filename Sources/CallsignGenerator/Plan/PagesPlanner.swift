import CallsignCatalogue

/// From an endpoint's `pages:` to the method that yields page after page.
struct PagesPlanner {
  let types: TypeTable

  func plan(_ endpoint: Endpoint, name: String) -> PagesPlan? {
    guard let pages = endpoint.pages, let returns = endpoint.returns, endpoint.stream == nil,
      let items = access(pages.items, in: returns),
      case .list(let item) = types.resolved(items.type).kind
    else { return nil }
    let parameter = endpoint.parameters.first { $0.name == pages.parameter }
    let size = pages.size.flatMap { name in endpoint.parameters.first { $0.name == name } }
    return PagesPlan(
      name: SwiftName.pagesMethod(name), style: pages.style, parameter: pages.parameter,
      isInBody: parameter?.place == .field, page: types.value(returns), item: types.value(item),
      next: pages.next.flatMap { access($0, in: returns)?.expression },
      previous: pages.previous.flatMap { access($0, in: returns)?.expression },
      items: items.isOptional ? items.expression + " ?? []" : items.expression,
      size: size?.label,
      id: pages.id.flatMap { access($0, in: item)?.expression })
  }

  private struct Access {
    /// `$0.meta?.nextToken`
    var expression: String
    var type: TypeReference
    var isOptional: Bool
  }

  /// The expression that follows a dotted path, or `nil` where the path leads nowhere.
  private func access(_ path: String, in type: TypeReference) -> Access? {
    var access = Access(expression: "$0", type: type, isOptional: false)
    guard path != "." else { return access }
    for step in path.split(separator: ".") {
      guard case .named(let name) = types.resolved(access.type).kind, let model = types.model(named: name),
        case .object(let fields, _) = model.shape, let field = fields.first(where: { $0.name == step })
      else { return nil }
      let property = field.propertyName
      // The path is through an optional value from the first optional property on.
      access.expression += (access.isOptional ? "?." : ".") + property
      let resolved = types.resolved(field.type)
      if resolved.isNullable {
        access.expression += (resolved.isOptional ? "?" : "") + ".value"
        access.isOptional = true
      }
      access.type = field.type
      if resolved.isOptional { access.isOptional = true }
    }
    return access
  }
}
