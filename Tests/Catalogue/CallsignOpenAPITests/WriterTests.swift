import CallsignCatalogue
import Foundation
import TestSupport
import Testing

@testable import CallsignOpenAPI

@Suite struct WriterTests {

  /// Texts that YAML could take for something else.
  private static let texts = [
    "plain", "two words", "a: b", "a:b", "ends:", "# no comment", "a #b", "a#b", "- dash", "-5", "1.50", "0x1F", "1e3",
    "2026-11-21", "12:30", "null", "~", "true", "No", "on", "y", ".inf", "'single'", "say \"hi\"", "back\\slash", "[a]",
    "{a}", "a, b",
    "*star", "&and", "!bang", "%percent", "@at", "`tick`", "|", ">", "?", "=", "<<", "é ü 漢字 🙂", "tab\tin",
    "semi;colon",
    "https://x.example/a?b=c#d", "…", "\u{7F}", "\u{1}", "\u{2028}", "50%", "(1..5)", "trailing,", "x]", "a  b",
  ]

  @Test("The written files load as the same catalogue", arguments: 0..<60)
  func whatIsWrittenLoadsAsTheSameCatalogue(seed: UInt64) {
    var generator = SeededGenerator(seed: seed &* 7919 &+ 17)
    let catalogue = randomCatalogue(&generator)
    let files = CatalogueWriter(header: ["A test's: header"]).files(for: catalogue)
    let loaded = CatalogueLoader().load(
      files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    let text = files.map(\.text).joined()
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [], "\(text)")
    #expect(loaded.catalogue == catalogue, "\(text)")
  }

