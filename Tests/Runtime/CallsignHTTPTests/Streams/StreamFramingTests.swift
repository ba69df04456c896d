import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import Testing

/// Records that arrive in pieces, over sockets.
@Suite struct StreamFramingTests {
  private static let texts = ["a", "é漢😀", "\u{2028}", "with \"quotes\"", "👩‍👩‍👧"]

  /// The bytes of the texts as JSON, with keep-alives between them.
  private func bytes(_ framing: StreamFraming, _ end: String) throws -> [UInt8] {
    let records = try Self.texts.map { text -> String in
      let record = try text.jsonString() + end
      return framing == .length ? "\(record.utf8.count)\(end)\(record)" : record
    }
    return Array(records.joined(separator: end).utf8)
  }

  @Test("A record has its own bytes, with indices from zero", arguments: TransportKind.allCases)
  func ownBytes(kind: TransportKind) async throws {
    let server = try StreamServer([.pieces(["[1]\r\n{oops\r\n[3]\r\n[", "4]\r\n"], .clean)])
    var found: [String] = []
    for try await record in server.stream(kind).reconnecting(.never).records {
      #expect(record.bytes.startIndex == 0)
      if case .undecodable(let record) = record.element { #expect(record.bytes.startIndex == 0) }
      found.append(String(decoding: record.bytes, as: UTF8.self))
    }
    #expect(found == ["[1]", "{oops", "[3]", "[4]"])
  }

  @Test(
    "Records and their characters may be cut at any byte",
    arguments: TransportKind.allCases, [StreamFraming.lines, .length])
  func cutAtEveryByte(kind: TransportKind, framing: StreamFraming) async throws {
    for end in ["\r\n", "\n"] {
      let bytes = try bytes(framing, end)
      // The first part shows that it has arrived.
      let lead = Array((framing == .length ? "\(1 + end.utf8.count)\(end)0\(end)" : "0\(end)").utf8)
      let mayGoOn = DispatchSemaphore(value: 0)
      let cuts = Locked(0)
      let server = try StreamServer([
        .custom { peer in
          let cut = cuts.withLock { cuts in
            defer { cuts += 1 }
            return cuts
          }
          try peer.sendChunk(lead + bytes[..<cut])
          mayGoOn.wait()
          try peer.sendChunk(Array(bytes[cut...]))
          try peer.send("0\r\n\r\n")
        }
      ])
      let stream = server.stream(kind, framing: framing).reconnecting(.never)
      for cut in 0...bytes.count {
        var iterator = stream.makeAsyncIterator()
        let first = try await iterator.next()?.value
        mayGoOn.signal()
        #expect(first == 0)
        var read: [String?] = []
        while let element = try await iterator.next() { read.append(element.value?.string) }
        #expect(read == Self.texts, "cut at \(cut)")
      }
      #expect(server.requests.count == bytes.count + 1)
    }
  }

  @Test(
    "Bytes may come one by one", arguments: TransportKind.allCases, [StreamFraming.lines, .length])
  func byteByByte(kind: TransportKind, framing: StreamFraming) async throws {
    let bytes = try bytes(framing, "\r\n")
    let server = try StreamServer([
      .custom { peer in
        for byte in bytes {
          try peer.sendChunk([byte])
          usleep(200)
        }
        peer.waitUntilGone()
      }
    ])
    let read = try await records(Self.texts.count, of: server.stream(kind, framing: framing))
    #expect(read == (try Self.texts.map { try $0.jsonString() }))
  }

  @Test("A record that cannot be decoded is an element with its bytes", arguments: TransportKind.allCases)
  func undecodable(kind: TransportKind) async throws {
    let server = try StreamServer([.records("1", "<html>", #"{"a":"#, "2")])
    #expect(try await records(4, of: server.stream(kind)) == ["1", "!<html>", #"!{"a":"#, "2"])
  }
}
