import FlyingSocks
import Foundation

/// The endless body of a stream's response.
struct StreamBody: StreamingBody {
  typealias Element = UInt8

  let channel: StreamChannel
  /// As the header field says.
  let isCompressed: Bool
  let registration: StreamRegistration

  func makeAsyncIterator() -> Iterator { Iterator(self) }

  struct Iterator: AsyncBufferedIteratorProtocol {
    private let body: StreamBody
    private var pacing: StreamPacing
    private let compressor: Compressor?
    private var outgoing: [UInt8] = []
    private var isAtEnd = false

    init(_ body: StreamBody) {
      self.body = body
      pacing = body.channel.pacing
      compressor = body.isCompressed ? Compressor(.gzip) : nil
    }

    mutating func next() async throws -> UInt8? { try await nextBuffer(suggested: 1)?.first }

    mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? {
      if pacing.bytesBeforeCut == 0 { throw DeliberateCut() }
      while outgoing.isEmpty {
        if isAtEnd { return nil }
        switch await body.channel.next() {
        case .bytes(let bytes)?: outgoing = compressor?.compress(bytes, .piece) ?? Array(bytes)
        case .end?:
          isAtEnd = true
          outgoing = compressor?.compress([], .end) ?? []
        case .cut?, nil: throw DeliberateCut()
        }
      }
      if let interval = pacing.interval { try await Task.sleep(for: interval) }
      let size = [outgoing.count, pacing.piece ?? count, pacing.bytesBeforeCut ?? .max].reduce(.max, Swift.min)
      let piece = Array(outgoing.prefix(size))
      outgoing.removeFirst(size)
      if let left = pacing.bytesBeforeCut { pacing.bytesBeforeCut = left - size }
      return piece
    }
  }
}

/// The size of the pieces of a stream, the pause between them, and the place where it is cut off.
struct StreamPacing: Sendable {
  var piece: Int?
  var interval: Duration?
  var bytesBeforeCut: Int?

  init(_ faults: [SandboxStreamFault]) {
    for fault in faults {
      switch fault.kind {
      case .split(let bytes): piece = bytes
      case .slow(let duration): interval = duration
      case .cutAfterBytes(let bytes): bytesBeforeCut = bytes
      case .cut, .end, .stall, .disconnect, .send: break
      }
    }
    if interval != nil, piece == nil { piece = 1 }
  }

  /// Whether a fault changes the pacing, not the records.
  static func concerns(_ fault: SandboxStreamFault) -> Bool {
    switch fault.kind {
    case .split, .slow, .cutAfterBytes: true
    case .cut, .end, .stall, .disconnect, .send: false
    }
  }
}
