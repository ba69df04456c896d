import CallsignCatalogue
import Testing

@testable import CallsignOpenAPI

@Suite("An import with an overlay")
struct OverlayImportTests {
  private let pets = document(
    responding: "{$ref: '#/components/schemas/PetResponse'}",
    schemas: """
      PetResponse: {type: object, properties: {data: {$ref: '#/components/schemas/Pet'}, errors: {type: array, items: {type: string}}}}
      Pet: {type: object, properties: {id: {type: string}, name: {type: string}}}
      """)

  @Test("members that always exist, although the document does not say so")
  func required() throws {
    let open = try Imported(pets)
    #expect(open.text.contains("data: Pet?"))
    #expect(open.text.contains("id: string?"))

    let settled = try Imported(
      pets, overlay: "import: {required: [data, errors]}\nmodels: {Pet: {id: string, name: {also: [title]}}}")
    #expect(settled.text.contains("data: Pet\n"))
    #expect(settled.text.contains("id: string\n"))
    #expect(settled.text.contains("errors: \"[string]?\""), "a list may always be left out")
    #expect(settled.text.contains("name: {type: \"string?\", also: [title]}"))
    settled.expectRoundTrip()
  }

  @Test("a member that no response leaves open any longer need not be required")
  func staleRequired() throws {
    let imported = try Imported(pets, overlay: "import: {required: [data, errors, other]}")
    #expect(
      imported.result.diagnostics.map(\.description) == [
        "pets.overlay.yaml:1:27: warning: no response has an object `errors`; remove this",
        "pets.overlay.yaml:1:35: warning: no response has an object `other`; remove this",
      ])
    let settled = document(
      responding:
        "{type: object, required: [data], properties: {data: {type: object, properties: {id: {type: string}}}}}")
    #expect(
      try Imported(settled, overlay: "import: {required: [data]}").result.diagnostics.map(\.description) == [
        "pets.overlay.yaml:1:21: warning: the document now says that responses always have `data`; remove this"
      ])
  }

  @Test("operations and models that the overlay removes cause no messages, nor do pages that it decides on")
  func removedWarnings() throws {
    let text = document(
      paths: """
        /pets:
          get:
            operationId: getPets
            parameters:
            - {name: cursor, in: query, schema: {type: string}}
            responses: {"200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/Odd'}}}}}
          post: {operationId: addPet, responses: {"204": {description: ""}}}
        """, components: "schemas:\n  Odd: {type: object, properties: {size: {type: huge}}}")
    func messages(_ overlay: String?) throws -> [String] {
      try Imported(text, overlay: overlay).result.warnings.map(\.message)
    }
    let all = try messages(nil)
    #expect(all.contains { $0.contains("huge") })
    #expect(all.contains("`getPets` takes `cursor`, but its response has no such token"))
    #expect(
      try messages("endpoints: {getPets: ~}\nmodels: {Odd: ~}") == [
        "`addPet` has no summary; write one in the overlay"
      ])
    let kept = try messages("endpoints: {getPets: {pages: ~}}")
    #expect(kept == all.filter { !$0.contains("cursor") })
  }

  @Test("an operation that the overlay removes need not be whole", arguments: [false, true])
  func removedBroken(isStrict: Bool) throws {
    let text = document(
      paths: """
        /pets:
          get: {operationId: getPets, responses: {"204": {description: ""}}}
        /pets/{id}:
          get: {operationId: getPet, parameters: [{name: id}], responses: {"204": {description: ""}}}
          put: {parameters: [{name: id, in: nowhere}], responses: {"204": {description: ""}}}
        """)
    let options = ImportOptions(isStrict: isStrict)
    let imported = try Imported(text, overlay: "endpoints: {getPet: ~, updatePet: ~}", options: options)
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.name) == ["getPets"])
    #expect(imported.result.diagnostics == [])
    #expect(!imported.warnings.contains { $0.contains("parameter") }, "\(imported.warnings)")
    imported.expectRoundTrip()
    if isStrict {
      #expect(throws: ImportError.self) { try Imported(text, overlay: "endpoints: {getPet: ~}", options: options) }
    }
  }

  @Test("a summary that the importer made names the call")
  func derivedSummary() throws {
    let imported = try Imported(pets, overlay: "endpoints: {getPets: {call: GET /animals}}")
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.summary) == ["Calls GET /animals."])
    #expect(AdoptedText.texts(of: imported.catalogue).isEmpty)
  }

  @Test("the names of models without the overlay are known if its changes are not merged")
  func renames() throws {
    let overlay = CatalogueOverlay(
      CatalogueSource(
        path: "o.yaml", bytes: Array("import: {names: {Pet: Animal}, required: [data]}\napi: {name: Zoo}".utf8)))
    var importer = OpenAPIImporter(overlay: overlay)
    #expect(try importer.importDocument(Array(pets.utf8)).renamedModels.isEmpty)
    importer.mergesOverlay = false
    let plain = try importer.importDocument(Array(pets.utf8))
    #expect(plain.catalogue.api.name == "PetStore")
    #expect(plain.renamedModels == [ModelRename(old: "Pet", new: "Animal")])
    let fields = plain.catalogue.groups.flatMap(\.models).first { $0.name == "PetResponse" }?.shape.types
    #expect(fields?.first?.isOptional == true)
  }

  @Test("a summary that is not copied is distinguished from a missing one")
  func uncopiedSummaries() throws {
    let text = document(
      paths: """
        /a:
          get: {operationId: getA, summary: Gets the a., responses: {"204": {description: ""}}}
          put: {operationId: putA, responses: {"204": {description: ""}}}
        """)
    let all = try Imported(text).result.warnings
    #expect(
      all.map(\.message) == [
        "`getA` has no summary: `--summaries` copies the document's; write one in the overlay",
        "`putA` has no summary; write one in the overlay",
      ])
    #expect(all.allSatisfy { $0.isAboutSummary })
    let other = ImportWarning(.note, "`getA` has an odd schema", at: "#/a")
    let third = ImportWarning(.warning, all[0].message.replacing("getA", with: "getB"), at: "#/b")
    #expect(
      ImportWarning.told(all + [other, third]).map(\.message) == [
        all[0].message + ", here and in 1 other place", all[1].message, other.message,
      ])
  }

  @Test("with --summaries, parameters and members without a human summary take the document's")
  func copiedSummaries() throws {
    let text = document(
      paths: """
        /a/{room}:
          post:
            operationId: addA
            summary: Adds an a.
            parameters: [{name: room, in: path, required: true, description: "\\n The room.\\nOn the door.", schema: {type: string}}]
            requestBody:
              required: true
              content: {application/json: {schema: {type: object, properties: {b: {type: string, description: The b.}}}}}
            responses: {"200": {description: "", content: {application/json: {schema: {$ref: '#/components/schemas/A'}}}}}
        """,
      components:
        "schemas: {A: {type: object, properties: {c: {type: string, description: The c.}, d: {type: string}}}}")
    let plain = try Imported(text)
    #expect(try plain.model("A") == "A:\n  c: string?\n  d: string?")
    let imported = try Imported(text, options: ImportOptions(copiesSummaries: true))
    #expect(try imported.model("A") == "A:\n  c: string? - The c.\n  d: string?")
    let endpoint = try imported.endpoint("addA")
    #expect(endpoint.contains("room: string - The room."), "\(endpoint)")
    #expect(endpoint.contains("b: string? - The b."), "\(endpoint)")
    imported.expectRoundTrip()
  }

  @Test("a summary of the overlay is missed nowhere")
  func summaries() throws {
    func missing(_ overlay: String?) throws -> Int {
      try Imported(pets, overlay: overlay).result.warnings.filter { $0.message.contains("no summary") }.count
    }
    #expect(try missing(nil) == 1)
    #expect(try missing("endpoints: {getPets: Lists the pets.}") == 0)
    #expect(try missing("endpoints: {getPets: {limits: {user: 5/1m}}}") == 1)
  }

  @Test("an overlay with errors ends the import, with the place")
  func errors() throws {
    let error = #expect(throws: ImportError.self) { try Imported(pets, overlay: "models: {Pet: {id: Number}}") }
    guard case .overlay(let diagnostics)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let first = try #require(diagnostics.first)
    #expect(first.description.hasPrefix("pets.overlay.yaml:1:20: error: unknown type `Number`"))
  }

  @Test("credentials that the document forgets")
  func auth() throws {
    let overlay = "api: {schemes: {bearer: A token.}, auth: [bearer]}"
    let imported = try Imported(pets, overlay: overlay)
    #expect(imported.catalogue.groups.flatMap(\.endpoints).map(\.auth) == [[AuthRequirement(scheme: "bearer")]])
    #expect(imported.catalogue.api.schemes.contains { $0.name == "bearer" && $0.summary == "A token." })
    #expect(imported.result.diagnostics.isEmpty)
    imported.expectRoundTrip()
  }

  @Test("a new model goes to the only group that uses it")
  func placement() throws {
    let imported = try Imported(
      pets, overlay: "models: {Pet: {name: Name?}, Name: string(1..20), Color: \"enum [red, blue]\"}")
    #expect(imported.catalogue.groups.first { $0.models.contains { $0.name == "Name" } }?.endpoints.count == 1)
    #expect(imported.result.diagnostics.map(\.severity) == [.warning], "nothing uses `Color`")
    imported.expectRoundTrip()
  }
}

extension Imported {
  fileprivate var text: String { files.map(\.text).joined() }
}
