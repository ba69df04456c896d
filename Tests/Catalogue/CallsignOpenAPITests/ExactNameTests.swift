import CallsignCatalogue
import CallsignOpenAPI
import Testing

@Suite("The member with the exact name has it, whatever the document's order is") struct ExactNameTests {
  @Test("parameters", arguments: [["$filter", "filter"], ["filter", "$filter"], ["-filter", "$filter", "filter"]])
  func parameters(names: [String]) throws {
    let list = names.map { "{name: \($0), in: query, schema: {type: string}}" }.joined(separator: "\n")
    let imported = try Imported(document(parameters: list))
    let endpoint = try #require(imported.catalogue.groups.flatMap(\.endpoints).first)
    for (name, label) in [("filter", "filter"), ("$filter", "dollarFilter"), ("-filter", "minusFilter")]
    where names.contains(name) {
      #expect(endpoint.label(of: name) == label)
    }
    imported.expectRoundTrip()
  }

  @Test("fields, and those of names in other letters", arguments: [false, true]) func fields(isReversed: Bool) throws {
    let names = ["_id", "id", "user-name", "userName", "@type", "type", "ID"]
    let members = (isReversed ? names.reversed() : names).map { "\"\($0)\": {type: string}" }.joined(separator: ", ")
    let imported = try Imported(document(responding: "{type: object, properties: {\(members)}}"))
    let model = try #require(imported.catalogue.groups.flatMap(\.models).first)
    guard case .object(let fields, _) = model.shape else { return }
    let properties = Dictionary(uniqueKeysWithValues: fields.map { ($0.name, $0.propertyName) })
    #expect(properties["id"] == "id")
    #expect(properties["_id"] == "underscoreID")
    #expect(properties["ID"] == "id2")
    #expect(properties["userName"] == "userName")
    #expect(properties["user-name"] == "userName2")
    #expect(properties["type"] == "type")
    #expect(properties["@type"] == "atType")
    imported.expectRoundTrip()
  }

  @Test("values of enums", arguments: ["[-name, name]", "[name, -name]", "[+name, -name, name]"])
  func values(list: String) throws {
    let imported = try Imported(document(parameters: "{name: sort, in: query, schema: {type: string, enum: \(list)}}"))
    let model = try #require(imported.catalogue.groups.flatMap(\.models).first)
    guard case .enumeration(let cases) = model.shape else { return }
    for value in cases {
      let expected = ["name": "name", "-name": "minusName", "+name": "plusName"][value.value]
      #expect(value.caseName == expected, "\(value.value)")
    }
    imported.expectRoundTrip()
  }

  @Test("methods and models", arguments: [false, true]) func methodsAndModels(isReversed: Bool) throws {
    func operation(_ path: String, _ name: String, _ schema: String) -> String {
      """
      \(path):
        get:
          operationId: \(name)
          responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/\(schema)"}}}}}
      """
    }
    let all = [operation("/a", "get-pet", "-Pet"), operation("/b", "getPet", "Pet")]
    let imported = try Imported(
      document(
        paths: (isReversed ? all.reversed() : all).joined(separator: "\n"),
        components: """
          schemas:
            -Pet: {type: object, properties: {a: {type: string}}}
            Pet: {type: object, properties: {b: {type: string}}}
          """))
    let endpoints = imported.catalogue.groups.flatMap(\.endpoints)
    #expect(endpoints.first { $0.name == "getPet" }?.methodName == "getPet")
    #expect(endpoints.first { $0.name == "get-pet" }?.methodName == "getPet2")
    #expect(endpoints.first { $0.name == "getPet" }?.returns?.text == "Pet")
    #expect(endpoints.first { $0.name == "get-pet" }?.returns?.text == "Pet2")
    imported.expectRoundTrip()
  }

  @Test("Names outside ASCII keep their letters, and stay the same next to others", arguments: [false, true])
  func letters(hasAnother: Bool) throws {
    let schemas = ["ユーザー", "Straße", "Ünïcode", "данные"] + (hasAnother ? ["顧客"] : [])
    let paths = schemas.enumerated().map { index, name in
      """
      /p\(index):
        get:
          operationId: get\(index)
          responses: {"200": {description: "", content: {application/json: {schema: {$ref: "#/components/schemas/\(name)"}}}}}
      """
    }
    let components = schemas.map { "  \($0): {type: object, properties: {名前: {type: string}}}" }.joined(separator: "\n")
    let imported = try Imported(
      document(paths: paths.joined(separator: "\n"), components: "schemas:\n" + components))
    let names = Set(imported.catalogue.groups.flatMap(\.models).map(\.typeName))
    #expect(names.isSuperset(of: ["ユーザー", "Straße", "Ünïcode", "Данные"]))
    imported.expectRoundTrip()
  }
}
