import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Parameters in their places")
struct ParameterTests {
  @Test("in the path")
  func inThePath() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a/{x}/{y}/{z}/{w}
          params:
            x: string?
            y: string | null
            z: M
            w: "[int]"
      models:
        M: {a: int}
      """,
      """
      5:10: error: `x` is part of the path and cannot be left out; remove `?`
      6:10: error: `y` is part of the path and cannot be null; remove `| null`
      7:10: error: `M` is an object and cannot be in a path; say how it is written, such as `object: flat`, or send it as a field of a JSON body
      """)
  }

  @Test("with reserved characters, which only a query keeps")
  func reservedCharacters() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a/{x}
          params:
            x: {type: string, reserved: true}
            y: {type: string, in: header, reserved: true}
            z: {type: string, reserved: true}
            v: {type: string, in: query, reserved: true}
            w: {type: string, in: query, reserved: often}
            u: {type: string, reserved: false}
      """,
      """
      5:35: error: `reserved` is for a query; remove it, and write `{+x}` in the path
      6:47: error: `reserved` is for a query; remove it
      7:35: error: `reserved` is for a query; remove it
      9:46: error: `reserved` must be `true` or `false`, not `often`
      """)
  }

  @Test("in the query")
  func inTheQuery() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params:
            a: bytes?
            b: file?
            c: json?
            d: M?
            e: "[[int]]?"
            f: "{int}?"
            g: U?
            h: "[E]?"
            i: I?
      models:
        M: {a: int}
        U: union [int, string]
        E: enum [x]
        I: int
      """,
      """
      5:10: error: `bytes` cannot be in a query; make it the whole body (`in: body`), or use a multipart `file`
      6:10: error: a `file` is a part of a multipart body; add `body: multipart`, and leave `in` out
      7:10: error: `json` cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      8:10: error: `M` is an object and cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      9:12: error: a list of lists cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      10:11: error: a map cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      11:10: error: `U` is a union and cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      """)
  }

  @Test("in a list whose dates or files may be null")
  func nullsInLists() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a/{z}
          body: form
          params:
            a: {type: "[date | null]?", in: query}
            b: "[date(day) | null]"
            c: "[string | null]?"
            d: {type: "[D | null]?", in: header}
            z: "[D | null]"
            e: {type: "{date | null}?", object: brackets}
        b: {call: POST /b, body: multipart, params: {f: "[file | null]?", g: "[date | null]?"}}
        c: {call: POST /c, params: {f: "[date | null]?"}}
      models: {D: date(seconds)}
      """,
      """
      6:18: error: in a query no date of a list is null; take `| null` from the elements, or send the list in a JSON body
      7:11: error: in a form no date of a list is null; take `| null` from the elements, or send the list in a JSON body
      9:18: error: in a header no date of a list is null; take `| null` from the elements, or send the list in a JSON body
      10:11: error: in a path no date of a list is null; take `| null` from the elements, or send the list in a JSON body
      12:53: error: a file cannot be null; remove `| null`, or write `?`
      12:73: error: in a multipart body no date of a list is null; take `| null` from the elements, or send the list in a JSON body
      """)
  }

  @Test("with numbers that JSON does not have")
  func unusualNumbers() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params:
            a: {type: number, value: .5}
            b: {type: number, value: 5.}
            c: {type: int, value: 007}
            d: {type: number, value: -1.5e+3}
            e: {type: number?, default: 0x10}
            f: {type: int?, default: +5}
            g: {type: "[number]?", default: [0.5, 05]}
            h: {type: int?, default: -5}
      models:
        A: {a: {type: int, value: 01}, b: {type: number?, default: 1.}, c: {type: int, value: 0}}
        B: {$of: int, $enum: [0, 01]}
      """,
      """
      5:32: error: `.5` is not a value of the type; a constant is a text, number, `true`, `false` or an enum's value
      6:32: error: `5.` is not a value of the type; a constant is a text, number, `true`, `false` or an enum's value
      7:29: error: `007` is not a value of the type; a constant is a text, number, `true`, `false` or an enum's value
      9:35: error: the default `0x10` is not a value of the type; correct one of them
      10:32: error: the default `+5` is not a value of the type; correct one of them
      11:39: error: the default `0.5`, `05` is not a value of the type; correct one of them
      14:7: error: a field with a `value` is a `string`, `int` or `bool` that has it, and has no `?` or `| null`
      14:34: error: the default `1.` is not a value of the type; correct one of them
      15:28: error: `01` is not a whole number, and the enum is `$of: int`
      """)
  }

  @Test("in a header")
  func inAHeader() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params:
            X Y: {type: int?, in: header}
            Authorization: {type: string?, in: header}
            X-Z: {type: string | null, in: header}
      """,
      """
      5:7: error: `X Y` cannot be a header's name; use letters, digits and `-`
      6:7: error: the client sets the header `Authorization` itself; remove it here (`auth` is for credentials)
      7:19: error: a header cannot be null; remove `| null`
      """)
  }

  @Test("in a form and in a multipart body")
  func inAFormAndIn() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a
          body: form
          params: {m: M, f: file, ok: string | null?}
        b:
          call: POST /b
          body: multipart
          params: {m: M, f: "[file]", raw: bytes, ok: string?}
      models:
        M: {a: int}
      """,
      """
      5:17: error: `M` is an object and cannot be in a form; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      5:23: error: a `file` is a part of a multipart body; add `body: multipart`, and leave `in` out
      9:17: error: `M` is an object and cannot be in a multipart body; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      9:38: error: in a multipart body write `file`, which also has a name and a media type
      """)
  }

  @Test("lists")
  func lists() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a/{x}
          params:
            x: {type: [int], list: repeat}
            y: {type: int?, list: comma}
            z: {type: int?, list: semicolon}
            w: {type: int?, in: jar}
      """,
      """
      5:30: error: a list in a path repeats the text before it from a `;` on, as in `/pets;x={x}`; write that, or `list: comma`
      6:29: warning: `y` is not a list, so `list` has no effect; remove it
      7:29: error: `list` cannot be `semicolon`; it is one of `comma`, `space`, `pipe`, `repeat`, `brackets`, `indexed`, `dot`
      7:29: warning: `z` is not a list, so `list` has no effect; remove it
      8:27: error: `in` cannot be `jar`; it is one of `path`, `query`, `header`, `cookie`, `field`, `body`
      """)
  }

  @Test("lists of files")
  func fileLists() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a
          body: multipart
          params:
            a: {type: "[file]?", list: comma}
            b: {type: "[file]?", list: pipe}
            c: {type: "[file]?", list: repeat}
            d: {type: "[file]?", list: brackets}
            e: {type: "[file]?", list: indexed}
      """,
      """
      6:34: error: each file is a separate part; remove `list`, or write `list: brackets` or `list: indexed`
      7:34: error: each file is a separate part; remove `list`, or write `list: brackets` or `list: indexed`
      """)
  }

  @Test("other names on the wire")
  func wireNames() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a/{x}
          params:
            x: {type: string, as: y}
            id: string?
            cookie_id: {type: string?, in: cookie, as: id}
            again: {type: string?, as: id}
            page: {type: int?, as: p}
            fine: {type: "[int]?", in: header, as: id}
            bad: {type: int?, in: cookie, as: a b}
          pages: {page: page, items: .}
          returns: "[string]"
      """,
      """
      5:29: error: what is in the path, or the whole body, is not sent by its name; remove `as`
      8:34: error: another parameter of this place is sent as `id`; remove one of them
      9:30: error: rules, pages and streams know `page` by the name that is sent; remove `as`
      11:7: error: `a b` cannot be a cookie's name; use letters, digits and `-._`
      """)
  }

  @Test("lists and objects in one text")
  func oneText() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a/{x};y={y};{z}/{v}/{w}
          body: multipart
          params:
            x: {type: "{string}", object: brackets}
            y: {type: [int], list: repeat}
            z: {type: M, object: pairs, list: repeat}
            v: {type: M, object: flat, list: repeat}
            w: {type: [int], object: flat}
            c: {type: M?, in: cookie, object: pairs}
            q: {type: M?, in: query, object: pairs}
            p: {type: M?, object: flat}
            h: {type: [int], in: header, list: repeat}
            ok: {type: M?, in: query, object: flat, list: pipe}
            fine: {type: "{int}?", in: header, object: pairs, list: dot}
      models:
        M: {a: int}
      """,
      """
      6:37: error: in a path an object is one text; write `object: flat` or `object: pairs`
      9:40: error: between the members is a `comma`, a `space`, a `pipe` or a `dot`; write one of them
      10:32: error: `flat` writes an object or a map; remove `object`
      11:41: error: in a cookie an object is one text; write `object: flat`
      12:40: error: `pairs` is not for this place; write another style, such as `object: json`
      13:29: error: `flat` is not for this place; write another style, such as `object: json`
      14:42: error: in a header a list cannot repeat its name; write `list: comma` or `list: space`
      """)
  }

  @Test("members that one text cannot hold")
  func nestedMembers() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a/{x}
          params:
            x: {type: Box, object: flat}
            y: {type: Boxes?, in: header, object: pairs}
            z: {type: "{[int]}?", in: query, object: flat}
            v: {type: Open?, in: cookie, object: flat}
            ok: {type: Plain?, in: query, object: flat}
      models:
        Box: {a: int, b: "[int]?"}
        Boxes: {a: Plain?}
        Open: {a: int, $extra: Plain}
        Plain: {a: int, b: Colour?, c: "json?"}
        Colour: enum [red, green]
      """,
      """
      5:30: error: `flat` writes texts, numbers and flags, and `b` is none of these; send the object as a field of a JSON body, or as a `string` that the caller writes
      6:45: error: `pairs` writes texts, numbers and flags, and `a` is none of these; send the object as a field of a JSON body, or as a `string` that the caller writes
      7:48: error: `flat` writes texts, numbers and flags, and a value of the map is none of these; send the object as a field of a JSON body, or as a `string` that the caller writes
      8:44: error: `flat` writes texts, numbers and flags, and a member of any other name is none of these; send the object as a field of a JSON body, or as a `string` that the caller writes
      """)
  }
}
