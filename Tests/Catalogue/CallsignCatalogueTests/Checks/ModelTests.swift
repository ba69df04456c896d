import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Models")
struct ModelTests {
  @Test("names that become the same Swift name")
  func namesThatBecomeTheSame() {
    expectProblems(
      """
      models:
        user_id: string
        UserID: string
        Fields:
          user.id: int
          user_id: int
        Cases: enum [a-b, a_b]
      """,
      """
      3:3: error: the model `UserID` becomes the Swift type `UserID`, and so does the model `user_id`, in line 2; give one a Swift name with `$name:`
      6:5: error: `user.id` and `user_id` both become the Swift property `userID`; give one another name: `{type: …, name: …}`
      7:21: error: `a-b` and `a_b` both become the Swift case `aB`; give one another name in the long form: `$enum: {a_b: {name: …}}`
      """)
  }

  @Test("names that become the same Swift name once they give way to the runtime's")
  func namesThatGiveWay() {
    expectProblems(
      """
      models:
        A: {write: bool, write_value: string}
        B: {write: bool, write_value: {type: string, name: written}}
      """,
      """
      2:20: error: `write` and `write_value` both become the Swift property `writeValue`; give one another name: `{type: …, name: …}`
      """)
  }

  @Test("names that generated code needs")
  func namesThatGeneratedCodeNeeds() {
    expectProblems(
      """
      models:
        Shop: {}
        int: {}
        9a: {}
        A: {$name: 9b}
        B:
          extra: int
          $extra: json
      """,
      """
      2:3: error: the model `Shop` becomes the Swift type `Shop`, and so does the API, in a.yaml:1:1; give one a Swift name with `$name:`
      3:3: error: `int` is a word of the type language; give the model another name
      4:3: error: `9a` cannot be a model's name; use letters, digits, `_`, `-` and `.`, beginning with a letter
      5:14: error: `9b` is not a Swift name; use letters, digits and `_`, not beginning with a digit
      7:5: error: `extra` becomes the Swift property `extra`, which `$extra` needs; give the field another name: `{type: …, name: …}`
      """)
  }

  @Test(
    "a model has at most 32,767 fields",
    arguments: [
      (32_767, nil),
      (
        32_768,
        "1:10: error: the model `Wide` has 32768 fields, and a model has at most 32767; put some of them into a map with `$extra`"
      ),
    ])
  func tooManyFields(count: Int, problem: String?) {
    expectProblems("models: {Wide: {\((0..<count).map { "m\($0): int?" }.joined(separator: ", "))}}", problem ?? "")
  }

  @Test("further names of fields")
  func furtherNames() throws {
    expectProblems(
      """
      models:
        A:
          posts: {type: "[int]?", also: [tweets, statuses]}
          users: {type: int?, also: tweets}
          lists: {type: int?, also: [lists]}
          media: {type: int?, also: [posts]}
          spaces: {type: int?, also: ["a:b", ""]}
          polls: {type: int?, also: {a: b}}
          lost: {type: B?, also: [.]}
          plain: {type: int, also: [.]}
          found: {type: B, also: [.]}
        B: {id: string}
      """,
      """
      4:5: error: `tweets` is read as the field `posts` already; remove it from `also`
      5:5: error: `lists` is the name of this field already; remove it from `also`
      6:5: error: `posts` is read as the field `posts` already; remove it from `also`
      7:5: error: a name that `also` lists has a character, and no colon or line break
      7:5: error: a name that `also` lists has a character, and no colon or line break
      8:31: error: `also` of field `polls` lists further names on the wire: `also: [old_name]`
      9:5: error: `.` in `also` reads the whole response as a field that is always there and has a model for its type
      10:5: error: `.` in `also` reads the whole response as a field that is always there and has a model for its type
      """)
  }

  @Test("an enum without cases, with one twice")
  func anEnumWithoutCasesWith() {
    expectProblems(
      """
      models:
        A: enum []
        B: {$enum: }
        C: enum [a, b, a]
      """,
      """
      2:3: error: the enum `A` has no values; list them, or use `string`
      3:3: error: the enum `B` has no values; list them, or use `string`
      4:18: error: the value `a` is in this enum twice; remove one
      """)
  }

  @Test("a union without variants, or with indistinguishable ones")
  func aUnionWithoutVariantsOr() {
    expectProblems(
      """
      models:
        A: union []
        B: {$union: }
        C: union [string, date, int, number]
        D: {$tag: t, $union: {a: string, b: D}}
        E: {$tag: t, $union: [D]}
        F: {$union: {a: D}}
        G: union [D, D?]
        H: union [[string], [int], [[int]], [{json}]]
        I: union [[json], [string]]
        J: union [[string], [date]]
      """,
      """
      2:3: error: the union `A` has no variants; list its types, or use `json`
      3:3: error: the union `B` has no variants; list its types, or use `json`
      4:21: warning: in JSON this variant looks like one before it, which is always taken; remove one, or use `json`
      5:25: error: a variant that a tag selects is an object; use a model with fields
      5:39: error: `D` is a variant of itself (D → D), so reading it may never end; remove this variant, or list others in its place
      6:24: error: with `$tag`, `$union` is a mapping from the tag's values to types
      7:15: error: without `$tag`, `$union` is a list of types; add `$tag: member`, or write `[A, B]`
      8:16: error: a variant is neither left out nor null; put `?` or `| null` on the uses of the union
      8:16: error: another variant becomes the Swift case `d` too; give one a name: `{name: …, type: …}`
      10:21: warning: in JSON this variant looks like one before it, which is always taken; remove one, or use `json`
      11:23: warning: in JSON this variant looks like one before it, which is always taken; remove one, or use `json`
      """)
  }

