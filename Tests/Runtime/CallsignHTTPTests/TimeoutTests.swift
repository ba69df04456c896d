import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

@Suite struct TimeoutTests {
  @Test("A handshake that takes too long ends before anything is sent", arguments: TransportKind.exact) func connecting(
    kind: TransportKind
  ) async throws {
    // Takes the connection and never responds to the TLS handshake.
    let server = try ScriptedServer { peer in peer.waitUntilGone() }
    let timeouts = Timeouts(connect: .milliseconds(200), idle: nil, total: nil)
    let error = try await transportError {
      try await kind.make().send(
        TransportRequest(.post, "https://127.0.0.1:\(server.port)/", body: .data(Data([1])), timeouts: timeouts))
    }
    #expect(error.kind == .timedOut)
    #expect(error.delivery == .notSent)
    try await eventually("the connection is closed") { server.open == 0 }
  }

  @Test("A handshake that takes too long holds up no other's bounds", arguments: TransportKind.exact)
  func waitingForAHandshake(kind: TransportKind) async throws {
    let server = try ScriptedServer { peer in peer.waitUntilGone() }
    let url = "https://127.0.0.1:\(server.port)/"
    let transport = kind.make()
    let slow = Timeouts(connect: .seconds(60), idle: nil)
    let first = Task { try await transport.send(TransportRequest(.get, url, timeouts: slow)) }
    try await eventually("it connects") { server.accepted == 1 }
    for timeouts in [
      Timeouts(connect: .seconds(600), idle: nil, total: .seconds(1)), Timeouts(connect: .seconds(1), idle: nil),
    ] {
      let error = try await transportError { try await transport.send(TransportRequest(.get, url, timeouts: timeouts)) }
      #expect(error.kind == .timedOut)
      #expect(error.delivery == .notSent)
    }
    #expect(server.open == 1, "the first still waits")
    first.cancel()
    await #expect(throws: TransportError.self) { try await first.value }
  }

  @Test("Calls that wait behind another's handshake end in their own time", arguments: TransportKind.exact)
  func handshakesTogether(kind: TransportKind) async throws {
    let transport = kind.make()
    @Sendable func error(_ url: String, _ timeouts: Timeouts) async -> TransportError? {
      do {
        _ = try await transport.send(TransportRequest(.get, url, timeouts: timeouts)).body.collect()
        return nil
      } catch { return error as? TransportError }
    }
    @Sendable func errors(_ url: String, _ timeouts: Timeouts) async -> [TransportError] {
      await withTaskGroup(of: TransportError?.self) { group in
        for _ in 0..<20 { group.addTask { await error(url, timeouts) } }
        return await group.reduce(into: []) { $0 += [$1].compactMap(\.self) }
      }
    }
    // The leftovers of one transfer must not make the next one look as if it had started.
    let responsive = try ScriptedServer.responding { _, peer in try peer.respond() }
    #expect(await errors(responsive.url(), .patient).isEmpty)
    let silent = try ScriptedServer { peer in peer.waitUntilGone() }
    let url = "https://127.0.0.1:\(silent.port)/"
    let first = Task { await error(url, Timeouts(connect: .seconds(3_600), idle: nil)) }
    try await eventually("the first one's handshake has begun") { silent.open == 1 }
    let late = await errors(url, Timeouts(connect: .seconds(1), idle: nil))
    #expect(late.count == 20 && late.allSatisfy { $0.kind == .timedOut && $0.delivery == .notSent })
    first.cancel()
    let cancelled = try #require(await first.value)
    #expect(cancelled.kind == .cancelled && cancelled.delivery == .notSent)
    try await eventually("the connections are closed") { silent.open == 0 }
  }

  @Test("Silence before the head", arguments: TransportKind.allCases) func silenceBeforeTheHead(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in peer.waitUntilGone() }
    let timeouts = Timeouts(connect: .seconds(30), idle: .seconds(15))
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts))
    }
    #expect(error.kind == .timedOut)
    #expect(error.delivery == .unknown)
    try await eventually("the connection is closed") { server.open == 0 }
  }

  @Test("Silence within the body", arguments: TransportKind.allCases) func silenceWithinTheBody(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
      peer.waitUntilGone()
    }
    let timeouts = Timeouts(connect: .seconds(30), idle: .seconds(15))
    let response = try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts))
    let error = try await transportError { try await response.body.collect() }
    #expect(error.kind == .timedOut)
    #expect(error.delivery == .delivered)
    try await eventually("the connection is closed") { server.open == 0 }
  }

  /// A late reader first gets the data that had arrived, and then the error.
  @Test("Data that came before the silence is not lost", arguments: TransportKind.allCases)
  func whatCameBeforeTheSilenceIsNotLost(kind: TransportKind) async throws {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
      peer.waitUntilGone()
    }
    let timeouts = Timeouts(connect: .seconds(30), idle: .seconds(15))
    let response = try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts))
    try await eventually("the connection is closed") { server.open == 0 }
    var iterator = response.body.makeAsyncIterator()
    var read = Data()
    let error = try await transportError { while let piece = try await iterator.next() { read += piece } }
    #expect(read == Data("hello".utf8))
    #expect(error.kind == .timedOut)
  }

  /// Longer than the idle bound in all, but never silent for that long.
  @Test("Slow bytes do not count as silence", arguments: TransportKind.exact) func slowBytesAreNoSilence(
    kind: TransportKind
  )
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\n")
      for _ in 0..<20 {
        sleep(1)
        try peer.send("x")
      }
    }
    let timeouts = Timeouts(connect: .seconds(30), idle: .seconds(15))
    let response = try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts))
    #expect(try await response.body.collect().count == 20)
  }

  @Test("A transfer that takes too long in all ends", arguments: TransportKind.allCases) func inAll(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\n\r\n")
      while !peer.isGone {
        try peer.send("x")
        usleep(10_000)
      }
    }
    let timeouts = Timeouts(total: .milliseconds(300))
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts)).body.collect()
    }
    #expect(error.kind == .timedOut)
    try await eventually("the connection is closed") { server.open == 0 }
  }
}
