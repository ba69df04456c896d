import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Asks for what a stream missed, where its endpoint can send it again, and finds the records that come twice by that.
///
/// The span that was asked for counts as sent when a connection has proved it: by a record that was made after the
/// connection, since older ones come first; by a minute of keep-alives without a record; or, where records tell no time, by
/// living as long as what it was asked for. Until then every further connection asks for the whole span again.
///
/// A call for a span of time that is over misses nothing: a further connection asks for the rest of the span.
struct StreamRecovery: Sendable {
  /// Added to what is asked for: records are sent some seconds after they were made, and minutes are counted by when they
  /// were made.
  private static let latency: TimeInterval = 10
  /// A `Date` field has whole seconds.
  private static let clockTolerance: TimeInterval = 1
  /// The seconds that keep-alives alone must arrive until there is nothing left to send again.
  private static let quietTime: TimeInterval = 60
  /// A reader who is away for longer than this between two records may read what was sent long ago.
  private static let longestAbsence: TimeInterval = 1
  /// A reader who has to wait this long for the next bytes has read everything before.
  private static let shortestWait: TimeInterval = 0.05

  /// The span that a connection has been asked to send again, and is not yet proved to have sent.
  private struct RequestedSpan {
    /// The time at which the connection was made, by this machine's clock.
    var end: Date
    let minutes: Int
    /// The time at which the last record arrived.
    var quietSince: Date
  }

  private let backfill: StreamBackfill?
  private let replay: StreamReplay?
  private let path: RecordIDPath?
  private let dateOfID: @Sendable (String) -> Date?
  private var seen: RecordDeduplicator?
  /// Whatever the API sent before this moment was read, or was reported as lost. Of a span that is over: whatever was made
  /// before.
  private(set) var covered: Date?
  private var requested: RequestedSpan?
  /// The minutes that the API was asked to send again, when the last connection was begun.
  private var asked: Int?
  /// Whether nobody knows how much was missed when the last connection was begun.
  private var isUnsure = false
  /// The number of connections that were begun.
  private(set) var connections = 0
  /// The time at which the present connection was made.
  private var connectedAt = Date.distantPast
  /// By how many seconds the server's clock is ahead of this machine's.
  private var ahead: TimeInterval = 0
  /// The time at which the reader last asked for something or got it.
  private var lastActive = Date.distantPast
  /// Whether what is read now may have been sent long ago.
  private var isBehind = false

  /// - Parameters:
  ///   - backfill: How the endpoint sends again what was missed; `nil` where it cannot.
  ///   - replay: The span that is asked for; `nil` where it is what comes up.
  ///   - start: Whatever the API sent before was read by somebody else; `nil` where nobody has read.
  ///   - dateOfID: When a record was made, by the server's clock, where its id tells.
  init(
    _ backfill: StreamBackfill?, _ replay: StreamReplay? = nil, from start: Date? = nil,
    dateOfID: @escaping @Sendable (String) -> Date?
  ) {
    self.backfill = backfill
    self.replay = replay
    covered = start
    self.dateOfID = dateOfID
    path = backfill?.id.map { RecordIDPath($0) }
    // The last minute is for what was on its way. Of a span that is sent again, all may come twice.
    let minutes = backfill.map { TimeInterval(60 * ($0.limit + 1)) }
    seen = (replay == nil ? minutes : .infinity).map { RecordDeduplicator(window: $0) }
  }

  /// Whether the API has nothing more to send once it ends a response in good order.
  var ends: Bool { replay != nil }
}

// The clock.
extension StreamRecovery {
  /// The time was set: what was noted by the clock as it was is put as it is now.
  mutating func clockWasSet(by seconds: TimeInterval) {
    seen?.clockWasSet(by: seconds)
    // Set forwards, it may be that this machine stood still, as virtual ones do. Then all of that time was missed.
    guard seconds < 0 else { return }
    ahead -= seconds
    connectedAt += seconds
    lastActive += seconds
    requested?.end += seconds
    requested?.quietSince += seconds
    // Of a span that is over, it is by the server's clock.
    if replay == nil { covered? += seconds }
  }
}

// Connections.
extension StreamRecovery {
  /// The argument that asks for the rest of a span; `nil` where the caller's own will do.
  var rest: (parameter: String, text: String)? {
    guard let replay, let covered else { return nil }
    // What was made at about the same time may come in another order.
    return replay.rest(from: covered.addingTimeInterval(-Self.latency))
  }

  /// A connection is about to be made.
  ///
  /// - Returns: How many minutes the API is to send again.
  mutating func begin(at now: Date, report: (StreamEvent) -> Void) -> Int? {
    connections += 1
    asked = nil
    isUnsure = false
    guard replay == nil, let covered, let backfill, seen != nil else { return nil }
    let seconds = now.timeIntervalSince(covered)
    // A moment that is yet to come was noted by another clock, or by this one before it was set back.
    isUnsure = seconds < -Self.latency
    let wanted = isUnsure ? .infinity : ((max(0, seconds) + Self.latency) / 60).rounded(.up)
    let minutes = wanted < Double(backfill.limit) ? max(1, Int(wanted)) : backfill.limit
    asked = minutes
    report(.backfill(minutes: minutes, from: covered))
    return minutes
  }

