import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Parts of every call, and the types of responses")
struct EveryCallTests {
  @Test("an API states the parts of every call, where keys are, and how calls fail")
  func facts() throws {
    let catalogue = try load(
      """
      api:
        name: Shop
        hosts: {api: https://shop.example}
        schemes:
          app_key: {$in: query, $name: key}
          app_id: {$summary: Who., $in: header, $name: X-App, $prefix: "App "}
          bearer:
        auth: [[app_key, app_id], bearer]
        headers: {Shop-Version: 2026-11-01}
        query: {format: json, callback: 1}
        failure: {ok: false, meta.code: not 0, status: [error, fail], data: null}
        errors: {404: Lost, 5xx: "{json}", default: Lost}
        idempotency: Idempotency-Key
      endpoints:
        a: {call: GET /a, idempotency: false}
      models: {Lost: {x: int}}
      """
    ).expectCatalogue()
    let facts = catalogue.api.everyCall
    #expect(facts.headers == [Constant(name: "Shop-Version", value: "2026-11-01")])
    #expect(facts.query.map(\.value) == ["json", "1"])
    #expect(
      facts.failures == [
        FailureSign(path: "ok", values: ["false"]), FailureSign(path: "meta.code", values: ["0"], isNegated: true),
        FailureSign(path: "status", values: ["error", "fail"]), FailureSign(path: "data", values: ["null"]),
      ])
    #expect(facts.errors.map(\.status) == ["404", "5xx", "default"])
    #expect(catalogue.api.schemes[0].key == KeyPlace(part: .query, name: "key"))
    #expect(catalogue.api.schemes[1].key == KeyPlace(part: .header, name: "X-App", prefix: "App "))
    let endpoint = try catalogue.endpoint("a")
    #expect(endpoint.auth.map(\.scheme) == ["app_key", "bearer"])
    #expect(endpoint.auth[0].others == [AuthRequirement(scheme: "app_id")])
    #expect(endpoint.idempotencyKey == "")
  }

  @Test("errors about all calls of an API")
  func wrongFacts() {
    let result = load(
      """
      api:
        name: Shop
        hosts: {api: https://shop.example}
        schemes: {a: {$name: key}, b: {$in: header}, c: {$in: cookie, $name: "a b"}, d: {$in: query, $name: k, x: y}}
        auth: [[a], [a, z]]
        headers: {"a b": c, Host: x}
        failure: {ok: {a: b}, a: [not 1, 2], "": x}
        errors: {40: Lost, 2xx: int?}
        idempotency: a b
      """)
    #expect(
      result.diagnostics.map { "\($0.location.line):\($0.location.column): \($0.message.prefix(52))" } == [
        "1:1: the client sets the header `Host` itself; remove it ",
        "4:17: `$name` is about an API key; name its place, such as",
        "4:34: name the key in the header, such as `$name: X-API-Ke",
        "4:72: `a b` cannot be a header's name; use letters, digits",
        "4:80: an API key has no scopes; remove `x`",
        "5:10: schemes that must come together are two or more, suc",
        "6:13: `a b` cannot be a header's name; use letters, digits",
        "7:17: the value of a sign is a text, number, flag or null,",
        "7:28: say either all values of a sign, or all that are `no",
        "7:40: a sign names a member of the response, such as `ok` ",
        "8:12: `40` is not a status; write one such as `404`, `4xx`",
        "8:16: unknown type `Lost`; declare it under `models:`, or ",
        "8:22: `2xx` is not a status; write one such as `404`, `4xx",
        "8:27: an error's body cannot have `?` or `| null`; remove ",
        "9:16: `a b` cannot be a header's name; use letters, digits",
      ])
  }

  @Test("errors about the body and response of an endpoint")
  func wrongEndpoints() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a
          body: image/png
          accept: text/csv
          params: {x: {type: string, in: query, object: json}}
          returns: json
        b: {call: POST /b, accept: csv, response_headers: {A: json, X-A: int}, returns: Page}
        c: {call: GET /c, response_headers: {A: int}, returns: "[string]"}
        d: {call: POST /d, params: {x: {type: Page, object: dots}, y: {type: Page, in: query}}}
        e: {call: GET /e, stream: {framing: lines, end: x}, returns: json}
      models: {Page: {id: int}}
      """,
      """
      4:11: error: a body of this media type is one parameter; give it `in: body`, and the type `bytes` unless it is JSON
      7:14: error: what is accepted is not JSON; write `returns: string` or `returns: bytes`
      8:30: error: `csv` is not a media type; write one such as `text/csv`
      8:57: error: a header is a `string`, `int`, `number`, `bool` or `date`
      8:63: error: two headers become the property `a`; give one another `name`
      9:40: error: only a response with a type of the catalogue can have its headers as members; they are in `response.headers`
      10:55: error: `object` is for what is not in JSON; remove it
      10:72: error: `Page` is an object and cannot be in a query; say how it is written, such as `object: brackets`, or send it as a field of a JSON body
      11:46: error: `end` is about events; write `framing: events`, or remove it
      """)
  }

  @Test("headers that become a member that the response already has")
  func headersThatClash() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, response_headers: {Status: string, X-Rate: int, Total: int}, returns: M}
        b: {call: GET /b, response_headers: {Rate: int}, returns: N}
        c: {call: GET /c, response_headers: {x-rate: int}, returns: M}
        d: {call: GET /d, response_headers: {X-Rate: string}, returns: M}
        e: {call: GET /e, response_headers: {X-Rate: string, Status: int}, returns: "[M]"}
        f: {call: GET /f, response_headers: {Rate: string}, returns: "[N]"}
        g: {call: GET /g, response_headers: {Status: int}, returns: U}
      models:
        M: {status: string, total: int}
        N: M
        U: union [M, O]
        O: {status: string, x: int}
      """,
      """
      2:40: warning: the header becomes the property `status`, which is the response's own member; give the header another `name`
      3:40: warning: `Rate` becomes the property `rate` of this response, and so does `X-Rate` in line 2, which is the one that is used; give one of them another `name`
      5:40: warning: `X-Rate` becomes the property `rate` of this response, and so does `X-Rate` in line 2, which is the one that is used; give one of them another `name`
      7:40: warning: `Rate` becomes the property `rate` of this response, and so does `X-Rate` in line 6, which is the one that is used; give one of them another `name`
      8:40: warning: the header becomes the property `status`, which is the response's own member; give the header another `name`
      """)
  }

  @Test("pages by URL, offset and last id")
  func pages() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, params: {o: string?, n: string?}, pages: {offset: o, items: ., first: 0}, returns: "[Item]"}
        b: {call: GET /b, params: {s: string?}, pages: {last_id: s, items: ., more: x}, returns: "[Item]"}
        c: {call: POST /c, pages: {link: prev, items: .}, returns: "[Item]"}
        d: {call: GET /d, pages: {url: next, items: items, more: next}, returns: Page}
        e: {call: GET /e, params: {t: string?}, pages: {token: t, next_header: X-Next, items: items}, returns: Page}
      models: {Item: {id: int}, Page: {items: "[Item]", next: bool}}
      """,
      """
      2:71: error: `o` counts, so its type is `int`
      2:84: error: `first` has no meaning for pages by `offset`; remove it
      3:43: error: `pages` has no `id`; name the element's field with its id, such as `id: id`
      3:79: error: a list has no `x`; correct the path
      4:29: error: the next page is at a URL, so the call must be a GET
      4:36: error: the next page is the one that the `Link` field calls `next`; write `link: next`
      5:34: error: `next` is not a token; name a `string` or `int` of the response
      """)
  }

  @Test("two keys cannot be one Swift function")
  func alikeKeys() {
    let result = load(
      """
      api:
        name: Shop
        hosts: {api: https://shop.example}
        schemes: {api_key: {$in: header, $name: A}, apiKey: {$in: query, $name: b}}
        auth: [api_key]
      """)
    #expect(
      result.diagnostics.map(\.message).contains(
        "the schemes `api_key` and `apiKey` both become the Swift function `apiKey`; rename one"))
  }
}
