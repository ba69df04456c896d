import CallsignCatalogue
import CatalogueTestSupport
import Testing

@Suite("Authorization, hosts and limits")
struct AuthTests {
  @Test("unknown schemes and scopes are errors")
  func schemesAndScopes() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, auth: [oauth3]}
        b: {call: GET /b, auth: [oauth1, oauth2(read, wirte)]}
        c: {call: GET /c, auth: [oauth1(read)]}
        d: {call: GET /d, auth: [partner]}
        e: {call: GET /e, auth: []}
        g: {call: GET /g, auth: ["oauth2(read"]}
        h: {call: GET /h, auth: [bearer, bearer]}
        i: {call: GET /i, auth: [none(read)]}
        j: {call: GET /j, auth: [oauth2()]}
        k: {call: GET /k, auth: "oauth2(read, write), none"}
      """,
      """
      2:28: error: unknown auth scheme `oauth3`; did you mean `oauth1`?
      3:49: error: unknown scope `wirte` of `oauth2`; did you mean `write`?
      4:35: error: `oauth1` has no scopes; remove them
      5:28: error: unknown auth scheme `partner`; declare it under `api.schemes`
      6:27: error: `auth` is empty; write `[none]` when the call needs no credentials
      7:29: error: the `(` after `oauth2` is never closed; add `)`
      8:36: warning: `bearer` is in this list twice; remove one
      9:33: error: `none` has no scopes; remove them
      10:35: error: a scope is missing or has a space in it; write `oauth2(read, write)`
      """)
  }

  @Test("a key's place without its dollar sign is reported, because it would be a scope")
  func placesWithoutDollar() {
    let result = load(
      """
      api:
        name: Shop
        hosts: {api: "https://shop.example"}
        schemes:
          k: {in: header, name: X-Key}
          oauth2: {read: One., prefix: Two.}
      endpoints: {a: {call: GET /a, auth: [k]}}

      """)
    let found = result.diagnostics.map { $0.description.drop { $0 != ":" }.dropFirst() }
    #expect(
      found == [
        "5:9: warning: `in` is a scope here; if it is not one, write `$in`",
        "5:21: warning: `name` is a scope here; if it is not one, write `$name`",
        "6:26: warning: `prefix` is a scope here; if it is not one, write `$prefix`",
      ])
    #expect(result.catalogue != nil)
  }

  @Test("a default with which the client could not call")
  func hostDefaults() {
    func problem(_ url: String, _ value: String) -> String? {
      let result = load(
        """
        api:
          name: Shop
          hosts:
            api:
              url: "\(url)"
              variables: {part: "\(value)"}
          auth: [none]
        endpoints: {get: {call: GET /a}}

        """)
      #expect((result.catalogue == nil) == result.diagnostics.hasErrors)
      return result.diagnostics.first?.description
    }
    #expect(
      problem("https://{part}.shop.example", "eu_1")
        == "api.yaml:6:19: error: `eu_1` cannot stand for `{part}`: a host has letters, digits, `-` and `.`, and a port "
        + "behind `:`")
    #expect(
      problem("https://shop.example/{part}", "v1:2")
        == "api.yaml:6:19: error: `v1:2` cannot stand for `{part}`: a path has letters, digits, `-`, `.`, `_`, `~` and "
        + "`/`, and no segment `.` or `..`")
    #expect(problem("https://shop.example/{part}", "a/..") != nil)
    #expect(
      problem("https://{part}.shop.example", "")
        == "api.yaml:6:19: error: the default of `{part}` is empty, and with it a part of the host")
    #expect(problem("https://shop.example/{part}", "") == nil)
    #expect(problem("{part}://shop.example", "http") == nil)
    #expect(problem("https://{part}", "shop.example:8080") == nil)
    #expect(problem("https://shop.example/{part}/x", "v1_2/b~c") == nil)
  }

  @Test("unknown hosts are errors")
  func hosts() {
    expectProblems(
      """
      group: {host: fils}
      endpoints:
        a: {call: GET /a, host: "https://x.example"}
        b: {call: GET /b, host: zzz}
      """,
      """
      1:15: error: unknown host `fils`; did you mean `files`?
      3:27: error: unknown host `https://x.example`; give the URL a name under `api.hosts`, and write the name here
      4:27: error: unknown host `zzz`; it is one of `api`, `files`
      """)
  }

  @Test("a value that is not a rate limit is an error")
  func limits() {
    expectProblems(
      """
      endpoints:
        a: {call: GET /a, limits: {user: 300, app: 300/15x, x: a/15m, y: 0/15m, ok: 1/h, z: 99999999999999999999/1s}}
        b: {call: GET /b, limits: {user: 300/-9223372036854775808d}}
      """,
      """
      2:36: error: `300` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)
      2:46: error: `300/15x` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)
      2:58: error: `a/15m` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)
      2:68: error: a rate limit of nothing cannot be kept; write requests per window, such as `300/15m`
      2:87: error: `99999999999999999999/1s` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)
      3:36: error: `300/-9223372036854775808d` is not a rate limit; write requests per window, such as `300/15m` (units s, m, h, d)
      """)
  }
}
