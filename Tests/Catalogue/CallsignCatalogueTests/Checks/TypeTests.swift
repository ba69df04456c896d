import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Types")
struct TypeTests {
  @Test("an unknown type is an error with a suggestion")
  func unknownWithWhatWasMeant() {
    expectProblems(
      """
      models:
        User: {id: int}
        A:
          a: Usr
          b: "[Usr]?"
          c: {Strin}
          d: Zebra
          e: indirect Usr?
      """,
      """
      4:8: error: unknown type `Usr`; did you mean `User`?
      5:10: error: unknown type `Usr`; did you mean `User`?
      6:9: error: unknown type `Strin`; did you mean `string`?
      7:8: error: unknown type `Zebra`; declare it under `models:`, or use one of the built-in types
      8:17: error: unknown type `Usr`; did you mean `User`?
      """)
  }

  @Test("a mistake in a type's syntax is an error at its character")
  func syntaxAtItsCharacter() {
    expectProblems(
      """
      models:
        A:
          a: string(1..
          b: string(5..1)
          c: string??
          d: string | nul
          e: bool(1)
          f: "[string"
          g: "[]"
          h: int int
          i: "?"
          j: string()
          k: date(dya)
          l: int(/a/)
          m: string(/a)
          n: "[a, b]"
          o: string(1..2, 3..4)
          p: date(yyyy-QQ)
          q: "{}"
          r: string(..)
          s: string | null | null
      """,
      """
      3:14: error: the `(` is never closed; inside YAML's `{…}` and `[…]` put a type with a comma in quotes
      4:15: error: the lower bound is above the upper one; swap them
      5:15: error: one `?` is enough; remove this one
      6:17: error: only `null` can follow `|`; for one of several types declare a union under `models:`
      7:12: error: `bool` has no bounds; remove the parentheses
      8:9: error: the list is never closed; add `]`
      9:10: error: a list names the type of its elements: `[string]`
      10:12: error: nothing can follow the type but `(bounds)`, `| null` and `?`, in this order; remove `int`
      11:9: error: a type cannot begin with `?`; write one such as `string`, `[User]` or `{int}`
      12:14: error: the parentheses are empty; write bounds such as `(1..25)`
      13:14: error: a date pattern has no `y`; did you mean `day`?
      14:12: error: only a string has a regular expression; remove it
      15:15: error: the regular expression is never closed; end it with `/`
      16:11: error: the list holds one type and ends with `]`
      17:21: error: one pair of bounds is enough; remove this
      18:18: error: a date pattern has no `QQ`; write `day`, `seconds`, `milliseconds`, or a pattern of EEE MMM MM dd d HH mm ss SSS Z yyyy
      19:10: error: a map names the type of its values: `{string}`; for any object write `{json}`
      20:15: error: `..` needs a number before it, behind it or both
      21:22: error: one `| null` is enough; remove this one
      """)
  }

  @Test("a date pattern has no sign that a model's layout could not hold")
  func datePatterns() {
    expectProblems(
      #"""
      models:
        A:
          a: date(yyyy-MM-dd (HH:mm)
          b: "date(yyyy\u000AMM)"
          c: date(HH'mm)
          d: date(HH'T''mm)
          e: date(yyyy-MM-dd'T'HH:mm)?
          f: date(HH''mm)
      """#,
      """
      3:24: error: a date pattern has no `(` and no line end; remove it, or write `string` as the type
      4:18: error: a date pattern has no `(` and no line end; remove it, or write `string` as the type
      5:13: error: a `'` in the date pattern is never closed; add another, or write `''` for the sign itself
      6:13: error: a `'` in the date pattern is never closed; add another, or write `''` for the sign itself
      """)
  }

  @Test("lists and maps may have YAML's own form")
  func listsAndMapsInYaml() {
    expectProblems(
      """
      models:
        A:
          a: []
          b: [int, string]
          c: {}
          d: {x: int}
          e:
      """,
      """
      3:8: error: a list names the type of its elements: `[string]`
      4:14: error: a list holds one type; put a type with a comma in quotes, such as `"[string(1..9, /a+/)]"`
      5:8: error: a map names the type of its values: `{string}`; for any object write `{json}`
      6:5: error: field `d` has no `type`; give an object inside an object a name under `models:`
      6:9: error: unknown key `x` in field `d`; its keys are `type`, `name`, `also`, `value`, `summary`, `deprecated`, `default`, `read_only`, `write_only`
      7:7: error: field `e` has no type; write one, such as `string`
      """)
  }

  @Test("elements cannot be left out")
  func elementsCannotBeLeftOut() {
    expectProblems(
      """
      models:
        A: {a: "[string?]"}
      """,
      """
      2:12: error: an element cannot be left out; remove its `?`, or write `| null` if the API sends null
      """)
  }

  @Test("the place is right inside quotes with escapes, and in a list over several lines")
  func aPlaceInsideQuotesWith() {
    expectProblems(
      #"""
      models:
        A:
          a: "\u005bUsr]"
          b: 'indirect ''x'
        B: enum [a,
          b,
          a]
      """#,
      """
      3:15: error: unknown type `Usr`; declare it under `models:`, or use one of the built-in types
      4:18: error: nothing can follow the type but `(bounds)`, `| null` and `?`, in this order; remove `'x`
      7:5: error: the value `a` is in this enum twice; remove one
      """)
  }

  @Test("files at depth, in objects, and as null are errors")
  func filesAtDepth() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, returns: "[file]", auth: [none]}
        b: {call: GET /b, errors: {404: "{file}"}, auth: [none]}
        c: {call: POST /c, poll: {header: Location, returns: "[file]"}, auth: [none]}
        d:
          call: GET /d
          auth: [none]
          params:
            a: {type: "{file}", object: brackets}
            b: {type: "[file]?", object: json, in: query}
            c: {type: file?, object: flat, in: header}
            d: {type: "{file}", object: flat, in: cookie}
        e:
          call: POST /e
          body: multipart
          auth: [none]
          params: {a: file | null?, b: "[file] | null"}
      """,
      """
      2:32: error: a `file` is sent, not received; write `bytes`
      3:37: error: a `file` is sent, not received; write `bytes`
      4:58: error: a `file` is sent, not received; write `bytes`
      9:19: error: a `file` is a part of a multipart body; add `body: multipart` to the endpoint
      10:19: error: a `file` is a part of a multipart body; add `body: multipart` to the endpoint
      11:17: error: a `file` is a part of a multipart body; add `body: multipart` to the endpoint
      11:32: error: `flat` writes an object or a map; remove `object`
      12:19: error: a `file` is a part of a multipart body; add `body: multipart` to the endpoint
      17:17: error: a file cannot be null; remove `| null`, or write `?`
      17:35: error: a file cannot be null; remove `| null`, or write `?`
      """)
  }

  @Test("a file and `indirect` are errors in places that do not allow them")
  func aFileAndIndirectWhere() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {x: indirect string?}
          returns: file
        b:
          call: POST /b
          params: {f: file}
      models:
        A: {a: file}
      """,
      """
      4:17: error: `indirect` is for fields of models and variants of unions; remove it
      5:14: error: a `file` is sent, not received; write `returns: bytes`
      8:17: error: a `file` is a part of a multipart body; add `body: multipart` to the endpoint
      10:10: error: a `file` is a part of a multipart body, not of a model; use `bytes`
      """)
  }
}
