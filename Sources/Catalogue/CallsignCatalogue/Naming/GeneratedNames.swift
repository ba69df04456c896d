/// Names that generated code and what it is built on need for themselves.
package enum GeneratedNames {
  /// Modules by whose names generated code tells a type of theirs from the catalogue's own of the same name, so that a
  /// model may be called `Response` or `Data`; and the word that means the type at hand, even in backticks.
  package static let types: Set<String> = ["Callsign", "Foundation", "Self", "Swift"]

  /// Members that the client's type has beside the methods.
  static let methods: Set<String> = ["call", "client", "endpoints"]

  /// Members of a response, which give way to those of the response's type.
  package static let responseMembers: Set<String> = [
    "body", "entityTag", "errors", "headers", "issues", "mediaType", "rateLimit", "rawResponse", "status", "value",
  ]

  /// The property that keeps the members that a model does not list.
  static let extraField = "extra"
}

extension Endpoint {
  /// The Swift method's name.
  public var methodName: String { swiftName ?? SwiftName.method(name) }
}

extension Endpoint {
  /// The label of a parameter by its name.
  package func label(of name: String) -> String {
    parameters.first { $0.name == name }?.label ?? SwiftName.member(name)
  }

  /// The Swift name of a choice's case: its own, else after its first parameter; `nil` where it begins with none.
  package func caseName(_ alternative: ParameterRule.Alternative) -> String? {
    if let name = alternative.name { return name }
    guard case .parameter(let first)? = alternative.parts.first else { return nil }
    return SwiftName.enumCase(label(of: first))
  }
}

extension HostVariable {
  /// The label of the argument that the client's initializers have for it.
  public var label: String { swiftName ?? SwiftName.member(name) }
}

extension Parameter {
  /// The argument's label.
  public var label: String { swiftName ?? SwiftName.member(name) }
}

extension Model {
  /// The Swift type's name.
  public var typeName: String { swiftName ?? SwiftName.type(name) }
}

extension ResponseHeader {
  /// The Swift property's name: `X-Total-Count` is `totalCount`.
  public var propertyName: String {
    swiftName ?? SwiftName.property(name.lowercased().hasPrefix("x-") ? String(name.dropFirst(2)) : name)
  }
}

extension Field {
  /// The Swift property's name.
  public var propertyName: String { swiftName ?? SwiftName.property(name) }
}

extension EnumCase {
  /// The Swift case's name.
  public var caseName: String { swiftName ?? SwiftName.enumCase(value) }
}

extension Union.Variant {
  /// The Swift case's name: the variant's own, else after its type (`user`, `string`, `numberList`, `userMap`).
  public var caseName: String { swiftName ?? SwiftName.enumCase(Self.words(of: type)) }

  private static func words(of type: TypeReference) -> String {
    switch type.kind {
    case .scalar(let scalar): scalar.name
    case .named(let name): name
    case .list(let element): words(of: element) + "_list"
    case .map(let value): words(of: value) + "_map"
    }
  }
}
