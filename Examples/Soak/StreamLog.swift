import Callsign

/// What the events of a stream told.
actor StreamLog {
  private(set) var connections = 0
  private(set) var drops = 0
  private(set) var stalls = 0
  private(set) var gaps = 0
  private(set) var keepAlives = 0
  private(set) var passedOver = 0
  private(set) var disconnectMessages = 0

  private let stream: PostLedger.Stream
  private let ledger: PostLedger
  private let tally: Tally

  init(_ stream: PostLedger.Stream, _ ledger: PostLedger, _ tally: Tally) {
    (self.stream, self.ledger, self.tally) = (stream, ledger, tally)
  }

  var reconnects: Int { max(0, connections - 1) }

  func take(_ event: StreamEvent) async {
    switch event {
    case .connected: connections += 1
    case .gap(let from, let to):
      gaps += 1
      await ledger.gap(from: from, to: to, in: stream)
    case .keepAlive: keepAlives += 1
    case .duplicate: passedOver += 1
    case .disconnectMessage: disconnectMessages += 1
    case .stalled: stalls += 1
    case .dropped: drops += 1
    case .backfillRefused(let error): await tally.problem("\(stream.name): backfill refused: \(error)")
    case .connecting, .backfill, .waiting, .ended: break
    }
  }
}
