/// The orders of the members of a list's objects. APIs write the members of all objects of a kind in the same order, so the name
/// that followed the previous name last time is tried first. Together with loops over lists that are compiled for each model, this
/// reads a page of posts in three quarters of the time.
package struct MemberOrders {
  /// The most kinds of objects of a document whose order is kept.
  private static let limit = 16
  /// Whether an object like the next one was probably read before: it is in a list, behind the first element.
  package var isRepeated = false
  private var kinds: [(kind: ObjectIdentifier, start: Int)] = []
  /// For each kind, which row came behind the object's beginning, and behind each row: at first the next one.
  private var next: [Int16] = []

  /// The place of a kind's rows; `nil` if no order is kept.
  package mutating func start(of kind: ObjectIdentifier, rowCount: Int) -> Int? {
    guard isRepeated else { return nil }
    for known in kinds where known.kind == kind { return known.start }
    guard kinds.count < Self.limit else { return nil }
    let start = next.count
    kinds.append((kind, start))
    for row in 0...rowCount { next.append(Int16(truncatingIfNeeded: row)) }
    return start
  }

  package subscript(place: Int) -> Int {
    get { Int(next[place]) }
    set { next[place] = Int16(truncatingIfNeeded: newValue) }
  }
}
