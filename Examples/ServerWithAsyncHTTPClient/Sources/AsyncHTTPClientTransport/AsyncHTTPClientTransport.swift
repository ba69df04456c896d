import AsyncHTTPClient
import CallsignHTTP
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// Sends requests with AsyncHTTPClient, on the event loops that the rest of a server uses.
///
/// It returns redirects without following them, repeats nothing, and has no cookies: Callsign decides about all of that, so that
/// credentials stay with their hosts and writes are sent once. It logs nothing. Its connections end when the transport and the last
/// body that came through it no longer exist.
public final class AsyncHTTPClientTransport: Transport {
  private let client: HTTPClient

  /// - Parameters:
  ///   - eventLoopGroup: Where it runs. Default: the group that all of the process share.
  ///   - connectTimeout: The bound on name resolution, connection and TLS handshake. AsyncHTTPClient has it for the client
  ///   and not for a request, so it stands in place of `Timeouts.connect`. Default: 15 seconds.
  ///   - adjust: Changes further settings, such as the TLS configuration or a proxy.
  public init(
    eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup, connectTimeout: Duration = .seconds(15),
    adjust: (inout HTTPClient.Configuration) -> Void = { _ in }
  ) {
    var configuration = HTTPClient.Configuration()
    adjust(&configuration)
    configuration.redirectConfiguration = .disallow
    configuration.connectionPool.retryConnectionEstablishment = false
    configuration.decompression = .enabled(limit: .none)  // The client bounds what it collects.
    configuration.timeout = HTTPClient.Configuration.Timeout(connect: TimeAmount(connectTimeout))
    client = HTTPClient(eventLoopGroupProvider: .shared(eventLoopGroup), configuration: configuration)
  }

  // Each body holds its transport, so nobody reads any more.
  deinit { client.shutdown { _ in } }

  /// Sends a request and returns when the response's head has arrived.
  public func send(_ request: TransportRequest) async throws(TransportError) -> TransportResponse {
    try request.validate()
    let clock = TransferClock(request.timeouts)
    let outgoing = try HTTPClientRequest(request, clock: clock)
    do {
      let response = try await clock.run(atFirst: request.timeouts.connect) { [client] in
        try await client.execute(outgoing, deadline: .distantFuture)
      }
      clock.note(.delivered)
      return TransportResponse(
        head: try HTTPResponse(response),
        body: ResponseBody(IncomingBody(response.body, clock: clock, transport: self)),
        protocolVersion: response.version.major > 1 ? "HTTP/\(response.version.major)" : "\(response.version)")
    } catch { throw TransportError(asyncHTTPClient: error, clock.delivery) }
  }
}

/// A response's body. Reading it slowly slows the server; dropping it ends the transfer.
///
/// `@unchecked Sendable`: a body is read by one task at a time.
private final class IncomingBody: ResponseBodySource, @unchecked Sendable {
  private var pieces: HTTPClientResponse.Body.AsyncIterator
  private let clock: TransferClock
  private let transport: AsyncHTTPClientTransport

  init(_ body: HTTPClientResponse.Body, clock: TransferClock, transport: AsyncHTTPClientTransport) {
    (pieces, self.clock, self.transport) = (body.makeAsyncIterator(), clock, transport)
  }

  func next() async throws(TransportError) -> Data? {
    clock.touch()
    do {
      while let piece = try await clock.run({ try await self.pieces.next() }) {
        if piece.readableBytes > 0 { return Data(piece.readableBytesView) }
      }
      try Task.checkCancellation()
      return nil
    } catch { throw TransportError(asyncHTTPClient: error, .delivered) }
  }
}

/// A request's body. The next piece is read when the connection has room for it.
private struct OutgoingBody: AsyncSequence, AsyncIteratorProtocol, Sendable {
  let source: any BodySource
  let clock: TransferClock

  func makeAsyncIterator() -> OutgoingBody { self }

  func next() async throws -> ByteBuffer? {
    // During a wait for the source, nobody can expect bytes on the connection.
    clock.hold()
    defer { clock.touch() }
    do { return try await source.next(limit: 1 << 16).map { ByteBuffer(bytes: $0) } } catch {
      throw TransportError(.bodySource, delivery: .unknown, detail: "\(type(of: error))")
    }
  }
}

extension HTTPClientRequest {
  fileprivate init(_ request: TransportRequest, clock: TransferClock) throws(TransportError) {
    // Foundation may encode characters once more, but the sent URL must be the signed one.
    guard URL(string: request.url.text)?.absoluteString == request.url.text else {
      throw TransportError(.invalidRequest("Foundation would change the URL"), delivery: .notSent)
    }
    self.init(url: request.url.text)
    method = HTTPMethod(rawValue: request.method.rawValue)
    for field in request.headerFields where field.name != .contentLength {
      headers.add(name: field.name.rawName, value: field.value)
    }
    if request.headerFields[.acceptEncoding] == nil { headers.add(name: "Accept-Encoding", value: "gzip, deflate") }
    switch request.body {
    case .none: break
    case .data(let data): body = .bytes(ByteBuffer(bytes: data))
    case .stream(let length, let open):
      let source: any BodySource
      do { source = try open() } catch {
        throw TransportError(.bodySource, delivery: .notSent, detail: "\(type(of: error))")
      }
      body = .stream(OutgoingBody(source: source, clock: clock), length: length.map { .known(Int64($0)) } ?? .unknown)
    }
  }
}

extension HTTPResponse {
  fileprivate init(_ response: HTTPClientResponse) throws(TransportError) {
    guard (100...999).contains(response.status.code) else {
      throw TransportError(.protocolViolation, delivery: .delivered, detail: "the response has no status code")
    }
    self.init(status: Status(code: Int(response.status.code), reasonPhrase: response.status.reasonPhrase))
    for (name, value) in response.headers {
      if let name = HTTPField.Name(name) { headerFields.append(HTTPField(name: name, value: value)) }
    }
  }
}
