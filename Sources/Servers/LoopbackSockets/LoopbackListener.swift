// Sound: the descriptor is used only in the closure that gets it.

import CallsignSupport
import NIOCore
import NIOHTTP1
import NIOPosix

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An HTTP server that listens on 127.0.0.1.
package struct LoopbackListener: Sendable {
  /// The port is taken or not permitted.
  package struct PortTaken: Error {
    package let port: UInt16
  }

  /// Makes the response to a request; `nil` closes the connection without a response.
  package typealias Respond = @Sendable (LoopbackRequest) async -> LoopbackResponse?

  /// The port number.
  package let port: UInt16
  private let channel: any Channel
  private let connections: OpenConnections

  /// Starts to listen.
  ///
  /// - Parameters:
  ///   - port: The port; 0 takes a free one.
  ///   - limits: The limits for requests.
  ///   - refusal: Makes the response to a request that is not HTTP or exceeds a limit, given its status.
  ///   - respond: Responds to a request. It is cancelled if the connection is closed.
  package static func start(
    port: UInt16, limits: RequestLimits = RequestLimits(),
    refusal: @escaping @Sendable (Int) -> LoopbackResponse = { LoopbackResponse.refusal($0) },
    respond: @escaping Respond
  ) async throws(PortTaken) -> LoopbackListener {
    let connections = OpenConnections()
    let bootstrap = ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .serverChannelOption(.backlog, value: 256)
      .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
      .serverChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture { try keepFromChildProcesses(channel) }
      }
      // A client may close its side of the connection and still wait for the response.
      .childChannelOption(.allowRemoteHalfClosure, value: true)
      // With Nagle's algorithm, a second write would wait for the client's delayed acknowledgement.
      .childChannelOption(.tcpOption(.tcp_nodelay), value: 1)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try keepFromChildProcesses(channel)
          connections.add(channel)
          var decoding = NIOHTTPDecoderLimitConfiguration()
          decoding.maxHeaderFieldSize = limits.requestLine
          decoding.maxHeaderListSize = limits.requestLine + limits.fields
          let decoder = HTTPRequestDecoder(limitConfiguration: decoding)
          let bytes = IncomingBytes()
          try channel.pipeline.syncOperations.addHandlers([
            bytes, HTTPResponseEncoder(), ByteToMessageHandler(decoder), NIOHTTPResponseHeadersValidator(),
            HTTPConnection(bytes: bytes, limits: limits, refusal: refusal, respond: respond),
          ])
        }
      }
    do {
      let address = try SocketAddress(ipAddress: "127.0.0.1", port: Int(port))
      let channel = try await bootstrap.bind(to: address).get()
      return LoopbackListener(
        port: UInt16(channel.localAddress?.port ?? Int(port)), channel: channel, connections: connections)
    } catch {
      throw PortTaken(port: port)
    }
  }

  /// Accepts no more connections, and waits until all are closed.
  ///
  /// - Parameter grace: The time that responses get to finish; none by default.
  package func stop(within grace: Duration = .zero) async {
    try? await channel.close().get()
    let open = connections.stop()
    if grace > .zero {
      for connection in open { connection.pipeline.fireUserInboundEventTriggered(ChannelShouldQuiesceEvent()) }
      let timer = Task {
        // Cancelled after all have ended.
        if (try? await Task.sleep(for: grace)) != nil { for connection in open { connection.close(promise: nil) } }
      }
      for connection in open { try? await connection.closeFuture.get() }
      timer.cancel()
    } else {
      for connection in open { connection.close(promise: nil) }
      for connection in open { try? await connection.closeFuture.get() }
    }
  }

  /// Closes everything without waiting.
  package func cancel() {
    channel.close(promise: nil)
    for connection in connections.stop() { connection.close(promise: nil) }
  }

  /// Processes started by the embedding program must not keep the socket open.
  private static func keepFromChildProcesses(_ channel: any Channel) throws {
    try channel.pipeline.syncOperations.withUnsafeTransportIfAvailable(of: NIOBSDSocket.Handle.self) { descriptor in
      _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }
  }
}

/// The connections of one server.
private final class OpenConnections: Sendable {
  private struct State {
    var open: [ObjectIdentifier: any Channel] = [:]
    var isStopped = false
  }

  private let state = Locked(State())

  func add(_ channel: any Channel) {
    let isStopped = state.withLock { state in
      if !state.isStopped { state.open[ObjectIdentifier(channel)] = channel }
      return state.isStopped
    }
    guard !isStopped else { return channel.close(promise: nil) }
    channel.closeFuture.whenComplete { _ in
      self.state.withLock { _ = $0.open.removeValue(forKey: ObjectIdentifier(channel)) }
    }
  }

  /// Also closes connections that are accepted later.
  ///
  /// - Returns: The open connections.
  func stop() -> [any Channel] {
    state.withLock { state in
      state.isStopped = true
      return Array(state.open.values)
    }
  }
}
