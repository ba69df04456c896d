import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("The type language")
struct TypeReferenceTests {
  static let types: [(String, TypeReference)] = [
    ("string", TypeReference(.scalar(.string))),
    (" int ", TypeReference(.scalar(.int))),
    ("number(-1.5..2.25)", TypeReference(.scalar(.number), constraints: Constraints(minimum: "-1.5", maximum: "2.25"))),
    ("string(7)", TypeReference(.scalar(.string), constraints: Constraints(minimum: "7", maximum: "7"))),
    ("string(1..)", TypeReference(.scalar(.string), constraints: Constraints(minimum: "1"))),
    ("string(..25)", TypeReference(.scalar(.string), constraints: Constraints(maximum: "25"))),
    (
      #"string(1..9, /^\/a{1,2}(b),\d$/)"#,
      TypeReference(
        .scalar(.string), constraints: Constraints(minimum: "1", maximum: "9", pattern: #"^/a{1,2}(b),\d$"#))
    ),
    ("date", TypeReference(.scalar(.date(.rfc3339)))),
    ("date(day)", TypeReference(.scalar(.date(.day)))),
    ("date(seconds)?", TypeReference(.scalar(.date(.seconds)), isOptional: true)),
    ("date(milliseconds)", TypeReference(.scalar(.date(.milliseconds)))),
    ("date(EEE MMM dd HH:mm:ss Z yyyy)", TypeReference(.scalar(.date(.pattern("EEE MMM dd HH:mm:ss Z yyyy"))))),
    ("string | null", TypeReference(.scalar(.string), isNullable: true)),
    ("string | null?", TypeReference(.scalar(.string), isOptional: true, isNullable: true)),
    ("string? | null", TypeReference(.scalar(.string), isOptional: true, isNullable: true)),
    ("indirect Post?", TypeReference(.named("Post"), isOptional: true, isIndirect: true)),
    ("indirect", TypeReference(.named("indirect"))),
    ("Some.Name-2_x", TypeReference(.named("Some.Name-2_x"))),
    (
      "[ID](1..100)?",
      TypeReference(
        .list(TypeReference(.named("ID"))), isOptional: true, constraints: Constraints(minimum: "1", maximum: "100"))
    ),
    ("{ [int | null] }", TypeReference(.map(TypeReference(.list(TypeReference(.scalar(.int), isNullable: true)))))),
  ]

  @Test("is read", arguments: types)
  func reading(text: String, type: TypeReference) throws {
    #expect(try TypeReference(parsing: text) == type)
  }

  @Test("report the place of the mistake")
  func errors() {
    #expect(throws: TypeSyntaxError(message: "the list is never closed; add `]`", offset: 0)) {
      try TypeReference(parsing: "[string")
    }
    #expect(throws: TypeSyntaxError(message: "a type is missing here; write one such as `string`", offset: 0)) {
      try TypeReference(parsing: "")
    }
  }
}

@Suite("Suggestions")
struct SuggestionTests {
  @Test("are made only for typing errors")
  func suggestions() {
    expectProblems(
      """
      models:
        User: {a: int}
        A: Usre
        B: user
        C: Xyzzy
        D: strnig
      """,
      """
      3:6: error: unknown type `Usre`; did you mean `User`?
      4:6: error: unknown type `user`; did you mean `User`?
      5:6: error: unknown type `Xyzzy`; declare it under `models:`, or use one of the built-in types
      6:6: error: unknown type `strnig`; did you mean `string`?
      """)
  }
}
