import Callsign
import Foundation
import HTTPTypes
import Testing

/// A stream that is read more slowly than it is sent, over sockets.
@Suite struct StreamFlowTests {
  private func stream(
    _ kind: TransportKind, _ server: ScriptedServer, framing: StreamFraming = .lines
  ) -> EventStream<JSONValue> {
    var configuration = ClientConfiguration(transport: kind.make())
    configuration.hosts = .all(to: server.url(""))
    let endpoint = Endpoint(
      "watch", "GET", "https://api.example", "/stream", auth: "none", repeatable: true, stream: framing)
    return Client(auth: [], configuration: configuration).stream(Call(endpoint))
  }

  @Test("A slow reader blocks an endless server, and memory stays flat", arguments: TransportKind.withBackPressure)
  func slowReader(kind: TransportKind) async throws {
    let written = NSLocked(0)
    let record = Array(("\"" + String(repeating: "é漢😀", count: 100) + "\"\r\n").utf8)
    let block = Array(repeatElement(record, count: 200).joined())
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\n\r\n")
      while !peer.isGone {
        try peer.send(block)
        written.withLock { $0 = peer.bytesSent }
      }
    }
    var iterator = stream(kind, server).makeAsyncIterator()
    var read = 0
    for round in 0..<2000 {
      let text = try #require(try await iterator.next()?.value?.string)
      read += text.utf8.count + 4
      guard round % 200 == 199 else { continue }
      // The server runs ahead as far as buffers reach, and then stands.
      try await Task.sleep(for: .milliseconds(100))
      #expect(written.withLock { $0 } < read + FlowTests.mostOnTheWay)
    }
    // Then fast, for long enough that anything kept would show.
    let before = ProcessCounts.residentBytes
    while read < 96 << 20 { read += try #require(try await iterator.next()?.value?.string).utf8.count + 4 }
    if let before, let after = ProcessCounts.residentBytes { #expect(after - before < 64 << 20) }
    #expect(written.withLock { $0 } < read + FlowTests.mostOnTheWay)
  }

  @Test("Dropping the iterator closes the socket", arguments: TransportKind.exact)
  func dropping(kind: TransportKind) async throws {
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\n1\r\n\r\n")
      peer.waitUntilGone()
    }
    for try await element in stream(kind, server) {
      #expect(element.value == 1)
      break
    }
    try await eventually("the connection is closed") { server.open == 0 }
    #expect(server.accepted == 1)
  }

  @Test("A silent connection is dropped and made anew", arguments: TransportKind.exact)
  func stall(kind: TransportKind) async throws {
    let count = NSLocked(0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      let number = count.withLock { count in
        count += 1
        return count
      }
      let chunk = "\(number)\r\n"
      try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(chunk.utf8.count)\r\n\(chunk)\r\n")
      peer.waitUntilGone()
    }
    let policy = ReconnectPolicy(afterNetworkError: .init { _ in .milliseconds(1) })
    let stream = stream(kind, server).stallTimeout(.milliseconds(300)).reconnecting(policy)
    let events = stream.events
    var iterator: EventStream<JSONValue>.Iterator? = stream.makeAsyncIterator()
    #expect(try await iterator?.next()?.value == 1)
    #expect(try await iterator?.next()?.value == 2)
    iterator = nil
    var stalls = 0
    for await event in events { if case .stalled = event { stalls += 1 } }
    #expect(stalls == 1)
  }
}
