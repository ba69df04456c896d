import FlyingSocks
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The sockets of one server. All servers of a process wait for theirs on one thread, so there may be any number of them:
/// FlyingSocks' own pools keep a thread of Dispatch each, which has 255 at most.
package final class LoopbackSocketPool: AsyncSocketPool {
  private let owner: SocketWaits.Owner
  /// The ports of clients that wait to be asked for the bodies of their requests.
  private let waiting = WaitingClients()

  package init() { owner = SocketWaits.shared.makeOwner() }

  deinit { stop() }

  /// Opens the pool. One that was stopped stays stopped.
  package func prepare() async throws { try SocketWaits.shared.open(owner) }

  /// Waits until the pool is stopped, or the task is cancelled.
  package func run() async throws { try await SocketWaits.shared.wait(for: -1, [], of: owner) }

  package func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // Header and body are two writes: with Nagle's algorithm the second waits for the client's delayed acknowledgement.
    // Accepted sockets inherit the option from the listening one.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    // A process that the embedding program starts must not keep the connection open.
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
    if events.contains(.read), !waiting.isEmpty { invite(socket) }
    try await SocketWaits.shared.wait(
      for: socket.file.rawValue, events, of: owner, isListening: Self.isListening(socket.file.rawValue))
  }

  /// Asks a client for the body of its request, once the server waits for that: FlyingFox never does.
  func invite(_ client: UInt16) { waiting.insert(client) }

  /// Asks no more, as the response is on its way.
  func forget(_ client: UInt16) { _ = waiting.remove(client) }

  private func invite(_ socket: Socket) {
    guard case .ip4(_, let port)? = try? socket.remotePeer(), waiting.remove(port) else { return }
    // So few bytes fit into a socket on which nothing was written yet.
    _ = try? socket.write(Data("HTTP/1.1 100 Continue\r\n\r\n".utf8))
  }

  private static func isListening(_ descriptor: Int32) -> Bool {
    var value: Int32 = 0
    var length = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &value, &length) == 0 && value != 0
  }

  /// Takes no more connections. Those that there are go on.
  package func stopAccepting() { SocketWaits.shared.stopAccepting(owner) }

  /// Ends every wait for one of the pool's sockets, and begins no other.
  package func stop() { SocketWaits.shared.close(owner) }
}

/// Ports of clients.
///
/// `@unchecked Sendable`: every access to the stored property is made while `lock` is held.
private final class WaitingClients: @unchecked Sendable {
  private let lock = NSLock()
  private var ports: Set<UInt16> = []

  var isEmpty: Bool { lock.withLock { ports.isEmpty } }
  func insert(_ port: UInt16) { lock.withLock { _ = ports.insert(port) } }

  /// - Returns: Whether it was there.
  func remove(_ port: UInt16) -> Bool { lock.withLock { ports.remove(port) != nil } }
}