  @Test(
    "Catalogues that people wrote are the same after writing and loading",
    arguments: ["spec/x-v1.1", "spec/x-v2", "Tests/Catalogue/GeneratedCodeTests/Catalogue"], [false, true])
  func peoplesCatalogues(folder: String, sharesParts: Bool) throws {
    let catalogue = try #require(CatalogueLoader().load(folder: PackageFolder.url(folder).path).catalogue)
    try #require(
      sharesParts || folder == "spec/x-v2"
        || catalogue.groups.contains { group in
          group.endpoints.contains { $0.rules.contains { !$0.alternatives.isEmpty } }
        })
    var writer = CatalogueWriter()
    writer.sharesParts = sharesParts
    let files = writer.files(for: catalogue)
    let loaded = CatalogueLoader().load(
      files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    let again = try #require(loaded.catalogue)
    #expect(again.api == catalogue.api)
    #expect(again.groups.map(\.name) == catalogue.groups.map(\.name))
    for (one, other) in zip(again.groups, catalogue.groups) {
      for (one, other) in zip(one.endpoints, other.endpoints) { #expect(one == other) }
      for (one, other) in zip(one.models, other.models) { #expect(one == other) }
      #expect(one.endpoints.count == other.endpoints.count && one.models.count == other.models.count)
    }
  }

  // `Scripts/internal/check-yaml` does the same for what is in the repository.
  @Test(
    "Other readers of YAML, of its versions 1.1 and 1.2, read the same tree",
    .needs(.python(with: "yaml"), .python(with: "ruamel.yaml")))
  func otherReaders() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("callsign-yaml-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    var catalogues: [Catalogue] = []
    for seed in 0..<40 {
      var generator = SeededGenerator(seed: UInt64(seed) &* 104_729 &+ 5)
      catalogues.append(randomCatalogue(&generator))
    }
    for name in ["spec/x-v1.1", "spec/x-v2", "Tests/Catalogue/GeneratedCodeTests/Catalogue"] {
      catalogues.append(try #require(CatalogueLoader().load(folder: PackageFolder.url(name).path).catalogue))
    }
    for (number, catalogue) in catalogues.enumerated() {
      for sharesParts in [false, true] {
        var writer = CatalogueWriter(header: ["A test's: header"])
        writer.sharesParts = sharesParts
        for file in writer.files(for: catalogue) where file.path.hasSuffix(".yaml") {
          let name = "\(number)-\(sharesParts)-\(file.path)"
          try Data(file.text.utf8).write(to: folder.appendingPathComponent(name))
        }
      }
    }
    let script = try String(contentsOf: PackageFolder.url("Scripts/internal/check-yaml"), encoding: .utf8)
    try Python.run(script, arguments: [folder.path])
  }

  @Test("Choices are written as they were, with their cases, and may be left out as before")
  func choices() throws {
    let text = """
      api:
        name: Pets
        hosts:
          api: https://pets.example
        auth: [none]

      endpoints:
        find:
          call: GET /find
          auth: [none]
          params:
            id: string?
            name: string?
            slug: string?
            owner_id: string?
            owner_name: string?
          one_of: [{"User? user": [id, name]}, {List list: {slug: [slug, {Owner owner: {id: owner_id, name: owner_name}}]}}]

        findOne:
          call: GET /one
          auth: [none]
          params:
            id: string?
            name: string?
            slug: string?
          one_of: {Key key: [id, [name, slug]]}

      """
    let loaded = CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(loaded.catalogue, "\(loaded.diagnostics)")
    #expect(CatalogueWriter().files(for: catalogue).map(\.text) == [text])
  }

  // YAML reads no more than 1,024 characters as a key that has no `?` before it.
  @Test("Names of any length are read as they were", arguments: ["n", "\"", "é: ", "a:b\\"])
  func longNames(unit: String) throws {
    let name = String(repeating: unit, count: 2000) + "n"
    let quoted = QuotedScalar.quoted(name)
    let text = """
      {"openapi": "3.0.3", "info": {"title": "Long", "version": "1"}, "servers": [{"url": "https://long.example"}],
      "paths": {"/long": {"get": {"operationId": \(quoted),
      "parameters": [{"name": \(quoted), "in": "query", "schema": {"enum": [\(quoted), "b"]}}],
      "responses": {"200": {"description": "", "content": {"application/json": {"schema":
      {"type": "object", "properties": {\(quoted): {"type": "string"}}}}}}}}}}}
      """
    let result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let files = CatalogueWriter(origin: result.origin, overlay: nil).files(for: result.catalogue)
    let loaded = CatalogueLoader().load(
      files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    #expect(loaded.catalogue == result.catalogue)
  }

  // A file's first lines are comments that name the document.
  @Test("A title of any length stays in the comment", arguments: ["", ": n", "\": n", ":"])
  func longTitle(end: String) throws { try expectLoads(title: String(repeating: "n", count: 2000) + end) }

  @Test(
    "Characters that YAML forbids are not part of the comment",
    arguments: ["\0", "\u{7F}", "\u{1B}", "\u{85}", "\u{2028}", "\u{FEFF}", "\u{FFFE}", "\r", "\u{B}"])
  func controlCharacters(character: String) throws { try expectLoads(title: "Odd\(character)servers: {}") }

  private func expectLoads(title: String) throws {
    let text = """
      {"openapi": "3.0.3", "info": {"title": \(QuotedScalar.quoted(title)), "version": "1"},
      "servers": [{"url": "https://long.example"}],
      "paths": {"/long": {"get": {"operationId": "getLong", "responses": {"204": {"description": ""}}}}}}
      """
    let result = try OpenAPIImporter().importDocument(Array(text.utf8))
    let files = CatalogueWriter(origin: result.origin, overlay: nil).files(for: result.catalogue)
    let loaded = CatalogueLoader().load(
      files: files.map { CatalogueSource(path: $0.path, bytes: Array($0.text.utf8)) })
    #expect(loaded.diagnostics.filter { $0.severity == .error }.map(\.description) == [])
    #expect(loaded.catalogue == result.catalogue)
  }

  private func randomCatalogue(_ generator: inout SeededGenerator) -> Catalogue {
    func text() -> String { Self.texts.randomElement(using: &generator) ?? "x" }
    // The loader takes a summary as one line of single spaces.
    func line() -> String { text().split(whereSeparator: \.isWhitespace).joined(separator: " ") }
    func chance() -> Bool { Bool.random(using: &generator) }
    func scalar() -> TypeReference {
      let all: [TypeReference] = [
        TypeReference(.scalar(.string)), TypeReference(.scalar(.int)), TypeReference(.scalar(.bool)),
        TypeReference(.scalar(.date(.day))), TypeReference(.scalar(.date(.pattern("EEE MMM dd HH:mm:ss Z yyyy")))),
        TypeReference(.scalar(.string), constraints: Constraints(minimum: "1", maximum: "25", pattern: "^[a-z/]+: #$")),
        TypeReference(.scalar(.int), constraints: Constraints(minimum: "-1")),
        TypeReference(.named("Kind")), TypeReference(.list(TypeReference(.named("Kind")))),
        TypeReference(.list(TypeReference(.scalar(.string))), constraints: Constraints(maximum: "9")),
      ]
      return all.randomElement(using: &generator) ?? all[0]
    }
    func use(isOptional: Bool) -> TypeReference {
      var type = scalar()
      type.isOptional = isOptional
      return type
    }
    func nested() -> TypeReference {
      var type = use(isOptional: chance())
      if chance() { type = TypeReference(.map(scalar()), isOptional: chance()) }
      if chance() { type = TypeReference(.list(TypeReference(.list(scalar())))) }
      type.isNullable = chance()
      return type
    }
    var values: [EnumCase] = []
    for value in Self.texts.shuffled(using: &generator).prefix(Int.random(in: 1...12, using: &generator)) {
      values.append(
        EnumCase(
          value: value, swiftName: "case\(values.count)", summary: chance() ? line() : nil))
    }
    let plain = ["a", "b.c", "d-e", "1x", "video/mp4", "+1"].shuffled(using: &generator).map { EnumCase(value: $0) }
    var fields: [Field] = []
    for (index, name) in Self.texts.shuffled(using: &generator).prefix(6).enumerated() {
      fields.append(
        Field(
          name: chance() ? name : "$" + name, swiftName: "field\(index)",
          aliases: index % 2 == 0 ? ["old \(index)", "older{\(index)}"] : [], type: nested(),
          summary: chance() ? line() : nil,
          deprecation: chance() ? Deprecation(message: chance() ? "use " + line() : nil) : nil))
    }
    var endpoint = Endpoint(
      name: "getThing", method: ["GET", "POST", "PUT"].randomElement(using: &generator) ?? "GET", path: "/a/{id}")
    endpoint.summary = line()
    endpoint.details = chance() ? text() : nil
    endpoint.documentation = chance() ? text() : nil
    endpoint.auth = [
      AuthRequirement(scheme: "oauth2", scopes: chance() ? ["list.read", "users:write"] : []),
      AuthRequirement(scheme: "none"),
    ]
    endpoint.limits = chance() ? [RateLimit(subject: "user", requests: 300, windowSeconds: 900)] : []
    endpoint.isRepeatable = chance() ? chance() : nil
    endpoint.parameters = [Parameter(name: "id", place: .path, type: TypeReference(.scalar(.string)))]
    for (index, name) in Self.texts.shuffled(using: &generator).prefix(5).enumerated() where name != "id" {
      var parameter = Parameter(
        name: name, swiftName: "argument\(index)", place: .query, type: use(isOptional: chance()))
      if endpoint.method != "GET", chance() { parameter.place = .field }
      if case .list = parameter.type.kind, chance() { parameter.listStyle = .repeat }
      if chance() { parameter.summary = line() }
      endpoint.parameters.append(parameter)
    }
    if endpoint.parameters.contains(where: { $0.place == .field }) { endpoint.body = chance() ? .json : .form }
    endpoint.returns = chance() ? TypeReference(.named("Thing")) : TypeReference(.list(TypeReference(.named("Kind"))))
    if endpoint.body == nil, chance() {
      endpoint.stream = .lines
      if chance() {
        let name = "minutes, {or} more"
        endpoint.parameters.append(
          Parameter(
            name: name, swiftName: "minutes", place: .query,
            type: TypeReference(.scalar(.int), isOptional: true, constraints: Constraints(maximum: "5"))))
        endpoint.backfill = Backfill(parameter: name)
      }
    }
    var models = [
      Model(
        name: "Thing", summary: chance() ? line() : nil,
        shape: .object(fields: fields, extra: chance() ? TypeReference(.scalar(.json)) : nil)),
      Model(name: "Kind", shape: .enumeration(chance() ? values : plain)),
      Model(
        name: "Choice",
        shape: .union(
          Union(tag: chance() ? "type" : nil, variants: []))),
    ]
    if case .union(var union) = models[2].shape {
      union.variants =
        union.tag == nil
        ? [
          .init(type: TypeReference(.named("Thing"))),
          .init(swiftName: chance() ? "words" : nil, type: TypeReference(.list(TypeReference(.scalar(.string))))),
        ]
        : [.init(tags: [text(), "z"], type: TypeReference(.named("Thing")))]
      models[2].shape = .union(union)
    }
    return Catalogue(
      api: API(
        name: "Fuzzed", summary: line(), hosts: [CatalogueHost(name: "api", url: "https://x.example")],
        schemes: [
          Scheme(name: "oauth2", scopes: [Scope(name: "list.read", summary: line()), Scope(name: "users:write")])
        ]),
      groups: [
        Group(name: "api", file: "api.yaml"),
        Group(name: "things", file: "things.yaml", summary: line(), endpoints: [endpoint], models: models),
      ])
  }

  @Test("Long lists are wrapped and read back") func longListsAreWrappedAndReadBack() throws {
    let values = (0..<60).map { "value_number_\($0)" }
    let catalogue = Catalogue(
      api: API(name: "Long", hosts: [CatalogueHost(name: "api", url: "https://x.example")]),
      groups: [
        Group(
          name: "api", file: "api.yaml",
          models: [Model(name: "Value", shape: .enumeration(values.map { EnumCase(value: $0) }))])
      ])
    let files = CatalogueWriter().files(for: catalogue)
    let lines = files[0].text.split(separator: "\n")
    #expect(lines.allSatisfy { $0.count <= YAMLLines.width })
    #expect(lines.count > 10)
    let loaded = CatalogueLoader().load(files: [CatalogueSource(path: "api.yaml", bytes: Array(files[0].text.utf8))])
    #expect(loaded.catalogue == catalogue)
  }
}
