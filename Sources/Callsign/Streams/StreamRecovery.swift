import Foundation
import HTTPTypes

/// Has a stream's gaps filled where its endpoint can do so, and tells what comes twice by that.
struct StreamRecovery: Sendable {
  /// Added to a gap: records are sent some seconds after they were made, and minutes are counted by when they were made.
  private static let latency: TimeInterval = 10

  private let backfill: StreamBackfill?
  private let path: RecordIDPath?
  private var seen: RecordDeduplicator?
  /// When the last byte of an earlier connection arrived.
  private var lastHeard: Date?
  /// How many minutes the API was asked to send again, when the last connection was begun.
  private var asked: Int?
  /// How many connections were begun.
  private(set) var connections = 0

  init(_ backfill: StreamBackfill?) {
    self.backfill = backfill
    path = backfill?.id.map { RecordIDPath($0.description) }
    // The last minute is for what was on its way.
    seen = backfill.map { RecordDeduplicator(window: TimeInterval(60 * ($0.limit + 1))) }
  }

  /// Something has arrived.
  mutating func heard(at now: Date) { lastHeard = now }

  /// A connection is about to be made.
  ///
  /// - Returns: How many minutes the API is to send again.
  mutating func begin(at now: Date, report: (StreamEvent) -> Void) -> Int? {
    connections += 1
    asked = nil
    guard let lastHeard, let backfill, seen != nil else { return nil }
    let seconds = max(0, now.timeIntervalSince(lastHeard))
    let wanted = ((seconds + Self.latency) / 60).rounded(.up)
    let minutes = wanted < Double(backfill.limit) ? max(1, Int(wanted)) : backfill.limit
    asked = minutes
    report(.backfill(minutes: minutes, from: lastHeard))
    return minutes
  }

  /// A connection is there. Until now nothing was sent, however long it took to make it.
  mutating func connected(at now: Date, report: (StreamEvent) -> Void) {
    defer { lastHeard = now }
    guard let lastHeard else { return }
    let beginning = now.addingTimeInterval(TimeInterval(-60 * (asked ?? 0)))
    if asked == nil || beginning > lastHeard { report(.gap(from: lastHeard, to: beginning)) }
  }

  /// Whether the API may have refused a connection because it was asked to send records again, which X does where the
  /// app's plan has no such right.
  func isRefusal(_ error: CallError) -> Bool {
    switch error {
    case .api(let error): error.status.code == 400 || error.status.code == 403
    case .authorization(let error): error.response?.status.code == 403
    default: false
    }
  }

  /// Asks for nothing any more.
  mutating func refuse() { seen = nil }

  /// The event to report when a record is there for the second time.
  mutating func duplicate(_ record: Data, connection: Int, at now: Date) -> StreamEvent? {
    let id = seen == nil ? nil : path?.id(in: record)
    guard seen?.isRepeated(id: id, record, connection: connection, at: now) == true else { return nil }
    return .duplicate(id: id)
  }
}
