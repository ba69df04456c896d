import CallsignJSON
import CallsignMock
import CallsignMockServer
import Foundation
import TestSupport
import Testing

/// `callsign call` of operations that go on after the call was answered, against a mock behind a socket.
@Suite("callsign call waits for operations") struct OperationWaitTests {
  private static let catalogue = """
    api:
      name: Shop
      hosts: {api: "https://shop.example/v1"}
      schemes: {none: null}
      auth: [none]
    endpoints:
      startExport:
        call: POST /exports
        params: {shelf: string}
        poll: {ask: getExport, with: {id: data.id}, done: {state: done}, failed: {state: lost}, every: 20ms}
        returns: Receipt
      getExport: {call: "GET /shelves/{shelf}/exports/{id}", params: {shelf: string, id: string}, returns: Export}
      startSale: {call: POST /sales, poll: {header: Location, returns: Export, every: 20ms}}
      getSale: {call: "GET /sales/{id}", params: {id: string}, returns: Export}
    models:
      Receipt: {data: ReceiptData}
      ReceiptData: {id: string}
      Export: {id: string, state: string?}
    """

  private static let started = MockReply.json(["data": ["id": "7"]], status: 202)

  /// Runs `callsign call` with a mock that has been prepared.
  private func call(
    _ words: String..., prepare: (MockServer) throws -> Void
  ) async throws -> (run: Run, requests: [String]) {
    let folder = try TemporaryFolder()
    try folder.write(Self.catalogue, to: "shop.yaml")
    let mock = try MockServer(folder: folder.path)
    try prepare(mock)
    let listener = try await mock.listen()
    let run: Run
    do {
      let all = ["call", folder.path] + words + ["--base-url", listener.url.absoluteString]
      run = try await Run("callsign", all, environment: ["CALLSIGN_NO_CACHE": "1"])
    } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
    return (run, mock.requests.compactMap(\.operation))
  }

  private func prepareExport(_ mock: MockServer, _ states: JSONValue...) throws {
    try mock.reply(to: "startExport", with: Self.started)
    for state in states { try mock.reply(to: "getExport", with: .json(["id": "7", "state": state]), times: 1) }
  }

  @Test("until the state is done, and says on standard error how it stands")
  func done() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a b") {
      try prepareExport($0, "waiting", "running", "running", "done")
    }
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == #"{"id":"7","state":"done"}"# + "\n")
    #expect(run.error == "startExport: waiting\nstartExport: running\nstartExport: done\n")
    #expect(requests == ["startExport"] + Array(repeating: "getExport", count: 4))
  }

  @Test("a state that says that it failed ends with the status of a refused call")
  func failed() async throws {
    let (run, _) = try await call("startExport", "--shelf", "a") { try prepareExport($0, "running", "lost") }
    #expect(run.status == 1 && run.output.isEmpty, "\(run.output)")
    let last = #"error: startExport has failed; the last state was {"id":"7","state":"lost"}"#
    #expect(run.error == "startExport: running\nstartExport: lost\n\(last)\n")
  }

  @Test("--no-wait writes the first answer, and asks nothing")
  func atOnce() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a", "--no-wait") { try prepareExport($0) }
    #expect(run.status == 0 && run.output == #"{"data":{"id":"7"}}"# + "\n", "\(run.error)")
    #expect(requests == ["startExport"])
  }

  @Test("--timeout ends the waiting, and names what was started")
  func timeout() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a", "--timeout", "10") { mock in
      try prepareExport(mock)
      try mock.reply(to: "getExport", with: .json(["id": "7", "state": "running"]))
    }
    #expect(run.status == 75 && run.output.isEmpty, "\(run.error)")
    #expect(run.error.contains(#"the first answer was {"data":{"id":"7"}}"#), "\(run.error)")
    #expect(requests.contains("getExport"))
  }

  @Test("a state at the URL of a header field is asked for where --base-url leads")
  func header() async throws {
    let (run, requests) = try await call("startSale") { mock in
      try mock.reply(to: "startSale", with: .status(202, headers: [.location: "/sales/9"]))
      try mock.reply(to: "getSale", with: .json(["id": "9"], status: 202), times: 1)
      try mock.reply(to: "getSale", with: .json(["id": "9", "state": "sold"]), times: 1)
    }
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == #"{"id":"9","state":"sold"}"# + "\n")
    #expect(requests == ["startSale", "getSale", "getSale"])
  }

  @Test("the help says that it waits")
  func help() async throws {
    let (run, _) = try await call("startExport", "--help") { _ in }
    #expect(run.status == 0 && run.output.contains("waits until that is over"), "\(run.output)")
  }
}