  /// A connection is there. Until now nothing was sent, however long it took to make it.
  ///
  /// - Parameter serverTime: The time by the server's clock, where it says what time it is.
  mutating func connected(at now: Date, serverTime: Date?, report: (StreamEvent) -> Void) {
    ahead = serverTime?.timeIntervalSince(now) ?? 0
    (connectedAt, lastActive, isBehind, requested) = (now, now, false, nil)
    if replay != nil { return }
    guard let before = covered else {
      covered = now
      return
    }
    let beginning = now.addingTimeInterval(TimeInterval(-60 * (asked ?? 0)))
    if asked == nil || beginning > before || isUnsure {
      report(.gap(from: min(before, beginning), to: beginning))
      covered = beginning
    }
    requested = asked.map { RequestedSpan(end: now, minutes: $0, quietSince: now) }
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
}

// The reading of a connection.
extension StreamRecovery {
  /// The reader wants the next record.
  mutating func readerWaits(at now: Date) {
    if now.timeIntervalSince(lastActive) > Self.longestAbsence { isBehind = true }
    lastActive = now
  }

  /// The next bytes are there.
  mutating func bytesArrived(at now: Date) {
    if now.timeIntervalSince(lastActive) >= Self.shortestWait { isBehind = false }
    lastActive = now
  }

  /// A keep-alive was read.
  mutating func keepAlive(at now: Date) {
    guard replay == nil, !isBehind else { return }
    if let requested, now.timeIntervalSince(requested.quietSince) < Self.quietTime { return }
    cover(until: now)
  }

  /// A record was read.
  ///
  /// - Returns: The event to report when the record is there for the second time.
  mutating func received(_ record: Data, connection: Int, at now: Date) -> StreamEvent? {
    let id = seen == nil ? nil : path?.id(in: record)
    noteTime(of: id, at: now)
    requested?.quietSince = now
    guard seen?.isRepeated(id: id, record, connection: connection, at: now) == true else { return nil }
    return .duplicate(id: id)
  }

  private mutating func noteTime(of id: String?, at now: Date) {
    if let replay {
      // By the server's clock, as the span is.
      if let made = id.flatMap(dateOfID), replay.contains(made) { cover(until: made) }
      return
    }
    // What is older than anything that could be sent again, such as an old post that somebody likes today, does not say
    // when it was sent.
    let oldest = connectedAt.addingTimeInterval(TimeInterval(-60 * ((backfill?.limit ?? 0) + 1)))
    if let made = id.flatMap(dateOfID)?.addingTimeInterval(-ahead), made >= oldest {
      if let requested, made <= requested.end.addingTimeInterval(Self.clockTolerance) { return }
      return cover(until: min(made, now))
    }
    guard !isBehind else { return }
    if let requested, now.timeIntervalSince(requested.end) < TimeInterval(60 * requested.minutes) { return }
    cover(until: now)
  }

  /// Everything until then has been read, what was asked for included.
  private mutating func cover(until date: Date) {
    requested = nil
    covered = max(covered ?? date, date)
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
  /// By how many seconds the clock was set in all. The entries' dates are by the clock as it was at first.
  private var shift: TimeInterval = 0

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
    let now = now.addingTimeInterval(-shift)
    forget(before: now.addingTimeInterval(-window))
    let key = id.map(Self.key) ?? record.withUnsafeBytes(Self.hash)
    if let earlier = connections[key] { return id != nil || earlier != connection }
    connections[key] = connection
    entries.append(Entry(key: key, date: now))
    if count > limit { forgetFirst() }
    return false
  }

  /// Keeps the ages of the records that are remembered, though the clock was set.
  mutating func clockWasSet(by seconds: TimeInterval) { shift += seconds }

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
  private let names: [[UInt8]]

  /// - Parameter path: Members separated by dots, such as `data.id`.
  init(_ path: String) { names = path.pathNames.map { Array($0.utf8) } }

  /// The text or whole number at the path; `nil` when there is none, or when the record is not whole: the API may send it
  /// again, and it is not to be taken for its own duplicate then.
  func id(in record: Data) -> String? {
    var found: String?
    record.withUnsafeBytes { bytes in
      var reader = JSONReader(bytes)
      guard reader.seek(names[...]) else { return }
      do throws(JSONError) {
        switch try reader.kind() {
        case .string: found = try reader.string()
        case .number: found = String(try reader.int())
        default: break
        }
      } catch {}
      if found != nil, !JSONReader.isDocument(bytes) { found = nil }
    }
    return found
  }
}
