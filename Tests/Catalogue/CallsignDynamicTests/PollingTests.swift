import Callsign
import CallsignCatalogue
import CallsignDynamic
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Long-running operations, without generated code") struct PollingTests {
  private static let text = """
    api:
      name: Shop
      hosts: {api: "https://{place}.shop.example/v1"}
      schemes: {none: null}
      auth: [none]
    endpoints:
      startExport:
        call: POST /exports
        params: {shelf: string, format: string?}
        poll: {ask: getExport, with: {id: data.id}, done: {state: done}, failed: {state: [failed, lost]}, cancel: cancelExport}
        returns: Receipt
      getExport: {call: "GET /shelves/{shelf}/exports/{id}", params: {shelf: string, id: string}, returns: Export}
      cancelExport: {call: "DELETE /exports/{id}", params: {id: string}}
      startCopy:
        call: POST /copies
        poll: {ask: getCopy, with: {number: number, name: name, kind: kind}, done: {state: done}}
        returns: Copy
      getCopy: {call: GET /copy, params: {number: int, name: string, kind: CopyKind}, returns: Export}
      startSale: {call: POST /sales, poll: {header: Location, returns: Export, every: 5s}}
      startAudit: {call: POST /audits, poll: {header: Location, every: 5s}, returns: Export}
      startRepair: {call: POST /repairs, poll: {url: links.state}, returns: Repair}
    models:
      Copy: {number: int, name: string, kind: CopyKind}
      CopyKind: enum [1, b]
      Receipt: {data: ReceiptData}
      ReceiptData: {id: string}
      Export: {id: string, state: string?}
      Repair: {id: string, links: RepairLinks?}
      RepairLinks: {state: string?}
    """

  /// An API that responds by the method and path of a request, and the requests.
  private static func api(
    _ time: TestTime, _ respond: @escaping @Sendable (_ target: String, _ number: Int) -> TransportResponse
  ) throws -> (DynamicAPI, InMemoryTransport) {
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "shop.yaml", bytes: Array(text.utf8))])
    let catalogue = try #require(result.catalogue, "\(result.diagnostics)")
    let number = Locked(0)
    let transport = InMemoryTransport { request in
      respond(
        "\(request.head.method) \(request.head.path ?? "")",
        number.withLock {
          $0 += 1
          return $0
        })
    }
    var configuration = ClientConfiguration(transport: transport, retry: .never)
    configuration.time = time
    configuration.hostVariables = ["place": "north"]
    return (DynamicAPI(catalogue, auth: [], configuration: configuration), transport)
  }

  @Test("Polling uses credentials of the kinds that the call accepts, and never another API's")
  func credentials() async throws {
    let text = """
      api:
        name: Jobs
        hosts: {api: "https://jobs.example/v1"}
        schemes: {key: {$in: header, $name: X-Api-Key}, none: null}
        auth: [key]
      endpoints:
        startJob: {call: POST /jobs, poll: {header: Location, every: 5s, returns: Job}}
        startOpenJob: {call: POST /open, auth: [none], poll: {header: Location, every: 5s, returns: Job}}
      models: {Job: {state: string?}}
      """
    let result = CatalogueLoader().load(files: [CatalogueSource(path: "jobs.yaml", bytes: Array(text.utf8))])
    let transport = InMemoryTransport { request in
      var response = request.head.method == .post ? TransportResponse.json("", status: .accepted) : .json("{}")
      response.head.headerFields[.location] = "/v1/jobs/1"
      return response
    }
    let configuration = ClientConfiguration(transport: transport, retry: .never, time: TestTime(.moves))
    let key = APIKey("k1", in: .header("X-Api-Key"), scheme: "key")
    let api = DynamicAPI(
      try #require(result.catalogue, "\(result.diagnostics)"),
      auth: [Bearer("of another API"), key], configuration: configuration)
    for (name, expected) in [("startJob", "k1"), ("startOpenJob", nil)] {
      let job = try #require(try await api.start(try api.operation(name).call()))
      _ = try await job.result()
      for request in transport.requests.suffix(2) {
        #expect(request.headerFields[.authorization] == nil)
        let name = try #require(HTTPField.Name("X-Api-Key"))
        #expect(request.headerFields[name] == expected)
      }
    }
  }

  @Test("Polling asks an endpoint until the state is done, with arguments from the call and the response")
  func endpoint() async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, number in
      switch number {
      case 1: .json(#"{"data":{"id":"7"}}"#, status: .accepted)
      case 2: .json(#"{"id":"7","state":"running"}"#)
      case 3: .json(#"{"id":"7","state":"done"}"#)
      default: .json("", status: .noContent)
      }
    }
    let export = try #require(try await api.start(try api.operation("startExport").call(["shelf": "a b"])))
    #expect(export.started.value["data"]?["id"] == "7")
    #expect(try await export.result().value["state"] == "done")
    try await export.cancel()
    #expect(
      transport.requests.map { "\($0.head.method) \($0.head.path ?? "")" } == [
        "POST /v1/exports", "GET /v1/shelves/a%20b/exports/7", "GET /v1/shelves/a%20b/exports/7",
        "DELETE /v1/exports/7",
      ])
  }

  @Test("A state that reports a failure is an error")
  func failure() async throws {
    let (api, _) = try Self.api(TestTime(.moves)) { _, number in
      number == 1 ? .json(#"{"data":{"id":"7"}}"#, status: .accepted) : .json(#"{"id":"7","state":"lost"}"#)
    }
    let export = try #require(try await api.start(try api.operation("startExport").call(["shelf": "a"])))
    await #expect { _ = try await export.result() } throws: { error in
      if case .api? = error as? CallError { true } else { false }
    }
  }

  @Test("Numbers that a response writes as texts are sent as numbers, and the other way round")
  func laxTypes() async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, number in
      number == 1
        ? .json(#"{"number":"7","name":8,"kind":1}"#, status: .accepted) : .json(#"{"id":"7","state":"done"}"#)
    }
    let copy = try #require(try await api.start(try api.operation("startCopy").call()))
    #expect(try await copy.result().value["state"] == "done")
    #expect(transport.requests.last?.head.path == "/v1/copy?number=7&name=8&kind=1")
  }

  @Test("A response that lacks what polling needs is an error, and nothing is sent")
  func missing() async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, _ in .json("{}", status: .accepted) }
    let export = try #require(try await api.start(try api.operation("startExport").call(["shelf": "a"])))
    await #expect { _ = try await export.result() } throws: { error in
      if case .invalidCall? = error as? CallError { true } else { false }
    }
    #expect(transport.requests.count == 1)
  }

  @Test("A first response without content is enough if a header field has the URL", arguments: [202, 204])
  func emptyStart(status: Int) async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, number in
      number == 1
        ? TransportResponse(
          status: HTTPResponse.Status(code: status), headerFields: [.location: "/v1/audits/9"], body: Data())
        : .json(#"{"id":"9","state":"done"}"#)
    }
    let audit = try #require(try await api.start(try api.operation("startAudit").call()))
    #expect(audit.started.value == .null)
    #expect(try await audit.result().value["state"] == "done")
    #expect(transport.requests.map { $0.head.path } == ["/v1/audits", "/v1/audits/9"])
  }

  @Test("Polling asks the URL of a header field at the API's own host, with the host's variables, every few seconds")
  func header() async throws {
    let time = TestTime(.moves)
    let (api, transport) = try Self.api(time) { _, number in
      switch number {
      case 1:
        TransportResponse(
          status: .accepted, headerFields: [.location: "https://north.shop.example/v1/sales/9"], body: Data())
      case 2: .json(#"{"id":"9"}"#, status: .accepted)
      default: .json(#"{"id":"9","state":"sold"}"#)
      }
    }
    let sale = try #require(try await api.start(try api.operation("startSale").call()))
    #expect(try await sale.result().value["state"] == "sold")
    #expect(time.sleeps == [.seconds(5)])
    #expect(transport.requests.map { $0.head.path } == ["/v1/sales", "/v1/sales/9", "/v1/sales/9"])
    let (other, _) = try Self.api(time) { _, _ in
      TransportResponse(status: .accepted, headerFields: [.location: "https://elsewhere.example/9"], body: Data())
    }
    let elsewhere = try #require(try await other.start(try other.operation("startSale").call()))
    await #expect(throws: CallError.self) { _ = try await elsewhere.result() }
  }

  @Test("A first response that is a state may end the operation, another one may not")
  func first() async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, _ in .json(#"{"id":"9","state":"done"}"#) }
    let repair = try #require(try await api.start(try api.operation("startRepair").call()))
    #expect(try await repair.result().value["state"] == "done")
    #expect(transport.requests.count == 1)
    let sale = try #require(try await api.start(try api.operation("startSale").call()))
    await #expect(throws: CallError.self) { _ = try await sale.result() }  // no Location
  }

  @Test("An operation that is over with its response is not started")
  func none() async throws {
    let (api, transport) = try Self.api(TestTime(.moves)) { _, _ in .json("{}") }
    let operation = try await api.start(try api.operation("getExport").call(["shelf": "a", "id": "7"]))
    #expect(operation == nil)
    #expect(transport.requests.isEmpty)
  }
}
