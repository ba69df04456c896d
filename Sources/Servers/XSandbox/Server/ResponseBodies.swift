import FlyingSocks
import Foundation

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

/// A body in pieces of one size, with pauses between them.
struct PacedBody: AsyncBufferedSequence, Sendable {
  typealias Element = UInt8
  let bytes: Data
  let size: Int
  let pause: Duration

  func makeAsyncIterator() -> Iterator { Iterator(remaining: Array(bytes)[...], size: size, pause: pause) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var remaining: ArraySlice<UInt8>
    let size: Int
    let pause: Duration
    var isFirst = true

    mutating func next() async throws -> UInt8? { remaining.popFirst() }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      guard !remaining.isEmpty else { return nil }
      if !isFirst, pause > .zero { try await Task.sleep(for: pause) }
      isFirst = false
      let piece = Array(remaining.prefix(size))
      remaining = remaining.dropFirst(size)
      return piece
    }
  }
}
