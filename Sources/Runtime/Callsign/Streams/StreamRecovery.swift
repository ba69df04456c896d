import CallsignJSON
import CallsignSupport
import HTTPTypes

/// Requests the records that a stream missed, if its endpoint can send them again, and finds the records that arrive
/// twice because of that.
///
/// The requested time span counts as sent when a connection has proved it. The proof is a record that was created after
/// the connection, because older ones come first; or a minute of keep-alives without a record; or, if records have no
/// time, a connection that lasts as long as the span. Until then, every further connection asks for the whole span
/// again.
///
/// A call for a past time span misses nothing: a further connection asks for the rest of the span.
struct StreamRecovery: Sendable {
  /// Added to the requested time: records are sent some seconds after they were created, and minutes are counted by
  /// creation.
  private static let latency: TimeInterval = 10
  /// A `Date` field has whole seconds.
  private static let clockTolerance: TimeInterval = 1
  /// After how many seconds of keep-alives without a record nothing is left to resend.
  private static let quietTime: TimeInterval = 60
  /// A reader that is away for longer than this between two records may read records that were sent long ago.
  private static let longestAbsence: TimeInterval = 1
  /// A reader that waits this long for the next bytes has read everything before.
  private static let shortestWait: TimeInterval = 0.05

  /// A time span that a connection was asked to resend, without proof yet that it has.
  private struct RequestedSpan {
    /// The time of the connection, by this machine's clock.
    var end: Date
    let minutes: Int
    /// The time of the last record.
    var quietSince: Date
  }

  private let backfill: StreamBackfill?
  private let replay: StreamReplay?
  private let path: RecordIDPath?
  private let dateOfID: @Sendable (String) -> Date?
  private var seen: RecordDeduplicator?
  /// Everything that the API sent before this time was read, or was reported as lost. For a past time span: everything
  /// that was created before it.
  private(set) var covered: Date?
  private var requested: RequestedSpan?
  /// The number of minutes that the API was asked to resend when the last connection was opened.
  private var asked: Int?
  /// Whether it was unknown how much was missed when the last connection was opened.
  private var isUnsure = false
  /// The number of connections opened so far.
  private(set) var connections = 0
  /// The time of the current connection.
  private var connectedAt = Date.distantPast
  /// By how many seconds the server's clock is ahead of this machine's.
  private var ahead: TimeInterval = 0
  /// When the reader last requested or received something.
  private var lastActive = Date.distantPast
  /// Whether the records being read may have been sent long ago.
  private var isBehind = false

  /// - Parameters:
  ///   - backfill: How the endpoint resends missed records; `nil` if it cannot.
  ///   - replay: The requested time span; `nil` for new records.
  ///   - start: Everything that the API sent before this time was read elsewhere; `nil` if nothing was.
  ///   - dateOfID: When a record was created, by the server's clock, if its ID contains that.
  init(
    _ backfill: StreamBackfill?, _ replay: StreamReplay? = nil, from start: Date? = nil,
    dateOfID: @escaping @Sendable (String) -> Date?
  ) {
    self.backfill = backfill
    self.replay = replay
    covered = start
    self.dateOfID = dateOfID
    path = backfill?.id.map { RecordIDPath($0) }
    // The last minute is for records in transit. In a span that is sent again, all records may arrive twice.
    let minutes = backfill.map { TimeInterval(60 * ($0.limit + 1)) }
    seen = (replay == nil ? minutes : .infinity).map { RecordDeduplicator(window: $0) }
  }

  /// Whether the API has nothing more to send after it ends a response normally.
  var ends: Bool { replay != nil }
}

// Clock changes.
extension StreamRecovery {
  /// Adjusts earlier times after the clock was set.
  mutating func clockWasSet(by seconds: TimeInterval) {
    seen?.clockWasSet(by: seconds)
    // If it was set forwards, this machine may have been suspended, as virtual machines are. Then all of that time was
    // missed.
    guard seconds < 0 else { return }
    ahead -= seconds
    connectedAt += seconds
    lastActive += seconds
    requested?.end += seconds
    requested?.quietSince += seconds
    // For a past time span, the time is by the server's clock.
    if replay == nil { covered? += seconds }
  }
}

// Connections.
extension StreamRecovery {
  /// The argument for the rest of a span; `nil` if the caller's argument is enough.
  var rest: (parameter: String, text: String)? {
    guard let replay, let covered else { return nil }
    // Records that were created at about the same time may arrive in another order.
    return replay.rest(from: covered.addingTimeInterval(-Self.latency))
  }

  /// Prepares for a connection.
  ///
  /// - Returns: How many minutes the API should resend.
  mutating func begin(at now: Date, report: (StreamEvent) -> Void) -> Int? {
    connections += 1
    asked = nil
    isUnsure = false
    guard replay == nil, let covered, let backfill, seen != nil else { return nil }
    let seconds = now.timeIntervalSince(covered)
    // A time in the future was recorded by another clock, or by this one before it was set back.
    isUnsure = seconds < -Self.latency
    let wanted = isUnsure ? .infinity : ((max(0, seconds) + Self.latency) / 60).rounded(.up)
    let minutes = wanted < Double(backfill.limit) ? max(1, Int(wanted)) : backfill.limit
    asked = minutes
    report(.backfill(minutes: minutes, from: covered))
    return minutes
  }

  /// A connection is open. Nothing was sent until now, however long it took to connect.
  ///
  /// - Parameter serverTime: The time by the server's clock, if stated.
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

