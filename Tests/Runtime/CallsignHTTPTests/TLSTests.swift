import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation
import TestSupport
import Testing

@Suite(.needs(.openssl, .python)) struct TLSTests {
  static func trusting(_ server: TLSServer) -> any Transport {
    DefaultTransport.make(
      configuration: TransportConfiguration(certificateAuthorities: .file(server.authorities)))
  }

  @Test("A stranger's certificate is refused", arguments: TransportKind.allCases) func aStrangersCertificateIsRefused(
    kind: TransportKind
  ) async throws {
    let server = try TLSServer(name: "IP:127.0.0.1")
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    if kind.isExact { #expect(error.kind == .tls) }
    #expect(error.delivery == .notSent || !kind.isExact)
  }

  @Test("The caller's authorities are trusted") func theCallersAuthoritiesAreTrusted() async throws {
    let server = try TLSServer(name: "IP:127.0.0.1")
    let response = try await Self.trusting(server).send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    #expect(try await response.body.collect() == Data("hello".utf8))
  }

  @Test("The name must match") func theNameMustMatch() async throws {
    let server = try TLSServer(name: "DNS:elsewhere.example")
    let error = try await transportError {
      try await Self.trusting(server).send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error.kind == .tls)
    #expect(error.delivery == .notSent)
  }

  @Test("Other authorities are not trusted") func otherAuthoritiesAreNotTrusted() async throws {
    let server = try TLSServer(name: "IP:127.0.0.1")
    let other = try TLSServer(name: "IP:127.0.0.1")
    let error = try await transportError {
      try await Self.trusting(other).send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error.kind == .tls)
  }

  @Test("A server without TLS", arguments: TransportKind.exact) func aServerWithoutTLS(kind: TransportKind) async throws
  {
    let server = try ScriptedServer { peer in
      _ = peer.receive()
      try peer.send("HTTP/1.1 400 Bad Request\r\n\r\n")
    }
    let error = try await transportError {
      try await kind.make().send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error.kind == .tls)
    #expect(error.delivery == .notSent)
  }

  @Test("A missing file of authorities") func aMissingFileOfAuthorities() async throws {
    let missing = CertificateAuthorities.file(URL(fileURLWithPath: "/nonexistent/authorities.pem"))
    let transport = DefaultTransport.make(configuration: TransportConfiguration(certificateAuthorities: missing))
    let server = try TLSServer(name: "IP:127.0.0.1")
    let error = try await transportError {
      try await transport.send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/"))
    }
    #expect(error.kind == .tls)
    #expect(error.delivery == .notSent)
  }
}

#if os(Linux)
  @Suite(.needs(.openssl, .nginx)) struct HTTP2Tests {
    @Test("Many transfers share one connection") func manyTransfersShareOneConnection() async throws {
      let server = try TLSServer(.http2, name: "IP:127.0.0.1")
      let transport = TLSTests.trusting(server)
      let connections = try await withThrowingTaskGroup(of: String.self) { group in
        for _ in 0..<50 {
          group.addTask {
            let response = try await transport.send(TransportRequest(.get, "https://127.0.0.1:\(server.port)/hello"))
            #expect(response.protocolVersion == "HTTP/2")
            return String(decoding: try await response.body.collect(), as: UTF8.self)
          }
        }
        return try await group.reduce(into: Set<String>()) { $0.insert($1) }
      }
      #expect(connections.count == 1)
      #expect(connections.first?.hasPrefix("hello HTTP/2.0 ") == true)
    }

    @Test("A connection that fell silent is not used again", .needs(.python)) func silentConnection() async throws {
      let server = try TLSServer(.http2Once, name: "IP:127.0.0.1")
      let transport = TLSTests.trusting(server)
      func status(_ timeouts: Timeouts) async throws -> Int {
        let response = try await transport.send(
          TransportRequest(.get, "https://127.0.0.1:\(server.port)/", timeouts: timeouts))
        #expect(response.protocolVersion == "HTTP/2")
        _ = try await response.body.collect()
        return response.head.status.code
      }
      #expect(try await status(.patient) == 200)
      let error = try await transportError { try await status(Timeouts(connect: .seconds(600), idle: .seconds(1))) }
      #expect(error.kind == .timedOut)
      #expect(error.delivery == .unknown)
      #expect(try await status(Timeouts(connect: .seconds(600), idle: .seconds(30))) == 200)
    }

    /// One stream that stands still must not hold up the others of its connection, nor fill memory.
    @Test("A reader that does not read") func aReaderThatStandsStill() async throws {
      let server = try TLSServer(.http2, name: "IP:127.0.0.1")
      let transport = TLSTests.trusting(server)
      let base = "https://127.0.0.1:\(server.port)"
      _ = try await transport.send(TransportRequest(.get, base + "/hello")).body.collect()
      let slow = try await transport.send(TransportRequest(.get, base + "/big"))
      try await Task.sleep(for: .milliseconds(500))
      for _ in 0..<10 {
        let response = try await transport.send(TransportRequest(.get, base + "/hello"))
        #expect(try await response.body.collect().isEmpty == false)
      }
      // libcurl's window for one stream is 32 MB, and is all that a server can fill: the 256 MB are still there.
      #expect(try #require(server.bytesWritten) < 64 << 20)
      var read = 0
      for try await piece in slow.body { read += piece.count }
      #expect(read == 256 << 20)
      #expect(try #require(server.bytesWritten) > 256 << 20)
    }

    @Test("A dropped body leaves the connection") func aDroppedBodyLeavesTheConnection() async throws {
      let server = try TLSServer(.http2, name: "IP:127.0.0.1")
      let transport = TLSTests.trusting(server)
      let base = "https://127.0.0.1:\(server.port)"
      let first = try await transport.send(TransportRequest(.get, base + "/hello")).body.collect()
      for _ in 0..<5 { _ = try await transport.send(TransportRequest(.get, base + "/big")) }
      let last = try await transport.send(TransportRequest(.get, base + "/hello")).body.collect()
      #expect(first == last)
    }
  }
#endif
