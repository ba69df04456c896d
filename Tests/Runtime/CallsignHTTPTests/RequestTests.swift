import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A request arrives at the server as it was made.
@Suite struct RequestTests {
  /// A server that sends back what it received: `METHOD target`, then the body.
  static func echo() throws -> ScriptedServer {
    try ScriptedServer.responding { request, peer in
      let body = request.method == "HEAD" ? [] : Array("\(request.method) \(request.target)\n".utf8) + request.body
      try peer.respond("200 OK", ["X-Length: \(request["Content-Length"] ?? "none")"], body)
    }
  }

  @Test(
    "Every method without a body", arguments: TransportKind.allCases,
    ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PURGE"])
  func everyMethodWithoutABody(kind: TransportKind, method: String) async throws {
    let server = try Self.echo()
    let request = try TransportRequest(#require(HTTPRequest.Method(method)), server.url("/a/b?c=d%20e&f=%2F"))
    let response = try await kind.make().send(request)
    #expect(response.head.status == .ok)
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "\(method) /a/b?c=d%20e&f=%2F\n")
    if ["POST", "PUT", "PATCH"].contains(method) {
      #expect(response.head["X-Length"] == "0")
    }
  }

  @Test("A request takes nothing over from the one before it", arguments: TransportKind.allCases)
  func aRequestTakesNothingOverFromTheOneBeforeIt(kind: TransportKind) async throws {
    let server = try ScriptedServer.responding { request, peer in
      let facts = [request.method, request["X-Own"] ?? "-", request["Accept-Encoding"] ?? "-", "\(request.body.count)"]
      let body = request.method == "HEAD" ? [] : Array(facts.joined(separator: " ").utf8)
      try peer.respond("200 OK", ["X-Method: \(request.method)"], body)
    }
    let transport = kind.make()
    func send(_ method: HTTPRequest.Method, _ fields: HTTPFields = [:], body: RequestBody = .none) async throws
      -> String
    {
      var request = try TransportRequest(method, server.url(), body: body)
      request.headerFields = fields
      let response = try await transport.send(request)
      #expect(response.head["X-Method"] == method.rawValue)
      return String(decoding: try await response.body.collect(), as: UTF8.self)
    }
    let own = try #require(HTTPField.Name("X-Own"))
    #expect(try await send(.get, [own: "1", .acceptEncoding: "identity"]) == "GET 1 identity 0")
    let plain = try await send(.get)
    #expect(plain.hasPrefix("GET - ") && plain.hasSuffix(" 0") && !plain.contains("identity"))
    #expect(try await send(.head) == "")
    #expect(try await send(.get) == plain)
    #expect(try await send(.post, body: .data(Data("four".utf8))).hasSuffix(" 4"))
    #expect(try await send(.get) == plain)
    #expect(try await send(.delete).hasSuffix(" 0"))
    #expect(try await send(.get) == plain)
  }

  @Test("Every method with a body", arguments: TransportKind.allCases, ["POST", "PUT", "PATCH", "DELETE"])
  func everyMethodWithABody(kind: TransportKind, method: String) async throws {
    let server = try Self.echo()
    let request = try TransportRequest(
      #require(HTTPRequest.Method(method)), server.url("/x"), body: .data(Data("some body".utf8)))
    let response = try await kind.make().send(request)
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "\(method) /x\nsome body")
    #expect(response.head["X-Length"] == "9")
  }

  @Test(
    "Bodies of every size both ways", arguments: TransportKind.allCases,
    [0, 1, 16_383, 16_384, 16_385, 65_535, 65_536, 65_537, 262_145, 1_500_000])
  func bodiesOfEverySizeBothWays(kind: TransportKind, size: Int) async throws {
    let server = try ScriptedServer.responding { request, peer in try peer.respond("200 OK", [], request.body) }
    let transport = kind.make()
    let bytes = pattern(size)
    let whole = try await transport.send(TransportRequest(.post, server.url(), body: .data(Data(bytes))))
    #expect(try await whole.body.collect() == Data(bytes))

    // The same bytes in uneven pieces, with and without their length.
    var pieces: [Data] = []
    var start = 0
    while start < size {
      let end = min(size, start + 1 + (start * 7 + 4_093) % 70_001)
      pieces.append(Data(bytes[start..<end]))
      start = end
    }
    let ready = pieces
    for length in [size, nil] {
      let body = RequestBody.stream(length: length) { PieceSource(ready) }
      let streamed = try await transport.send(TransportRequest(.post, server.url(), body: body))
      #expect(try await streamed.body.collect() == Data(bytes), "length said: \(length != nil)")
    }
  }

  @Test("An empty body makes no other request of HEAD", arguments: TransportKind.allCases)
  func headWithAnEmptyBody(kind: TransportKind) async throws {
    let received = Locked<[String]>([])
    let server = try ScriptedServer.responding { request, peer in
      received.withLock { $0.append("\(request.method) \(request.body.count)") }
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(request.method == "HEAD" ? 1000 : 0)\r\n\r\n")
    }
    let transport = kind.make()
    let bodies = [RequestBody.none, .data(Data()), .stream(length: 0) { PieceSource([]) }]
    for body in bodies {
      let response = try await transport.send(TransportRequest(.head, server.url(), body: body))
      #expect(response.head.status == .ok)
      #expect(try await response.body.collect().isEmpty)
    }
    #expect(received.withLock { $0 } == ["HEAD 0", "HEAD 0", "HEAD 0"])
  }

  #if canImport(Darwin) || URLSession
    @Test("URLSession says that it sends no body with GET")
    func bodyOfGet() async throws {
      let server = try Self.echo()
      let transport = TransportKind.urlSession.make()
      for body in [RequestBody.data(Data([1])), .stream(length: nil) { PieceSource([Data([1])]) }] {
        let error = try await transportError {
          try await transport.send(TransportRequest(.get, server.url(), body: body))
        }
        #expect(error == TransportError(.invalidRequest("URLSession sends no body with GET"), delivery: .notSent))
      }
      #expect(server.accepted == 0)
      let empty = RequestBody.stream(length: 0) { PieceSource([]) }
      let response = try await transport.send(TransportRequest(.get, server.url("/x"), body: empty))
      #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "GET /x\n")
    }
  #endif

  @Test("Header fields arrive as given", arguments: TransportKind.allCases) func headerFieldsArriveAsGiven(
    kind: TransportKind
  ) async throws {
    let received = Locked<[ReceivedRequest]>([])
    let server = try ScriptedServer.responding { request, peer in
      received.withLock { $0.append(request) }
      try peer.respond()
    }
    let fields = [
      "Authorization": #"OAuth oauth_nonce="a%20b", oauth_signature="c%3D""#, "X-Tab": "a\tb", "X-Colon": "a: b;c=d",
      "Content-Type": "application/json", "X-UTF8": "grüße", "User-Agent": "tests",
    ]
    let request = try TransportRequest(.post, server.url(), fields: fields, body: .data(Data("{}".utf8)))
    _ = try await kind.make().send(request)
    let head = try #require(received.withLock { $0.first })
    for (name, value) in fields { #expect(head[name] == value) }
    #expect(head["Host"] == "127.0.0.1:\(server.port)")
    #expect(head["Expect"] == nil)
  }

  @Test("Nothing is added that was not requested", arguments: TransportKind.exact)
  func nothingIsAddedThatNobodyAskedFor(
    kind: TransportKind
  ) async throws {
    let received = Locked<[ReceivedRequest]>([])
    let server = try ScriptedServer.responding { request, peer in
      received.withLock { $0.append(request) }
      try peer.respond()
    }
    let transport = kind.make()
    // More than a megabyte; libcurl would ask for permission first.
    let body = RequestBody.data(Data(repeating: 65, count: 1_200_000))
    _ = try await transport.send(TransportRequest(.post, server.url(), fields: ["X-Empty": ""], body: body))
    _ = try await transport.send(TransportRequest(.get, server.url()))
    let names = received.withLock { $0.map { $0.fields.map { $0.name.lowercased() }.sorted() } }
    #expect(names == [["accept-encoding", "content-length", "host", "x-empty"], ["accept-encoding", "host"]])
  }

  @Test("The path is sent unchanged", arguments: TransportKind.exact) func thePathGoesOutAsItStands(
    kind: TransportKind
  ) async throws {
    let server = try Self.echo()
    let target = "/a/../b/./c//d;e=f?g=h'(i)*[j]&&k"
    let response = try await kind.make().send(TransportRequest(.get, server.url(target)))
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "GET \(target)\n")
  }

  @Test("A source that fails ends the transfer", arguments: TransportKind.allCases)
  func aSourceThatFailsEndsTheTransfer(kind: TransportKind) async throws {
    let server = try ScriptedServer.responding { _, peer in try peer.respond() }
    let transport = kind.make()
    for length in [1000, nil] {
      let error = try await transportError {
        let body = RequestBody.stream(length: length) { FailingSource() }
        return try await transport.send(TransportRequest(.post, server.url(), body: body))
      }
      #expect(error.kind == .bodySource)
      #expect(error.detail == "Failure")
    }
    try await eventually("the connections are closed") { server.open == 0 }
  }

  @Test("A source must keep its word", arguments: TransportKind.allCases, [99, 101]) func aSourceMustKeepItsWord(
    kind: TransportKind, length: Int
  )
    async throws
  {
    let server = try ScriptedServer.responding { _, peer in try peer.respond() }
    let error = try await transportError {
      let body = RequestBody.stream(length: length) { PieceSource([Data(repeating: 1, count: 100)]) }
      return try await kind.make().send(TransportRequest(.post, server.url(), body: body))
    }
    #expect(error.kind == .bodySource)
  }

  @Test("A source that does not open", arguments: TransportKind.allCases) func aSourceThatDoesNotOpen(
    kind: TransportKind
  ) async throws {
    let error = try await transportError {
      let body = RequestBody.stream(length: nil) { throw FailingSource.Failure() }
      return try await kind.make().send(TransportRequest(.post, "http://127.0.0.1:1/", body: body))
    }
    #expect(error.kind == .bodySource)
    #expect(error.delivery == .notSent)
  }

  @Test("An early refusal ends the upload", arguments: TransportKind.exact) func anEarlyRefusalEndsTheUpload(
    kind: TransportKind
  ) async throws {
    let isReleased = Locked(false)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.respond("413 Content Too Large", ["Connection: close"], Array("too large".utf8))
      peer.waitUntilGone()
    }
    let transport = kind.make()
    let body = RequestBody.stream(length: 1 << 40) { EndlessSource { isReleased.withLock { $0 = true } } }
    let response = try await transport.send(TransportRequest(.post, server.url(), body: body))
    #expect(response.head.status.code == 413)
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "too large")
    try await eventually("the source is let go") { isReleased.withLock { $0 } }
  }
}
