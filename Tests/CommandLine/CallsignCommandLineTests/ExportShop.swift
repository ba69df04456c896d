import CallsignJSON
import CallsignMock
import CallsignMockServer
import TestSupport

/// An API with operations that go on after they got responses, as a mock behind a socket.
enum ExportShop {
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
      startSale:
        call: POST /sales
        params: {wait_seconds: int?}
        poll: {header: Location, returns: Export, every: 20ms}
      startJob:
        call: POST /jobs
        poll: {ask: getJob, with: {id: id}, done: {state: done}, every: 20ms}
        returns: Job
      getJob: {call: "GET /jobs/{id}", params: {id: int}, returns: Export}
      getSale: {call: "GET /sales/{id}", params: {id: string}, returns: Export}
    models:
      Job: {id: int}
      Receipt: {data: ReceiptData}
      ReceiptData: {id: string}
      Export: {id: string, state: string?, access_token: string?}
    """

  /// Has a mock that starts exports and was prepared, the folder with its catalogue, and its address.
  static func with<Result>(
    _ prepare: (MockServer) throws -> Void,
    _ body: (_ mock: MockServer, _ folder: String, _ url: String) async throws -> Result
  ) async throws -> Result {
    let folder = try TemporaryFolder()
    try folder.write(catalogue, to: "shop.yaml")
    let mock = try MockServer(folder: folder.path)
    try mock.reply(to: "startExport", with: .json(["data": ["id": "7"]], status: 202))
    try prepare(mock)
    let listener = try await mock.listen()
    do {
      let result = try await body(mock, folder.path, listener.url.absoluteString)
      await listener.stop()
      return result
    } catch {
      await listener.stop()
      throw error
    }
  }

  /// Responds to the questions about an export with one state after the other.
  static func states(_ mock: MockServer, _ states: JSONValue...) throws {
    for state in states { try mock.reply(to: "getExport", with: .json(["id": "7", "state": state]), times: 1) }
  }
}
