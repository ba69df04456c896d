import AsyncHTTPClientTransport
import CallsignHTTP
import Foundation
import HTTPTypes
import Testing

/// Tests the promises of a transport with servers that misbehave.
@Suite("The transport", .timeLimit(.minutes(5))) struct TransportTests {
  private let transport = AsyncHTTPClientTransport()

  private func request(
    _ url: String, _ method: HTTPRequest.Method = .get, body: RequestBody = .none, timeouts: Timeouts = Timeouts()
  ) throws -> TransportRequest {
    let secret = try #require(HTTPField.Name("Authorization"))
    return TransportRequest(
      method: method, url: try #require(AbsoluteURL(url)), headerFields: [secret: "Bearer s3cret-token"], body: body,
      timeouts: timeouts)
  }

  /// The error of a request that must fail.
  private func failure(_ request: TransportRequest) async throws -> TransportError {
    do throws(TransportError) {
      let response = try await transport.send(request)
      _ = try await response.body.collect()
    } catch { return error }
    throw CocoaError(.featureUnsupported)
  }

  private func eventually(_ condition: () -> Bool) async throws {
    let end = ContinuousClock.now + .seconds(60)
    while !condition() {
      guard ContinuousClock.now < end else { throw CocoaError(.coderValueNotFound) }
      try await Task.sleep(for: .milliseconds(20))
    }
  }

  @Test("A redirect is returned and not followed") func redirect() async throws {
    let server = try await RawServer.start(
      "HTTP/1.1 302 Found\r\nLocation: /elsewhere\r\nSet-Cookie: a=b\r\nContent-Length: 2\r\n\r\nhi")
    let response = try await transport.send(try request(server.url))
    #expect(response.head.status.code == 302 && response.head.headerFields[.location] == "/elsewhere")
    #expect(response.protocolVersion == "HTTP/1.1")
    #expect(try await response.body.collect() == Data("hi".utf8))
    #expect(server.record.connections == 1)
    try await server.stop()
  }

  @Test("A body that is dropped unread ends the transfer, and so does cancellation") func abandonment() async throws {
    let server = try await RawServer.start("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nhi\r\n")
    _ = try await transport.send(try request(server.url))
    try await eventually { server.record.connections == 1 && server.record.open == 0 }

    // One that was begun.
    try await readFirst(of: server)
    try await eventually { server.record.connections == 2 && server.record.open == 0 }

    let message = try request(server.url)
    let reading = Task { [transport] in
      do throws(TransportError) {
        _ = try await transport.send(message).body.collect()
        return nil as TransportError?
      } catch { return error }
    }
    try await eventually { server.record.open == 1 }
    reading.cancel()
    #expect(await reading.value?.kind == .cancelled)
    try await eventually { server.record.open == 0 }
    try await server.stop()
  }

  private func readFirst(of server: RawServer) async throws {
    var pieces = try await transport.send(try request(server.url)).body.makeAsyncIterator()
    #expect(try await pieces.next() == Data("hi".utf8))
  }

  @Test("A body outlives the transport that it came through") func lifetime() async throws {
    let server = try await RawServer.start("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    var other: AsyncHTTPClientTransport? = AsyncHTTPClientTransport()
    let response = try await other?.send(try request(server.url))
    other = nil
    #expect(try await response?.body.collect() == Data("hi".utf8))
    try await server.stop()
  }

  @Test("The request's own limits end silence and slowness, before and after the head", arguments: [false, true])
  func timeouts(hasHead: Bool) async throws {
    let head = "HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi"
    let server = try await RawServer.start(hasHead ? head : "HTTP/1.1")
    // Long enough for the head to be read on a busy machine.
    let silent = try request(server.url, timeouts: Timeouts(connect: .seconds(60), idle: .seconds(15)))
    let slow = try request(server.url, timeouts: Timeouts(idle: nil, total: .seconds(15)))
    async let silence = failure(silent)
    async let slowness = failure(slow)
    for error in [try await silence, try await slowness] {
      #expect(error.kind == .timedOut && error.delivery == (hasHead ? .delivered : .unknown), "\(error)")
    }
    try await eventually { server.record.open == 0 }
    try await server.stop()
  }

  @Test("A slow reader does not count as silence") func slowReader() async throws {
    let content = String(repeating: "x", count: 4 << 20)
    let server = try await RawServer.start("HTTP/1.1 200 OK\r\nContent-Length: \(content.utf8.count)\r\n\r\n\(content)")
    let response = try await transport.send(try request(server.url, timeouts: Timeouts(idle: .seconds(15))))
    try await Task.sleep(for: .seconds(20))
    #expect(try await response.body.collect().count == content.utf8.count)
    try await server.stop()
  }

  @Test("Failures have their kinds and say how far the request got") func failures() async throws {
    let server = try await RawServer.start("", closes: true)
    let lost = try await failure(try request(server.url, .post, body: .data(Data("a".utf8))))
    #expect(lost.kind == .connectionLost && lost.delivery == .unknown, "\(lost)")
    let url = server.url
    try await server.stop()
    let refused = try await failure(try request(url))
    #expect(refused.kind == .cannotConnect && refused.delivery == .notSent, "\(refused)")

    let short = try await RawServer.start("HTTP/1.1 200 OK\r\nContent-Length: 20\r\n\r\nhi", closes: true)
    let cut = try await failure(try request(short.url))
    #expect(cut.kind == .connectionLost && cut.delivery == .delivered, "\(cut)")
    try await short.stop()

    let foreign = try await RawServer.start("220 mail.example ESMTP\r\n")
    let error = try await failure(try request(foreign.url))
    #expect(error.kind == .protocolViolation, "\(error)")
    try await foreign.stop()

    let plain = try await RawServer.start("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nhi")
    let tls = try await failure(try request(plain.url.replacing("http:", with: "https:")))
    #expect(tls.kind == .tls && tls.delivery == .notSent, "\(tls)")
    try await plain.stop()
  }

  @Test("An invalid request is refused before anything is sent") func invalid() async throws {
    for url in ["http://127.0.0.1:1/a b", "http://127.0.0.1:1/a|b?{c}", "ftp://127.0.0.1:1/"] {
      let error = try await failure(try request(url))
      guard case .invalidRequest = error.kind else {
        Issue.record("\(url): \(error)")
        continue
      }
      #expect(error.delivery == .notSent)
    }
  }

  @Test("No error contains a secret or the query") func secrets() async throws {
    let server = try await RawServer.start("", closes: true)
    let error = try await failure(try request("\(server.url)/path?oauth_token=s3cret-query"))
    for text in ["\(error)", String(reflecting: error), error.errorDescription ?? ""] {
      #expect(!text.contains("s3cret") && !text.contains("path"), "\(text)")
    }
    try await server.stop()
  }
}

// Bodies of requests.
extension TransportTests {
  /// Provides pieces, and fails after them on request.
  private final class Pieces: BodySource, @unchecked Sendable {
    private var pieces: ArraySlice<Data>
    private let fails: Bool

    init(_ pieces: [Data], fails: Bool = false) { (self.pieces, self.fails) = (pieces[...], fails) }

    func next(limit: Int) async throws -> Data? {
      // The wait is caused by this side.
      try await Task.sleep(for: .milliseconds(2))
      guard let piece = pieces.popFirst() else {
        if fails { throw CocoaError(.fileReadUnknown) }
        return nil
      }
      return piece
    }
  }

  @Test("A body is streamed, with its length if it is known", arguments: [nil, 500 * 10] as [Int?])
  func upload(length: Int?) async throws {
    let server = try await RawServer.start("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    let pieces = (0..<500).map { Data(String(format: "%09d\n", $0).utf8) }
    let response = try await transport.send(
      try request(server.url, .post, body: .stream(length: length) { Pieces(pieces) }))
    #expect(response.head.status == .ok)
    try await eventually { server.record.received.contains("000000499\n") }
    let received = server.record.received.lowercased()
    #expect(received.contains("content-length: 5000") == (length != nil))
    #expect(received.contains("transfer-encoding: chunked") == (length == nil))
    #expect(received.contains("accept-encoding: gzip"))
    try await server.stop()
  }

  @Test("A source that fails, or has more or fewer bytes than announced, ends the transfer") func wrongBodies()
    async throws
  {
    let server = try await RawServer.start("")
    let pieces = [Data("12345".utf8), Data("67890".utf8)]
    for body in [
      RequestBody.stream(length: nil) { Pieces(pieces, fails: true) }, .stream(length: 20) { Pieces(pieces) },
      .stream(length: 7) { Pieces(pieces) }, .stream(length: 1) { throw CocoaError(.fileNoSuchFile) },
    ] {
      let error = try await failure(try request(server.url, .post, body: body))
      #expect(error.kind == .bodySource, "\(error)")
    }
    try await server.stop()
  }
}
