import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import TestSupport
import Testing

/// Memory stays flat, whichever side is slow.
@Suite struct FlowTests {
  /// The most bytes between two ends: in the transport's buffer, libcurl's, and the sockets' on both sides, which the system
  /// lets grow while a connection is fast.
  static let mostOnTheWay = (8 << 20) + max(8 << 20, mostInSockets)

  /// The third number of each of these Linux files.
  private static var mostInSockets: Int {
    ["tcp_rmem", "tcp_wmem"].compactMap { try? String(contentsOfFile: "/proc/sys/net/ipv4/\($0)", encoding: .utf8) }
      .compactMap { $0.split(whereSeparator: \.isWhitespace).last.flatMap { Int($0) } }
      .reduce(0, +)
  }

  @Test("A slow reader slows the server", arguments: TransportKind.withBackPressure) func aSlowReaderSlowsTheServer(
    kind: TransportKind
  ) async throws {
    let written = Locked(0)
    let block = pattern(1 << 20)
    let total = 256 << 20
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      for _ in 0..<(total / block.count) {
        try peer.send(block)
        written.withLock { $0 = peer.bytesSent }
      }
    }
    let response = try await kind.make().send(TransportRequest(.get, server.url()))
    try await Task.sleep(for: .milliseconds(500))
    #expect(written.withLock { $0 } < Self.mostOnTheWay)
    var read = 0
    var iterator = response.body.makeAsyncIterator()
    for round in 0..<20 {
      read += try #require(try await iterator.next()).count
      if round % 5 == 4 { try await Task.sleep(for: .milliseconds(20)) }
    }
    #expect(written.withLock { $0 } < read + Self.mostOnTheWay)
    while let piece = try await iterator.next() {
      read += piece.count
      #expect(piece.count <= 512 * 1024)
    }
    #expect(read == total)
  }

  @Test("A slow server slows the source", arguments: TransportKind.withBackPressure) func aSlowServerSlowsTheSource(
    kind: TransportKind
  ) async throws {
    let total = 64 << 20
    let mayRead = DispatchSemaphore(value: 0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      mayRead.wait()
      _ = try peer.take(total)
      try peer.respond()
    }
    let source = BoundedSource(total)
    let transport = kind.make()
    let task = Task {
      let body = RequestBody.stream(length: total) { source }
      return try await transport.send(TransportRequest(.put, server.url(), body: body)).head.status
    }
    try await eventually("the upload begins") { source.given.withLock { $0 } > 0 }
    try await Task.sleep(for: .milliseconds(500))
    #expect(source.given.withLock { $0 } < Self.mostOnTheWay)
    mayRead.signal()
    #expect(try await task.value == .ok)
    #expect(source.given.withLock { $0 } == total)
  }

  /// A reader that is slower than the idle bound does not make the server silent.
  @Test("A slow reader is not timed out", arguments: TransportKind.withBackPressure) func aSlowReaderIsNotTimedOut(
    kind: TransportKind
  ) async throws {
    let total = 32 << 20
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(total)\r\n\r\n")
      for _ in 0..<32 { try peer.send([UInt8](repeating: 1, count: 1 << 20)) }
    }
    let timeouts = Timeouts(connect: .seconds(60), idle: .seconds(15))
    let response = try await kind.make().send(TransportRequest(.get, server.url(), timeouts: timeouts))
    var iterator = response.body.makeAsyncIterator()
    var read = try #require(try await iterator.next()).count
    try await Task.sleep(for: .seconds(25))
    while let piece = try await iterator.next() { read += piece.count }
    #expect(read == total)
  }

  @Test("An endless stream needs little memory", arguments: TransportKind.withBackPressure)
  func anEndlessStreamNeedsLittleMemory(kind: TransportKind)
    async throws
  {
    let written = Locked(0)
    let server = try ScriptedServer { peer in
      _ = peer.readHead()
      try peer.send("HTTP/1.1 200 OK\r\n\r\n")
      let block = [UInt8](repeating: 10, count: 1 << 20)
      while !peer.isGone {
        try peer.send(block)
        written.withLock { $0 = peer.bytesSent }
      }
    }
    let transport = kind.make()
    let response = try await transport.send(TransportRequest(.get, server.url()))
    var read = 0
    var most = 0
    for try await piece in response.body {
      read += piece.count
      // Data that was written and not read is the most that anything can hold.
      most = max(most, written.withLock { $0 } - read)
      if read > 512 << 20 { break }
    }
    #expect(read > 512 << 20)
    #expect(most < Self.mostOnTheWay)
  }
}

/// Provides the given number of bytes.
private final class BoundedSource: BodySource {
  let given = Locked(0)
  private let total: Int

  init(_ total: Int) { self.total = total }

  func next(limit: Int) async throws -> Data? {
    let count = given.withLock { given in
      let count = min(limit, total - given)
      given += count
      return count
    }
    return count == 0 ? nil : Data(repeating: 3, count: count)
  }
}
