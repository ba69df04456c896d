import CallsignCatalogue
import CallsignGenerator
import CallsignOpenAPI
import Testing

/// Documents that are small, or large and plain, and once took an import minutes.
@Suite("The time of imports grows only with the document") struct LinearTimeTests {
  private func imported(_ schemas: String, root: String = "A0", paths: String = "") throws -> ImportResult {
    let text = """
      {"openapi": "3.0.3", "info": {"title": "Pets", "version": "1"}, "servers": [{"url": "https://pets.example"}],
      "paths": {"/pets": {"get": {"operationId": "getPets", "responses": {"200": {"description": "", "content":
      {"application/json": {"schema": {"$ref": "#/components/schemas/\(root)"}}}}}}}\(paths)},
      "components": {"schemas": {\(schemas)}}}
      """
    return try OpenAPIImporter().importDocument(Array(text.utf8))
  }

  private func reference(_ name: String) -> String { "{\"$ref\": \"#/components/schemas/\(name)\"}" }

  private func fields(_ name: String, in catalogue: Catalogue) -> [Field] {
    let model = catalogue.groups.flatMap(\.models).first { $0.name == name }
    if case .object(let fields, _)? = model?.shape { return fields }
    return []
  }

  /// Written, loaded and checked again.
  private func expectLoads(_ result: ImportResult) {
    let files = CatalogueWriter(origin: result.origin, overlay: nil).files(for: result.catalogue)
    let loaded = CatalogueLoader().load(
      files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    #expect(loaded.catalogue?.groups.flatMap(\.models).count == result.catalogue.groups.flatMap(\.models).count)
  }

  @Test(
    "A schema that doubles at each level is refused at its location", .timeLimit(.minutes(1)),
    arguments: [
      // `allOf` in two members, with another part next to the reference.
      #"{"type": "object", "properties": {"a": {"allOf": [NEXT, {"properties": {"x": {"type": "string"}}}]}, "b": {"allOf": [NEXT, {"properties": {"y": {"type": "string"}}}]}}}"#,
      #"{"type": "object", "properties": {"a": {"allOf": [NEXT], "required": ["z"]}, "b": {"allOf": [NEXT, {"required": ["y"]}]}}}"#,
      #"{"allOf": [NEXT, {"type": "object", "properties": {"a": {"allOf": [NEXT, {"properties": {"x": {"type": "string"}}}]}}}]}"#,
      // Alternatives of alternatives.
      #"{"oneOf": [{"type": "object", "properties": {"a": NEXT}}, NEXT]}"#,
      // References to parts without a name.
      #"{"properties": {"v": {"type": "object", "properties": {"a": PART, "b": PART}}}}"#,
    ])
  func doubling(pattern: String) throws {
    var schemas = (0..<40).map { level in
      let next = reference("A\(level + 1)")
      let part = "{\"$ref\": \"#/components/schemas/A\(level + 1)/properties/v\"}"
      let text = pattern.replacing("NEXT", with: next).replacing("PART", with: part)
      return "\"A\(level)\": \(text)"
    }
    schemas.append(#""A40": {"type": "object", "properties": {"v": {"type": "string"}, "name": {"type": "string"}}}"#)
    expectLoads(try imported(schemas.joined(separator: ",")))
  }

  @Test("A schema of thousands of members has them all", .timeLimit(.minutes(1))) func members() throws {
    let members = (0..<3_000).map { "\"member\($0)\": {\"type\": \"string\"}" }.joined(separator: ",")
    let result = try imported("\"A0\": {\"type\": \"object\", \"properties\": {\(members)}}")
    #expect(fields("A0", in: result.catalogue).count == 3_000)
    expectLoads(result)
  }

  @Test("Thousands of names that fall together are numbered", .timeLimit(.minutes(1))) func collisions() throws {
    let signs = (0..<1_500).map { "\"na me" + String(repeating: "!", count: $0) + "\": {\"type\": \"string\"}" }
    let result = try imported("\"A0\": {\"type\": \"object\", \"properties\": {\(signs.joined(separator: ","))}}")
    let names = fields("A0", in: result.catalogue).map(\.propertyName)
    #expect(Set(names).count == 1_500)
    #expect(names.first == "naMe")
    let schemas = (0..<1_000).map {
      "\"Pet" + String(repeating: "-", count: $0)
        + "\": {\"type\": \"object\", \"properties\": {\"a\($0)\": {\"type\": \"string\"}}}"
    }
    let uses = (0..<1_000).map { "\"a\($0)\": " + reference("Pet" + String(repeating: "-", count: $0)) }
    let models = try imported(
      schemas.joined(separator: ",")
        + ", \"A0\": {\"type\": \"object\", \"properties\": {\(uses.joined(separator: ","))}}")
    #expect(Set(models.catalogue.groups.flatMap(\.models).map(\.name)).count == 1_001)
  }

  @Test("A chain of thousands of references is followed to its end", .timeLimit(.minutes(1))) func chain() throws {
    let schemas = (0..<3_000).map { "\"A\($0)\": " + reference("A\($0 + 1)") }
    let result = try imported(
      schemas.joined(separator: ",") + #", "A3000": {"type": "object", "properties": {"name": {"type": "string"}}}"#)
    #expect(result.catalogue.groups.flatMap(\.endpoints).first?.returns?.text == "A3000")
    expectLoads(result)
  }

  @Test(
    "Lists that nest too deeply for a catalogue end as any JSON, with a warning", .timeLimit(.minutes(1)),
    arguments: [#"{"type": "array", "items": NEXT}"#, #"{"type": "object", "additionalProperties": NEXT}"#])
  func nestedLists(pattern: String) throws {
    for count in [60, 4_000] {
      let schemas = (0..<count).map { "\"A\($0)\": " + pattern.replacing("NEXT", with: reference("A\($0 + 1)")) }
      let result = try imported(schemas.joined(separator: ",") + #", "A\#(count)": {"type": "string"}"#)
      #expect(result.warnings.contains { $0.description.contains("nest more than 24 levels deep") })
      expectLoads(result)
    }
    let inner = (0..<60).reduce(#"{"type": "string"}"#) { text, _ in pattern.replacing("NEXT", with: text) }
    expectLoads(try imported("\"A0\": \(inner)"))
  }

  @Test("Hundreds of alternatives are distinguished", .timeLimit(.minutes(1))) func alternatives() throws {
    let list = (0..<600).map { reference("V\($0)") }.joined(separator: ",")
    let variants = (0..<600).map {
      "\"V\($0)\": {\"type\": \"object\", \"properties\": {\"a\($0)\": {\"type\": \"string\"}}}"
    }
    expectLoads(try imported("\"A0\": {\"oneOf\": [\(list)]}, " + variants.joined(separator: ",")))
  }

  @Test("Thousands of parts of an `allOf` are one object", .timeLimit(.minutes(1))) func parts() throws {
    let parts = (0..<2_000).map { "{\"type\": \"object\", \"properties\": {\"a\($0)\": {\"type\": \"string\"}}}" }
    let result = try imported("\"A0\": {\"allOf\": [\(parts.joined(separator: ","))]}")
    #expect(fields("A0", in: result.catalogue).count == 2_000)
  }
}
