// Sound: `bind` reads the address during the call only, and gets its size.

import CallsignMock
import Foundation
import LoopbackSockets

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP server on loopback. The rest of this module uses only ``IncomingRequest`` and ``Response``.
struct LoopbackServer: Sendable {
  private let listener: LoopbackListener

  var port: UInt16 { listener.port }

  static func start(
    port: UInt16, maximumBodySize: Int, handle: @escaping @Sendable (IncomingRequest) async -> Response
  ) async throws(SandboxError) -> LoopbackServer {
    do throws(LoopbackListener.PortTaken) {
      return LoopbackServer(
        listener: try await LoopbackListener.start(
          port: port, limits: RequestLimits(body: maximumBodySize),
          refusal: { outgoing(refusal(status: $0)) ?? .refusal($0) }
        ) { request in
          guard request.body.count <= maximumBodySize else { return outgoing(refusal(status: 413)) }
          return outgoing(
            await handle(
              IncomingRequest(
                method: request.method, path: request.path, query: request.query ?? "",
                headers: request.fields.map { HeaderField(name: $0.name.rawName, value: $0.value) },
                body: request.body, client: request.client)))
        })
    } catch {
      throw .couldNotListen(port: port)
    }
  }

  /// Closes the listening socket and all connections, and waits for them to close.
  func stop() async { await listener.stop() }

  private static func refusal(status: Int) -> Response {
    let phrase = ReasonPhrase.of(status)
    return Response(Problem(status: status, title: phrase, detail: phrase))
  }

  private static func outgoing(_ response: Response) -> LoopbackResponse? {
    var outgoing = LoopbackResponse(
      status: response.status, fields: response.headers.map { ($0.name, $0.value) })
    switch response.body {
    case .bytes(let bytes): outgoing.body = .bytes(bytes)
    case .head(let length): outgoing.body = .announced(length)
    case .cut(let bytes, let total):
      outgoing.body = .pieces(length: total) { writer in
        try await writer.write(bytes)
        throw DeliberateCut()
      }
    case .stream(let stream): outgoing.body = .pieces(length: nil) { try await stream.write(to: $0) }
    case .chunks(let bytes, let size, let pause):
      outgoing.body = .pieces(length: nil) { writer in
        var rest = bytes
        while !rest.isEmpty {
          if pause > .zero, rest.count < bytes.count { try await Task.sleep(for: pause) }
          try await writer.write(Data(rest.prefix(size)))
          rest = rest.dropFirst(size)
        }
      }
    case .nothing: return nil
    }
    return outgoing
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

  /// Stops the server, and reserves its port if the system allows it.
  func pause() async {
    guard let server = running else { return }
    running = nil
    await server.stop()
    if !isStopped { reservation = try? PortReservation(port: port) }
  }

  func resume() async throws {
    guard running == nil, !isStopped else { return }
    #if !os(Linux)
      // Only Linux lets two sockets share a port while only one of them listens.
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

/// A socket that is bound to a port but does not listen: connections are refused, and the system gives the port to nobody else.
private struct PortReservation {
  private let descriptor: Int32

  struct PortTaken: Error {}

  /// - Throws: An error if another socket has the port.
  init(port: UInt16) throws {
    #if canImport(Glibc)
      descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    #else
      descriptor = socket(AF_INET, SOCK_STREAM, 0)
    #endif
    guard descriptor >= 0 else { throw PortTaken() }
    // Processes started by the embedding program must not keep the port.
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    // Connections that the server closed still occupy the port for a minute.
    var reuse: Int32 = 1
    setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
    let result = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    guard result == 0 else {
      release()
      throw PortTaken()
    }
  }

  func release() { _ = close(descriptor) }
}
