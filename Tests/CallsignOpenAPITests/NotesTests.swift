import Testing

@testable import CallsignOpenAPI

@Suite("What people write beside an import")
struct NotesTests {
  private let pets = document(
    answering: "{$ref: '#/components/schemas/PetAnswer'}",
    schemas: """
      PetAnswer: {type: object, properties: {data: {$ref: '#/components/schemas/Pet'}, errors: {type: array, items: {type: string}}}}
      Pet: {type: object, properties: {id: {type: string}, name: {type: string}}}
      """)

  @Test("members that are always there, though the document does not say so")
  func required() throws {
    let open = try Imported(pets)
    #expect(open.text.contains("data: Pet?"))
    #expect(open.text.contains("id: string?"))

    let settled = try Imported(pets, notes: "required: {answers: [data, errors], models: {Pet: [id]}}")
    #expect(settled.text.contains("data: Pet\n"))
    #expect(settled.text.contains("errors: \"[string]?\""), "a list may always be left out")
    #expect(settled.text.contains("id: string\n"))
    #expect(settled.text.contains("name: string?"))
  }

  @Test("members that may be missing, though the document requires them")
  func optional() throws {
    let strict = document(
      answering: "{$ref: '#/components/schemas/Pet'}",
      schemas: "Pet: {type: object, required: [id, age], properties: {id: {type: string}, age: {type: integer}}}")
    #expect(try Imported(strict).text.contains("age: int\n"))
    let relaxed = try Imported(strict, notes: "optional: {Pet: [age]}")
    #expect(relaxed.text.contains("age: int?"))
    #expect(relaxed.text.contains("id: string\n"))
    let warnings = try Imported(strict, notes: "optional: {Pet: [name], Dog: [id]}").warningTexts
    #expect(warnings.contains { $0.contains("`Pet` may lack `name`") })
    #expect(warnings.contains { $0.contains("`Dog`") })
  }

  @Test("names under which members are sent, too")
  func aliases() throws {
    let imported = try Imported(pets, notes: "aliases: {Pet: {name: [title, label]}}")
    #expect(imported.text.contains("name: {type: string?, also: [title, label]}"))
    let warnings = try Imported(pets, notes: "aliases: {Pet: {age: [years]}, Dog: {id: [number]}}").warningTexts
    #expect(warnings.contains { $0.contains("`Pet.age`") })
    #expect(warnings.contains { $0.contains("`Dog`") })
    #expect(throws: ImportError.self) { try Imported(pets, notes: "aliases: {Pet: [name]}") }
    #expect(throws: ImportError.self) { try Imported(pets, notes: "aliases: {Pet: {name: title}}") }
  }

  @Test("what the notes require and the import does not have is told")
  func stale() throws {
    let warnings = try Imported(pets, notes: "required: {models: {Pet: [age], Dog: [id]}}").warningTexts
    #expect(warnings.contains { $0.contains("`Pet` requires `age`") })
    #expect(warnings.contains { $0.contains("`Dog`") })
  }

  @Test("the parameters that come first")
  func first() throws {
    let text = document(
      sending: "{type: object, properties: {a: {type: string}, b: {type: string}, c: {type: string}}}")
    let imported = try Imported(text, notes: "operations: {addPet: {summary: Adds a pet., first: [c, b, d]}}")
    let names = imported.result.catalogue.groups.flatMap(\.endpoints).flatMap(\.parameters).map(\.name)
    #expect(names == ["c", "b", "a"])
    #expect(imported.warningTexts.contains { $0.contains("`d`") })
  }

  @Test("a list that is none")
  func noList() {
    #expect(throws: ImportError.self) { try ImportNotes(yaml: Array("required: {answers: data}".utf8)) }
  }
}

extension Imported {
  fileprivate var text: String { files.map(\.text).joined() }
  fileprivate var warningTexts: [String] { result.warnings.map { "\($0)" } }
}
