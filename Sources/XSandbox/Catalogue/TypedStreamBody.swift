import CallsignHTTP
import FlyingSocks
import Foundation

/// The records of a stream that are made up by its types, one after the other.
struct TypedStreamBody: StreamingBody {
  typealias Element = UInt8
  let body: ResponseBody

  func makeAsyncIterator() -> Iterator { Iterator(pieces: body.makeAsyncIterator()) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    var pieces: ResponseBody.Iterator
    var rest: [UInt8] = []

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
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
