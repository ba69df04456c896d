import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Keys")
struct KeyTests {
  @Test("an unknown key at the top is an error")
  func unknownAtTheTop() {
    expectProblems(
      """
      endpoint:
        a: {}
      """,
      """
      1:1: error: unknown key `endpoint` in a catalogue file; did you mean `endpoints`?
      """)
  }

  @Test("an unknown key of any mapping is an error")
  func unknownInEachMapping() {
    expectProblems(
      """
      group: {sumary: x}
      endpoints:
        a:
          call: GET /a
          retruns: A
          params: {p: {typ: int, type: int}}
          pages: {tokn: x, token: x, items: d, next: n}
          returns: json
      models:
        A: {$sumary: x}
        B: {f: {type: int, nme: x}}
        C: {$enum: {v: {sumary: x}}}
        D: {$union: [{typ: int, type: int}]}
      """,
      """
      1:9: error: unknown key `sumary` in `group`; did you mean `summary`?
      5:5: error: unknown key `retruns` in endpoint `a`; did you mean `returns`?
      6:18: error: unknown key `typ` in parameter `p`; did you mean `type`?
      7:13: error: unknown key `tokn` in `pages`; did you mean `token`?
      7:29: error: `pages` names `x`, which is not a parameter; add it under `params`
      10:7: error: unknown key `$sumary` in model `A`; did you mean `$summary`?
      11:22: error: unknown key `nme` in field `f`; did you mean `name`?
      12:19: error: unknown key `sumary` in the enum's value `v`; did you mean `summary`?
      13:17: error: unknown key `typ` in a union's variant; did you mean `type`?
      """)
  }

  @Test("a value of the wrong kind is an error")
  func wrongKindsOfValue() {
    expectProblems(
      """
      endpoints:
        a:
          call: GET /a
          summary: [a]
          repeatable: maybe
          deprecated: {}
          params: [x]
          body: xml
          stream: words
          auth: {oauth1: 1}
          limits: 300
          docs:
      """,
      """
      4:14: error: `summary` must be a text, not a list; write `summary: …`, or remove the key
      5:17: error: `repeatable` must be `true` or `false`, not `maybe`
      6:17: error: `deprecated` must be a text, not a mapping; write `deprecated: …`, or remove the key
      7:13: error: `params` must be a mapping from names, not a list
      8:11: error: `body` cannot be `xml`; it is one of `json`, `form`, `multipart`
      8:11: error: a GET has no body (RFC 9110 §9.3.1); remove `body`, and the parameters go in the query
      9:13: error: `stream` cannot be `words`; it is one of `lines`, `length`, `events`, `array`
      10:11: error: `auth` is a list of schemes, such as `[oauth1, oauth2(read, write)]`; `[none]` needs none
      11:13: error: `limits` must be a mapping from names, not a text
      12:10: error: `docs` must be a text, not nothing; write `docs: …`, or remove the key
      """)
  }

  @Test("an endpoint without `call` is an error")
  func aCallIsMissing() {
    expectProblems(
      """
      endpoints:
        a: {summary: x}
      """,
      """
      2:3: error: endpoint `a` has no `call`; write one such as `call: GET /pets/{id}`
      """)
  }
}
