import CallsignSupport
import Foundation
import HTTPTypes
import NIOCore
import NIOHTTP1

/// One connection: reads a request, passes it on, sends the response, and then reads the next request.
final class HTTPConnection: ChannelDuplexHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias OutboundIn = HTTPServerResponsePart
  typealias OutboundOut = HTTPServerResponsePart

  private enum State {
    /// Waits for the end of a request's header section.
    case waiting
    case reading(HTTPRequestHead)
    case responding
    /// The last response has been sent. Further data from the client is dropped, because a reset would destroy the response.
    case closing
  }

  private let bytes: IncomingBytes
  private let limits: RequestLimits
  private let refusal: @Sendable (Int) -> LoopbackResponse
  private let respond: LoopbackListener.Respond
  private let client = LoopbackClient()

  private var state = State.waiting
  private var body = Data()
  private var bodySize = 0
  /// Parts of the next requests that arrived before the response.
  private var queue = CircularBuffer<HTTPServerRequestPart>()
  private var queuedFailure: Int?
  private var isReadPending = false
  private var keepsAlive = true
  private var version = HTTPVersion.http1_1
  private var isHead = false
  private var hasInputEnded = false
  /// When to close the connection if nothing changes.
  private var deadline = NIODeadline.distantFuture
  private var timer: RepeatedTask?
  private var task: Task<Void, Never>?

  init(
    bytes: IncomingBytes, limits: RequestLimits, refusal: @escaping @Sendable (Int) -> LoopbackResponse,
    respond: @escaping LoopbackListener.Respond
  ) {
    self.bytes = bytes
    self.limits = limits
    self.refusal = refusal
    self.respond = respond
  }

  // MARK: Events

  func channelActive(context: ChannelHandlerContext) {
    deadline = .now() + TimeAmount(limits.idleTime)
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    let precision = TimeAmount(limits.precision)
    timer = context.eventLoop.scheduleRepeatedTask(initialDelay: precision, delay: precision) { _ in
      let (connection, context) = bound.value
      connection.checkTime(context)
    }
    context.fireChannelActive()
  }

  func channelInactive(context: ChannelHandlerContext) {
    client.hangUp()
    timer?.cancel()
    task?.cancel()
    context.fireChannelInactive()
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    let part = Self.unwrapInboundIn(data)
    if case .responding = state { queue.append(part) } else { take(part, context) }
  }

  func read(context: ChannelHandlerContext) {
    // The next request waits in the system until this one has a response.
    if case .responding = state { isReadPending = true } else { context.read() }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    if case .closing = state { return }
    guard let error = error as? HTTPParserError, error != .invalidEOFState, error != .closedConnection else {
      return context.close(promise: nil)
    }
    let status =
      switch error {
      case .headerOverflow: bytes.requestLineLength > limits.requestLine ? 414 : 431
      case .invalidMethod: bytes.beginsWithMethod ? 501 : 400
      case .invalidVersion: 505
      default: 400
      }
    if case .responding = state { queuedFailure = status } else { refuse(status, context) }
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    switch event {
    case ChannelEvent.inputClosed:
      hasInputEnded = true
      client.hangUp()
      if case .responding = state { break }
      context.close(promise: nil)
    case is ChannelShouldQuiesceEvent:
      keepsAlive = false
      if case .waiting = state { context.close(promise: nil) }
    default: context.fireUserInboundEventTriggered(event)
    }
  }

  private func checkTime(_ context: ChannelHandlerContext) {
    let now = NIODeadline.now()
    switch state {
    case .waiting:
      if let beginning = bytes.beginning, now > beginning + TimeAmount(limits.headTime) {
        refuse(408, context)
      } else if now > deadline {
        context.close(promise: nil)
      }
    case .reading: if now > deadline + .seconds(Int64(bodySize >> 14)) { refuse(408, context) }
    case .responding: break
    case .closing: if now > deadline { context.close(promise: nil) }
    }
  }

  // MARK: Requests

  private func take(_ part: HTTPServerRequestPart, _ context: ChannelHandlerContext) {
    switch (part, state) {
    case (.head(let head), .waiting): begin(head, context)
    case (.body(let buffer), .reading):
      bodySize += buffer.readableBytes
      body.append(contentsOf: buffer.readableBytesView.prefix(limits.body - body.count))
    case (.end, .reading(let head)): complete(head, context)
    default: break
    }
  }

  private func begin(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    version = head.version
    isHead = head.method == .HEAD
    // After an upgrade request, the parser reads no further requests.
    keepsAlive = keepsAlive && head.isKeepAlive && !head.headers.contains(name: "Upgrade")
    if let status = Self.refusal(of: head, limits) { return refuse(status, context) }
    state = .reading(head)
    (body, bodySize) = (Data(), 0)
    deadline = .now() + TimeAmount(limits.bodyTime)
    guard head.version != .http1_0, head.headers.first(name: "Expect")?.lowercased() == "100-continue" else { return }
    // A client that asks first need not send a body that is too large (RFC 9110 §10.1.1).
    if let length = head.headers.first(name: "Content-Length").flatMap({ Int($0) }), length >= limits.body {
      return refuse(413, context)
    }
    context.writeAndFlush(
      Self.wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: .continue))), promise: nil)
  }

  /// The status of an invalid header section; `nil` if it is valid.
  private static func refusal(of head: HTTPRequestHead, _ limits: RequestLimits) -> Int? {
    let size = head.headers.reduce(0) { $0 + $1.name.utf8.count + $1.value.utf8.count + 4 }
    if size > limits.fields { return 431 }
    // RFC 9112 §3.2
    let hosts = head.headers[canonicalForm: "Host"].count
    if hosts > 1 || hosts == 0 && head.version != .http1_0 { return 400 }
    if target(of: head) == nil { return 400 }
    let codings = head.headers[canonicalForm: "Transfer-Encoding"].map { $0.lowercased() }
    guard let last = codings.last else { return nil }
    // RFC 9112 §6.3: the end of the body is unknown.
    if last != "chunked" || codings.dropLast().contains("chunked") { return 400 }
    // RFC 9112 §6.1: nothing here decodes other codings, such as `gzip`.
    return codings.count == 1 ? nil : 501
  }

  /// The path and query of the target, which may be a whole URL (RFC 9112 §3.2.2).
  private static func target(of head: HTTPRequestHead) -> (path: String, query: String?)? {
    var target = head.uri[...]
    for scheme in ["http://", "https://"] where target.prefix(scheme.count).lowercased() == scheme {
      target = target.dropFirst(scheme.count).drop { $0 != "/" && $0 != "?" }
      if !target.hasPrefix("/") { target = "/" + target }
    }
    guard target.hasPrefix("/") || target == "*" else { return nil }
    guard let mark = target.firstIndex(of: "?") else { return (String(target), nil) }
    return (String(target[..<mark]), String(target[target.index(after: mark)...]))
  }

  private func complete(_ head: HTTPRequestHead, _ context: ChannelHandlerContext) {
    guard let target = Self.target(of: head) else { return refuse(400, context) }
    var fields = HTTPFields()
    for field in head.headers {
      if let name = HTTPField.Name(field.name) { fields.append(HTTPField(name: name, value: field.value)) }
    }
    let request = LoopbackRequest(
      method: head.method.rawValue, path: target.path, query: target.query, fields: fields, body: body, client: client)
    body = Data()
    state = .responding
    bytes.restart()
    let channel = context.channel
    task = Task { [respond] in
      guard let response = await respond(request) else { return channel.close(promise: nil) }
      await response.send(on: channel)
    }
  }

  // MARK: Responses

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    switch Self.unwrapOutboundIn(data) {
    case .head(var head):
      head.version = version
      if head.headers.contains(name: "Connection") {
        keepsAlive = keepsAlive && !head.headers[canonicalForm: "Connection"].contains { $0.lowercased() == "close" }
      }
      // In HTTP/1.0, a body without a length ends with the connection.
      // Without a length, the encoder would end the response to HEAD with a chunk.
      if version == .http1_0 || isHead, !head.headers.contains(name: "Content-Length") { keepsAlive = false }
      if !keepsAlive {
        head.headers.replaceOrAdd(name: "Connection", value: "close")
      } else if version == .http1_0 {
        head.headers.replaceOrAdd(name: "Connection", value: "keep-alive")
      }
      context.write(Self.wrapOutboundOut(.head(head)), promise: promise)
    case .body:
      // RFC 9110 §9.3.2: the response to HEAD has no body.
      if isHead { promise?.succeed() } else { context.write(data, promise: promise) }
    case .end:
      let sent = promise ?? context.eventLoop.makePromise()
      context.writeAndFlush(data, promise: sent)
      if case .responding = state { finish(context, sent.futureResult) }
    }
  }

  /// - Parameter sent: Succeeds after the system has taken the whole response.
  private func finish(_ context: ChannelHandlerContext, _ sent: EventLoopFuture<Void>) {
    task = nil
    guard keepsAlive else { return close(context, sent) }
    state = .waiting
    deadline = .now() + TimeAmount(limits.idleTime)
    while let part = queue.popFirst() {
      take(part, context)
      if case .responding = state { return }
    }
    if let queuedFailure { return refuse(queuedFailure, context) }
    if hasInputEnded { return context.close(promise: nil) }
    if isReadPending {
      isReadPending = false
      context.read()
    }
  }

  /// Responds to something that is not a valid request or exceeds a limit, and closes the connection.
  private func refuse(_ status: Int, _ context: ChannelHandlerContext) {
    state = .responding
    keepsAlive = false
    refusal(status).sendAtOnce(on: context.channel)
  }

  private func close(_ context: ChannelHandlerContext, _ sent: EventLoopFuture<Void>) {
    state = .closing
    bytes.isDiscarding = true
    deadline = .distantFuture
    let bound = NIOLoopBound((self, context), eventLoop: context.eventLoop)
    sent.whenComplete { _ in
      let (connection, context) = bound.value
      if connection.hasInputEnded { return context.close(promise: nil) }
      connection.deadline = .now() + .seconds(1)
      context.close(mode: .output, promise: nil)
    }
    context.read()
  }
}
