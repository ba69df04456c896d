import CallsignCatalogue
import CallsignJSON
import CallsignOpenAPI
import Foundation
import Testing

@testable import CallsignMock

@Suite("A mock's examples") struct MockExampleTests {
  private func mock(_ examples: String, _ change: (inout MockConfiguration) -> Void = { _ in }) throws -> MockServer {
    var catalogue = try Petstore.catalogue()
    catalogue.examples = CatalogueExamples(json: Array(examples.utf8))
    var configuration = MockConfiguration(requiresCredentials: false)
    change(&configuration)
    return MockServer(catalogue, configuration: configuration)
  }

  @Test("A response is the document's example, with the requested id") func responses() async throws {
    let examples = #"{"responses": {"getPet": [{"id": "1", "name": "Rex", "kind": "dog", "born": "2020-02-03"}]}}"#
    let pet = try await mock(examples).call("/pets/7").body
    #expect(pet.id == "7" && pet.name == "Rex" && pet["kind"] == "dog")
    let other = try await mock(examples) { $0.usesExamples = false }.call("/pets/7").body
    #expect(other.name != "Rex")
  }

  @Test("Members have the document's examples, and elements of a list have different ids")
  func members() async throws {
    let pets = try await mock(#"{"fields": {"Pet": {"name": ["Rex", "Bella"], "id": ["1"]}}}"#).call("/pets").body.data
    let names = Set(pets?.array?.compactMap { $0.name?.string } ?? [])
    #expect(names == ["Rex", "Bella"])
    #expect(Set(pets?.array?.compactMap { $0.id?.string } ?? []).count == pets?.array?.count)
  }

  @Test("Required members are null if there is no value", arguments: [true, false])
  func present(usesExamples: Bool) async throws {
    let names = ["died", "nick", "owner", "colour"]
    let listed = names.map { "\"\($0)\"" }.joined(separator: ", ")
    var seen: Set<String> = []
    for seed in 1...20 as ClosedRange<UInt64> {
      let text = """
        api: {name: Pets, hosts: {api: https://petstore.example/v1}, auth: [none]}
        models:
          Pet: {id: string, died: string?, nick: string?, owner: indirect Pet?, colour: string?, other: string?}
        endpoints:
          getPet: {call: "GET /pets/{id}", params: {id: string}, returns: Pet}

        """
      let result = CatalogueLoader().load(files: [CatalogueSource(path: "pets.yaml", bytes: Array(text.utf8))])
      var catalogue = try #require(result.catalogue, "\(result.diagnostics)")
      catalogue.examples = CatalogueExamples(json: Array(#"{"present": {"Pet": [\#(listed)]}}"#.utf8))
      var configuration = MockConfiguration(seed: seed)
      configuration.usesExamples = usesExamples
      let pet = try await MockServer(catalogue, configuration: configuration).call("/pets/7").body.object ?? [:]
      #expect(names.allSatisfy(pet.keys.contains), "\(pet)")
      for name in names { seen.insert(pet[name]?.isNull == true ? "null" : "value") }
      #expect(pet["other"]?.isNull != true)
    }
    #expect(seen == ["null", "value"])
  }

  @Test("Members that have one value in the document have it in every response", arguments: [true, false])
  func constants(areRequired: Bool) async throws {
    let members = [
      "text": "{const: cat}", "count": "{const: 9}", "share": "{const: 1.5}", "flag": "{const: true}",
      "other": "{enum: [false]}", "none": "{type: object, additionalProperties: false}",
    ]
    let document = """
      openapi: 3.1.0
      info: {title: Things, version: "1"}
      servers: [{url: https://petstore.example/v1}]
      paths:
        /thing:
          get:
            operationId: getThing
            responses:
              "200":
                description: ""
                content:
                  application/json:
                    schema:
                      type: object
                      required: [\(areRequired ? members.keys.sorted().joined(separator: ", ") : "")]
                      properties: {\(members.map { "\($0.key): \($0.value)" }.sorted().joined(separator: ", "))}
      """
    let expected: [String: JSONValue] = [
      "text": "cat", "count": 9, "share": 1.5, "flag": true, "other": false, "none": [:],
    ]
    for seed in 1...5 {
      let mock = MockServer(
        try OpenAPIImporter().importDocument(Array(document.utf8)).catalogue,
        configuration: MockConfiguration(seed: UInt64(seed)))
      let made = try #require(try await mock.call("GET", "/thing", [:]).body.object)
      for (name, value) in made { #expect(value == expected[name], "\(name)") }
      if areRequired { #expect(made.count == expected.count) }
    }
  }

  @Test("A page starts with the example's elements") func pages() async throws {
    let own = try #require(try await mock("{}").call("/pets").body.data?[0])
    var example = try #require(own.object)
    example["name"] = "Max"
    let page = JSONValue.object(["data": [.object(example)], "meta": ["result_count": 1]])
    let data = try await mock(#"{"responses": {"listPets": [\#(page)]}}"#).call("/pets").body.data?.array ?? []
    #expect(data.first?.name == "Max")
    #expect(data.count == 10)
  }

  @Test(
    "A value that does not fit its type is skipped",
    arguments: [
      #"{"responses": {"getPet": [{"id": 5}, "text", null]}, "fields": {"Pet": {"name": [7, {}]}}, "models": {"Pet": [3]}}"#,
      "[]", "no JSON", #"{"responses": 3, "fields": [1], "models": {"Pet": "x"}}"#,
    ])
  func misfits(examples: String) async throws {
    let expected = try await mock("{}").call("/pets/7").body
    #expect(try await mock(examples).call("/pets/7").body == expected)
  }

  @Test("An example may be the text of the response") func text() async throws {
    let text = #"{\"id\": \"1\", \"name\": \"Rex\", \"kind\": \"dog\", \"born\": \"2020-02-03\"}"#
    #expect(try await mock(#"{"responses": {"getPet": ["\#(text)"]}}"#).call("/pets/7").body.name == "Rex")
  }
}
