import CallsignCatalogue
import CallsignJSON

@testable import CallsignMock

/// Creates arguments by an operation's types: its required ones, with ids of existing objects.
struct ArgumentMaker {
  private let types: ModelIndex
  /// Values by the names of parameters, instead of made-up ones.
  private let known: [String: JSONValue]

  init(catalogue: Catalogue, known: [String: JSONValue]) {
    types = ModelIndex(catalogue)
    self.known = known
  }

  func arguments(_ endpoint: CallsignCatalogue.Endpoint, id: String) -> [String: JSONValue] {
    let generator = ValueGenerator(types: types, seed: Seed(1), direction: .request)
    var wanted: Set<String> = []
    for rule in endpoint.rules {
      switch rule.kind {
      case .oneOf: wanted.formUnion(Self.firstAlternative(rule))
      case .anyOf:
        if let name = rule.parameters.first(where: { known[$0] != nil }) ?? rule.parameters.first {
          wanted.insert(name)
        }
      // Both or none.
      case .together: break
      }
    }
    var arguments: [String: JSONValue] = [:]
    for parameter in endpoint.parameters {
      guard parameter.constant == nil, wanted.contains(parameter.name) || !parameter.type.isOptional else { continue }
      var type = parameter.type
      type.isNullable = false
      arguments[parameter.name] =
        parameter.name == "id" && parameter.place == .path
        ? .string(id)
        : known(parameter.name, type) ?? generator.value(type, Seed(1).derived(parameter.name), name: parameter.name)
    }
    return arguments
  }

  /// The known value of a parameter, as a list if it takes one. Any bytes will do for a file.
  private func known(_ name: String, _ type: TypeReference) -> JSONValue? {
    switch types.resolve(type).kind {
    case .scalar(.file): return Self.file
    case .list(let element):
      if case .scalar(.file) = types.resolve(element).kind { return [Self.file] }
      return known[name].map { $0.array == nil ? [$0] : $0 }
    default: return known[name]
    }
  }

  private static let file: JSONValue = ["base64": "aGVsbG8=", "name": "hello.png", "type": "image/png"]

  private static func firstAlternative(_ rule: ParameterRule) -> Set<String> {
    guard let first = rule.alternatives.first else { return Set(rule.parameters.prefix(1)) }
    return first.parts.reduce(into: []) { names, part in
      switch part {
      case .parameter(let name): names.insert(name)
      case .choice(let choice): if !choice.isOptional { names.formUnion(firstAlternative(choice)) }
      }
    }
  }
}
