/// Examples of an API's responses and models, taken from the API's own document. Mocks use them for their responses. They are in
/// the file `examples.json` next to the other catalogue files and are kept as written; generated code does not contain them.
///
/// ```json
/// {"responses": {"getPet": [{"id": "7", "name": "Rex"}]}, "models": {"Owner": [{"name": "Ann"}]},
///  "fields": {"Pet": {"name": ["Rex", "Bella"]}}, "present": {"Pet": ["born"]}}
/// ```
///
/// Each entry is a list; a mock may take any element and skips elements that do not fit the type. `present` names the members that
/// every response has, either with a value or as null.
public struct CatalogueExamples: Sendable, Equatable {
  /// The file's name.
  package static let fileName = "examples.json"
  /// The beginning of a file written by an import.
  package static let mark = "{\"$comment\": \"Imported from the OpenAPI document"

  /// The text, JSON in UTF-8.
  public var json: [UInt8]

  /// Creates examples from a JSON text.
  public init(json: [UInt8]) { self.json = json }
}
