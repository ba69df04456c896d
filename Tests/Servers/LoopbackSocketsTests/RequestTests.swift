import Foundation
import LoopbackSockets
import TestSupport
import Testing

@Suite("Requests of loopback servers")
struct RequestTests {
  /// Runs a server that responds with the method, the path, the query and the size of the body.
  private func withServer(
    _ limits: RequestLimits = RequestLimits(), _ body: @escaping @Sendable (UInt16) throws -> Void
  ) async throws {
    let listener = try await LoopbackListener.start(port: 0, limits: limits) { request in
      let text = "\(request.method) \(request.path) \(request.query ?? "-") \(request.body.count)"
      return LoopbackResponse(status: 200, body: .bytes(Data(text.utf8)))
    }
    let port = listener.port
    do {
      try await onThread { try body(port) }
    } catch {
      await listener.stop()
      throw error
    }
    await listener.stop()
  }

  private static func expectAlive(_ port: UInt16) throws {
    let client = try RawClient(port: port)
    let start = ContinuousClock.now
    client.send("GET /alive HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
    #expect(client.receiveAll().hasSuffix("GET /alive - 0"))
    #expect(start.duration(to: .now) < .seconds(10))
  }

  @Test("Long lines and heads get 414 and 431", arguments: [70_000, 100_000, 1_000_000])
  func longLines(size: Int) async throws {
    try await withServer { port in
      let long = String(repeating: "a", count: size)
      for (text, status) in [
        ("GET /\(long) HTTP/1.1\r\nHost: x\r\n\r\n", 414), (String(long), 414), ("GET /?\(long)", 414),
        ("GET / HTTP/1.1\r\nHost: x\r\nX: \(long)\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\n\(long): 1\r\n\r\n", 431),
        ("GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: 1\r\n", count: size / 6) + "\r\n", 431),
        (
          "GET / HTTP/1.1\r\nHost: x\r\n" + String(repeating: "X: \(long.prefix(5000))\r\n", count: size / 5000)
            + "\r\n", 431
        ),
      ] {
        let client = try RawClient(port: port)
        client.send(text)
        let response = client.receiveAll()
        // A word without a space is not a method, whatever its length.
        #expect(response.hasPrefix("HTTP/1.1 \(text == long ? 400 : status) "), "\(text.prefix(60)): \(response)")
        #expect(response.contains("Connection: close\r\n"))
      }
      try Self.expectAlive(port)
    }
  }

