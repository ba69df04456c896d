import FlyingFox
import FlyingSocks
import Foundation

/// A response's body, whose pieces are sent as they come. An error of theirs ends the connection.
package struct BodyPieces<Pieces: AsyncSequence & Sendable>: AsyncBufferedSequence where Pieces.Element == Data {
  package typealias Element = UInt8

  private let pieces: Pieces

  package init(_ pieces: Pieces) { self.pieces = pieces }

  package func makeAsyncIterator() -> Iterator { Iterator(pieces.makeAsyncIterator()) }

  package struct Iterator: AsyncBufferedIteratorProtocol {
    private var pieces: Pieces.AsyncIterator
    private var rest: [UInt8] = []

    fileprivate init(_ pieces: Pieces.AsyncIterator) { self.pieces = pieces }

    package mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    package mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if rest.isEmpty {
        guard let piece = try await pieces.next() else { return nil }
        rest = Array(piece)
      }
      let buffer = Array(rest.prefix(count))
      rest.removeFirst(buffer.count)
      return buffer
    }
  }
}

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
