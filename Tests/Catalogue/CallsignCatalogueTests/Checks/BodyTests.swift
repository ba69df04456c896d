import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Bodies and responses")
struct BodyTests {
  @Test("a GET has no body")
  func aGetHasNone() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, body: json, params: {x: int}}
        b:
          call: GET /b
          params:
            x: {type: json, in: body}
            y: {type: int, in: field}
      """,
      """
      2:27: error: a GET has no body (RFC 9110 §9.3.1); remove `body`, and the parameters go in the query
      6:27: error: a GET has no body (RFC 9110 §9.3.1); remove `in: body`, or use POST
      7:26: error: a GET has no body (RFC 9110 §9.3.1); remove `in: field`, or use POST
      """)
  }

  @Test("a field is an error if there is no body")
  func aFieldWhereThereIs() {
    expectProblems(
      """
      endpoints:
        a:
          call: DELETE /a
          params:
            x: {type: int, in: field}
      """,
      """
      5:26: error: `x` is a field, but a DELETE has no body by default; add `body: json`
      """)
  }

  @Test("a whole body that is not JSON is text or bytes")
  func aRawBody() {
    expectProblems(
      """
      endpoints:
        a: {call: PUT /a, body: text/csv, params: {x: {type: "[string]", in: body}}}
        b: {call: PUT /b, body: application/xml, params: {x: {type: json, in: body}}}
        c: {call: PUT /c, body: text/plain, params: {x: {type: string | null?, in: body}}}
        d: {call: PUT /d, body: text/plain, params: {x: {type: string?, in: body}}}
        e: {call: PUT /e, body: image/png, params: {x: {type: bytes, in: body}}}
        f: {call: PUT /f, body: application/x+json, params: {x: {type: "[int]", in: body}}}
      """,
      """
      2:57: error: a body of this media type is not JSON; write `string` or `bytes`
      3:63: error: a body of this media type is not JSON; write `string` or `bytes`
      4:58: error: a body of this media type cannot be null; remove `| null`
      """)
  }

  @Test("the whole body and a field of it")
  func theWholeBodyAndA() {
    expectProblems(
      """
      endpoints:
        a:
          call: POST /a
          params:
            x: {type: json, in: body}
            y: int
        b:
          call: POST /b
          body: form
          params:
            x: {type: json, in: body}
        c:
          call: POST /c
          params:
            x: {type: json, in: body}
            y: {type: json, in: body}
      """,
      """
      5:7: error: `x` is the whole body, but `y` is a field of it; give `y` another place, such as `in: query`
      9:11: error: `x` is the whole body, in its own format; remove `body`
      16:7: error: one parameter can be the whole body, and `x` is; make both fields
      """)
  }

  @Test("a format without fields")
  func aFormatWithoutFields() {
    expectProblems(
      """
      endpoints:
        a: {call: POST /a, body: multipart}
      """,
      """
      2:28: error: no parameter is in the body; add one under `params`, or remove `body`
      """)
  }

  @Test("a required body where there is none, or one parameter is all of it")
  func aRequiredBodyWithoutFields() {
    expectProblems(
      """
      endpoints:
        a: {call: POST /a, body_required: true}
        b: {call: POST /b, body_required: true, params: {x: {type: json?, in: body}}}
        c: {call: POST /c, body_required: true, params: {x: int?}}
        d: {call: POST /d, body_required: true, body: json}
        e: {call: POST /e, body_required: false}
        f: {call: DELETE /f, body_required: yes, body: form, params: {x: int?}}
      """,
      """
      2:37: error: the endpoint has no body; remove `body_required`, or add `body: json`
      3:37: error: `x` is the whole body; remove `body_required`, and write its type without `?`
      7:39: error: `body_required` must be `true` or `false`, not `yes`
      """)
  }

  @Test("streams")
  func streams() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, stream: lines}
        b: {call: GET /b, stream: lines, returns: bytes}
        c:
          call: GET /c
          stream: length
          params: {t: string?}
          pages: {token: t, next: n, items: d}
          returns: json
      """,
      """
      2:29: error: `stream` needs `returns`, the type of one record; add it (`json` for any)
      3:29: error: a stream's records are JSON, not `bytes`; name their type in `returns`
      8:12: error: an endless response has no pages; remove `pages` or `stream`
      """)
  }

  @Test("a HEAD has no response but its header fields")
  func aHeadHasNoResponse() {
    expectProblems(
      """
      endpoints:
        a: {call: HEAD /a, returns: M}
        b: {call: HEAD /b}
        c: {call: HEAD /c, accept: text/csv, returns: string}
        d: {call: HEAD /d, stream: lines, returns: json}
      models: {M: {x: int}}
      """,
      """
      2:31: error: a HEAD gets a response without a body (RFC 9110 §9.3.2); remove `returns`, the header fields are in `response.headers`
      4:49: error: a HEAD gets a response without a body (RFC 9110 §9.3.2); remove `returns`, the header fields are in `response.headers`
      5:46: error: a HEAD gets a response without a body (RFC 9110 §9.3.2); remove `returns`, the header fields are in `response.headers`
      """)
  }

  @Test("the status of a response is a success, and has content if the call returns something")
  func statuses() {
    expectProblems(
      """
      endpoints:
        a: {call: POST /a, status: 201, returns: string}
        b: {call: POST /b, status: 404}
        c: {call: POST /c, status: created}
        d: {call: DELETE /d, status: 204, returns: string}
        e: {call: DELETE /e, status: 204}
      """,
      """
      3:30: error: `status` is that of a successful response, from 200 to 299; write one such as `201`
      4:30: error: `status` is that of a successful response, from 200 to 299; write one such as `201`
      5:32: error: a response of 204 has no content (RFC 9110 §15.3); remove `returns`, or `status`
      """)
  }

  @Test("responses")
  func responses() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, returns: string?}
        b: {call: GET /b, returns: Nope}
        c: {call: GET /c, returns: number | null}
        d: {call: GET /d, returns: bytes | null}
        e: {call: GET /e, returns: number | null, stream: lines}
        f: {call: GET /f, returns: string | null, accept: text/plain}
      """,
      """
      2:30: error: a response has no `?`; leave `returns` out when it has no content, or write `| null` when it may be null
      3:30: error: unknown type `Nope`; declare it under `models:`, or use one of the built-in types
      5:30: error: only JSON without pages, records, header fields or a state may be null; remove `| null`
      6:30: error: only JSON without pages, records, header fields or a state may be null; remove `| null`
      7:30: error: only JSON without pages, records, header fields or a state may be null; remove `| null`
      """)
  }
}
