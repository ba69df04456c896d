import Callsign
import CallsignCatalogue
import CallsignHTTP
import CallsignJSON
import CallsignMockServer
import Foundation
import HTTPTypes
import Testing

@testable import CallsignMock

@Suite("Scripts of a mock") struct MockScriptTests {
  @Test("Replies for single calls come first, then the one for all, then the mock's own")
  func replies() async throws {
    let mock = try Petstore.mock()
    try mock.reply(to: "getPet", with: .generated(with: ["name": "Always"]))
    try mock.reply(to: "getPet", with: .json(["name": "Once"], status: 201, headers: [.eTag: "\"1\""]), times: 1)
    try mock.reply(to: "getPet", with: .status(404), times: 1)
    let once = try await mock.call("/pets/7")
    #expect(once.status == 201 && once.body == ["name": "Once"] && once.headers[.eTag] == "\"1\"")
    let missing = try await mock.call("/pets/7")
    #expect(missing.status == 404 && missing.body.message == "Not Found" && missing.body.code?.int != nil)
    for _ in 0..<2 { #expect(try await mock.call("/pets/7").body.name == "Always") }
    try mock.reply(to: "getPet") { request in .json(["id": .string(request.pathParameters["id"] ?? "")]) }
    #expect(try await mock.call("/pets/8").body == ["id": "8"])
    mock.removeReplies()
    #expect(try await mock.call("/pets/8").body["kind"] != nil)
    #expect(throws: MockError.unknownOperation("getPets", similar: ["getPet"])) {
      try mock.reply(to: "getPets", with: .generated)
    }
  }

  @Test("A request can ask for an error")
  func preferences() async throws {
    for (status, title) in [(500, "Internal Server Error"), (402, "Payment Required")] {
      let fields = ["Authorization": "Bearer x", "Prefer": "code=\(status)"]
      let response = try await Petstore.mock().call("GET", "/pets/7", fields)
      #expect(response.status == status && response.body.title?.string == title)
    }
  }

