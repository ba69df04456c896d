/// In which pieces a stream's bytes are written, how fast, and where they are cut off.
struct StreamPace: Sendable {
  var piece: Int?
  var interval: Duration?
  var bytesBeforeCut: Int?

  init(_ faults: [Sandbox.StreamFault]) {
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

  /// Whether a fault is about the pace, not about records.
  static func concerns(_ fault: Sandbox.StreamFault) -> Bool {
    switch fault.kind {
    case .split, .slow, .cutAfterBytes: true
    case .cut, .end, .stall, .disconnect, .send: false
    }
  }
}
