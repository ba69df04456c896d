import FlyingFox

extension HTTPResponse {
  /// Closes the connection without a response.
  package static var connectionClosed: HTTPResponse { HTTPResponse(webSocket: ConnectionCutter()) }
}

/// A web socket handler that fails. FlyingFox asks it before it writes a byte, and closes the connection: its only way
/// to close without a response.
private struct ConnectionCutter: WSHandler {
  struct Cut: Error {}

  func makeFrames(for client: AsyncThrowingStream<WSFrame, any Error>) async throws -> AsyncStream<WSFrame> {
    throw Cut()
  }
}
