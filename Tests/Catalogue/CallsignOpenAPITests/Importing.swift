import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

/// A test's document: the given parts, indented as they are under `paths:` and `components:`.
func document(version: String = "3.0.3", paths: String, components: String = "", more: String = "") -> String {
  var text = """
    openapi: \(version)
    info: {title: Pet Store, version: "7"}
    servers: [{url: https://pets.example}]

    """
  if !more.isEmpty { text += more + "\n" }
  text += "paths:\n" + indented(paths)
  if !components.isEmpty { text += "components:\n" + indented(components) }
  return text
}

/// A document whose one operation responds to the given schema, which is written in one line.
func document(responding schema: String, schemas: String = "") -> String {
  document(
    responses: "{\"200\": {description: \"\", content: {application/json: {schema: \(schema)}}}}", schemas: schemas)
}

/// A document whose one operation, `getPets`, has the given responses, which are written in one line.
func document(responses: String, schemas: String = "") -> String {
  document(
    paths: """
      /pets:
        get:
          operationId: getPets
          responses: \(responses)
      """,
    components: schemas.isEmpty ? "" : "schemas:\n" + indented(schemas))
}

/// A document whose one operation, `getPets`, has the given parameters, a line for each.
func document(parameters: String, version: String = "3.0.3", schemas: String = "") -> String {
  let lines = parameters.split(separator: "\n").map { "      - \($0)" }.joined(separator: "\n")
  return document(
    version: version,
    paths: """
      /pets:
        get:
          operationId: getPets
          parameters:
      \(lines)
          responses: {"204": {description: ""}}
      """,
    components: schemas.isEmpty ? "" : "schemas:\n" + indented(schemas))
}

/// A document whose one operation is a POST with the given JSON body.
func document(sending schema: String, schemas: String = "", version: String = "3.0.3") -> String {
  document(
    requestBody: "{required: true, content: {application/json: {schema: \(schema)}}}", schemas: schemas,
    version: version)
}

/// A document whose one operation, `addPet`, is a POST with the given body, and with the given responses or none.
func document(
  requestBody: String, responses: String = "{\"204\": {description: \"\"}}", schemas: String = "",
  version: String = "3.0.3"
) -> String {
  document(
    version: version,
    paths: """
      /pets:
        post:
          operationId: addPet
          requestBody: \(requestBody)
          responses: \(responses)
      """,
    components: schemas.isEmpty ? "" : "schemas:\n" + indented(schemas))
}

private func indented(_ text: String) -> String {
  text.split(separator: "\n", omittingEmptySubsequences: false).map { "  " + $0 + "\n" }.joined()
}

/// An import, and its result as files.
struct Imported {
  var result: ImportResult
  var files: [CatalogueFile]

  init(_ text: String, overlay: String? = nil, options: ImportOptions = ImportOptions()) throws {
    let overlay = overlay.map { CatalogueOverlay(CatalogueSource(path: "pets.overlay.yaml", bytes: Array($0.utf8))) }
    result = try OpenAPIImporter(options: options, overlay: overlay).importDocument(Array(text.utf8))
    var writer = CatalogueWriter(origin: result.origin, overlay: nil)
    // Each fact on its own line, for tests to look for.
    writer.sharesParts = false
    files = writer.files(for: result.catalogue)
  }

  var catalogue: Catalogue { result.catalogue }

  /// The text below the head of a file.
  func text(_ file: String) throws -> String {
    let file = try #require(files.first { $0.path == file }, "there is no \(file) in \(files.map(\.path))")
    return file.text.split(separator: "\n", omittingEmptySubsequences: false)
      .drop { $0.hasPrefix("#") || $0.isEmpty }.joined(separator: "\n")
  }

  /// The lines of an endpoint, without those that are the same for all.
  func endpoint(_ name: String) throws -> String {
    for file in files {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard let start = lines.firstIndex(of: "  \(name):") else { continue }
      let body = lines[(start + 1)...].prefix { $0.hasPrefix("    ") }
      let usual = ["    summary:", "    auth: [none]", "    body_required: true"]
      return body.filter { line in !usual.contains { line.hasPrefix($0) } }
        .map { $0.dropFirst(4) }.joined(separator: "\n")
    }
    Issue.record("there is no endpoint \(name)")
    return ""
  }

  /// The lines of a model.
  func model(_ name: String) throws -> String {
    for file in files {
      let lines = file.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
      guard let start = lines.firstIndex(where: { $0.hasPrefix("  \(name):") }) else { continue }
      let body = lines[(start + 1)...].prefix { $0.hasPrefix("    ") }
      return ([lines[start]] + body).map { $0.dropFirst(2) }.joined(separator: "\n")
    }
    Issue.record("there is no model \(name) in \(catalogue.groups.flatMap(\.models).map(\.name))")
    return ""
  }

  /// The name of a parameter's type in the only operation.
  func typeName(of parameter: String) throws -> String {
    let parameters = catalogue.groups.flatMap(\.endpoints).first?.parameters ?? []
    return try #require(parameters.first { $0.name == parameter }).type.text
  }

  /// Messages of warnings, without their places and without those about missing summaries.
  var warnings: [String] {
    result.warnings.filter { $0.severity == .warning && !$0.message.contains("has no summary") }.map(\.message)
  }

  /// Loads the written files; the loaded catalogue has to equal the written one.
  func expectRoundTrip(sourceLocation: Testing.SourceLocation = #_sourceLocation) {
    let sources = files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) }
    let loaded = CatalogueLoader().load(files: sources)
    #expect(loaded.diagnostics.map(\.description) == [], sourceLocation: sourceLocation)
    #expect(loaded.catalogue == catalogue, sourceLocation: sourceLocation)
  }
}
