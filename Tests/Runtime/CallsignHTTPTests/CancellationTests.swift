import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

/// A transfer that nobody wants any more ends, on the wire too.
@Suite struct CancellationTests {
  @Test("A task cancelled before the start sends nothing", arguments: TransportKind.allCases) func beforeTheStart(
    kind: TransportKind
  ) async throws {
    let server = try RequestTests.echo()
    let transport = kind.make()
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try await transportError { try await transport.send(TransportRequest(.get, server.url())) }
    }
    #expect(try await task.value == TransportError(.cancelled, delivery: .notSent))
    #expect(server.accepted == 0)
  }

  @Test("While the head is awaited", arguments: TransportKind.allCases) func whileTheHeadIsAwaited(kind: TransportKind)
    async throws
  {
    let hasArrived = Locked(false)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      hasArrived.withLock { $0 = true }
      peer.waitUntilGone()
    }
    let transport = kind.make()
    let task = Task { try await transportError { try await transport.send(TransportRequest(.get, server.url())) } }
    try await eventually("the request arrives") { hasArrived.withLock { $0 } }
    task.cancel()
    #expect(try await task.value == TransportError(.cancelled, delivery: .unknown))
    try await eventually("the server sees the end") { server.open == 0 }
  }

  @Test("Cancellation ends a connection that is being made", arguments: TransportKind.allCases) func whileConnecting(
    kind: TransportKind
  ) async throws {
    // Takes the connection and never responds to the TLS handshake.
    let server = try ScriptedServer { peer in peer.waitUntilGone() }
    let transport = kind.make()
    let task = Task {
      try await transportError { try await transport.send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/")) }
    }
    try await eventually("the connection arrives") { server.accepted > 0 }
    task.cancel()
    let error = try await task.value
    #expect(error.kind == .cancelled)
    if kind.isExact { #expect(error.delivery == .notSent) }
    try await eventually("the server sees the end") { server.open == 0 }
  }

  @Test("While the body is awaited", arguments: TransportKind.allCases) func whileTheBodyIsAwaited(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhello")
      peer.waitUntilGone()
    }
    let transport = kind.make()
    let isReading = Locked(false)
    let task = Task {
      let response = try await transport.send(TransportRequest(.get, server.url()))
      return try await transportError {
        for try await _ in response.body { isReading.withLock { $0 = true } }
      }
    }
    try await eventually("the first bytes are read") { isReading.withLock { $0 } }
    task.cancel()
    #expect(try await task.value == TransportError(.cancelled, delivery: .delivered))
    try await eventually("the server sees the end") { server.open == 0 }
  }

  @Test("A body that is dropped", arguments: TransportKind.allCases) func aBodyThatIsDropped(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
      while !peer.isGone {
        try peer.send("5\r\nhello\r\n")
        usleep(100)
      }
    }
    let transport = kind.make()
    for readsSome in [false, true] {
      var response: TransportResponse? = try await transport.send(TransportRequest(.get, server.url()))
      if readsSome {
        for try await _ in try #require(response).body { break }
      }
      #expect(response?.head.status == .ok)
      response = nil
      try await eventually("the server sees the end") { server.open == 0 }
    }
    #expect(server.accepted == 2)
  }

  @Test("Dropping a transport does not end its bodies", arguments: TransportKind.allCases)
  func aTransportThatIsDroppedLeavesItsBodiesAlone(kind: TransportKind)
    async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhello")
      usleep(50_000)
      try peer.send("world")
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    #expect(try await response.body.collect() == Data("helloworld".utf8))
  }

  @Test("An upload whose source is stuck", arguments: TransportKind.withBackPressure) func anUploadWhoseSourceIsStuck(
    kind: TransportKind
  ) async throws {
    let hasBytes = Locked(false)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      _ = try peer.take(100)
      hasBytes.withLock { $0 = true }
      peer.waitUntilGone()
    }
    let transport = kind.make()
    let source = StuckSource()
    let task = Task {
      try await transportError {
        let body = RequestBody.stream(length: 1000) { source }
        return try await transport.send(TransportRequest(.post, server.url(), body: body))
      }
    }
    try await eventually("the first piece arrives") { hasBytes.withLock { $0 } }
    task.cancel()
    #expect(try await task.value == TransportError(.cancelled, delivery: .unknown))
    try await eventually("the server sees the end") { server.open == 0 }
    try await eventually("the source is told") { source.wasCancelled.withLock { $0 } }
  }

  @Test("An upload that nobody reads", arguments: TransportKind.withBackPressure) func anUploadThatNobodyReads(
    kind: TransportKind
  ) async throws {
    let isCancelled = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      // The end comes after what is still on the way, so that has to be read then.
      isCancelled.wait()
      peer.waitUntilGone()
    }
    let isReleased = Locked(false)
    let transport = kind.make()
    let task = Task {
      try await transportError {
        let body = RequestBody.stream(length: nil) { EndlessSource { isReleased.withLock { $0 = true } } }
        return try await transport.send(TransportRequest(.post, server.url(), body: body))
      }
    }
    try await eventually("the connection arrives") { server.accepted > 0 }
    try await Task.sleep(for: .milliseconds(50))
    task.cancel()
    #expect(try await task.value.kind == .cancelled)
    isCancelled.signal()
    try await eventually("the source is let go") { isReleased.withLock { $0 } }
    try await eventually("the server sees the end") { server.open == 0 }
  }
}
