import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Rules about several parameters")
struct RuleTests {
  @Test("unknown names, too few of them, and required parameters are errors")
  func namesCountsAndRequiredOnes() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {user_id: int?, screen_name: string?, needed: int}
          one_of: [user_id, screen_nam]
          any_of: [[user_id, user_id], [needed, user_id]]
          together: [user_id]
      """,
      """
      5:23: error: `one_of` names `screen_nam`, which is not a parameter; did you mean `screen_name`?
      6:24: error: `user_id` is in this rule twice; remove one
      6:35: error: `needed` is always sent, so `any_of` has no effect on it; add `?` to its type
      7:15: error: `together` is about two parameters or more; add one, or remove the rule
      """)
  }

  @Test("rules of another shape are errors")
  func shapes() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {x: int?, y: int?}
          one_of: x
          any_of: {Ref r: [x, y]}
          together: [[x, [y]]]
        b:
          call: GET /b
          params: {x: int?, y: int?}
          one_of: {Ref: [x, y]}
      """,
      """
      5:13: error: `one_of` is a list of parameters, such as `[user_id, screen_name]`
      6:14: error: only `one_of` can become one argument; write a list of names
      7:20: error: a rule lists names of parameters, not a list
      11:14: error: before the list come a Swift type and a label, such as `UserReference user`
      """)
  }

  @Test("a parameter in two arguments is an error")
  func aParameterInTwoArguments() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {x: int?, y: int?, z: int?}
          one_of: [{A a: [x, y]}, {B b: [y, z]}]
      """,
      """
      5:36: error: `y` is in another argument of `one_of` already; remove it from one
      """)
  }
}