  @Test("Faults happen in their turn")
  func faults() async throws {
    let mock = try Petstore.mock()
    try mock.inject(.status(503, retryAfter: 2), for: "getPet", after: 1)
    try mock.inject(.dropConnection, for: "ping")
    try mock.inject(.loseResponse, for: "deletePet")
    try mock.inject(.truncatedBody(to: 5), for: "listPets")
    try mock.inject(.cutBody(after: 5), for: "cursorPets")
    try mock.inject(.delay(.milliseconds(20)), for: "linkPets")
    #expect(try await mock.call("/pets/7").status == 200)
    let busy = try await mock.call("/pets/7")
    #expect(busy.status == 503 && busy.headers[.retryAfter] == "2")
    #expect(try await mock.call("/pets/7").status == 200)
    await #expect(throws: TransportError(.connectionLost, delivery: .unknown)) { try await mock.call("/ping") }
    await #expect(throws: TransportError(.connectionLost, delivery: .unknown)) {
      try await mock.call("DELETE", "/pets/7")
    }
    #expect(try await mock.call("/pets").bytes.count == 5)
    await #expect(throws: TransportError(.connectionLost, delivery: .delivered)) { try await mock.call("/cursor") }
    let begin = ContinuousClock.now
    #expect(try await mock.call("/link").status == 200)
    #expect(ContinuousClock.now - begin >= .milliseconds(20))
    #expect(try mock.requests(to: "deletePet").map(\.status) == [0])
  }

  @Test("Requests are kept, without printing their secrets")
  func requests() async throws {
    let mock = try Petstore.mock()
    _ = try await mock.call(
      "POST", "/pets?access_token=hidden&trace=1",
      ["Authorization": "Bearer hidden", "Content-Type": "application/json"],
      body: #"{"name": "Rex", "kind": "dog"}"#)
    let request = try #require(try mock.requests(to: "createPet").first)
    #expect(request.method == "POST" && request.path == "/v1/pets" && request.status == 200)
    #expect(request.query("trace") == "1" && request.headers[.authorization] == "Bearer hidden")
    #expect(request.bodyValue == ["name": "Rex", "kind": "dog"] && request.arguments["name"] == "Rex")
    #expect("\(request)" == "POST /v1/pets?access_token=‹masked›&trace=1 → 200 createPet")
    var dumped = ""
    dump(request, to: &dumped)
    #expect(!dumped.contains("hidden"))
    mock.forgetRequests()
    #expect(mock.requests.isEmpty)
    #expect(throws: MockError.self) { try mock.requests(to: "nothing") }
  }

  @Test("Of many bytes, the newest bodies are kept, and the lines of all requests")
  func manyBytes() async throws {
    var configuration = MockConfiguration()
    configuration.requestLogBodyCapacity = 100
    let mock = try Petstore.mock(configuration)
    let fields = ["Authorization": "Bearer x", "Content-Type": "application/json"]
    func create(_ name: String) async throws {
      _ = try await mock.call("POST", "/pets", fields, body: #"{"name": "\#(name)", "kind": "dog"}"#)
    }
    func kept() -> [JSONValue?] { mock.requests.map { $0.bodyValue?["name"] } }
    // A body has 27 bytes besides the name.
    for name in ["a", "bb", "ccc"] { try await create(name) }
    #expect(kept() == ["a", "bb", "ccc"])
    _ = try await mock.call("/pets/7")
    try await create("dddd")
    #expect(kept() == [nil, "bb", "ccc", nil, "dddd"])
    let forgotten = try #require(mock.requests.first)
    #expect(forgotten.body.isEmpty && forgotten.arguments.isEmpty && forgotten.status == 200)
    #expect(forgotten.description == "POST /v1/pets → 200 createPet")
    #expect(forgotten.maskedBody == "28 bytes, no longer kept")
    try await create(String(repeating: "e", count: 20))
    #expect(kept() == [nil, nil, nil, nil, "dddd", .string(String(repeating: "e", count: 20))])
    // One that is too large by itself is not kept at all.
    _ = try await mock.call(
      "POST", "/pets", fields,
      body: #"{"name": "f", "kind": "dog", "owner": {"name": "\#(String(repeating: "f", count: 100))"}}"#)
    #expect(kept().allSatisfy { $0 == nil } && mock.requests.count == 7)
    mock.forgetRequests()
    for name in ["a", "b", "c"] { try await create(name) }
    #expect(kept() == ["a", "b", "c"])
  }

  @Test("The bytes of requests that are forgotten make room for others")
  func forgottenBytes() async throws {
    var configuration = MockConfiguration()
    (configuration.requestLogBodyCapacity, configuration.requestLogCapacity) = (100, 2)
    let mock = try Petstore.mock(configuration)
    for name in ["a", "b", "c", "d", "e", "f"] {
      _ = try await mock.call(
        "POST", "/pets", ["Authorization": "Bearer x", "Content-Type": "application/json"],
        body: #"{"name": "\#(name)", "kind": "dog"}"#)
    }
    #expect(mock.requests.map { $0.bodyValue?["name"] } == ["e", "f"])
  }

  @Test(
    "A body that is cut where there is none is a lost connection, too", arguments: ["DELETE /pets/7", "HEAD /head"])
  func cutWithoutBody(line: String) async throws {
    let mock = try Petstore.mock()
    let words = line.split(separator: " ").map(String.init)
    try mock.inject(.cutBody(after: 5))
    await #expect(throws: TransportError(.connectionLost, delivery: .delivered)) {
      try await mock.call(words[0], words[1])
    }
    #expect(try await mock.call(words[0], words[1]).bytes.isEmpty)
  }
}

@Suite("A mock on loopback") struct MockListenerTests {
  private func send(_ listener: MockListener, _ target: String, _ method: String = "GET", body: String = "")
    async throws
    -> (status: Int, headers: HTTPFields, body: JSONValue, bytes: Data)
  {
    try await Petstore.call(
      DefaultTransport.shared, listener.url.absoluteString + target, method,
      ["Authorization": "Bearer x", "Content-Type": "application/json"], body: body)
  }

  @Test("It responds as it does in memory")
  func responses() async throws {
    let listener = try await Petstore.mock().listen()
    #expect(try await send(listener, "/pets/7").bytes == Petstore.mock().call("/pets/7").bytes)
    #expect(try await send(listener, "/v1/pets/7").body.id == "7")
    #expect(try await send(listener, "/pets", "POST", body: #"{"name":"Rex","kind":"dog"}"#).body.name == "Rex")
    #expect(try await send(listener, "/pets/7", "DELETE").status == 204)
    #expect(try await send(listener, "/array").body.array?.count == 10)
    // Bytes behind the response to a HEAD would be taken for the next response.
    #expect(try await send(listener, "/pets", "HEAD").bytes.isEmpty)
    let next = try #require(try await send(listener, "/url").body.links?.next?.string)
    #expect(next.hasPrefix(listener.url.absoluteString))
    #expect(listener.mock.requests.count == 7)
    await listener.stop()
  }

  @Test("Faults reach the socket, and a stopped server is gone")
  func faults() async throws {
    let listener = try await Petstore.mock().listen()
    try listener.mock.inject(.dropConnection)
    await #expect(throws: TransportError.self) { try await send(listener, "/pets/7") }
    try listener.mock.inject(.cutBody(after: 5))
    await #expect(throws: TransportError.self) { try await send(listener, "/pets/7") }
    #expect(try await send(listener, "/pets/7").status == 200)
    for (method, target, status) in [("DELETE", "/pets/7", 204), ("HEAD", "/head", 200)] {
      try listener.mock.inject(.cutBody(after: 5))
      await #expect(throws: TransportError.self) { try await send(listener, target, method) }
      #expect(try await send(listener, target, method).status == status)
    }
    // A response of a status without a body is not cut because somebody gave it one.
    try listener.mock.reply(to: "deletePet", with: .json(["a": 1], status: 204), times: 1)
    #expect(try await send(listener, "/pets/7", "DELETE").status == 204)
    let port = listener.port
    await #expect(throws: MockError.couldNotListen(port: port)) { try await Petstore.mock().listen(port: port) }
    await listener.stop()
    await #expect(throws: TransportError.self) { try await send(listener, "/pets/7") }
  }
}
