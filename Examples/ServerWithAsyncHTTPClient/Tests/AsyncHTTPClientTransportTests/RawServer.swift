import NIOConcurrencyHelpers
import NIOCore
import NIOPosix

/// A server on loopback that sends the same bytes to every connection, whatever the request.
final class RawServer: Sendable {
  /// The requests that it has received.
  struct Record: Sendable {
    var connections = 0
    var open = 0
    var received = ""
  }

  private let channel: any Channel
  private let state: NIOLockedValueBox<Record>

  /// - Parameters:
  ///   - response: Sent when the first bytes of a connection come.
  ///   - closes: Whether it ends the connection then.
  static func start(_ response: String, closes: Bool = false) async throws -> RawServer {
    let state = NIOLockedValueBox(Record())
    let channel = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
      .childChannelInitializer { channel in
        channel.eventLoop.makeCompletedFuture {
          try channel.pipeline.syncOperations.addHandler(Handler(response: response, closes: closes, state: state))
        }
      }.bind(host: "127.0.0.1", port: 0).get()
    return RawServer(channel, state)
  }

  private init(_ channel: any Channel, _ state: NIOLockedValueBox<Record>) {
    self.channel = channel
    self.state = state
  }

  var url: String { "http://127.0.0.1:\(channel.localAddress?.port ?? 0)" }
  var record: Record { state.withLockedValue { $0 } }
  func stop() async throws { try await channel.close() }

  private final class Handler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    let response: String
    let closes: Bool
    let state: NIOLockedValueBox<Record>
    var hasResponded = false

    init(response: String, closes: Bool, state: NIOLockedValueBox<Record>) {
      (self.response, self.closes, self.state) = (response, closes, state)
    }

    func channelActive(context: ChannelHandlerContext) {
      state.withLockedValue {
        $0.connections += 1
        $0.open += 1
      }
    }

    func channelInactive(context: ChannelHandlerContext) { state.withLockedValue { $0.open -= 1 } }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
      let text = String(buffer: unwrapInboundIn(data))
      state.withLockedValue { $0.received += text }
      guard !hasResponded else { return }
      hasResponded = true
      context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: response)), promise: nil)
      if closes { context.close(promise: nil) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
  }
}
