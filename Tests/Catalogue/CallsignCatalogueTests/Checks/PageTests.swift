import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Pages")
struct PageTests {
  @Test("parameters that are missing or wrong are errors")
  func parametersThatAreMissingOr() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {pagination_token: bool, max_results: string?}
          pages: {token: pagination_tokn, next: next, items: data, size: max_results}
          returns: json
        b:
          call: GET /b/{id}
          params: {id: string}
          pages: {token: id, next: next, items: data}
          returns: json
      """,
      """
      5:20: error: `pages` names `pagination_tokn`, which is not a parameter; did you mean `pagination_token`?
      5:68: error: `max_results` counts, so its type is `int`
      10:20: error: `id` changes from page to page and cannot be the path
      10:20: error: the first request has no `id`; add `?` to its type
      """)
  }

  @Test("an impossible number of the first page is an error")
  func firstPage() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {page: int?}
          pages: {page: page, items: data, first: -9223372036854775808}
          returns: json
      """,
      """
      5:45: error: `first` is the number of the first page, such as `0`
      """)
  }

  @Test("parameters of pages are in the query or in the body")
  func places() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a
          params: {h: {type: string?, in: header}, s: {type: int?, in: header}, f: string?}
          pages: {token: h, next: n, items: d, id: id, since: f, size: s}
          returns: P
        b:
          call: GET /b
          params: {c: {type: string?, in: cookie}, s: {type: string?, in: header}}
          pages: {token: c, next: n, items: d, id: id, since: s}
          returns: P
        c:
          call: POST /c
          params: {f: string?, s: {type: string?, in: query}}
          pages: {token: f, next: n, items: d, id: id, since: s}
          returns: P
      models:
        P: {d: "[M]", n: string?}
        M: {id: int}
      """,
      """
      5:20: error: `h` changes from page to page and is sent in the query or in the body, not as a header
      5:57: error: `f` asks for later elements, so it must be in the query; add `in: query` to it
      10:20: error: `c` changes from page to page and is sent in the query or in the body, not as a cookie
      10:57: error: `s` asks for later elements, so it must be in the query; add `in: query` to it
      """)
  }

  @Test("paths that the response does not have are errors")
  func pathsThatTheResponseDoes() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {t: string?}
          pages: {token: t, next: meta.next_tokn, previous: meta.items.x, items: meta}
          returns: Page
      models:
        Page: {data: "[int]?", meta: Meta?}
        Meta: {next_token: string?, items: "[int]?"}
      """,
      """
      5:34: error: `Meta` has no field `next_tokn`; did you mean `next_token`?
      5:66: error: a list has no `x`; correct the path
      5:76: error: `meta` is not a list; name the list of the response that has the elements
      """)
  }

  @Test("paths lead through aliases and maps")
  func throughAliasesAndMaps() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          params: {t: string?}
          pages: {token: t, next: meta.next, items: data.items}
          returns: P
      models:
        P: Page
        Page: {data: Lists, meta: {Token}}
        Lists: {[int]}
        Token: string
      """,
      "")
  }

  @Test("polling needs ids and a parameter for them, in every style")
  func polling() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, params: {t: string?, s: string?}, pages: {token: t, next: n, items: d, id: id, since: s}, returns: P}
        b: {call: GET /b, params: {p: int?, s: string?}, pages: {page: p, items: d, id: id, since: s}, returns: P}
        c: {call: GET /c, params: {p: int?, s: string?}, pages: {page: p, items: d, since: s}, returns: P}
        d: {call: GET /d, params: {p: int?}, pages: {page: p, items: d, id: id}, returns: P}
        e: {call: GET /e, params: {p: int?, s: string}, pages: {page: p, items: d, id: x, since: s}, returns: P}
      models:
        P: {d: "[M]", n: string?}
        M: {id: int}
      """,
      """
      4:79: error: `since` asks for elements with a greater id; name the member with the id, such as `id: id`
      5:67: error: `id` shows which elements are newer than `since`; add `since`, or remove `id`
      6:82: error: `M` has no field `x`; add the field to the model, or correct the path
      6:92: error: the first request has no `s`; add `?` to its type
      """)
  }

  @Test("keys of another style, and missing ones, are errors")
  func keysOfAnotherStyleAnd() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, pages: {token: t, page: p, items: d}}
        b: {call: GET /b, pages: {items: d}}
        c: {call: GET /c, pages: {token: t}}
        d: {call: GET /d, params: {t: string?}, pages: {token: t, items: d}, returns: json}
        e: {call: GET /e, params: {p: string?}, pages: {page: p, items: d, next: n}, returns: json}
        f: {call: GET /f, params: {m: int?}, pages: {max_id: m, items: .}, returns: json}
        g: {call: GET /g, params: {m: int?}, pages: {max_id: m, items: ., id: idd}, returns: [M]}
        h: {call: GET /h, params: {m: int?}, pages: {page: m, items: .}}
      models:
        M: {id: int}
      """,
      """
      2:21: error: `pages` has one of `token`, `cursor`, `max_id`, `page`, `offset` and `last_id`, which names the request's parameter, `url` if the response has the next page's URL, or `link: next`
      3:21: error: `pages` has one of `token`, `cursor`, `max_id`, `page`, `offset` and `last_id`, which names the request's parameter, `url` if the response has the next page's URL, or `link: next`
      4:21: error: `pages` has no `items`; name the member with the elements, such as `items: data`
      5:43: error: `pages` has no `next`; name the member with the next token, such as `next: meta.next_token`
      6:57: error: `p` counts, so its type is `int`
      6:70: error: `next` has no meaning for pages by `page`; remove it
      7:40: error: `pages` has no `id`; name the element's field with its id, such as `id: id`
      8:73: error: `M` has no field `idd`; did you mean `id`?
      9:47: error: `pages` needs `returns`, the type of a page; add it
      """)
  }
}
