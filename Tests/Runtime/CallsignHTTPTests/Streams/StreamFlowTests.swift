import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import Testing

/// A stream that is read more slowly than it is sent, over sockets.
@Suite struct StreamFlowTests {
  @Test("A slow reader blocks an endless server, and memory stays flat", arguments: TransportKind.withBackPressure)
  func slowReader(kind: TransportKind) async throws {
    let written = Locked(0)
    let record = Array(("\"" + String(repeating: "é漢😀", count: 100) + "\"\r\n").utf8)
    let block = Array(repeatElement(record, count: 200).joined())
    let server = try StreamServer([
      .custom { peer in
        while !peer.isGone {
          try peer.sendChunk(block)
          written.withLock { $0 = peer.bytesSent }
        }
      }
    ])
    var iterator = server.stream(kind).makeAsyncIterator()
    var read = 0
    for round in 0..<2000 {
      read += try #require(try await iterator.next()?.value?.string).utf8.count + 4
      guard round % 200 == 199 else { continue }
      // The server runs ahead as far as buffers reach, and then stands.
      try await Task.sleep(for: .milliseconds(100))
      #expect(written.withLock { $0 } < read + FlowTests.mostOnTheWay)
    }
    // Then fast, for long enough that anything kept would show: what was written and not read is all that is held.
    var most = 0
    while read < 96 << 20 {
      read += try #require(try await iterator.next()?.value?.string).utf8.count + 4
      most = max(most, written.withLock { $0 } - read)
    }
    #expect(most < FlowTests.mostOnTheWay)
  }
}
