import FlyingSocks
import Foundation

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The pool of sockets of one sandbox. Each socket passes here before its first wait, so this is where its options are set.
struct LoopbackSocketPool: AsyncSocketPool {
  private let pool = SocketPool(queue: PollQueue())

  func prepare() async throws { try await pool.prepare() }

  func run() async throws { try await pool.run() }

  func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
    // Header and body are two writes: with Nagle's algorithm the second waits for the client's delayed acknowledgement.
    // Accepted sockets inherit the option from the listening one.
    try? socket.setValue(true, for: BoolSocketOption(level: Int32(IPPROTO_TCP), name: TCP_NODELAY))
    // A process that the embedding program starts must not keep the connection open.
    _ = fcntl(socket.file.rawValue, F_SETFD, FD_CLOEXEC)
    try await pool.suspendSocket(socket, untilReadyFor: events)
  }
}
