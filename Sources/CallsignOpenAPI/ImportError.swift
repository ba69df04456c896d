/// Why a document could not be imported at all.
public enum ImportError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The text is neither JSON nor YAML; `line` and `column` count from 1.
  case syntax(message: String, line: Int, column: Int)
  /// The text is JSON or YAML, but not an OpenAPI 3 document.
  case notOpenAPI(String)
  /// A `$ref` leads nowhere, into another document, or back to itself.
  case reference(String, at: String)
  /// Values are nested deeper than any real document has them.
  case tooDeep(at: String)
  /// Aliases blow the document up to more values than any real one has.
  case tooLarge
  /// What the document says at this place contradicts the OpenAPI specification.
  case invalid(String, at: String)
  /// The file of hand-written notes is not usable.
  case notes(String)

  public var description: String {
    switch self {
    case .syntax(let message, let line, let column): "\(line):\(column): \(message)"
    case .notOpenAPI(let message): message
    case .reference(let message, let pointer): "\(pointer): \(message)"
    case .tooDeep(let pointer):
      "\(pointer): nested too deeply; give the inner schemas names under #/components/schemas"
    case .tooLarge: "the document's aliases expand to more than \(DocumentParser.maximumValues) values"
    case .invalid(let message, let pointer): "\(pointer): \(message)"
    case .notes(let message): "notes: \(message)"
    }
  }
}
