// Reading once more what could not be read at the first go: what is wrong is passed over and recorded. Apart from the other
// reading, which must not be slower for it.

extension JSONReader {
  /// Whether the next value is a union whose variant could not be read.
  @inline(__always)
  var isUnreadableUnion: Bool {
    guard let tolerance else { return false }
    return tolerance.unreadableUnion == offset
  }

  /// The same for a union whose variants are told apart by their shapes: there, members that always have the same value
  /// are part of the shape.
  @inline(__always)
  var isUnreadableShape: Bool {
    tolerance?.shapedUnion = offset
    return isUnreadableUnion
  }

  /// A place to go back to.
  private struct Place {
    let cursor: UnsafePointer<UInt8>
    let depth: Int
    let issueCount: Int
  }

  private func place(_ tolerance: Tolerance) -> Place {
    Place(cursor: cursor, depth: depth, issueCount: tolerance.count)
  }

  /// Goes back to before a value that cannot be read.
  ///
  /// - Throws: The error, where it is one of the text itself.
  private mutating func goBack(
    to place: Place, after error: JSONError, _ tolerance: Tolerance
  ) throws(JSONError) {
    guard error.isAboutContent else { throw error }
    tolerance.drop(to: place.issueCount)
    cursor = place.cursor
    depth = place.depth
  }

  private func record(_ error: JSONError, _ outcome: DecodingIssue.Outcome, _ tolerance: Tolerance) {
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
  mutating func tolerantValue<T: JSONCodable>() throws(JSONError) -> T {
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
  mutating func tolerantList<T>(
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

  /// Reads an object whose names are data, without the values that cannot be read.
  mutating func tolerantMap<T>(
    _ element: (inout JSONReader) throws(JSONError) -> T
  ) throws(JSONError) -> [String: T] {
    guard try beginObject() else { return [:] }
    var map: [String: T] = [:]
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      if let value = try readOrLeaveOut(.member("*"), element) { map[name] = value }
    } while try nextMember()
    return map
  }

  private enum Step {
    case member(String)
    case element(Int)
  }

  /// Reads an element; `nil` where it was passed over.
  private mutating func readOrLeaveOut<T>(
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

  /// Reads an array of objects by the table of their model, without those that cannot be read.
  mutating func tolerantModels(_ table: ModelSchema) throws(JSONError) -> ModelList {
    var storages = try tolerantList { (reader) throws(JSONError) in try reader.model(table) }
    let count = storages.count
    // Moved from there are copies, each with its reference.
    let copies = UnsafeMutablePointer<ModelStorage>.allocate(capacity: max(1, count))
    defer { copies.deallocate() }
    storages.withUnsafeMutableBufferPointer { storages in
      if let first = storages.baseAddress { copies.initialize(from: first, count: count) }
    }
    return ModelList.moving(copies, count: count, table)
  }

  /// Reads an object by the plan of its model into the workspace, without the optional members that cannot be read.
  mutating func tolerantRecord(_ plan: Plan) throws(JSONError) -> Int {
    let begin = cursor
    let table = plan.pointee.table
    guard let tolerance, !plan.pointee.isMisused else { throw failure(.unusableModel(table.misuse)) }
    let workspace = modelWorkspace()
    let record = workspace.pointee.beginRecord(plan)
    let (ranges, references) = (workspace.pointee.rangeCount, workspace.pointee.referenceCount)
    var extra: GatheredMembers?
    let isShaped = tolerance.shapedUnion == offset
    /// Why required members could not be read, and their names.
    var problems: [Int: (error: JSONError, name: String)] = [:]
    if try beginObject() {
      depth += Self.modelDepth - 1
      repeat {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        let name = try rawString()
        try takeColon()
        let row = position(of: name, in: table)
        if row < 0 {
          if plan.pointee.keepsUnknown { try collect(name, into: &extra) } else { try skip() }
          continue
        }
        let index = plan.pointee.index(ofRow: row)
        if row >= plan.pointee.count, workspace.pointee.tags(record, plan)[index] != .absent {
          try skip()
          continue
        }
        let isRequired = table.members[index].isRequired
        let place = place(tolerance)
        let mark = workspace.pointee.mark
        tolerance.enter(member: table.name(ofRow: row))
        defer { tolerance.leave() }
        do throws(JSONError) {
          do throws(JSONError) {
            try member(index, of: plan, at: record)
          } catch {
            workspace.pointee.drop(to: mark)
            try goBack(to: place, after: error, tolerance)
            try skip()
            if isRequired {
              problems[index] = (error, table.name(ofRow: row))
            } else {
              self.record(error, .absent, tolerance)
            }
          }
        } catch {
          throw error.inMember(table.name(ofRow: row))
        }
      } while try nextMember()
      depth -= Self.modelDepth - 1
    }
    let tags = workspace.pointee.tags(record, plan)
    for index in plan.pointee.required where tags[index] == .absent {
      let problem = problems[index] ?? (failure(.missing, at: begin), table.names[index])
      guard !isShaped, putConstant(index, of: plan, at: record) else { throw problem.error.inMember(problem.name) }
      tolerance.enter(member: problem.name)
      self.record(problem.error, .constant, tolerance)
      tolerance.leave()
    }
    if let extra { try read(extra, of: plan, at: record) }
    workspace.pointee.end(record, ranges: ranges, references: references)
    return record
  }

  /// Gives a member the value that it always has.
  ///
  /// - Returns: Whether there is one.
  private mutating func putConstant(_ index: Int, of plan: Plan, at place: Int) -> Bool {
    let table = plan.pointee.table
    guard let text = table.constants[index] else { return false }
    switch table.members[index].code {
    case .string: put(place, plan, index, .string, TextBox(text))
    case .int:
      guard let value = Int(text) else { return false }
      modelWorkspace().pointee.put(place, plan, index, .int, UInt(bitPattern: value))
    case .bool: modelWorkspace().pointee.put(place, plan, index, .bool, text == "true" ? 1 : 0)
    default: return false
    }
    return true
  }
}
