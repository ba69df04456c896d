/// Examples of an API's responses and models, from its own document: the file `examples.json` beside the catalogue's others,
/// which mocks respond by. It is kept as it is written; generated code has nothing of it.
///
/// ```json
/// {"responses": {"getPet": [{"id": "7", "name": "Rex"}]}, "models": {"Owner": [{"name": "Ann"}]},
///  "fields": {"Pet": {"name": ["Rex", "Bella"]}}, "present": {"Pet": ["born"]}}
/// ```
///
/// Each is a list, of which any one is taken, and what does not fit its type is passed over. `present` names members that
/// every response has, with a value or as null.
public struct CatalogueExamples: Sendable, Equatable {
  /// The file's name.
  package static let fileName = "examples.json"
  /// The beginning of a file that an import has written.
  package static let mark = "{\"$comment\": \"Imported from the OpenAPI document"

  /// The text, JSON in UTF-8.
  public var json: [UInt8]

  /// The examples of a JSON text.
  public init(json: [UInt8]) { self.json = json }
}
