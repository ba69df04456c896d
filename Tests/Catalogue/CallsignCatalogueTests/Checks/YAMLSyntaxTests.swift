import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Text that is not YAML")
struct YAMLSyntaxTests {
  @Test("a quote is never closed")
  func aQuoteIsNeverClosed() {
    expectProblems(
      """
      group:
        summary: "Pets
      """,
      """
      2:12: error: invalid YAML: the quote that was opened is never closed
      """)
  }

  @Test("a colon inside a text")
  func aColonInsideAText() {
    expectProblems(
      """
      group:
        summary: Pets: all of them
      """,
      """
      2:16: error: invalid YAML: a `:` cannot be here; put a text that contains `: ` in quotes, or check the indentation
      """)
  }

  @Test("a tab as indentation")
  func aTabAsIndentation() {
    expectProblems(
      """
      group:
      \tsummary: Pets
      """,
      """
      2:1: error: invalid YAML: this character cannot begin a value; indent with spaces, and put a text that begins so in quotes
      """)
  }

  @Test("brackets that are never closed")
  func bracketsThatAreNeverClosed() {
    expectProblems(
      """
      models:
        A: [string
      """,
      """
      3:1: error: invalid YAML: continue a list in brackets with `,` or end it with `]`; after a type such as `[T]?` put all of it in quotes (from line 2)
      """)
  }

  @Test("a type with brackets that needs quotes")
  func aTypeWithBracketsThat() {
    expectProblems(
      """
      models:
        A:
          b: [string]?
          c: int
      """,
      """
      3:16: error: invalid YAML: a `?` cannot be here; put a type such as `[T]?` or `{T}?` in quotes
      """)
  }

  @Test("a list that ends in the middle of a file")
  func aListThatEndsIn() {
    expectProblems(
      """
      endpoints:
        a:
          params: {x: int, y: [in
      """,
      """
      4:1: error: invalid YAML: continue a list in brackets with `,` or end it with `]`; after a type such as `[T]?` put all of it in quotes (from line 3)
      """)
  }

  @Test("a second document")
  func aSecondDocument() {
    expectProblems(
      """
      group: {summary: a}
      ---
      group: {summary: b}
      """,
      """
      2:1: error: invalid YAML: a second document begins here; a catalogue file holds one, so remove the `---`
      """)
  }

  @Test("a duplicate key names both places")
  func aDuplicateKeyNamesBoth() {
    expectProblems(
      """
      models:
        A:
          id: int
          name: string
          id: string
        B:
          x: int
          x: int
      """,
      """
      5:5: error: the key `id` is in this mapping already, in line 3; remove or rename one
      8:5: error: the key `x` is in this mapping already, in line 7; remove or rename one
      """)
  }

  @Test("a duplicate key in braces, together with another problem")
  func aDuplicateKeyInBraces() {
    expectProblems(
      """
      models:
        A: {id: int, name: string, "id": string}
        B: Strin
      """,
      """
      2:30: error: the key `id` is in this mapping already, in line 2; remove or rename one
      3:6: error: unknown type `Strin`; did you mean `string`?
      """)
  }

  @Test("a key in two spellings")
  func aKeyInTwoSpellings() {
    expectProblems(
      """
      models:
        A:
          'x': int
          x: int
      """,
      """
      4:5: error: the key `x` is in this mapping already, in line 3; remove or rename one
      """)
  }

  @Test("an alias")
  func anAlias() {
    expectProblems(
      """
      models:
        A: &a {x: int}
        B: *a
      """,
      """
      3:6: error: aliases such as `*a` are not part of the format; write the value out, or give the type a name under `models:`
      """)
  }

  @Test("asterisks and ampersands in texts are not aliases")
  func starsAndAmpersandsInTexts() {
    expectProblems(
      """
      group:
        summary: "Q &A about *all* pets, R&D, 2 *3"
      """,
      "")
  }

  @Test("an asterisk begins a value")
  func anAsteriskBeginsAValue() {
    expectProblems(
      """
      group:
        summary: *all
      """,
      """
      2:12: error: invalid YAML: a value cannot begin with `*`; put it in quotes
      """)
  }

  @Test("a list instead of a mapping")
  func aListWhereAMapping() {
    expectProblems(
      """
      - api
      - group
      """,
      """
      1:1: error: a catalogue file must be a mapping, not a list; its keys are `api`, `group`, `params`, `fields`, `mixins`, `patterns`, `endpoints`, `models`
      """)
  }

  @Test("a text instead of a mapping")
  func aTextWhereAMapping() {
    expectProblems(
      """
      endpoints: none
      """,
      """
      1:12: error: `endpoints` must be a mapping from names, not a text
      """)
  }

  @Test("a key that is a list")
  func aKeyThatIsA() {
    expectProblems(
      """
      models:
        [a, b]: int
      """,
      """
      2:3: error: a key must be a name, not a list; put it in quotes
      """)
  }
}
