import CallsignCatalogue
import CallsignGenerator
import Testing

@testable import CallsignOpenAPI

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

  @Test("A chain of tens of thousands of references needs no deep stack", .timeLimit(.minutes(1)))
  func longChain() throws {
    let links = (1..<60_000).map { "\"A\($0)\": " + reference("A\($0 + 1)") }.joined(separator: ",")
    // The end of the chain has a flag, and the values of a discriminator's member.
    let result = try imported(
      "\"A0\": {\"type\": \"object\", \"properties\": {\"id\": \(reference("A1")), \"pet\": \(reference("Pet"))}}, "
        + "\"Pet\": {\"oneOf\": [\(reference("A1")), \(reference("Cat"))], "
        + "\"discriminator\": {\"propertyName\": \"kind\"}}, \(links), "
        + "\"A60000\": \(animal("dog")), \"Cat\": \(animal("cat"))")
    #expect(fields("A0", in: result.catalogue).map(\.name) == ["id", "pet"])
    #expect(variants("Pet", in: result.catalogue).map(\.tags) == [["dog"], ["cat"]])
  }

  private func animal(_ kind: String) -> String {
    #"{"type": "object", "readOnly": true, "required": ["kind"], "properties": {"#
      + #""kind": {"type": "string", "enum": ["\#(kind)"]}, "#
      + #""\#(kind)Name": {"type": "string"}}}"#
  }

  private func variants(_ name: String, in catalogue: Catalogue) -> [Union.Variant] {
    let model = catalogue.groups.flatMap(\.models).first { $0.name == name }
    if case .union(let union)? = model?.shape { return union.variants }
    return []
  }

  @Test("Schemas that refer to themselves, or that `allOf` nests deeply, are members", .timeLimit(.minutes(1)))
  func deepFlags() throws {
    let parts = (1..<1_000).map { "\"B\($0)\": {\"allOf\": [\(reference("B\($0 + 1)"))]}" }.joined(separator: ",")
    let result = try imported(
      "\"A0\": {\"type\": \"object\", \"properties\": {\"own\": \(reference("A0")), \"b\": \(reference("B1"))}}, \(parts), "
        + #""B1000": {"type": "string", "readOnly": true}"#)
    #expect(fields("A0", in: result.catalogue).map(\.name) == ["own", "b"])
  }

  @Test("Thousands of values of two combined alternatives are compared", .timeLimit(.minutes(1)))
  func combinedValues() throws {
    func object(_ values: Range<Int>, _ other: String) -> String {
      let list = values.map { "\"v\($0)\"" }.joined(separator: ",")
      return "{\"type\": \"object\", \"properties\": {\"t\": {\"type\": \"string\", \"enum\": [\(list)]}, "
        + "\"\(other)\": {\"type\": \"string\"}}}"
    }
    let result = try imported(
      "\"A0\": {\"anyOf\": [\(reference("A1")), \(reference("A2"))]}, "
        + "\"A1\": \(object(0..<2_000, "one")), \"A2\": \(object(1..<2_001, "two"))")
    let counts = result.catalogue.groups.flatMap(\.models).map { model in
      if case .enumeration(let cases) = model.shape { cases.count } else { 0 }
    }
    // Both alternatives together allow the values that both have.
    #expect(counts.contains(1_999))
  }

  @Test(
    "Thousands of extensions of a base class are selected by their names, or by the mapping", .timeLimit(.minutes(1)),
    arguments: [false, true])
  func extensions(isMapped: Bool) throws {
    let count = 1_000
    let values = (0..<count).map { "\"variant-\($0)\"" }.joined(separator: ",")
    let entries = (0..<count).map { "\"variant-\($0)\": \"#/components/schemas/Variant\(count - 1 - $0)\"" }
    let mapping = isMapped ? ", \"mapping\": {\(entries.joined(separator: ","))}" : ""
    let variants = (0..<count).map {
      "\"Variant\($0)\": {\"allOf\": [\(reference("A0")), "
        + "{\"type\": \"object\", \"properties\": {\"a\($0)\": {\"type\": \"string\"}}}]}"
    }
    let result = try imported(
      "\"A0\": {\"type\": \"object\", \"required\": [\"kind\"], \"properties\": {\"kind\": \(reference("Kind"))}, "
        + "\"discriminator\": {\"propertyName\": \"kind\"\(mapping)}}, "
        + "\"Kind\": {\"type\": \"string\", \"enum\": [\(values)]}, " + variants.joined(separator: ","))
    let found = self.variants("A0", in: result.catalogue)
    #expect(found.count == count)
    let first = try #require(found.first { $0.type.text == "Variant0" })
    #expect(first.tags == [isMapped ? "variant-\(count - 1)" : "variant-0"])
  }

  @Test("Thousands of texts that a parameter can be are one list of texts", .timeLimit(.minutes(1)))
  func texts() throws {
    let texts = (0..<2_000).map { "{\"type\": \"string\", \"pattern\": \"^a\($0)$\"}" }.joined(separator: ",")
    let schema = "{\"oneOf\": [{\"type\": \"array\", \"items\": {\"type\": \"string\"}}, \(texts)]}"
    let result = try imported(
      #""A0": {"type": "string"}"#,
      paths: #", "/dogs": {"get": {"operationId": "getDogs", "parameters": [{"name": "a", "in": "query", "schema": "#
        + schema + #"}], "responses": {"204": {"description": ""}}}}"#)
    let endpoint = result.catalogue.groups.flatMap(\.endpoints).first { $0.name == "getDogs" }
    let kinds = endpoint?.parameters.map(\.type.kind) ?? []
    #expect(kinds == [TypeReference.Kind.list(TypeReference(.scalar(.string)))])
  }

  @Test("Paths of Swagger 2.0 that refer to one item take only its operations and parameters")
  func sharedItems() throws {
    let limit = #"{"name": "limit", "in": "query", "type": "integer"}"#
    let operation = #"{"parameters": [\#(limit)], "responses": {"204": {"description": ""}}}"#
    let text = """
      {"swagger": "2.0", "info": {"title": "Pets", "version": "1"}, "host": "pets.example",
      "paths": {"/a": {"$ref": "#/x-items/pets"}, "/b": {"$ref": "#/x-items/pets"}},
      "x-items": {"pets": {"get": \(operation), "parameters": [{"name": "page", "in": "query", "type": "string"}],
      "x-notes": [1, 2, 3]}}}
      """
    let document = try OpenAPIDocument(DocumentParser.parse(Array(text.utf8)))
    for path in ["/a", "/b"] {
      let item = document.root["paths"]?[path]
      #expect(item?.object?.members.map(\.key) == ["get", "parameters"])
    }
    let result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let endpoints = result.catalogue.groups.flatMap(\.endpoints)
    #expect(endpoints.count == 2)
    #expect(endpoints.allSatisfy { Set($0.parameters.map(\.name)) == ["limit", "page"] })
  }
}
