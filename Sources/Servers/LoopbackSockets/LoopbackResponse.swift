import CallsignSupport
import Foundation
import NIOCore
import NIOHTTP1

/// A response to a request on loopback.
package struct LoopbackResponse: Sendable {
  package enum Body: Sendable {
    case bytes(Data)
    /// An announced length without any bytes (RFC 9110 §9.3.2).
    case announced(Int)
    /// A body in pieces, with a known or unknown length. An error in the closure closes the connection.
    case pieces(length: Int?, @Sendable (LoopbackWriter) async throws -> Void)
  }

  package var status: Int
  package var fields: [(name: String, value: String)]
  package var body: Body

  package init(status: Int, fields: [(name: String, value: String)] = [], body: Body = .bytes(Data())) {
    self.status = status
    self.fields = fields
    self.body = body
  }

  /// A status with its usual phrase as text.
  package static func refusal(_ status: Int) -> LoopbackResponse {
    let words = HTTPResponseStatus(statusCode: status).reasonPhrase
    return LoopbackResponse(
      status: status, fields: [("Content-Type", "text/plain; charset=utf-8")], body: .bytes(Data("\(words)\n".utf8)))
  }

  /// Sends the response from a task.
  func send(on channel: any Channel) async {
    guard case .pieces(let length, let write) = body else {
      channel.eventLoop.execute { sendAtOnce(on: channel) }
      return
    }
    let writer = LoopbackWriter(channel: channel)
    do {
      try await channel.writeAndFlush(HTTPServerResponsePart.head(head(length: length)))
      try await write(writer)
      // A client would read the next response as the rest of this one.
      guard length == nil || length == writer.count else { throw ChannelError.inputClosed }
      try await channel.writeAndFlush(HTTPServerResponsePart.end(nil))
    } catch {
      channel.close(promise: nil)
    }
  }

  /// Sends a response without pieces, from the channel's event loop.
  func sendAtOnce(on channel: any Channel) {
    var bytes = Data()
    var length = 0
    switch body {
    case .bytes(let data): (bytes, length) = (data, data.count)
    case .announced(let count): length = count
    case .pieces: break
    }
    let head = head(length: length)
    // The failure is a header field that HTTP does not allow.
    channel.write(HTTPServerResponsePart.head(head)).whenFailure { _ in channel.close(promise: nil) }
    if !bytes.isEmpty, head.status.mayHaveResponseBody {
      channel.write(HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(bytes: bytes))), promise: nil)
    }
    channel.writeAndFlush(HTTPServerResponsePart.end(nil), promise: nil)
  }

  private func head(length: Int?) -> HTTPResponseHead {
    let status = HTTPResponseStatus(statusCode: status, reasonPhrase: "Status \(status)")
    var headers = HTTPHeaders()
    for field in fields { headers.add(name: field.name, value: field.value) }
    if let length { headers.replaceOrAdd(name: "Content-Length", value: String(length)) }
    return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
  }
}

/// Writes the pieces of a response's body.
package struct LoopbackWriter: Sendable {
  let channel: any Channel
  private let written = Locked(0)

  init(channel: any Channel) { self.channel = channel }

  /// The number of bytes so far.
  var count: Int { written.withLock { $0 } }

  /// Sends a piece, and waits until the system has taken it.
  ///
  /// - Throws: An error if the connection is closed or the task is cancelled.
  package func write(_ bytes: Data) async throws {
    try Task.checkCancellation()
    guard !bytes.isEmpty else { return }
    written.withLock { $0 += bytes.count }
    try await channel.writeAndFlush(
      HTTPServerResponsePart.body(.byteBuffer(channel.allocator.buffer(bytes: bytes))))
  }
}
