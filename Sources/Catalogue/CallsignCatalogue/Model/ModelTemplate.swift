/// A model with placeholder names for types, and for words in its texts: `Response<T>`, `Page<T, nouns>`.
public struct ModelTemplate: Sendable, Equatable {
  /// The name before the `<`.
  public let name: String
  /// The names of types and, starting with a lowercase letter, of words.
  public let parameters: [String]
  /// The model, with types such as `T` and texts such as `The {nouns}.`.
  public let model: Model

  package init(name: String, parameters: [String], model: Model) {
    self.name = name
    self.parameters = parameters
    self.model = model
  }

  /// Whether the type contains one of the template's names.
  package func isOpen(_ type: TypeReference) -> Bool {
    switch type.kind {
    case .scalar: false
    case .named(let name): parameters.contains(name)
    case .list(let element), .map(let element): isOpen(element)
    }
  }

  /// A part of a template's text.
  package enum TextPart: Equatable, Sendable {
    /// Fixed words.
    case words(String)
    /// A name in braces that each use replaces.
    case name(String)
  }

  /// The parts of a text such as `A response with {noun}.`, in order.
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

  /// A sentence as the continuation of other words: with a lowercase first letter, unless the first word is a name.
  package static func insideSentence(_ text: String) -> String {
    guard let second = text.dropFirst().first, second.isLowercase || second == " " else { return text }
    return text.prefix(1).lowercased() + text.dropFirst()
  }
}
