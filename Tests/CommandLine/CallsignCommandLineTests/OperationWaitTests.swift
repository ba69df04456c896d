import CallsignJSON
import CallsignMock
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// `callsign call` of operations that go on after the call got a response, against a mock behind a socket.
@Suite("callsign call waits for operations") struct OperationWaitTests {
  /// Runs `callsign call` with a mock that has been prepared.
  private func call(
    _ words: String..., prepare: (MockServer) throws -> Void
  ) async throws -> (run: Run, requests: [String]) { try await call(words, prepare: prepare) }

  private func call(
    _ words: [String], prepare: (MockServer) throws -> Void
  ) async throws -> (run: Run, requests: [String]) {
    try await ExportShop.with(prepare) { mock, folder, url in
      let all = ["call", folder] + words + ["--base-url", url]
      let run = try await Run("callsign", all, environment: ["CALLSIGN_NO_CACHE": "1"])
      return (run, mock.requests.compactMap(\.operation))
    }
  }

  @Test("until the state is done, and reports the state on standard error")
  func done() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a b") {
      try ExportShop.states($0, "waiting", "running", "running", "done")
    }
    #expect(run.status == 0, "\(run.error)")
    #expect(run.output == #"{"id":"7","state":"done"}"# + "\n")
    #expect(run.error == "startExport: waiting\nstartExport: running\nstartExport: done\n")
    #expect(requests == ["startExport"] + Array(repeating: "getExport", count: 4))
  }

  @Test("a state that reports a failure ends with the status of a refused call")
  func failed() async throws {
    let (run, _) = try await call("startExport", "--shelf", "a") { try ExportShop.states($0, "running", "lost") }
    #expect(run.status == 1 && run.output.isEmpty, "\(run.output)")
    let last = #"error: startExport has failed; the last state was {"id":"7","state":"lost"}"#
    #expect(run.error == "startExport: running\nstartExport: lost\n\(last)\n")
  }

  @Test("--no-wait writes the first response, and asks nothing")
  func atOnce() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a", "--no-wait") { try ExportShop.states($0) }
    #expect(run.status == 0 && run.output == #"{"data":{"id":"7"}}"# + "\n", "\(run.error)")
    #expect(requests == ["startExport"])
  }

  @Test("--timeout ends the waiting, and names what was started")
  func timeout() async throws {
    let (run, requests) = try await call("startExport", "--shelf", "a", "--timeout", "30") { mock in
      try ExportShop.states(mock)
      try mock.reply(to: "getExport", with: .json(["id": "7", "state": "running"]))
    }
    #expect(run.status == 75 && run.output.isEmpty, "\(run.error)")
    #expect(run.error.contains(#"the first response was {"data":{"id":"7"}}"#), "\(run.error)")
    #expect(requests.contains("getExport"))
  }

  @Test("a state at the URL of a header field is requested from --base-url")
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

  @Test("a text of digits in the first response is sent as a number if the next call requires one") func digits()
    async throws
  {
    let (run, requests) = try await call("startJob") { mock in
      try mock.reply(to: "startJob", with: .json(["id": "7"], status: 202))
      try mock.reply(to: "getJob", with: .json(["id": "7", "state": "done"]), times: 1)
    }
    #expect(run.status == 0 && run.output == #"{"id":"7","state":"done"}"# + "\n", "\(run.error)")
    #expect(requests == ["startJob", "getJob"])
  }

  @Test(
    "a question that cannot be asked, or fails, ends with the first response, and with no status of a wrong call",
    arguments: [
      ("startExport", #"{"state":"running"}"#, nil), ("startExport", #"{"data":{"id":"9"}}"#, nil),
      ("startJob", #"{"id":"seven"}"#, nil), ("startSale", #"{"id":"8"}"#, nil),
      ("startSale", #"{"id":"8"}"#, "https://elsewhere.example/8"),
    ] as [(String, String, String?)])
  func failedQuestion(operation: String, response: String, place: String?) async throws {
    let shelf = operation == "startExport" ? ["--shelf", "a"] : []
    let (run, _) = try await call([operation] + shelf) { mock in
      let fields: HTTPFields = place.map { [.location: $0] } ?? [:]
      try mock.reply(
        to: operation, with: .json(try JSONValue(jsonString: response), status: 202, headers: fields))
      try mock.reply(to: "getExport", with: .json(["message": "no such export"], status: 404))
    }
    #expect(run.status == 69 && run.output.isEmpty, "\(run.status) \(run.error)")
    #expect(run.error.contains("\(operation) was carried out, but its state cannot be found out"), "\(run.error)")
    #expect(run.error.contains("  the first response was \(response)"), "\(run.error)")
    if response.contains("9") { #expect(run.error.contains("no such export\n"), "\(run.error)") }
    if operation == "startSale" { #expect(!run.error.contains("not sent"), "\(run.error)") }
  }

  @Test("the help says that it waits")
  func help() async throws {
    let (run, _) = try await call("startExport", "--help") { _ in }
    #expect(run.status == 0 && run.output.contains("waits until that is over"), "\(run.output)")
  }
}