  /// Whether the API may have refused a connection because it was asked to resend records. Some APIs do so if the app's plan does
  /// not include it.
  func isRefusal(_ error: CallError) -> Bool {
    switch error {
    case .api(let error): error.status.code == 400 || error.status.code == 403
    case .authorization(let error): error.response?.status.code == 403
    default: false
    }
  }

  /// Stops asking for missed records.
  mutating func refuse() { seen = nil }
}

// Reading from a connection.
extension StreamRecovery {
  /// The reader wants the next record.
  mutating func readerWaits(at now: Date) {
    if now.timeIntervalSince(lastActive) > Self.longestAbsence { isBehind = true }
    lastActive = now
  }

  /// The next bytes have arrived.
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
  /// - Returns: The event to report if the record has arrived for the second time.
  mutating func received(_ record: Data, connection: Int, at now: Date) -> StreamEvent? {
    let id = seen == nil ? nil : path?.id(in: record)
    noteTime(of: id, at: now)
    requested?.quietSince = now
    guard seen?.isRepeated(id: id, record, connection: connection, at: now) == true else { return nil }
    return .duplicate(id: id)
  }

  private mutating func noteTime(of id: String?, at now: Date) {
    if let replay {
      // By the server's clock, like the span.
      if let made = id.flatMap(dateOfID), replay.contains(made) { cover(until: made) }
      return
    }
    // A record that is older than anything that could be sent again, such as an old post that somebody likes today,
    // does not show when it was sent.
    let oldest = connectedAt.addingTimeInterval(TimeInterval(-60 * ((backfill?.limit ?? 0) + 1)))
    if let made = id.flatMap(dateOfID)?.addingTimeInterval(-ahead), made >= oldest {
      if let requested, made <= requested.end.addingTimeInterval(Self.clockTolerance) { return }
      return cover(until: min(made, now))
    }
    guard !isBehind else { return }
    if let requested, now.timeIntervalSince(requested.end) < TimeInterval(60 * requested.minutes) { return }
    cover(until: now)
  }

  /// Everything until then has been read, including the requested span.
  private mutating func cover(until date: Date) {
    requested = nil
    covered = max(covered ?? date, date)
  }
}

/// Remembers the records that a stream returned in the last minutes, so that repeated ones are recognized.
///
/// IDs and whole records are stored as 64-bit numbers: numeric IDs unchanged, everything else as a hash. Memory is limited by time
/// and by count.
struct RecordDeduplicator: Sendable {
  /// The maximum number of records to remember.
  static let limit = 100_000

  private struct Entry {
    var key: UInt64
    var date: Date
  }

  /// The connection that returned each.
  private var connections: [UInt64: Int] = [:]
  /// The records in order of arrival, from `first` on.
  private var entries: [Entry] = []
  private var first = 0
  private let window: TimeInterval
  private let limit: Int
  /// How many seconds the clock was set in total. The entries' dates use the original clock.
  private var shift: TimeInterval = 0

  /// - Parameters:
  ///   - window: How many seconds to remember a record.
  ///   - limit: The maximum number of records to remember.
  init(window: TimeInterval, limit: Int = Self.limit) {
    self.window = window
    self.limit = limit
  }

  var count: Int { entries.count - first }

  /// Remembers a record.
  ///
  /// - Parameters:
  ///   - id: Its ID; `nil` for a record without one, which is compared as a whole.
  ///   - record: Its bytes.
  ///   - connection: The connection that returned it.
  /// - Returns: Whether it has arrived before. A record without an ID counts as new if the same connection returned both, because
  ///   two events may look the same.
  mutating func isRepeated(id: String?, _ record: Data, connection: Int, at now: Date) -> Bool {
    let now = now.addingTimeInterval(-shift)
    forget(before: now.addingTimeInterval(-window))
    let key = Self.key(id, record)
    if let earlier = connections[key] { return id != nil || earlier != connection }
    connections[key] = connection
    entries.append(Entry(key: key, date: now))
    if count > limit { forgetFirst() }
    return false
  }

  /// Keeps the ages of the remembered records correct after the clock was set.
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

  private static func key(_ id: String?, _ record: Data) -> UInt64 {
    var hasher = Hasher()
    if let id {
      // `007` and `7` are different IDs.
      if let number = UInt64(id), id.utf8.first != UInt8(ascii: "0"), id.utf8.first != UInt8(ascii: "+") {
        return number
      }
      hasher.combine(bytesOf: id)
    } else {
      hasher.combine(bytesOf: record)
    }
    return UInt64(truncatingIfNeeded: hasher.finalize())
  }
}

/// Finds the ID in a record.
struct RecordIDPath: Sendable {
  private let names: [[UInt8]]

  /// - Parameter path: Members separated by dots, such as `data.id`.
  init(_ path: String) { names = path.pathNames.map { Array($0.utf8) } }

  /// The text or whole number at the path; `nil` if there is none, or if the record is incomplete: the API may send the whole
  /// record later, which must not count as a duplicate.
  func id(in record: Data) -> String? {
    let found = try? JSONReader.read(record) { (reader) throws(JSONError) -> String? in
      guard reader.seek(names[...]) else { return nil }
      return switch try reader.kind() {
      case .string: try reader.string()
      case .number: String(try reader.int())
      default: nil
      }
    }
    return found != nil && JSONReader.isDocument(record) ? found : nil
  }
}
