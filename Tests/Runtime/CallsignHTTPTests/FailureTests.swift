import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Failures are named, and so is how far the request got.
@Suite struct FailureTests {
  @Test("Nobody listens: nothing was sent", arguments: TransportKind.allCases) func nobodyListens(kind: TransportKind)
    async throws
  {
    let port = try ScriptedServer.refusingPort()
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.post, "http://127.0.0.1:\(port)/?secret=1", body: .data(Data([1]))))
    }
    #expect(error.kind == .cannotConnect)
    #expect(error.delivery == .notSent)
    #expect(error.detail?.contains("secret") == false)
  }

  @Test("An unknown host has its own error", arguments: TransportKind.allCases) func noSuchHost(kind: TransportKind)
    async throws
  {
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, "http://\(impossibleLabel).invalid/"))
    }
    #expect(error.kind == .cannotResolveHost)
    #expect(error.delivery == .notSent)
  }

  @Test(
    "A response that is not HTTP is a violation of the protocol", arguments: TransportKind.exact,
    ["", "\r\n\r\n", "SSH-2.0-Server\r\n", "HTTP/1.1\r\n\r\n", "\u{16}\u{3}\u{1}\u{2}"])
  func noHTTP(kind: TransportKind, garbage: String) async throws {
    let server = try ResponseTests.serving(Array(garbage.utf8))
    let error = try await transportError { try await kind.make().send(TransportRequest(.get, server.url())) }
    #expect(error.kind == (garbage.isEmpty ? .connectionLost : .protocolViolation))
    #expect(error.delivery != .notSent)
  }

  @Test("Garbage is never a response", arguments: TransportKind.exact) func garbageIsNeverAResponse(kind: TransportKind)
    async throws
  {
    var generator = SeededGenerator(seed: 7)
    let transport = kind.make()
    let garbage = Locked<[UInt8]>([])
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send(garbage.withLock { $0 })
    }
    for _ in 0..<50 {
      let bytes = (0..<Int.random(in: 1...2000, using: &generator)).map { _ in
        UInt8.random(in: 0...255, using: &generator)
      }
      garbage.withLock { $0 = bytes }
      let error = try await transportError { try await transport.send(TransportRequest(.get, server.url())) }
      #expect(error.delivery != .notSent)
    }
  }

  @Test("Closed before the head", arguments: TransportKind.allCases) func closedBeforeTheHead(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in _ = try peer.readRequest() }
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.post, server.url(), body: .data(Data("write".utf8))))
    }
    if kind.isExact { #expect(error.kind == .connectionLost) }
    #expect(error.delivery == .unknown)
    #expect(server.accepted == 1)
  }

  @Test("Closed within the head", arguments: TransportKind.exact) func closedWithinTheHead(kind: TransportKind)
    async throws
  {
    let server = try ResponseTests.serving(Array("HTTP/1.1 200 OK\r\nContent-Le".utf8))
    let error = try await transportError { try await kind.make().send(TransportRequest(.get, server.url())) }
    #expect(error.kind == .connectionLost || error.kind == .protocolViolation)
    #expect(error.delivery == .delivered)
  }

  @Test(
    "Closed within the body", arguments: TransportKind.allCases, ["Content-Length: 100", "Transfer-Encoding: chunked"])
  func closedWithinTheBody(kind: TransportKind, framing: String) async throws {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\n\(framing)\r\n\r\n")
      try peer.send(framing.hasPrefix("C") ? "hello" : "5\r\nhello\r\n")
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    var received = Data()
    let error = try await transportError { for try await piece in response.body { received.append(piece) } }
    if kind.isExact { #expect(error.kind == .connectionLost) }
    #expect(error.delivery == .delivered)
    #expect(received == Data("hello".utf8))
    // It stays an error: what was cut never looks complete.
    let again = try await transportError { try await response.body.collect() }
    #expect(again == error)
  }

  @Test("Reset within the body", arguments: TransportKind.exact) func resetWithinTheBody(kind: TransportKind)
    async throws
  {
    let hasRead = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
      hasRead.wait()
      peer.reset()
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    hasRead.signal()
    let error = try await transportError { try await response.body.collect() }
    #expect(error.kind == .connectionLost)
    #expect(error.delivery == .delivered)
  }

  @Test("Broken chunks fail the transfer", arguments: TransportKind.exact) func brokenChunks(kind: TransportKind)
    async throws
  {
    let server = try ResponseTests.serving(
      Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\nhello\r\n0\r\n\r\n".utf8))
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    let error = try await transportError { try await response.body.collect() }
    #expect(error.kind == .connectionLost || error.kind == .protocolViolation)
    #expect(error.delivery == .delivered)
  }

  @Test("Broken compression fails the transfer", arguments: TransportKind.exact) func brokenCompression(
    kind: TransportKind
  ) async throws {
    let server = try ScriptedServer.responding { _, peer in
      try peer.respond("200 OK", ["Content-Encoding: gzip"], Array("this is no gzip".utf8))
    }
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, server.url())).body.collect()
    }
    #expect(error.kind == .protocolViolation)
    #expect(error.delivery == .delivered)
  }

  @Test(
    "A content coding that cannot be undone is named, with the way around it", arguments: TransportKind.exact,
    ["utf-8", "aws-chunked"])
  func unknownCoding(kind: TransportKind, coding: String) async throws {
    let server = try ScriptedServer.responding { _, peer in
      try peer.respond("200 OK", ["Content-Encoding: \(coding)"], Array("{}".utf8))
    }
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, server.url())).body.collect()
    }
    #expect(error.kind == .protocolViolation)
    #expect(error.delivery == .delivered)
    #expect(error.detail?.contains("`\(coding)`") == true)
    #expect(error.detail?.contains("Accept-Encoding") == true)
    let identity = try TransportRequest(.get, server.url(), fields: ["Accept-Encoding": "identity"])
    #expect(try await kind.make().send(identity).body.collect() == Data("{}".utf8))
  }

  #if canImport(Darwin) || URLSession
    @Test(
      "A session's errors are distinguished by domain and code",
      arguments: [
        (NSURLErrorDomain, -1001, TransportError.Kind.timedOut), (NSURLErrorDomain, -1021, .connectionLost),
        (NSURLErrorDomain, -1200, .tls), (NSPOSIXErrorDomain, Int(EPIPE), .connectionLost),
        (NSPOSIXErrorDomain, Int(ECONNRESET), .connectionLost), (NSPOSIXErrorDomain, Int(ENOTCONN), .connectionLost),
        (NSPOSIXErrorDomain, Int(ECONNREFUSED), .cannotConnect), (NSPOSIXErrorDomain, Int(ETIMEDOUT), .timedOut),
        (NSPOSIXErrorDomain, .max, .other), ("kCFErrorDomainCFNetwork", 306, .proxy),
        ("kCFErrorDomainCFNetwork", 311, .proxy), ("kCFErrorDomainCFNetwork", 122, .proxy),
        ("kCFErrorDomainCFNetwork", 305, .other), ("another", 306, .other),
      ])
    func errorsOfSessions(domain: String, code: Int, kind: TransportError.Kind) {
      #expect(TransportError.Kind(domain: domain, code: code) == kind)
    }
  #endif

  @Test("A head without end", arguments: TransportKind.exact, [1, 20_000]) func aHeadWithoutEnd(
    kind: TransportKind, lineLength: Int
  )
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\n")
      let line = "X: " + String(repeating: "y", count: lineLength) + "\r\n"
      while !peer.isGone { try peer.send(line) }
    }
    let error = try await transportError { try await kind.make().send(TransportRequest(.get, server.url())) }
    #expect(error.kind == .protocolViolation)
    #expect(error.delivery == .delivered)
    try await eventually("the connection is closed") { server.open == 0 }
  }

  @Test("A header line without end", arguments: TransportKind.exact) func aHeaderLineWithoutEnd(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nX: ")
      while !peer.isGone { try peer.send(String(repeating: "y", count: 10_000)) }
    }
    let error = try await transportError { try await kind.make().send(TransportRequest(.get, server.url())) }
    #expect(error.kind == .protocolViolation)
  }

  @Test("A long head is fine", arguments: TransportKind.exact) func aLongHeadIsFine(kind: TransportKind) async throws {
    let value = String(repeating: "v", count: 1000)
    let fields = (0..<100).map { "X-\($0): \(value)" }
    let server = try ScriptedServer.responding { _, peer in try peer.respond("200 OK", fields) }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect((0..<100).allSatisfy { response.head["X-\($0)"] == value })
  }

  /// libcurl repeats by itself what it sent on a kept connection that the server then closed; a write must not be.
  @Test("A kept connection that ends is not tried again", arguments: TransportKind.exact, ["GET", "POST"])
  func aKeptConnectionThatEndsIsNotTriedAgain(kind: TransportKind, method: String) async throws {
    let received = Locked<[String]>([])
    let server = try ScriptedServer { peer in
      guard let first = try peer.readRequest() else { return }
      received.withLock { $0.append(first.target) }
      // libcurl takes a new connection when the kept one has been idle for two minutes, as on a busy machine.
      guard first.target != "/second" else { return }
      try peer.respond()
      // The second request on the connection is read, and never responded.
      if let second = try peer.readRequest() { received.withLock { $0.append(second.target) } }
    }
    let transport = kind.make()
    _ = try await transport.send(TransportRequest(.get, server.url("/first"))).body.collect()
    let method = try #require(HTTPRequest.Method(method))
    let error = try await transportError {
      try await transport.send(
        TransportRequest(method, server.url("/second"), body: method == .post ? .data(Data([1])) : .none))
    }
    #expect(error.kind == .connectionLost)
    #expect(error.delivery == .unknown)
    #expect(received.withLock { $0 } == ["/first", "/second"])
    // The transport is fine.
    #expect(try await transport.send(TransportRequest(.get, server.url("/third"))).head.status == .ok)
  }

  @Test("Connections are kept for the next request", arguments: TransportKind.exact) func connectionsAreKept(
    kind: TransportKind
  ) async throws {
    let server = try RequestTests.echo()
    let transport = kind.make()
    for number in 0..<20 {
      let response = try await transport.send(TransportRequest(.get, server.url("/\(number)")))
      #expect(try await response.body.collect() == Data("GET /\(number)\n".utf8))
    }
    #expect(server.accepted == 1)
  }
}