  @Test("A query of 4,096 characters of three bytes arrives, also byte by byte")
  func longQuery() async throws {
    try await withServer { port in
      let query = String(repeating: "%E6%BC%A2", count: 4096)
      let client = try RawClient(port: port)
      client.send("GET /2/tweets?query=\(query) HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(client.receive().contains("%E6%BC%A2"))
      let slow = try RawClient(port: port)
      for character in "GET /?\(query.prefix(3000)) HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n" {
        slow.send(String(character))
      }
      #expect(slow.receiveAll().hasSuffix(" 0"))
    }
  }

  @Test(
    "Heads that two servers could read differently get 400",
    arguments: [
      "GET / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX : b\r\n\r\n", "GET / HTTP/1.1\r\n Host: a\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: b\rc\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX: b\u{0}c\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX\u{0}: b\r\n\r\n", "GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n",
      "GET /\r HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\rHost: a\r\r",
      "GET / HTTP/1.1\r\nHost: a\r\n: b\r\n\r\n", "GET / HTTP/1.1\r\nHost: a\r\nX\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: a\r\nX: b\r\n folded\r\n\r\n", "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: +1\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 0x1\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 99999999999999999999\r\n\r\na",
      "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
      "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
      "\u{16}\u{3}\u{1}\u{2}\r\n\r\n",
    ])
  func strictHeads(text: String) async throws {
    try await withServer { port in
      let client = try RawClient(port: port)
      client.send(text)
      let response = client.receiveAll()
      #expect(response.hasPrefix("HTTP/1.1 400 "), "\(response)")
      try Self.expectAlive(port)
    }
  }

  @Test("The response to HEAD has no body, and the connection serves the next request")
  func headWithoutBody() async throws {
    try await withServer { port in
      let client = try RawClient(port: port)
      client.send("HEAD /a HTTP/1.1\r\nHost: x\r\n\r\nGET /b HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
      let parts = client.receiveAll().components(separatedBy: "\r\n\r\n")
      #expect(parts.count == 3 && parts.last == "GET /b - 0", "\(parts)")
    }
  }

  @Test("A body in a coding that the server cannot undo gets 501")
  func transferCodings() async throws {
    try await withServer { port in
      let client = try RawClient(port: port)
      client.send("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip, chunked\r\n\r\n2\r\nab\r\n0\r\n\r\n")
      #expect(client.receiveAll().hasPrefix("HTTP/1.1 501 "))
      try Self.expectAlive(port)
    }
  }

  @Test("Usual heads are read, also unusual forms of them")
  func goodHeads() async throws {
    try await withServer { port in
      for (text, result) in [
        ("GET / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / - 0"),
        ("GET /a?b=%20c HTTP/1.1\r\nHost:x\r\n\r\n", "GET /a b=%20c 0"),
        ("\r\nGET /a? HTTP/1.1\r\nHOST:\tx \r\n\r\n", "GET /a  0"),
        ("GET http://x/a?b HTTP/1.1\r\nHost: x\r\n\r\n", "GET /a b 0"),
        ("GET http://x HTTP/1.1\r\nHost: x\r\n\r\n", "GET / - 0"),
        ("OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n", "OPTIONS * - 0"), ("GET / HTTP/1.0\r\n\r\n", "GET / - 0"),
        ("GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n\r\n", "GET / - 0"),
        ("PROPFIND / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab", "PROPFIND / - 2"),
        (
          "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: Chunked\r\n\r\n2;a=b\r\nab\r\n1\r\nc\r\n0\r\nT: u\r\n\r\n",
          "POST / - 3"
        ),
      ] {
        let client = try RawClient(port: port)
        client.send(text)
        client.endSending()
        let response = client.receiveAll()
        #expect(response.contains(" 200 OK\r\n") && response.hasSuffix("\r\n\r\n\(result)"), "\(text): \(response)")
      }
      let client = try RawClient(port: port)
      client.send("BREW /pot HTTP/1.1\r\nHost: x\r\n\r\n")
      #expect(client.receiveAll().hasPrefix("HTTP/1.1 501 "))
    }
  }

  @Test("Pipelined requests get responses in order, up to the first bad one")
  func pipelining() async throws {
    try await withServer { port in
      let client = try RawClient(port: port)
      client.send(
        (1...20).map { "POST /\($0) HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc" }.joined()
          + "GET / HTTP/1.1\r\nHost : x\r\n\r\nGET /never HTTP/1.1\r\nHost: x\r\n\r\n")
      let responses = client.receiveAll().components(separatedBy: "HTTP/1.1 ").dropFirst()
      #expect(responses.count == 21)
      for (number, response) in responses.prefix(20).enumerated() {
        #expect(response.hasSuffix("\r\n\r\nPOST /\(number + 1) - 3"))
      }
      #expect(responses.last?.hasPrefix("400 ") == true)
    }
  }

  @Test("A client that asks before it sends a body is told to continue at once")
  func expectation() async throws {
    var limits = RequestLimits(body: 10)
    limits.bodyTime = .seconds(20)
    try await withServer(limits) { port in
      let client = try RawClient(port: port)
      let head = "POST / HTTP/1.1\r\nHost: x\r\nExpect: 100-Continue\r\nContent-Length: "
      for _ in 0..<2 {
        client.send(head + "3\r\n\r\n")
        #expect(client.receive() == "HTTP/1.1 100 Continue\r\n\r\n")
        client.send("abc")
        #expect(client.receive().hasSuffix("POST / - 3"))
      }
      client.send(head + "11\r\n\r\n")
      #expect(client.receiveAll().hasPrefix("HTTP/1.1 413 "))
    }
  }

  @Test("A body over the limit is read and dropped, but for one byte")
  func largeBody() async throws {
    try await withServer(RequestLimits(body: 10)) { port in
      let client = try RawClient(port: port)
      for _ in 0..<2 {
        client.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 300000\r\n\r\n")
        client.send(String(repeating: "a", count: 300_000))
        #expect(client.receive().hasSuffix("POST / - 11"))
      }
    }
  }

  @Test(
    "A connection with half a request, or with none, is closed",
    arguments: [
      "", "G", "GET / HTTP/1.1\r\nHost: x\r\n", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nab",
      "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab",
      "GET / HTTP/1.1\r\nHost: x\r\n\r\nGET / HTTP/1.1\r\nHo",
    ])
  func halfSent(text: String) async throws {
    var limits = RequestLimits()
    (limits.headTime, limits.bodyTime, limits.idleTime) = (.milliseconds(300), .milliseconds(300), .milliseconds(600))
    try await withServer(limits) { port in
      let client = try RawClient(port: port)
      client.send(text)
      let response = client.receiveAll()
      #expect(
        text.isEmpty
          ? response.isEmpty : response.isEmpty || response.contains("HTTP/1.1 408 ") || text.contains("\r\n\r\nGET"))
    }
  }

  @Test(
    "A head or a body that trickles in is closed",
    arguments: ["GET / HTTP/1.1\r\nX: ", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n"])
  func trickle(beginning: String) async throws {
    var limits = RequestLimits()
    (limits.headTime, limits.bodyTime) = (.milliseconds(500), .milliseconds(500))
    try await withServer(limits) { port in
      let client = try RawClient(port: port)
      client.send(beginning)
      var count = 0
      while client.send("a"), count < 2_000 {
        count += 1
        usleep(20_000)
      }
      #expect(count < 2_000)
    }
  }

  @Test("A server stops at once, however busy it is")
  func stop() async throws {
    let listener = try await LoopbackListener.start(port: 0) { request in
      if request.path == "/slow" { try? await Task.sleep(for: .seconds(600)) }
      return LoopbackResponse(
        status: 200,
        body: .pieces(length: nil) { writer in
          while true { try await writer.write(Data(repeating: 0x61, count: 1000)) }
        })
    }
    let port = listener.port
    let clients = try (0..<20).map { _ in try RawClient(port: port) }
    for (number, client) in clients.enumerated() {
      client.send("GET /\(number % 2 == 0 ? "slow" : "stream") HTTP/1.1\r\nHost: x\r\n\r\n")
    }
    let start = ContinuousClock.now
    await listener.stop()
    #expect(start.duration(to: .now) < .seconds(10))
    #expect(throws: RawClient.NotConnected.self) { _ = try RawClient(port: port) }
  }
}
