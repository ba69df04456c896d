import Callsign
import CallsignHTTP
import CallsignJSON
import Foundation
import HTTPTypes
import TestSupport
import Testing

@Suite("Responses of an undocumented type") struct ResponseContentTests {
  private static func response(_ type: String?, _ body: Data) -> TransportResponse {
    var fields = HTTPFields()
    if let type { fields[.contentType] = type }
    return TransportResponse(headerFields: fields, body: body)
  }

  private func content(_ type: String?, _ body: Data) async throws(CallError) -> Response<ResponseContent> {
    try await client([], InMemoryTransport { _ in Self.response(type, body) }).content(Call(endpoint()))
  }

  @Test(
    "The header decides, and no byte is lost",
    arguments: [
      ("text/csv", "a,b\n1,2\n"), ("text/plain; charset=utf-8", "{\"no\": JSON}"), ("text/html", "<p>x"),
      ("application/xml", "<a/>"), ("application/atom+xml", "<a/>"), ("application/yaml", "a: 1\n"), (nil, "a,b\n"),
    ] as [(String?, String)])
  func text(type: String?, body: String) async throws {
    let response = try await content(type, Data(body.utf8))
    #expect(response.value.text == body && response.body == Data(body.utf8))
    #expect(response.value.json == nil && response.value.bytes == nil && response.value.records == nil)
  }

  @Test(
    "JSON is JSON, and nothing is null",
    arguments: [
      ("application/json", "{\"a\":[1]}", ["a": [1]]), ("application/hal+json", "[]", []), (nil, "7", 7),
      ("application/json", "", .null), ("text/csv", " \n", .null), ("application/json", "\"x\"", "x"),
    ] as [(String?, String, JSONValue)])
  func json(type: String?, body: String, value: JSONValue) async throws {
    let response = try await content(type, Data(body.utf8))
    #expect(response.value.json == value)
  }

  @Test(
    "A file is bytes, as is text that cannot be read",
    arguments: ["application/octet-stream", "image/png", "text/plain; charset=x-unknown", nil] as [String?])
  func bytes(type: String?) async throws {
    let body = Data([0x89, 0x50, 0, 0xFF, 0xFE])
    #expect(try await content(type, body).value.bytes == body)
  }

  @Test("Events and lines come as they arrive, in pieces of any size")
  func records() async throws {
    let events = "event: a\ndata: {\"n\":1}\n\n: ping\n\ndata: [DONE]\n\n"
    let all: [JSONValue] = [
      ["event": "a", "id": "", "data": ["n": 1]], ["event": "message", "id": "", "data": "[DONE]"],
    ]
    let response = try await content("text/event-stream; charset=utf-8", Data(events.utf8))
    guard case .events(let records) = response.value else {
      Issue.record("\(response.value)")
      return
    }
    var found: [JSONValue] = []
    for try await record in records { found.append(record) }
    #expect(found == all)
    for type in ["application/x-ndjson", "application/jsonl", "application/json-lines"] {
      guard case .lines(let lines) = try await content(type, Data("{\"a\":1}\nno JSON\r\n\n7".utf8)).value else {
        Issue.record("\(type)")
        continue
      }
      var values: [JSONValue] = []
      for try await line in lines { values.append(line) }
      #expect(values == [["a": 1], "no JSON", 7])
    }
  }

  @Test("Invalid JSON and refusals are errors as usual")
  func errors() async throws {
    func outcome(_ method: String, _ status: HTTPResponse.Status, _ body: String) async -> CallError? {
      let transport = InMemoryTransport { _ in
        TransportResponse(status: status, headerFields: [.contentType: "application/json"], body: Data(body.utf8))
      }
      do throws(CallError) {
        _ = try await client([], transport).content(Call(endpoint(method, repeatable: false)))
        return nil
      } catch { return error }
    }
    guard case .unexpectedContent = await outcome("GET", .ok, "{\"a\":"),
      case .unreadableResult = await outcome("POST", .created, "{\"a\":"),
      case .api = await outcome("GET", .notFound, "{\"detail\":\"none\"}")
    else {
      Issue.record("another error")
      return
    }
  }

  @Test(
    "A text that comes as a string of JSON is that text", arguments: ["application/json", "application/problem+json"])
  func quotedText(type: String) async throws {
    let quoted = client([], InMemoryTransport { _ in Self.response(type, Data(#""a\nb""#.utf8)) })
    #expect(try await quoted.text(Call(endpoint())).value == "a\nb")
    let object = client([], InMemoryTransport { _ in Self.response(type, Data(#"{"a": 1}"#.utf8)) })
    #expect(try await object.text(Call(endpoint())).value == #"{"a": 1}"#)
    let plain = client([], InMemoryTransport { _ in Self.response("text/plain", Data(#""a""#.utf8)) })
    #expect(try await plain.text(Call(endpoint())).value == #""a""#)
  }
}
