import Foundation
import LoopbackSockets

/// The endless body of a stream's response.
struct StreamBody: StreamingBody {
  let channel: StreamChannel
  /// Whether the header field says that it is compressed.
  let isCompressed: Bool
  let registration: StreamRegistration

  func write(to writer: LoopbackWriter) async throws {
    let compressor = isCompressed ? Compressor(.gzip) : nil
    var left = channel.pacing.bytesBeforeCut
    while left != 0 {
      let outgoing: [UInt8]
      let output = await channel.next()
      switch output {
      case .bytes(let bytes)?: outgoing = compressor?.compress(bytes, .piece) ?? Array(bytes)
      case .end?: outgoing = compressor?.compress([], .end) ?? []
      case .cut?, nil: throw DeliberateCut()
      }
      var rest = outgoing[...]
      while !rest.isEmpty, left != 0 {
        if let interval = channel.pacing.interval { try await Task.sleep(for: interval) }
        let piece = rest.prefix([channel.pacing.piece, left].compactMap(\.self).reduce(rest.count, min))
        try await writer.write(Data(piece))
        rest = rest.dropFirst(piece.count)
        if let bytes = left { left = bytes - piece.count }
      }
      if case .end? = output { return }
    }
    throw DeliberateCut()
  }
}

/// The size of a stream's pieces, the pause between them, and where it is cut off.
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

  /// Whether a fault changes the pacing instead of the records.
  static func concerns(_ fault: SandboxStreamFault) -> Bool {
    switch fault.kind {
    case .split, .slow, .cutAfterBytes: true
    case .cut, .end, .stall, .disconnect, .send: false
    }
  }
}
