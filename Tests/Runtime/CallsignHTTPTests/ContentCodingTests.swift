import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation
import HTTPTypes
import TestSupport
import Testing

#if os(Linux)
  import CZLib
#endif

/// Half a body is never a success, however it is encoded.
@Suite struct ContentCodingTests {
  #if os(Linux)
    /// - Parameter windowBits: zlib's number for the format.
    private static func compressed(_ text: String, _ windowBits: Int32 = 31) -> [UInt8] {
      // zlib keeps its address.
      let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
      stream.initialize(to: z_stream())
      defer { stream.deallocate() }
      guard callsign_deflate_begin(stream, windowBits) == Z_OK else { return [] }
      defer { deflateEnd(stream) }
      var input = Array(text.utf8)
      var output = [UInt8](repeating: 0, count: input.count + 1000)
      input.withUnsafeMutableBufferPointer { input in
        output.withUnsafeMutableBufferPointer { output in
          stream.pointee.next_in = input.baseAddress
          stream.pointee.avail_in = uInt(input.count)
          stream.pointee.next_out = output.baseAddress
          stream.pointee.avail_out = uInt(output.count)
          deflate(stream, Z_FINISH)
        }
      }
      return Array(output[..<(output.count - Int(stream.pointee.avail_out))])
    }

    private static let lines = (0..<3000).map { #"{"id":"\#($0 * 7919 % 100_003)"}"# }.joined(separator: "\n")

    private func serving(_ coding: String, _ bytes: [UInt8]) throws -> ScriptedServer {
      try ScriptedServer.responding { _, peer in try peer.respond("200 OK", ["Content-Encoding: \(coding)"], bytes) }
    }

    private func text(_ coding: String, _ bytes: [UInt8]) async throws -> String {
      let server = try serving(coding, bytes)
      let response = try await TransportKind.curl.make().send(TransportRequest(.get, server.url()))
      return String(decoding: try await response.body.collect(), as: UTF8.self)
    }

    @Test("Every coding is undone")
    func codings() async throws {
      #expect(try await text("gzip", Self.compressed(Self.lines)) == Self.lines)
      #expect(try await text("X-GZIP", Self.compressed(Self.lines)) == Self.lines)
      #expect(try await text("deflate", Self.compressed(Self.lines, 15)) == Self.lines)
      #expect(try await text("deflate", Self.compressed(Self.lines, -15)) == Self.lines)
      #expect(try await text("identity", Array("plain".utf8)) == "plain")
      #expect(try await text("gzip", []) == "")
      #expect(try await text("gzip", Self.compressed("")) == "")
    }

    @Test("A response that is a thousand times as large as its bytes arrives whole") func largeResponse() async throws {
      let zeros = String(repeating: "0", count: 3_000_000)
      #expect(try await text("gzip", Self.compressed(zeros)) == zeros)
      #expect(try await text("deflate", Self.compressed(zeros, -15)) == zeros)
    }

    @Test("Several gzip members form one body, and zero bytes may follow") func members() async throws {
      let (one, two) = (Self.compressed("one, "), Self.compressed("two"))
      #expect(try await text("gzip", one + two) == "one, two")
      #expect(try await text("gzip", one + one + two + [0, 0, 0]) == "one, one, two")
      for bytes in [one + [1], one + [0, 0] + two, one + Array("more".utf8)] {
        let error = try await transportError { try await text("gzip", bytes) }
        #expect(error.kind == .protocolViolation)
        #expect(error.detail?.contains("`gzip`") == true)
      }
    }

    @Test("A coding that ends early is an error wherever it ends, and the error says so")
    func cut() async throws {
      let (gzip, zlib, raw) = (
        Self.compressed(Self.lines), Self.compressed(Self.lines, 15), Self.compressed(Self.lines, -15)
      )
      var cuts = [
        ("gzip", Self.compressed("one") + gzip.prefix(1)), ("gzip", Self.compressed("one") + gzip.prefix(500)),
      ]
      for (coding, bytes) in [("gzip", gzip), ("deflate", zlib), ("deflate", raw)] {
        for count in [1, 2, 9, 10, 11, bytes.count / 2, bytes.count - 1] {
          cuts.append((coding, Array(bytes[..<count])))
        }
      }
      for (coding, bytes) in cuts {
        let error = try await transportError { try await text(coding, bytes) }
        #expect(error.kind == .connectionLost, "\(coding), \(bytes.count)")
        #expect(error.delivery == .delivered)
        #expect("\(error.summary)".contains("incomplete"))
      }
    }

    @Test("Codings upon codings are undone, and too many are refused") func stacked() async throws {
      let bytes = Self.compressed("text")
      let server = try ScriptedServer.responding { _, peer in
        try peer.respond("200 OK", ["Content-Encoding: identity, gzip"], bytes)
      }
      let transport = TransportKind.curl.make()
      let response = try await transport.send(TransportRequest(.get, server.url()))
      #expect(try await response.body.collect() == Data("text".utf8))
      let error = try await transportError { try await text("gzip, gzip, gzip, gzip", bytes) }
      #expect(error.kind == .protocolViolation)
    }

    @Test("A transfer coding that was not requested is refused") func transferCoding() async throws {
      let server = try ScriptedServer.responding { _, peer in
        try peer.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\nConnection: close\r\n\r\n")
        try peer.send(Array(Self.compressed(Self.lines).prefix(500)))
        peer.end()
      }
      let error = try await transportError {
        try await TransportKind.curl.make().send(TransportRequest(.get, server.url())).body.collect()
      }
      #expect(error.kind == .protocolViolation)
    }

    @Test("Half a body is an error as bytes, text, JSON and a file", arguments: TransportKind.allCases)
    func calls(kind: TransportKind) async throws {
      let whole = Self.compressed("[\(Self.lines.replacing("\n", with: ","))]")
      let server = try serving("gzip", Array(whole.prefix(whole.count / 2)))
      let configuration = ClientConfiguration(transport: kind.make(), timeouts: .patient, retry: .never)
      let client = Client(auth: [], configuration: configuration)
      let folder = try TemporaryFolder()
      let file = folder.url.appendingPathComponent("file")
      await #expect(throws: CallError.self) { try await client.download(server.url(), to: file, auth: .none) }
      #expect(!FileManager.default.fileExists(atPath: file.path))
      await #expect(throws: CallError.self) { try await client.call(.get, server.url(), auth: .none) }
      await #expect(throws: CallError.self) { try await client.text(Call(.get, server.url(), auth: .none)) }
      await #expect(throws: CallError.self) { try await client.data(Call(.get, server.url(), auth: .none)) }
      let opened = try await client.open(.get, server.url(), auth: .none)
      await #expect(throws: TransportError.self) { try await opened.value.collect() }
    }
  #endif
}
