import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Models that contain themselves")
struct CycleTests {
  @Test("a model that contains itself directly is an error")
  func directly() {
    expectProblems(
      """
      models:
        Post:
          id: int
          quoted: Post?
      """,
      """
      4:13: error: `Post` contains itself (Post.quoted → Post); write `indirect Post?`
      """)
  }

  @Test("so is one that does through another model, an alias and a union")
  func throughAnotherModelAnAlias() {
    expectProblems(
      """
      models:
        A: {b: B}
        B: {c: C?}
        C: D
        D: union [A, int]
      """,
      """
      2:10: error: `A` contains itself (A.b → B.c → C → D → A); write `indirect B?`
      """)
  }

  @Test("lists, maps and `indirect` may lead back to the model")
  func notThroughListsMapsAnd() {
    expectProblems(
      """
      models:
        A:
          list: [A]
          map: {A}
          next: indirect A?
          other: indirect B?
        B: {a: A}
      """,
      "")
  }

  @Test("two fields may have the same model")
  func notWhenTwoFieldsHave() {
    expectProblems(
      """
      models:
        A: {b: B, c: B}
        B: {x: int}
      """,
      "")
  }

  @Test("a model that must contain another without end is an error, even behind `indirect`")
  func withoutEndEvenBehindA() {
    expectProblems(
      """
      models:
        A:
          next: indirect A
      """,
      """
      3:11: error: every `A` must contain another without end (A.next → A); let one be left out with `?`
      """)
  }

  @Test("a model that may be null in itself is an error")
  func aNullableOne() {
    expectProblems(
      """
      models:
        A: {next: A | null}
      """,
      """
      2:13: error: `A` contains itself (A.next → A); write `indirect A | null`
      """)
  }
}
