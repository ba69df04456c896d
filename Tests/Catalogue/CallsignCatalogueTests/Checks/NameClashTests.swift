import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Names of methods and arguments")
struct NameClashTests {
  @Test("two parameters with one label")
  func twoParametersWithOneLabel() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params:
            user.id: int?
            user_id: int?
            options: int?             # the generator's own argument gives way
      """,
      """
      6:7: error: `user.id` and `user_id` both become the argument `userID`; give one another `name`
      """)
  }

  @Test("a label of one_of")
  func aLabelOfOneOf() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {user: int?, user_id: int?, screen_name: string?}
          one_of: {UserReference user: [user_id, screen_name]}
      """,
      """
      5:14: error: `user` and `UserReference` both become the argument `user`; give one another `name`
      """)
  }

  @Test("a pages method, and members of the client")
  func aPagesMethodAndMembers() {
    expectProblems(
      """
      endpoints:
        list:
          call: GET /a
          params: {token: string?}
          pages: {token: token, next: n, items: d}
          returns: json
        listPages: {call: GET /b}
        client: {call: GET /c}
        d: {call: GET /d, name: 1d}
      """,
      """
      7:3: error: `list` and `listPages` both have the Swift method `listPages`, the other in line 2; give one a `name:`
      8:3: error: the Swift member `client` already exists; give the endpoint a `name:`
      9:27: error: `1d` is not a Swift name; use letters, digits and `_`, not beginning with a digit
      """)
  }

  @Test("one Swift type for different alternatives, or a model's")
  func oneSwiftTypeForDifferent() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {x: int?, y: int?, z: int?}
          one_of: {Ref r: [x, y]}
        b:
          call: GET /b
          params: {x: int?, y: int?, z: int?}
          one_of: {Ref r: [x, z]}
        c:
          call: GET /c
          params: {x: int?, y: int?, z: int?}
          one_of: {Model1 r: [x, z]}
      models:
        Model1: {a: int}
      """,
      """
      9:14: error: `Ref` stands for `x(int), y(int)` in line 5, here for `x(int), z(int)`; name the cases alike, or give it another name
      13:14: error: the argument of `c` becomes the Swift type `Model1`, and so does the model `Model1`, in line 15; give it another name
      """)
  }
}
