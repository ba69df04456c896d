import CallsignCatalogue
import CatalogueTestSupport
import TestSupport
import Testing

@Suite("Polling of operations is checked")
struct PollTests {
  private let others = """
      getExport: {call: "GET /exports/{id}", params: {id: string, page: int?}, returns: Export}
      stopExport: {call: "DELETE /exports/{id}", params: {id: string}}
    models:
      Export: {id: string, state: State, links: Links?, late: string?}
      Links: {state: url}
      State: enum [running, done]
    """

  @Test("the polling of an operation is in the model")
  func model() throws {
    let catalogue = try loadShop(
      """
      endpoints:
        startExport:
          call: POST /exports
          poll: {ask: getExport, with: {id: id}, done: {state: done}, failed: {state: [not running, not done]}, every: 90s,
            cancel: stopExport}
          returns: Export
      """ + "\n" + others
    ).expectCatalogue()
    #expect(
      try catalogue.endpoint("startExport").poll
        == OperationPoll(
          place: .endpoint("getExport"), arguments: [Constant(name: "id", value: "id")], interval: 90_000,
          done: [FailureSign(path: "state", values: ["done"])],
          failed: [FailureSign(path: "state", values: ["running", "done"], isNegated: true)], cancel: "stopExport"))
  }

  @Test("polling that cannot work is reported at its place")
  func mistakes() {
    expectProblems(
      """
      endpoints:
        a: {call: POST /a, poll: {ask: getExport, header: Location}, returns: Export}
        b: {call: POST /b, poll: {ask: getExprt}, returns: Export}
        c: {call: POST /c, poll: {ask: getExport}, returns: Export}
        d: {call: POST /d, poll: {ask: getExport, with: {id: late}}, returns: Export}
        e: {call: POST /e, poll: {ask: getExport, with: {id: state, ix: id}}, returns: Export}
        f: {call: POST /f, poll: {url: links.stat, every: soon}, returns: Export}
        g: {call: POST /g, poll: {header: Location}}
        h: {call: POST /h, poll: {ask: getExport, with: {id: id}, done: {stat: done}, cancel: stop}, returns: Export}
        i: {call: POST /i, poll: {ask: stopExport, with: {id: id}}, returns: Export}
        j: {call: POST /j, poll: {ask: getExport}, params: {id: string}, returns: Export}

      """ + others,
      """
      2:22: error: `poll` has one of `ask`, the endpoint that tells the state, `header`, the response's field with its URL, and `url`, the response's member with it
      3:34: error: unknown endpoint `getExprt`; did you mean `getExport`?
      4:34: error: `getExport` requires `id`; name the member that has it: `with: {id: id}`
      5:56: error: the response may lack `late`; if it never does, take the `?` from its type
      6:56: error: `state` is `State`, and `getExport` takes `string`
      6:67: error: no endpoint that `poll` names has a parameter `ix`; remove it
      7:40: error: `Links` has no field `stat`; did you mean `state`?
      7:53: error: `every` is a time such as `5s` (units ms, s, m, h)
      8:28: error: the state has no type; add it as `returns` of `poll`
      9:67: error: `Export` has no field `stat`; did you mean `state`?
      9:89: error: unknown endpoint `stop`; add it
      10:34: error: `stopExport` responds with no state; name an endpoint that `returns` one
      """)
  }

  @Test("arguments for polling can be null only if the parameter allows it")
  func nulls() {
    expectProblems(
      """
      endpoints:
        a: {call: POST /a, poll: {ask: getPart}, params: {id: string | null, part: string | null}, returns: Part}
        b: {call: POST /b, poll: {ask: getPart}, params: {id: string, part: string}, returns: Part}
        c: {call: POST /c, poll: {ask: getPart, with: {id: id, part: id}}, returns: Part}
        d: {call: POST /d, poll: {ask: getPart}, params: {id: string, part: string | null}, returns: Part}
        getPart: {call: "GET /parts/{id}", params: {id: string, part: string | null}, returns: Part}
      models: {Part: {id: string}}
      """,
      """
      2:34: error: `getPart` requires `id`; name the member that has it: `with: {id: id}`
      3:34: error: `getPart` requires `part`; name the member that has it: `with: {part: id}`
      4:64: error: `id` is `string`, and `getPart` takes `string | null`
      """)
  }
}
