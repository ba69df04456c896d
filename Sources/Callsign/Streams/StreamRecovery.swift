import CallsignJSON
import Foundation
import HTTPTypes

/// Asks for what a stream missed, where its endpoint can send it again, and finds the records that come twice by that.
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

  /// Whether the API may have refused a connection because it was asked to send records again, as some do where the
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

/// Remembers the records that a stream brought in the last minutes, so that those sent again are recognised.
///
/// Ids and whole records are kept as 64-bit numbers: those that are numbers as they are, others hashed. Memory is bounded
/// by the time and by a count.
struct RecordDeduplicator: Sendable {
  /// The most records that are remembered.
  static let limit = 100_000

  private struct Entry {
    var key: UInt64
    var date: Date
  }

  /// The connection that brought each.
  private var connections: [UInt64: Int] = [:]
  /// In the order of arrival, from `first` on.
  private var entries: [Entry] = []
  private var first = 0
  private let window: TimeInterval
  private let limit: Int

  /// - Parameters:
  ///   - window: For how many seconds a record is remembered.
  ///   - limit: How many are remembered at most.
  init(window: TimeInterval, limit: Int = Self.limit) {
    self.window = window
    self.limit = limit
  }

  var count: Int { entries.count - first }

  /// Remembers a record.
  ///
  /// - Parameters:
  ///   - id: Its id; `nil` for a record that has none and is compared whole.
  ///   - record: Its bytes.
  ///   - connection: Which connection brought it.
  /// - Returns: Whether it was there before. One without an id counts as new when the same connection brought both,
  ///   because two things that happen may well look the same.
  mutating func isRepeated(id: String?, _ record: Data, connection: Int, at now: Date) -> Bool {
    forget(before: now.addingTimeInterval(-window))
    let key = id.map(Self.key) ?? record.withUnsafeBytes(Self.hash)
    if let earlier = connections[key] { return id != nil || earlier != connection }
    connections[key] = connection
    entries.append(Entry(key: key, date: now))
    if count > limit { forgetFirst() }
    return false
  }

  private mutating func forget(before date: Date) {
    while first < entries.count, entries[first].date < date { forgetFirst() }
  }

  private mutating func forgetFirst() {
    connections[entries[first].key] = nil
    first += 1
    if first > 1024, first > entries.count / 2 {
      entries.removeFirst(first)
      first = 0
    }
  }

  private static func key(_ id: String) -> UInt64 {
    // `007` and `7` are two ids.
    if let number = UInt64(id), id.utf8.first != UInt8(ascii: "0"), id.utf8.first != UInt8(ascii: "+") { return number }
    var id = id
    return id.withUTF8 { hash(UnsafeRawBufferPointer($0)) }
  }

  /// Of all bytes: `Data` hashes its first ones only.
  private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hasher = Hasher()
    hasher.combine(bytes: bytes)
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}

/// Finds the id in a record.
struct RecordIDPath: Sendable {
  private let names: [String]

  /// - Parameter path: Members separated by dots, such as `data.id`.
  init(_ path: String) { names = path.split(separator: ".").map(String.init) }

  /// The text or whole number at the path; `nil` when there is none.
  func id(in record: Data) -> String? {
    record.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      var found: String?
      do throws(JSONError) {
        try reader.beginDocument()
        try find(names[...], &reader, &found)
      } catch { return found }
      return found
    }
  }

  private func find(
    _ names: ArraySlice<String>, _ reader: inout JSONReader, _ found: inout String?
  ) throws(JSONError) {
    let kind = try reader.kind()
    guard let name = names.first else {
      switch kind {
      case .string: found = try reader.string()
      case .number: found = String(try reader.int())
      default: try reader.skip()
      }
      return
    }
    guard kind == .object else { return try reader.skip() }
    try reader.object { (member, reader) throws(JSONError) in
      if member == name { try find(names.dropFirst(), &reader, &found) }
    }
  }
}
