// A second reading of a document that could not be read the first time: it skips and records mistakes. It is separate
// from the first reading, which it must not slow down.
//
// Sound: a place is one that the reader was at, and only the same reader goes back to it.

extension JSONReader {
  /// Whether the next value is a union whose variant could not be read.
  package var isUnreadableUnion: Bool {
    guard let tolerance else { return false }
    return tolerance.unreadableUnion == offset
  }

  /// The same for a union whose variants are distinguished by their shapes: there, members that always have the same
  /// value are part of the shape.
  package var isUnreadableShape: Bool {
    tolerance?.shapedUnion = offset
    return isUnreadableUnion
  }

  /// A place to go back to.
  package struct Place {
    fileprivate let cursor: UnsafePointer<UInt8>
    fileprivate let depth: Int
    fileprivate let issueCount: Int
  }

  package func place(_ tolerance: Tolerance) -> Place {
    Place(cursor: cursor, depth: depth, issueCount: tolerance.count)
  }

  /// Goes back to before a value that cannot be read.
  ///
  /// - Throws: The error, if it is one of the text itself.
  package mutating func goBack(
    to place: Place, after error: JSONError, _ tolerance: Tolerance
  ) throws(JSONError) {
    guard error.isAboutContent else { throw error }
    tolerance.drop(to: place.issueCount)
    cursor = place.cursor
    depth = place.depth
  }

  package func record(_ error: JSONError, _ outcome: DecodingIssue.Outcome, _ tolerance: Tolerance) {
    let found =
      switch error.kind {
      case .mismatch(_, let found): found
      case .missing: "nothing"
      default:
        start + error.offset < end ? Self.kind(of: start[error.offset])?.phrase ?? "something else" : "something else"
      }
    tolerance.record(error, outcome, found: found)
  }

  /// Reads a value; a union whose variant cannot be read keeps its JSON.
  package mutating func tolerantValue<T: JSONCodable>() throws(JSONError) -> T {
    guard let tolerance, T.self is any Union.Type else { return try T(json: &self) }
    let place = place(tolerance)
    let problem: JSONError
    do throws(JSONError) { return try T(json: &self) } catch { problem = error }
    try goBack(to: place, after: problem, tolerance)
    let outer = tolerance.unreadableUnion
    tolerance.unreadableUnion = offset
    defer { tolerance.unreadableUnion = outer }
    let value = try T(json: &self)
    record(problem, .unknownVariant, tolerance)
    return value
  }

  /// Reads an array without the elements that cannot be read.
  package mutating func tolerantList<T>(
    _ element: (inout JSONReader) throws(JSONError) -> T
  ) throws(JSONError) -> [T] {
    guard try beginArray() else { return [] }
    var list: [T] = []
    var index = 0
    repeat {
      if let value = try readOrLeaveOut(.element(index), element) { list.append(value) }
      index += 1
    } while try nextElement()
    return list
  }

  enum Step {
    case member(String)
    case element(Int)
  }

  /// Reads an element; `nil` if it was skipped.
  mutating func readOrLeaveOut<T>(
    _ step: Step, _ element: (inout JSONReader) throws(JSONError) -> T
  ) throws(JSONError) -> T? {
    guard let tolerance else { return try element(&self) }
    let place = place(tolerance)
    switch step {
    case .member(let name): tolerance.enter(member: name)
    case .element(let index): tolerance.enter(element: index)
    }
    defer { tolerance.leave() }
    do throws(JSONError) {
      do throws(JSONError) { return try element(&self) } catch {
        try goBack(to: place, after: error, tolerance)
        try skip()
        record(error, .leftOut, tolerance)
        return nil
      }
    } catch {
      switch step {
      case .member(let name): throw error.inMember(name)
      case .element(let index): throw error.inElement(index)
      }
    }
  }
}
