import Callsign
import Foundation
import Testing

/// The protocol that `protocol:` in callsign.yaml asks for.
@Suite struct MockTests {
  /// Has the one method that the program under test needs.
  private struct PetstoreMock: PetstoreProtocol {
    func getPetById(
      id: Petstore.PetID, petFields: [Petstore.PetField]?, options: CallOptions
    ) async throws(CallError) -> Response<Petstore.PetResponse> {
      let fields = petFields?.map(\.rawValue).joined(separator: ",") ?? "no fields"
      let pet = Petstore.Pet(id: id, name: fields, motto: .null)
      return Response(value: Petstore.PetResponse(data: pet), rawResponse: RawResponse(status: .ok))
    }

    func startExportOperation(
      shelf: String, format: String?, options: CallOptions
    ) async throws(CallError) -> LongRunningOperation<Petstore.ExportReceipt, Petstore.ExportState> {
      let receipt = Response(value: Petstore.ExportReceipt(id: "7"), rawResponse: RawResponse(status: .accepted))
      return LongRunningOperation(.unimplemented, receipt, every: .seconds(1)) { () async throws(CallError) in
        Response(value: Petstore.ExportState(id: "7", state: format), rawResponse: RawResponse(status: .ok))
      }
    }
  }

  /// A program under test, which leaves arguments out as it does with the client itself.
  private func names(_ petstore: some PetstoreProtocol) async throws(CallError) -> [String] {
    [
      try await petstore.getPetById(id: "7").data.name,
      try await petstore.getPetById(id: "7", petFields: [.name, .weight]).data.name,
      try await petstore.getPetById(id: "7", options: CallOptions()).data.name,
    ]
  }

  @Test("A mock replaces the client, and callers can leave arguments out as usual")
  func mock() async throws {
    #expect(try await names(PetstoreMock()) == ["no fields", "name,weight", "no fields"])
    let mock: any PetstoreProtocol = PetstoreMock()
    #expect(try await mock.getPetById(id: "8").data.id == "8")
  }

  @Test("The client itself also conforms")
  func client() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"data": {"id": "7", "name": "Rex", "motto": null}}"#) }
    let petstore = Petstore(auth: .standIn, configuration: ClientConfiguration(transport: transport))
    #expect(try await names(petstore) == ["Rex", "Rex", "Rex"])
    #expect(transport.requests.map { $0.head.path?.contains("?") } == [false, true, false])
  }

  @Test("The client's own methods are called, whatever arguments are given") func ownMethods() async throws {
    let transport = InMemoryTransport { _ in .json(#"{"data": [], "id": "7"}"#) }
    let petstore = Petstore(auth: .standIn, configuration: ClientConfiguration(transport: transport))
    let options = CallOptions()
    _ = try await petstore.findToys(
      filter: .init(name: "a"), range: ["x": 1], sort: [.init(name: "b")], ids: [1], words: ["w"], labels: [:],
      options: options)
    for try await _ in petstore.listTubsPages(filter: .init(name: "a"), options: options) {}
    _ = try await petstore.sendToy(
      details: .init(id: "1"), pictures: [.init(Data(), fileName: "a")], papers: [], sheets: [],
      siblings: [.init(id: "2")],
      shown: .null, options: .init())
    #expect(transport.requests.count == 3)
    let any: any PetstoreProtocol = petstore
    for try await _ in any.listTubsPages(filter: .init(name: "a"), options: options) {}
    #expect(transport.requests.count == 4)
  }

  @Test("Long-running operations are mocked through the methods that return their state")
  func operations() async throws {
    let mock: any PetstoreProtocol = PetstoreMock()
    let export = try await mock.startExportOperation(shelf: "a", format: "done")
    #expect(export.started.id == "7")
    #expect(try await export.result().state == "done")
    await #expect { _ = try await mock.startSaleOperation() } throws: { error in
      "\(error)".contains("the mock in the client's place does not implement the method")
    }
  }

  @Test("Methods that a mock lacks fail: calls, pages and streams")
  func missing() async throws {
    let mock = PetstoreMock()
    let message = "the mock in the client's place does not implement the method"
    do {
      try await mock.releasePet(pet: .petID("7"), forever: true)
      Issue.record("the call did not fail")
    } catch {
      #expect("\(error)".contains(message))
    }
    do {
      for try await _ in mock.searchPetsPages(q: "cat") { Issue.record("there is a page") }
    } catch {
      #expect("\(error)".contains(message))
    }
  }
}
