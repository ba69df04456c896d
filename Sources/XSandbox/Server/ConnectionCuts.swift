import FlyingFox
import FlyingSocks
import Foundation

/// The reason for which a connection is closed on purpose.
struct DeliberateCut: Error {}

/// A body that ends in an error, upon which FlyingFox closes the connection.
struct CutBody: AsyncBufferedSequence, Sendable {
  typealias Element = UInt8
  let bytes: Data

  func makeAsyncIterator() -> Iterator { Iterator(remaining: Array(bytes)) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var remaining: [UInt8]

    mutating func next() async throws -> UInt8? {
      guard !remaining.isEmpty else { throw DeliberateCut() }
      return remaining.removeFirst()
    }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard !remaining.isEmpty else { throw DeliberateCut() }
      let buffer = Array(remaining.prefix(count))
      remaining.removeFirst(buffer.count)
      return buffer
    }
  }
}

/// FlyingFox asks a web socket handler before it writes a byte, and closes the connection if that fails: its only way to close without an answer.
struct ConnectionCutter: WSHandler {
  func makeFrames(
    for client: AsyncThrowingStream<WSFrame, any Error>
  ) async throws -> AsyncStream<WSFrame> {
    throw DeliberateCut()
  }
}
