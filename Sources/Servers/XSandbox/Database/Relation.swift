/// Distinct members in the order in which they were added. Positions never change, so the border between two pages stays in place
/// when members are added or removed.
struct Relation: Sendable {
  struct Entry: Sendable {
    var position: UInt64
    var member: Identifier
  }

  /// The entries, in ascending order of position.
  private(set) var entries: [Entry] = []
  private var positions: [Identifier: UInt64] = [:]

  var count: Int { entries.count }

  func contains(_ member: Identifier) -> Bool { positions[member] != nil }

  /// - Returns: Whether the member is new.
  @discardableResult
  mutating func insert(_ member: Identifier) -> Bool {
    guard positions[member] == nil else { return false }
    let position = (entries.last?.position ?? 0) + 1
    entries.append(Entry(position: position, member: member))
    positions[member] = position
    return true
  }

  /// - Returns: Whether the member existed.
  @discardableResult
  mutating func remove(_ member: Identifier) -> Bool {
    guard let position = positions.removeValue(forKey: member) else { return false }
    entries.remove(at: firstIndex(atOrAfter: position))
    return true
  }

  private func firstIndex(atOrAfter position: UInt64) -> Int {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].position < position { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
