import CallsignJSON
import Foundation
import TestSupport
import Testing

/// How `callsign call` ends where something goes wrong on the way.
@Suite("callsign call: reasons and times") struct CallEndTests {
  private static let catalogue = """
    api: {name: Pets, hosts: {api: "https://p.example"}, schemes: {none: null}, auth: [none]}
    endpoints:
      getPet: {call: GET /pet, returns: Pet}
      listPets:
        call: GET /pets
        params: {page: int?}
        pages: {page: page, items: data, more: has_more}
        returns: PetPage
      watchPets: {call: GET /stream, stream: lines, returns: Pet}
    models:
      Pet: {id: string?}
      PetPage: {data: "[Pet]", has_more: bool?}
    """

  @Test(
    "The API's own reasons are shown, each once, to a person and to an assistant",
    arguments: [
      (#"{"message":"name is missing"}"#, ["name is missing"]),
      (#"{"errors":[{"message":"a is wrong"},{"message":"b is wrong"}]}"#, ["a is wrong", "b is wrong"]),
      (#"{"title":"Odd","detail":"too long"}"#, ["too long"]),
      (#"{"errors":[{"message":"same"},{"message":"same"}]}"#, ["same"]),
    ])
  func reasons(body: String, reasons: [String]) async throws {
    let api = try RecordedAPI(Self.catalogue) { _ in (400, body) }
    let run = try await api.call("getPet")
    #expect(run.status == 1, "\(run.error)")
    for reason in reasons { #expect(run.error.components(separatedBy: reason).count == 2, "\(run.error)") }
    let result = try await api.assistant(("tools/call", ["name": "getPet", "arguments": [:]]))[0]
    #expect(result["isError"] == true)
    for reason in reasons { #expect(result.toolText.contains(reason), "\(result)") }
  }

  @Test("--timeout ends a stream and the reading of pages", .timeLimit(.minutes(10)))
  func timeout() async throws {
    // Pages without end, each of them in time.
    let api = try RecordedAPI(Self.catalogue) { request in
      // Fewer pages are enough.
      Thread.sleep(forTimeInterval: 0.2)
      return (200, #"{"data":[{"id":"\#(request.target)"}],"has_more":true}"#)
    }
    let server = try ScriptedServer.responding { _, peer in
      let record = #"{"id":"7"}"# + "\n"
      try peer.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
      try peer.send("\(String(record.utf8.count, radix: 16))\r\n\(record)\r\n")
    }
    defer { server.stop() }
    // On a busy machine it takes seconds until the program has begun.
    async let paging = api.call("listPets", "--all", "--timeout", "20")
    async let streaming = Run(
      "callsign",
      [
        "call", api.folder.path + "/catalogue", "watchPets", "--timeout", "20", "--base-url",
        "http://127.0.0.1:\(server.port)",
      ], environment: ["CALLSIGN_NO_CACHE": "1"])
    let (pages, stream) = try await (paging, streaming)
    #expect(pages.status == 69 && pages.error.contains("the time that --timeout gives is over"), "\(pages.error)")
    #expect(pages.output.hasPrefix(#"{"id":"/pets"#), "\(pages.output.prefix(100))")
    #expect(stream.status == 75 && stream.error.contains("the time that --timeout gives is over"), "\(stream.error)")
    #expect(stream.output == "{\"id\":\"7\"}\n")
  }
}
