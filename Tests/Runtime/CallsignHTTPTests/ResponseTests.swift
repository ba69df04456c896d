import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// A server's response arrives as it was sent, however it is cut.
@Suite struct ResponseTests {
  /// Serves fixed bytes on each connection and then closes it.
  static func serving(_ bytes: [UInt8]) throws -> ScriptedServer {
    try ScriptedServer { peer in
      guard peer.readHead() != nil else { return }
      try peer.send(bytes)
    }
  }

  @Test("Split at every byte", arguments: TransportKind.exact) func splitAtEveryByte(kind: TransportKind) async throws {
    let text = """
      HTTP/1.1 103 Early Hints\r\nLink: <a>\r\n\r\nHTTP/1.1 201 Created\r\nX-One: 1\r\nContent-Type: text/plain\r\n\
      Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n7;ext=1\r\n, world\r\n0\r\nX-Trailer: t\r\n\r\n
      """
    let bytes = Array(text.utf8)
    let transport = kind.make()
    let server = try ScriptedServer.numbering { number, peer in
      let split = min(number + 1, bytes.count)
      try peer.send(Array(bytes[..<split]))
      // Time for the client to see the first part by itself.
      usleep(1500)
      try peer.send(Array(bytes[split...]))
    }
    for split in 1...bytes.count {
      let response = try await transport.send(TransportRequest(.get, server.url()))
      #expect(response.head.status.code == 201, "split at \(split)")
      #expect(response.head["X-One"] == "1")
      #expect(response.head["Link"] == nil)
      #expect(response.head["X-Trailer"] == nil)
      #expect(try await response.body.collect() == Data("hello, world".utf8), "split at \(split)")
    }
  }

  @Test("One byte at a time", arguments: TransportKind.allCases) func oneByteAtATime(kind: TransportKind) async throws {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      for byte in "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello".utf8 {
        try peer.send([byte])
        usleep(500)
      }
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(try await response.body.collect() == Data("hello".utf8))
  }

  @Test("The head as it was sent", arguments: TransportKind.exact) func theHeadAsItWasSent(kind: TransportKind)
    async throws
  {
    let server = try Self.serving(
      Array(
        "HTTP/1.1 299 Quite  fine\r\nSet-Cookie: a=1\r\nX-Empty:\r\nset-cookie:   b=2; c \r\nX-Folded: one\r\n   two\r\n"
          .utf8)
        + Array("X-Latin: gr".utf8) + [0xfc] + Array("n\r\nContent-Length: 0\r\n\r\n".utf8))
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(response.head.status == .init(code: 299, reasonPhrase: "Quite  fine"))
    #expect(response.protocolVersion == "HTTP/1.1")
    let cookies = response.head.headerFields[fields: .setCookie].map(\.value)
    #expect(cookies == ["a=1", "b=2; c"])
    #expect(response.head["X-Empty"] == "")
    #expect(response.head["X-Folded"] == "one two")
    let latinName = try #require(HTTPField.Name("X-Latin"))
    let latin = try #require(response.head.headerFields[fields: latinName].first)
    #expect(latin.withUnsafeBytesOfValue { Array($0) } == Array("gr".utf8) + [0xfc, 0x6e])
    #expect(try await response.body.collect().isEmpty)
  }

  @Test("Heads with more names than are kept are each as sent", arguments: TransportKind.exact)
  func headsWithManyNames(kind: TransportKind) async throws {
    let names = (0..<600).map { "x-name-\($0)" }
    let server = try ScriptedServer.numbering { number, peer in
      try peer.respond("200 OK", names.map { "\($0): \($0) \(number / 2)" })
    }
    let transport = kind.make()
    for number in 0..<4 {
      let received = try await transport.send(TransportRequest(.get, server.url())).head
      let fields = received.headerFields.filter { $0.name.rawName.hasPrefix("x-name-") }
      #expect(fields.map(\.name.rawName) == names)
      #expect(fields.map(\.value) == names.map { "\($0) \(number / 2)" })
    }
  }