  @Test("tags that the variant which they select never has")
  func contradictingTags() {
    expectProblems(
      """
      models:
        Circle: {t: {type: string, value: circle}}
        Square: {t: SquareTag}
        SquareTag: enum [square, rect]
        Line: {t: string}
        Open: {t: OpenTag}
        OpenTag: {$enum: [open], $closed: false}
        Numbered: {t: {type: int, value: 7}}
        Round: {$tag: t, $union: {circle: Circle, line: Line}}
        Either: union [Circle, Square]
        A: {$tag: t, $union: {Circle: Circle, square: Square, Square: Square, line: Line, x: Open, 7: Numbered}}
        B: {$tag: t, $union: {circle: Round, dot: Round, rect: Either, oval: Either, 8: Numbered}}
      """,
      """
      11:25: error: `Circle` selects `Circle`, whose `t` is `circle`; use that here, or correct the model
      11:41: error: `Square` selects `Square`, whose `t` is `square` or `rect`; use that here, or correct the model
      12:25: error: `dot` selects `Round`, whose `t` is `circle` or `line`; use that here, or correct the model
      12:52: error: `oval` selects `Either`, whose `t` is `circle` or `square` or `rect`; use that here, or correct the model
      12:80: error: `8` selects `Numbered`, whose `t` is `7`; use that here, or correct the model
      """)
  }

  @Test("durations in milliseconds cannot be distinguished from seconds outside a field")
  func millisecondsOutsideFields() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, returns: "[duration(milliseconds)]"}
        b: {call: GET /b, params: {x: duration(milliseconds)?}, returns: duration(seconds)}
        c: {call: GET /c, errors: {404: duration(milliseconds)}, poll: {header: L, returns: duration(milliseconds)}}
      models:
        A: union [duration(milliseconds), string]
        B: {x: "[duration(milliseconds)]"}
        C: union [D, bool]
        D: duration(milliseconds)
      """,
      """
      2:32: error: only a field or an argument is a length of time in milliseconds; write `number` here
      4:35: error: only a field or an argument is a length of time in milliseconds; write `number` here
      4:87: error: only a field or an argument is a length of time in milliseconds; write `number` here
      6:13: error: only a field or an argument is a length of time in milliseconds; write `number` here
      8:13: error: only a field or an argument is a length of time in milliseconds; write `number` here
      """)
  }

  @Test("kinds that exclude each other")
  func kindsThatExcludeEachOther() {
    expectProblems(
      """
      models:
        A: {$enum: [a], $union: [int]}
        B: {$enum: [a], f: int}
        C: {$tag: t, f: int}
        D:
      """,
      """
      2:19: error: a model has only one of `$enum`, `$members`, `$union`, `$type` and fields with `$extra`; remove one
      3:19: error: a model with `$enum` has no fields; remove them, or put `$` before a key about the model
      4:7: error: `$tag` tells the variants of a `$union` apart; add `$union`, or remove it
      5:3: error: model `D` is empty; list its fields, or write a type, `enum […]` or `union […]`
      """)
  }

  @Test("another name for a type is neither optional nor itself")
  func anotherNameForAType() {
    expectProblems(
      """
      models:
        A: string?
        B: int | null
        C: D
        D: [C]
      """,
      """
      2:6: error: another name for a type has no `?` or `| null`; put it on the uses of the name
      3:6: error: another name for a type has no `?` or `| null`; put it on the uses of the name
      4:3: error: `C` is another name for itself (`C` → `D` → `C`); give one of them its own type
      """)
  }

  @Test("the variants of a union cannot lead back to it, whether a tag or the shape selects them")
  func unionOfItself() {
    expectProblems(
      """
      models:
        A: union [string, indirect B]
        B: union [int, indirect A]
        C: union [string, [C]]
        Shape: {$tag: type, $union: {group: indirect Shape, circle: Circle}}
        Circle: {type: string, inner: indirect Shape?}
        D: {$tag: type, $union: {e: indirect E, circle: Circle}}
        E: {$tag: kind, $union: {f: indirect F, circle: Circle}}
        F: G
        G: union [int, indirect D]
        Group: {$tag: kind, $union: {shape: Shape, circle: Circle}}
      """,
      """
      2:21: error: `A` is a variant of itself (A → B → A), so reading it may never end; remove this variant, or list others in its place
      5:39: error: `Shape` is a variant of itself (Shape → Shape), so reading it may never end; remove this variant, or list others in its place
      7:31: error: `D` is a variant of itself (D → E → G → D), so reading it may never end; remove this variant, or list others in its place
      """)
  }
}
