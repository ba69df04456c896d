import Callsign
import OpenAIKit
// Written by `callsign package`, e22ed3b36a1b9125. A re-run writes the file anew until somebody edits it.
import Testing

/// Calls one operation of the API. The response comes from memory, and is made up from the catalogue.
@Suite("OpenAI") struct OpenAICallTests {
  @Test("listBatches sends its request and reads the response") func call() async throws {
    let json = #"""
      {
        "data": [
          {
            "completion_window": "completion_window",
            "created_at": 1577836800,
            "endpoint": "endpoint",
            "id": "1",
            "input_file_id": "1",
            "object": "object",
            "status": "validating"
          }
        ],
        "first_id": "1",
        "has_more": true,
        "last_id": "1",
        "object": "object"
      }
      """#
    let transport = InMemoryTransport { _ in .json(json) }
    let openAI = OpenAI(
      auth: .standIn,
      configuration: ClientConfiguration(transport: transport, hosts: .all(to: "https://api.test")))
    let response = try await openAI.listBatches()
    #expect(response.rawResponse.status.code == 200)
    let value: OpenAI.BatchesResponse = response.value
    #expect(value.object == "object")
    let request = try #require(transport.requests.first)
    #expect(request.head.method == .get)
    #expect(request.head.path?.split(separator: "?").first == "/v1/batches")
  }
}