  @Test("Heads that differ in little are each as sent", arguments: TransportKind.exact)
  func headsThatDifferInLittle(kind: TransportKind) async throws {
    let long = String(repeating: "l", count: 300)
    let heads: [(status: String, fields: [String])] = [
      ("200 OK", ["X-One: 1", "X-Two: a"]), ("200 OK", ["X-One: 2", "X-Two: a"]), ("200 Fine", ["x-one: 2"]),
      ("201 OK", ["X-One: \(long)", "X-Two:"]), ("201 OK", ["X-One: \(long)", "X-One: 2", "X-Two: \(long)l"]),
      ("200 OK", ["Set-Cookie: a=1", "X-Two: b"]), ("200 OK", ["Set-Cookie: a=1", "Set-Cookie: a=2", "X-Two: b"]),
    ]
    let server = try ScriptedServer.numbering { number, peer in
      try peer.respond(heads[number % heads.count].status, heads[number % heads.count].fields)
    }
    let transport = kind.make()
    for head in heads + heads {
      let received = try await transport.send(TransportRequest(.get, server.url())).head
      #expect("\(received.status.code) \(received.status.reasonPhrase)" == head.status)
      let fields = received.headerFields.filter { $0.name != .contentLength }
      #expect(fields.map { "\($0.name.rawName): \($0.value)" } == head.fields.map { $0 == "X-Two:" ? "X-Two: " : $0 })
    }
  }

  @Test("HEAD has no body", arguments: TransportKind.allCases, [200, 204, 304, 404])
  func headHasNoBody(kind: TransportKind, status: Int) async throws {
    let requests = Locked(0)
    let server = try ScriptedServer { peer in
      while peer.readHead() != nil {
        requests.withLock { $0 += 1 }
        try peer.send("HTTP/1.1 \(status) Some\r\nContent-Length: 1000\r\n\r\n")
      }
    }
    let transport = kind.make()
    let response = try await transport.send(TransportRequest(.head, server.url()))
    #expect(response.head.status.code == status)
    #expect(try await response.body.collect().isEmpty)
    // Not Modified and No Content have none for any method.
    guard status == 204 || status == 304 else { return }
    let got = try await transport.send(TransportRequest(.get, server.url()))
    #expect(got.head.status.code == status)
    #expect(try await got.body.collect().isEmpty)
  }

