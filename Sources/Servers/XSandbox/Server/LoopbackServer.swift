import CallsignMock
import FlyingFox
import FlyingSocks
import Foundation
import LoopbackSockets

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP server on loopback, by FlyingFox. The rest of this module uses only ``IncomingRequest`` and ``Response``.
struct LoopbackServer: Sendable {
  private let listener: LoopbackListener

  var port: UInt16 { listener.port }

  private static let maximumHeaderSize = 16 << 10

  static func start(
    port: UInt16, maximumBodySize: Int, handle: @escaping @Sendable (IncomingRequest) async -> Response
  ) async throws(SandboxError) -> LoopbackServer {
    do throws(LoopbackListener.PortTaken) {
      return LoopbackServer(
        listener: try await LoopbackListener.start(port: port) { request in
          await respond(to: request, maximumBodySize: maximumBodySize, handle: handle)
        })
    } catch {
      throw .couldNotListen(port: port)
    }
  }

  /// Closes the listening socket and all connections, and waits until they are closed.
  func stop() async { await listener.stop() }

  private static func respond(
    to request: HTTPRequest, maximumBodySize: Int, handle: (IncomingRequest) async -> Response
  ) async -> HTTPResponse {
    var incoming = IncomingRequest(
      method: request.method.rawValue, path: request.target.path(), query: request.target.query(),
      headers: request.headers.map { .init(name: $0.key.rawValue, value: $0.value) }, body: Data())
    if case .ip4(_, let port)? = request.remoteAddress { incoming.peerPort = port }
    guard incoming.headers.reduce(0, { $0 + $1.name.utf8.count + $1.value.utf8.count }) <= maximumHeaderSize else {
      return httpResponse(refusal(status: 431))
    }
    var size = 0
    do {
      // All of it is read, even if it is refused: what is left would be taken for the next request.
      for try await chunk in request.bodySequence {
        size += chunk.count
        if size <= maximumBodySize { incoming.body.append(chunk) }
      }
    } catch {
      return httpResponse(refusal(status: 400))
    }
    // A body that ends early was cut off by its sender, or because the server stops. A response would look as if it
    // were one to the whole request.
    if let announced = incoming.header("Content-Length").flatMap({ Int($0) }), size < announced {
      return httpResponse(.connectionClosed)
    }
    guard size <= maximumBodySize else { return httpResponse(refusal(status: 413)) }
    return httpResponse(await handle(incoming))
  }

  private static func bodySequence(of stream: some StreamingBody) -> HTTPBodySequence { HTTPBodySequence(from: stream) }

  private static func refusal(status: Int) -> Response {
    let phrase = ReasonPhrase.of(status)
    return Response(Problem(status: status, title: phrase, detail: phrase))
  }

  private static func httpResponse(_ response: Response) -> HTTPResponse {
    let status = HTTPStatusCode(response.status, phrase: ReasonPhrase.of(response.status))
    var headers = HTTPHeaders()
    for field in response.headers { headers.setValues([field.value], for: HTTPHeader(field.name)) }
    switch response.body {
    case .bytes(let bytes): return HTTPResponse(statusCode: status, headers: headers, body: bytes)
    case .head(let length):
      headers.setValues([String(length)], for: .contentLength)
      return HTTPResponse(statusCode: status, headers: headers)
    case .cut(let bytes, let total):
      let body = HTTPBodySequence(from: CutBody(bytes: bytes), count: total)
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .stream(let stream):
      return HTTPResponse(statusCode: status, headers: headers, body: bodySequence(of: stream))
    case .chunks(let bytes, let size, let pause):
      let body = HTTPBodySequence(from: PacedBody(bytes: bytes, size: size, pause: pause))
      return HTTPResponse(statusCode: status, headers: headers, body: body)
    case .nothing: return .connectionClosed
    }
  }
}

/// A server that can stop and start again on the same port.
actor RestartableServer {
  private let start: @Sendable (UInt16) async throws -> LoopbackServer
  nonisolated let port: UInt16
  private var running: LoopbackServer?
  private var reservation: PortReservation?
  private var isStopped = false

  init(port: UInt16, start: @escaping @Sendable (UInt16) async throws -> LoopbackServer) async throws {
    let server = try await start(port)
    self.start = start
    self.port = server.port
    running = server
  }

  /// Stops the server, and keeps its port from others where the system allows it.
  func pause() async {
    guard let server = running else { return }
    running = nil
    await server.stop()
    if !isStopped { reservation = try? PortReservation(port: port) }
  }

  func resume() async throws {
    guard running == nil, !isStopped else { return }
    #if !os(Linux)
      // Elsewhere than on Linux, two sockets cannot have one port, even if only one of them listens.
      releasePort()
    #endif
    let server = try await start(port)
    releasePort()
    if isStopped || running != nil { await server.stop() } else { running = server }
  }

  func stop() async {
    isStopped = true
    await pause()
    releasePort()
  }

  private func releasePort() {
    reservation?.release()
    reservation = nil
  }
}

/// A socket that has a port and does not listen: connections are refused, and the system gives the port to nobody else.
private struct PortReservation {
  private let socket: Socket

  /// - Throws: An error if another socket has the port.
  init(port: UInt16) throws {
    socket = try Socket(domain: AF_INET)
    do {
      // A process that the embedding program starts must not keep the port.
      _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
      // The connections that the server has closed still have the port for a minute.
      try socket.setValue(true, for: .localAddressReuse)
      try socket.bind(to: sockaddr_in.inet(ip4: "127.0.0.1", port: port))
    } catch {
      release()
      throw error
    }
  }

  func release() { try? socket.close() }
}
