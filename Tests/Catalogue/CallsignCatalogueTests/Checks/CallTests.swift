import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Methods and paths")
struct CallTests {
  @Test("no path")
  func noPath() {
    expectProblems(
      """
      endpoints:
        a: {call: GET}
        b: {call: GET pets}
      """,
      """
      2:17: error: `call` is a method and a path that begins with `/`, such as `GET /pets/{id}`
      3:17: error: `call` is a method and a path that begins with `/`, such as `GET /pets/{id}`
      """)
  }

  @Test("unknown methods")
  func unknownMethods() {
    expectProblems(
      """
      endpoints:
        a: {call: GTE /a}
        b: {call: post /b}
        c: {call: FROB /c}
      """,
      """
      2:13: error: `GTE` is not an HTTP method; did you mean `GET`?
      3:13: error: `post` is not an HTTP method; write it in capitals
      4:13: error: `FROB` is not an HTTP method; write one such as `GET`
      """)
  }

  @Test("a placeholder without parameter")
  func aPlaceholderWithoutParameter() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /pets/{id}/{toy_id}
          params: {toyid: string}
      """,
      """
      3:21: error: the path's `{id}` is not a parameter; add `id: string` (or its type) under `params`
      3:26: error: the path's `{toy_id}` is not a parameter; did you mean `toyid`?
      """)
  }

  @Test("a parameter without placeholder")
  func aParameterWithoutPlaceholder() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /pets/{id}
          params:
            id: string
            toy: {type: string, in: path}
      """,
      """
      6:31: error: the parameter `toy` is to be in the path, which has no `{toy}`; put it there, or give it another place
      """)
  }

  @Test("a placeholder whose parameter goes elsewhere")
  func aPlaceholderWhoseParameterGoes() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /pets/{id}
          params:
            id: {type: string, in: query}
      """,
      """
      5:30: error: `id` is in the path of `call`, so it cannot be elsewhere; remove `in`
      """)
  }

  @Test("a placeholder twice is one parameter")
  func aPlaceholderTwice() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /pets/{id}/{id}/{ID}
          params: {id: string}
      """,
      """
      3:31: error: the path's `{ID}` is not a parameter; did you mean `id`?
      """)
  }

  @Test("braces that do not match")
  func bracesThatDoNotMatch() {
    expectProblems(
      """
      endpoints:
        a: {call: "GET /pets/{id"}
        b: {call: "GET /pets/id}"}
        c: {call: "GET /pets/{}"}
      """,
      """
      2:24: error: the `{` is never closed; add `}`
      3:26: error: this `}` closes nothing; remove it
      4:24: error: a placeholder names a parameter, such as `{id}`
      """)
  }

  @Test("a query in the path")
  func aQueryInThePath() {
    expectProblems(
      """
      endpoints:
        a: {call: "GET /pets?x=y"}
        b: {call: "GET /my pets"}
      """,
      """
      2:23: error: the path ends before `?`; write a query as `params:`
      3:21: error: a path cannot have this character; write it percent-encoded
      """)
  }
}
