/// Names that generated code and its dependencies need for themselves.
package enum GeneratedNames {
  /// Modules whose names generated code uses to distinguish their types from the catalogue's types with the same name, so that you
  /// can call a model `Response` or `Data`; and the word that means the current type even in backticks.
  package static let types: Set<String> = ["Callsign", "Foundation", "Self", "Swift"]

  /// Members of the client type in addition to the methods.
  static let methods: Set<String> = ["call", "client", "endpoints"]

  /// Members of a response. They are hidden by members of the response type with the same name.
  package static let responseMembers: Set<String> = [
    "body", "entityTag", "errors", "headers", "issues", "mediaType", "rateLimit", "rawResponse", "status", "value",
  ]

  /// The property that keeps the members that a model does not declare.
  static let extraField = "extra"
}

extension Endpoint {
  /// The Swift method's name.
  public var methodName: String { swiftName ?? SwiftName.method(name) }
}

extension Endpoint {
  /// The label of a parameter, by its name.
  package func label(of name: String) -> String {
    parameters.first { $0.name == name }?.label ?? SwiftName.member(name)
  }

  /// The Swift name of a choice's case: its own name, or the name of its first parameter; `nil` if it does not start with a
  /// parameter.
  package func caseName(_ alternative: ParameterRule.Alternative) -> String? {
    if let name = alternative.name { return name }
    guard case .parameter(let first)? = alternative.parts.first else { return nil }
    return SwiftName.enumCase(label(of: first))
  }
}

extension HostVariable {
  /// The label of the argument in the client's initializers.
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
  /// The Swift case's name: the variant's own name, or one made from its type (`user`, `string`, `numberList`, `userMap`).
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