  @Test("Redirects are returned", arguments: TransportKind.allCases, [301, 302, 303, 307, 308])
  func redirectsAreReturned(kind: TransportKind, status: Int) async throws {
    let requests = Locked<[String]>([])
    let server = try ScriptedServer.responding { request, peer in
      requests.withLock { $0.append(request.target) }
      try peer.respond("\(status) Elsewhere", ["Location: /elsewhere"], Array("moved".utf8))
    }
    let fields = ["Authorization": "Bearer secret"]
    let response = try await kind.make().send(TransportRequest(.get, server.url("/here"), fields: fields))
    #expect(response.head.status.code == status)
    #expect(response.head.headerFields[.location] == "/elsewhere")
    if kind.isExact { #expect(try await response.body.collect() == Data("moved".utf8)) }
    #expect(requests.withLock { $0 } == ["/here"])
  }

  @Test("A body that ends with the connection", arguments: TransportKind.allCases) func aBodyThatEndsWithTheConnection(
    kind: TransportKind
  ) async throws {
    let server = try Self.serving(Array("HTTP/1.0 200 OK\r\n\r\nuntil the end".utf8))
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(try await response.body.collect() == Data("until the end".utf8))
  }

  @Test("Bytes beyond the length are not the response's", arguments: TransportKind.allCases)
  func bytesBeyondTheLengthAreNotTheResponses(kind: TransportKind) async throws {
    let server = try Self.serving(
      Array("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhelloHTTP/1.1 666 No\r\n\r\n".utf8))
    let transport = kind.make()
    for _ in 0..<3 {
      let response = try await transport.send(TransportRequest(.get, server.url()))
      #expect(response.head.status == .ok)
      #expect(try await response.body.collect() == Data("hello".utf8))
    }
  }

  @Test("Compressed responses are decoded", arguments: TransportKind.allCases) func compressedResponsesAreDecoded(
    kind: TransportKind
  ) async throws {
    // "hello hello hello hello\n" by gzip.
    let packed: [UInt8] = [
      0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00, 0x02, 0x03, 0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27,
      0xb9, 0x00, 0x00, 0x88, 0x59, 0x0b, 0x18, 0x00, 0x00, 0x00,
    ]
    let accepted = Locked("")
    let server = try ScriptedServer.responding { request, peer in
      accepted.withLock { $0 = request["Accept-Encoding"] ?? "" }
      try peer.respond("200 OK", ["Content-Encoding: gzip"], packed)
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(accepted.withLock { $0 }.contains("gzip"))
    #expect(String(decoding: try await response.body.collect(), as: UTF8.self) == "hello hello hello hello\n")
  }

  @Test("An encoding that the caller asked for is not decoded", arguments: TransportKind.exact)
  func anEncodingAskedForByTheCallerIsLeftAlone(kind: TransportKind) async throws {
    let server = try ScriptedServer.responding { _, peer in
      try peer.respond("200 OK", ["Content-Encoding: gzip"], [1, 2, 3])
    }
    let fields = ["Accept-Encoding": "gzip"]
    let response = try await kind.make().send(TransportRequest(.get, server.url(), fields: fields))
    #expect(try await response.body.collect() == Data([1, 2, 3]))
  }

  @Test("A large body arrives whole", arguments: TransportKind.allCases) func aLargeBodyArrivesWhole(
    kind: TransportKind
  ) async throws {
    let block = pattern(1 << 20)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(32 << 20)\r\n\r\n")
      for _ in 0..<32 { try peer.send(block) }
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    let received = try await response.body.collect()
    #expect(received.count == 32 << 20)
    for start in stride(from: 0, to: received.count, by: block.count) {
      #expect(received.dropFirst(start).prefix(block.count) == Data(block))
    }
  }

  @Test("A piece arrives before the next is sent", arguments: TransportKind.allCases)
  func aPieceArrivesBeforeTheNextIsSent(kind: TransportKind) async throws {
    let mayGoOn = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      for number in 0..<5 {
        mayGoOn.wait()
        try peer.send("8\r\nnumber \(number)\r\n")
      }
      try peer.send("0\r\n\r\n")
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    mayGoOn.signal()
    var pieces: [String] = []
    for try await piece in response.body {
      pieces.append(String(decoding: piece, as: UTF8.self))
      mayGoOn.signal()
    }
    #expect(pieces == (0..<5).map { "number \($0)" })
  }

  @Test("The body is read once", arguments: TransportKind.allCases) func theBodyIsReadOnce(kind: TransportKind)
    async throws
  {
    let server = try RequestTests.echo()
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(try await response.body.collect().isEmpty == false)
    #expect(try await response.body.collect().isEmpty)
  }

  @Test("A head of thousands of folded lines is refused", arguments: TransportKind.exact)
  func foldedLines(kind: TransportKind) async throws {
    for (count, isAccepted) in [(100, true), (5000, false)] {
      let head = "HTTP/1.1 200 OK\r\nX-Long: a\r\n" + String(repeating: " b\r\n", count: count)
      let server = try Self.serving(Array((head + "Content-Length: 0\r\n\r\n").utf8))
      if isAccepted {
        let response = try await kind.make().send(TransportRequest(.get, server.url()))
        #expect(response.head["X-Long"]?.filter { $0 == "b" }.count == count)
      } else {
        let error = try await transportError { try await kind.make().send(TransportRequest(.get, server.url())) }
        #expect(error.kind == .protocolViolation)
      }
    }
  }

  @Test("More than the caller accepts", arguments: TransportKind.allCases) func moreThanTheCallerAccepts(
    kind: TransportKind
  ) async throws {
    let server = try ScriptedServer.responding { _, peer in try peer.respond("200 OK", [], pattern(100_000)) }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    let error = try await transportError { try await response.body.collect(upTo: 99_999) }
    #expect(error.kind == .bodyTooLarge)
    let again = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(try await again.body.collect(upTo: 100_000).count == 100_000)
  }
}
