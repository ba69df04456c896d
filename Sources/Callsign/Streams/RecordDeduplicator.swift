import Foundation

/// Which records a stream has had in the last minutes, so that those that are sent again can be told.
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
