/// What a generated model says about its members: a text of `name:type` fields, and the types that it refers to as `#0`,
/// `#1`, ….
///
/// Types are those of the catalogue (`spec/README.md`): `string`, `int`, `number`, `bool`, `date`, `date(…)`,
/// `bytes`, `json`, `#n`, `[T]`, `{T}`, followed by `|null` and `?`. Fields are separated by spaces, or by
/// newlines if the text begins with one. A last field `*:{T}` keeps members that the model does not know.
public struct ModelLayout {
  let text: StaticString
  let types: [any JSONCodable.Type]

  /// A layout; see above for the text.
  public init(_ text: StaticString, _ types: any JSONCodable.Type...) {
    self.text = text
    self.types = types
  }
}

/// A text of several words: the names of an enum's cases, the fields of a layout.
struct WordList {
  /// Separated by spaces, or by newlines if the text begins with one.
  static func words(_ text: StaticString) -> [Substring] {
    let text = text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    return text.first == "\n" ? text.dropFirst().split(separator: "\n") : text.split(separator: " ")
  }
}
