/// A model with names in the place of types, and of words in its texts: `Answer<T>`, `Page<T, nouns>`.
public struct ModelTemplate: Sendable, Equatable {
  /// The name before the `<`.
  public let name: String
  /// The names of types, and those of words, which begin with a small letter.
  public let parameters: [String]
  /// The model, with types called `T` and texts such as `The {nouns}.`.
  public let model: Model

  package init(name: String, parameters: [String], model: Model) {
    self.name = name
    self.parameters = parameters
    self.model = model
  }

  /// Whether a type of the model has one of the template's names.
  package func isOpen(_ type: TypeReference) -> Bool {
    switch type.kind {
    case .scalar: false
    case .named(let name): parameters.contains(name)
    case .list(let element), .map(let element): isOpen(element)
    }
  }

  /// A sentence as it goes on after other words: with a small letter, unless its first word is a name.
  package static func insideSentence(_ text: String) -> String {
    guard let second = text.dropFirst().first, second.isLowercase || second == " " else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
