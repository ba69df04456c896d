/// A model with names in the place of types, and of words in its texts: `Response<T>`, `Page<T, nouns>`.
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

  /// A part of a template's text.
  package enum TextPart: Equatable, Sendable {
    /// Words that stay as they are.
    case words(String)
    /// A name in braces, in whose place a use puts something else.
    case name(String)
  }

  /// The parts of a text such as `A response with {noun}.`, in its order.
  package static func parts(of text: String) -> [TextPart] {
    var parts: [TextPart] = []
    var rest = text[...]
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      if open > rest.startIndex { parts.append(.words(String(rest[..<open]))) }
      parts.append(.name(String(rest[rest.index(after: open)..<close])))
      rest = rest[rest.index(after: close)...]
    }
    if !rest.isEmpty { parts.append(.words(String(rest))) }
    return parts
  }

  /// A sentence as it goes on after other words: with a small letter, unless its first word is a name.
  package static func insideSentence(_ text: String) -> String {
    guard let second = text.dropFirst().first, second.isLowercase || second == " " else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
