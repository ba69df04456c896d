import NIOCore

/// Watches the bytes before they are parsed, because the parser reports nothing about a header section before its end.
final class IncomingBytes: ChannelInboundHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  /// When the first byte of the current request arrived.
  private(set) var beginning: NIODeadline?
  /// The length of the request line so far.
  private(set) var requestLineLength = 0
  private var hasRequestLine = false
  /// The first bytes of the current request.
  private(set) var start: [UInt8] = []
  /// Whether to drop incoming bytes.
  var isDiscarding = false

  private static let startLength = 32

  /// Prepares for the next request.
  func restart() {
    beginning = nil
    requestLineLength = 0
    hasRequestLine = false
    start = []
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isDiscarding { return }
    let bytes = Self.unwrapInboundIn(data)
    if beginning == nil { beginning = .now() }
    if !hasRequestLine {
      start += bytes.readableBytesView.prefix(Self.startLength - start.count)
      let line = bytes.readableBytesView.prefix { $0 != UInt8(ascii: "\n") }
      requestLineLength += line.count
      hasRequestLine = line.count < bytes.readableBytes
    }
    context.fireChannelRead(data)
  }

  /// Whether the request begins with a word and a space, like a request with an unknown method.
  var beginsWithMethod: Bool {
    guard let space = start.firstIndex(of: UInt8(ascii: " ")), space > 0 else { return false }
    return start[..<space].allSatisfy {
      (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) || $0 == UInt8(ascii: "-")
    }
  }
}
