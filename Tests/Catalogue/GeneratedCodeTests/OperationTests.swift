import Callsign
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Operations that go on after their call got a response.
@Suite struct OperationTests {
  @Test("An operation is polled until it is over, at the URL that its response named") func statuses() async throws {
    let server = try ShopServer { request, peer, number in
      switch number {
      case 1: try peer.respond("202 Accepted", ["Location: http://\(request["Host"] ?? "")/v1/orders/7/state"])
      default: try peer.respond("200 OK", number == 2 ? ["Retry-After: 0"] : [], Array(#"{"id":"\#(number)"}"#.utf8))
      }
    }
    defer { server.stop() }
    let petstore = server.petstore()
    let started = try await petstore.call(.post, "/orders")
    let location = try #require(started.headers[.location])
    let states = petstore.statuses(every: .milliseconds(1), until: { (order: Petstore.Order) in order.id == "4" }) {
      () async throws(CallError) in try await petstore.status(at: location, as: Petstore.Order.self)
    }
    var ids: [String] = []
    for try await state in states { ids.append(state.id) }
    #expect(ids == ["2", "3", "4"])
    #expect(server.targets == ["/v1/orders"] + Array(repeating: "/v1/orders/7/state", count: 3))
    await #expect(throws: CallError.self) {
      _ = try await petstore.status(at: "https://elsewhere.example/x", as: Petstore.Order.self)
    }
    let cancelled = Task {
      try await petstore.statuses(every: .seconds(600), until: { (_: Petstore.Order) in false }) {
        () async throws(CallError) in try await petstore.status(at: location, as: Petstore.Order.self)
      }.last()
    }
    while server.requests.count < 5 { await Task.yield() }
    cancelled.cancel()
    await #expect { _ = try await cancelled.value } throws: { ($0 as? CallError)?.isCancellation == true }
  }

  /// Responds to the start with 202, and then with the states, the last one again and again.
  private func exporting(
    _ states: [String], start: [String] = [], each: [String] = ["Retry-After: 0"]
  ) throws -> ShopServer {
    try ShopServer { request, peer, number in
      if request.method == "POST" {
        return try peer.respond("202 Accepted", start, Array(#"{"id":"7"}"#.utf8))
      }
      if request.method == "DELETE" { return try peer.respond("204 No Content", []) }
      let state = states[min(number - 2, states.count - 1)]
      try peer.respond("200 OK", each, Array(#"{"id":"7",\#(state)}"#.utf8))
    }
  }

  @Test("A generated operation gives its states until it is done") func operation() async throws {
    let server = try exporting([#""state":"running","percent":50"#, #""state":"done","percent":100"#])
    defer { server.stop() }
    let export = try await server.petstore().startExportOperation(shelf: "a b", format: "csv")
    #expect(export.started.id == "7")
    let percents = Locked<[Int?]>([])
    let result = try await export.result { state in percents.withLock { $0.append(state.percent) } }
    #expect(result.state == "done")
    #expect(percents.withLock { $0 } == [50, 100])
    #expect(server.targets == ["/v1/exports", "/v1/shelves/a%20b/exports/7", "/v1/shelves/a%20b/exports/7"])
    #expect(server.requests[0].text == #"{"shelf":"a b","format":"csv"}"#)
    var states: [String?] = []
    for try await state in export { states.append(state.state) }
    #expect(states == ["done"])
  }

  @Test("An operation that fails is an error with its last state, and can be looked at as a state") func failure()
    async throws
  {
    let server = try exporting([#""state":"running""#, #""state":"lost""#])
    defer { server.stop() }
    let export = try await server.petstore().startExportOperation(shelf: "a")
    do throws(CallError) {
      _ = try await export.result()
      Issue.record("no error")
    } catch {
      guard case .api(let refusal) = error else { throw error }
      #expect(try refusal.body(as: Petstore.ExportState.self).state == "lost")
    }
    var states: [String?] = []
    for try await state in export { states.append(state.state) }
    #expect(states == ["lost"])
  }

  @Test("A slow operation is polled no sooner than its responses say") func slow() async throws {
    let server = try exporting(
      [#""state":"running""#, #""state":"done""#], start: ["Retry-After: 1"], each: ["Retry-After: 2"])
    defer { server.stop() }
    let time = TestTime(.moves)
    let petstore = server.petstore { $0.time = time }
    let result = try await petstore.startExportOperation(shelf: "a").result()
    #expect(result.state == "done")
    #expect(time.sleeps == [.seconds(1), .seconds(2)])
  }

  @Test("Cancelling the task ends the asking, and cancel() the operation") func cancellation() async throws {
    let server = try exporting([#""state":"running""#], each: ["Retry-After: 600"])
    defer { server.stop() }
    let export = try await server.petstore().startExportOperation(shelf: "a")
    let task = Task { try await export.result() }
    while server.requests.count < 2 { await Task.yield() }
    task.cancel()
    await #expect { _ = try await task.value } throws: { ($0 as? CallError)?.isCancellation == true }
    #expect(export.isCancellable)
    try await export.cancel()
    #expect(server.requests.last.map { "\($0.method) \($0.target)" } == "DELETE /v1/exports/7")
    #expect(server.requests.count == 3)
  }

  @Test("The URL of a header field is polled until the response is not 202") func location() async throws {
    let server = try ShopServer { request, peer, number in
      switch number {
      case 1: try peer.respond("202 Accepted", ["Location: /v1/sales/9"])
      case 2: try peer.respond("202 Accepted", ["Retry-After: 0"])
      case 3: try peer.respond("202 Accepted", ["Retry-After: 0"], Array(#"{"id":"9","percent":50}"#.utf8))
      default: try peer.respond("200 OK", [], Array(#"{"id":"9","percent":100}"#.utf8))
      }
    }
    defer { server.stop() }
    let sale = try await server.petstore().startSaleOperation()
    var percents: [Int?] = []
    for try await state in sale { percents.append(state.percent) }
    #expect(percents == [50, 100])
    #expect(server.targets == ["/v1/sales", "/v1/sales/9", "/v1/sales/9", "/v1/sales/9"])
    #expect(!sale.isCancellable)
    await #expect(throws: CallError.self) { try await sale.cancel() }
  }

  @Test(
    "An operation continues through its header field if its first response has no content",
    arguments: ["202 Accepted", "204 No Content", "200 OK"])
  func emptyStart(status: String) async throws {
    let server = try ShopServer { _, peer, number in
      switch number {
      case 1: try peer.respond(status, ["Operation-Location: /v1/audits/9"])
      case 2: try peer.respond("202 Accepted", ["Retry-After: 0"], Array(#"{"id":"9","percent":50}"#.utf8))
      default: try peer.respond("200 OK", [], Array(#"{"id":"9","percent":100}"#.utf8))
      }
    }
    defer { server.stop() }
    let petstore = server.petstore()
    let audit = try await petstore.startAuditOperation(shelf: "a")
    let started: Petstore.ExportState? = audit.started.value
    #expect(started == nil)
    #expect(try await audit.result().percent == 100)
    #expect(server.targets == ["/v1/audits", "/v1/audits/9", "/v1/audits/9"])
    #expect(server.requests.first?.text == #"{"shelf":"a"}"#)
    #expect(petstore.client.statistics.total.failures == 0)
  }

  @Test("A first response that ends the operation is its state") func overAtOnce() async throws {
    let server = try ShopServer(#"{"id":"9","percent":100}"#)
    defer { server.stop() }
    let audit = try await server.petstore().startAuditOperation()
    #expect(audit.started.value?.percent == 100)
    #expect(try await audit.result().percent == 100)
    #expect(server.requests.count == 1)
  }

  @Test("An endpoint that returns the state can say with an empty 202 that the operation continues") func emptyState()
    async throws
  {
    let server = try ShopServer { request, peer, number in
      if request.method == "POST" { return try peer.respond("202 Accepted", [], Array(#"{"id":"7"}"#.utf8)) }
      if number == 2 { return try peer.respond("202 Accepted", ["Retry-After: 0"]) }
      try peer.respond("200 OK", [], Array(#"{"id":"7","state":"done"}"#.utf8))
    }
    defer { server.stop() }
    #expect(try await server.petstore().startExportOperation(shelf: "a").result().state == "done")
  }

  @Test("A response without the URL is an error, and so is one at another host") func withoutLocation() async throws {
    for fields in [["Location: https://elsewhere.example/sales/9"], []] {
      let server = try ShopServer { _, peer, _ in try peer.respond("202 Accepted", fields) }
      defer { server.stop() }
      let sale = try await server.petstore().startSaleOperation()
      await #expect { _ = try await sale.result() } throws: { error in
        switch error as? CallError {
        case .invalidCall: !fields.isEmpty
        case .unexpectedContent(let content):
          fields.isEmpty && content.kind == .missingState && content.status == .accepted
        default: false
        }
      }
      #expect(server.requests.count == 1)
    }
  }
}
