import FlyingSocks
import Foundation

/// The endless body of a stream's answer. A piece is written when the client has taken the one before.
struct StreamBody: AsyncBufferedSequence, Sendable {
  typealias Element = UInt8

  let channel: StreamChannel
  let isCompressed: Bool
  let place: StreamPlace

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let body: StreamBody
    private var pace: StreamPace
    private var compression: StoredGzip?
    private var outgoing: [UInt8] = []
    private var isAtEnd = false

    init(_ body: StreamBody) {
      self.body = body
      pace = body.channel.pace
      if body.isCompressed {
        compression = StoredGzip()
        outgoing = StoredGzip.header
      }
    }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if pace.bytesBeforeCut == 0 { throw DeliberateCut() }
      while outgoing.isEmpty {
        if isAtEnd { return nil }
        switch await body.channel.next() {
        case .bytes(let bytes)?: outgoing = compression?.compress(bytes) ?? Array(bytes)
        case .end?:
          isAtEnd = true
          outgoing = compression?.trailer ?? []
        case .cut?, nil: throw DeliberateCut()
        }
      }
      if let interval = pace.interval { try await Task.sleep(for: interval) }
      let size = [outgoing.count, pace.piece ?? count, pace.bytesBeforeCut ?? .max].reduce(.max, Swift.min)
      let piece = Array(outgoing.prefix(size))
      outgoing.removeFirst(size)
      if let left = pace.bytesBeforeCut { pace.bytesBeforeCut = left - size }
      return piece
    }
  }
}
