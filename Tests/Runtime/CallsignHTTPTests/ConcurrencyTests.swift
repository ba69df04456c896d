import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

/// Many calls at once, with no resource left behind.
@Suite(.serialized) struct ConcurrencyTests {
  @Test("Two hundred at once", arguments: TransportKind.allCases) func twoHundredAtOnce(kind: TransportKind)
    async throws
  {
    let server = try RequestTests.echo()
    let transport = kind.make()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for number in 0..<200 {
        group.addTask {
          let body = RequestBody.data(Data(pattern(number * 100)))
          let response = try await transport.send(TransportRequest(.post, server.url("/\(number)"), body: body))
          let expected = Data("POST /\(number)\n".utf8) + Data(pattern(number * 100))
          #expect(try await response.body.collect() == expected)
        }
      }
      try await group.waitForAll()
    }
  }

  @Test("Calls next to a hundred open streams share a connection", arguments: TransportKind.exact)
  func callsBesideStreams(kind: TransportKind) async throws {
    let server = try ScriptedServer.responding { request, peer in
      guard request.target == "/stream" else { return try peer.respond("200 OK", [], Array("whole".utf8)) }
      try peer.send("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfirst")
      peer.waitUntilGone()
    }
    let transport = kind.make()
    var streams: [TransportResponse] = []
    for _ in 0..<100 { streams.append(try await transport.send(TransportRequest(.get, server.url("/stream")))) }
    for _ in 0..<20 {
      let response = try await transport.send(TransportRequest(.get, server.url("/call")))
      #expect(try await response.body.collect() == Data("whole".utf8))
    }
    #expect(server.accepted == 101)
    for stream in streams {
      var pieces = stream.body.makeAsyncIterator()
      #expect(try await pieces.next() == Data("first".utf8))
    }
  }

  @Test(
    "Transfers cancelled at random end in order, and the transport still works", arguments: TransportKind.exact,
    [1 as UInt64, 2, 3]) func randomCancellation(kind: TransportKind, seed: UInt64)
    async throws
  {
    let block = pattern(300_000)
    let server = try ScriptedServer.responding { request, peer in
      switch request.target {
      case "/silent": peer.waitUntilGone()
      case "/cut": peer.reset()
      default: try peer.respond("200 OK", [], block)
      }
    }
    let transport = kind.make()
    var generator = SeededGenerator(seed: seed)
    let outcomes = Locked<[String: Int]>([:])
    for _ in 0..<10 {
      try await withThrowingTaskGroup(of: Void.self) { group in
        for _ in 0..<30 {
          let target = try #require(
            ["/response", "/response", "/silent", "/cut", "/drop", "/upload"].randomElement(using: &generator))
          let delay = Int.random(in: 0...8000, using: &generator)
          let size = Int.random(in: 0...200_000, using: &generator)
          group.addTask {
            let task = Task {
              let body: RequestBody =
                target == "/upload"
                ? .stream(length: nil) { PieceSource([Data(repeating: 1, count: size)]) }
                : .data(Data(repeating: 1, count: size))
              let response = try await transport.send(TransportRequest(.post, server.url(target), body: body))
              if target == "/drop" { return 0 }
              return try await response.body.collect().count
            }
            try await Task.sleep(for: .microseconds(delay))
            if target == "/silent" || delay % 2 == 0 { task.cancel() }
            let name: String
            switch await task.result {
            case .success(let count):
              #expect(count == block.count || target == "/drop")
              name = "responded"
            case .failure(let error):
              let error = try #require(error as? TransportError)
              #expect([.cancelled, .connectionLost].contains(error.kind))
              #expect(error.kind == .cancelled || target == "/cut", "\(target): \(error)")
              name = "failed"
            }
            outcomes.withLock { $0[name, default: 0] += 1 }
          }
        }
        try await group.waitForAll()
      }
    }
    #expect(outcomes.withLock { $0.values.reduce(0, +) } == 300)
    // It still works.
    #expect(
      try await transport.send(TransportRequest(.get, server.url("/response"))).body.collect().count == block.count)
    try await eventually("no connection is left but those kept for later") { server.open <= 64 }
  }

  #if os(Linux)
    /// The loop's thread, its descriptors and the connections end with the transport.
    @Test("A dropped transport leaves no connection") func nothingIsLeft() async throws {
      let server = try RequestTests.echo()
      for _ in 0..<20 {
        let transport = CurlTransport()
        try await withThrowingTaskGroup(of: Void.self) { group in
          for number in 0..<10 {
            group.addTask {
              let response = try await transport.send(TransportRequest(.get, server.url("/\(number)")))
              if number % 2 == 0 { _ = try await response.body.collect() }
            }
          }
          try await group.waitForAll()
        }
      }
      // Every connection of the twenty transports is closed; otherwise they would keep their descriptors.
      try await eventually("the connections are closed") { server.open == 0 }
    }

    /// A program that inherits a connection keeps it open after the transport has closed it, and could read its data.
    @Test("Programs that are started get no connection") func connectionsAreNotInherited() async throws {
      let server = try RequestTests.echo()
      let transport = CurlTransport()
      let response = try await transport.send(TransportRequest(.get, server.url()))
      let ends = try await onThread {
        (0..<Int32(1 << 14)).filter { descriptor in
          var address = sockaddr_in()
          var length = socklen_t(MemoryLayout<sockaddr_in>.size)
          let isConnected = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(descriptor, $0, &length) == 0 }
          }
          return isConnected && address.sin_family == AF_INET && address.sin_port == UInt16(server.port).bigEndian
        }
      }
      #expect(!ends.isEmpty)
      for end in ends { #expect(fcntl(end, F_GETFD) & FD_CLOEXEC != 0) }
      _ = try await response.body.collect()
    }

    /// In a separate process, so that nothing else opens files or starts threads in between.
    @Test("Neither files nor threads are left") func neitherFilesNorThreadsAreLeft() async throws {
      await #expect(processExitsWith: .success) {
        let server = try RequestTests.echo()
        // Everything that is started once per process, including the four files that libdispatch opens for the first sleep. A sleep
        // that is over before it is looked at needs none.
        for _ in 0..<5 { try await Task.sleep(for: .milliseconds(50)) }
        _ = try await CurlTransport().send(TransportRequest(.get, server.url())).body.collect()
        try await eventually("the first is gone") {
          server.open == 0 && ProcessCounts.threads(named: "callsign.curl") == 0
        }
        let alive = CurlTransport()
        _ = try await alive.send(TransportRequest(.get, server.url())).body.collect()
        #expect(ProcessCounts.threads(named: "callsign.curl") == 1)
        let before = try #require(ProcessCounts.openFiles)
        for _ in 0..<50 {
          let transport = CurlTransport()
          for _ in 0..<3 { _ = try await transport.send(TransportRequest(.get, server.url())).body.collect() }
          _ = try await transport.send(TransportRequest(.get, server.url()))
        }
        try await eventually("all connections are closed but one") { server.open == 1 }
        try await eventually("all threads have ended but one") { ProcessCounts.threads(named: "callsign.curl") == 1 }
        // A descriptor of the server may have been about to close when they were counted.
        do { try await eventually("all files are closed") { (ProcessCounts.openFiles ?? .max) <= before } } catch {
          Issue.record("\(before) before; now \(ProcessCounts.namesOfOpenFiles)")
        }
        withExtendedLifetime(alive) {}
      }
    }
  #endif
}
