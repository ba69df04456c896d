// The blocks of Documentation/Mock.md, word for word; they run with the tests.
import Callsign
import CallsignMock
import CallsignMockServer
import CallsignX
import Testing

@Suite("Blocks of Mock.md") struct MockDocument {
  @Test("In memory") func inMemory() async throws {
    let mock = try MockServer(folder: "spec/x-v2")
    let x = XAPI(auth: .bearer("any"), configuration: ClientConfiguration(transport: mock))
    let me = try await x.getUsersById(id: "7")
    print(me.data.id, me.data.name)
    #expect(me.data.id == "7")
  }

  @Test("Responses that you write") func replies() throws {
    let mock = try MockServer(folder: "spec/x-v2")
    try mock.reply(to: "getUsersMe", with: .generated(with: ["name": "Ada"]))
    try mock.reply(to: "createPosts", with: .status(403), times: 1)
    try mock.reply(to: "getPostsById") { request in
      .json(["data": ["id": .string(request.pathParameters["id"] ?? ""), "text": "hello"]])
    }
  }

  @Test("Make it fail") func faults() throws {
    let mock = try MockServer(folder: "spec/x-v2")
    try mock.inject(.status(503, retryAfter: 1), for: "getUsersMe", times: 2)
    try mock.inject(.loseResponse, for: "createPosts")
    try mock.inject(.delay(.milliseconds(200)))
  }

  @Test("Look at what was sent") func requests() async throws {
    let mock = try MockServer(folder: "spec/x-v2")
    let x = XAPI(auth: .bearer("any"), configuration: ClientConfiguration(transport: mock))
    _ = try await x.getUsersById(id: "7")
    if let request = try mock.requests(to: "getUsersById").first {
      print(request.method, request.pathParameters["id"] ?? "", request.arguments.count)
    }
    #expect(mock.requests.count == 1)
  }

  @Test("On loopback") func listening() async throws {
    let listener = try await MockServer(folder: "spec/x-v2").listen()
    let x = XAPI(
      auth: .bearer("any"), configuration: ClientConfiguration(hosts: .all(to: listener.url.absoluteString)))
    _ = try await x.getUsersById(id: "7")
    print(listener.mock.requests.count)
    await listener.stop()
    #expect(listener.mock.requests.count == 1)
  }
}
