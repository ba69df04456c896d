// Reading models once more, where something could not be read at the first go.

extension JSONReader {
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
    /// The errors of required members that could not be read, and their names.
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
    var tags = workspace.pointee.tags(record, plan)
    for index in plan.pointee.required where tags[index] == .absent {
      if problems[index] == nil, bareMember(index, of: plan, at: record, from: begin) {
        tags = workspace.pointee.tags(record, plan)
        continue
      }
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
