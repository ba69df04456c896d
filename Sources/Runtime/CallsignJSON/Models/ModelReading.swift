extension JSONReader {
  typealias Plan = UnsafeMutablePointer<ModelSchema.Plan>

  /// Reads an object by the table of its model.
  mutating func model(_ table: ModelSchema) throws(JSONError) -> ModelStorage {
    let workspace = modelWorkspace()
    let mark = workspace.pointee.mark
    do throws(JSONError) {
      return ModelStorage(buffer: takeModel(try record(table.plan)))
    } catch {
      workspace.pointee.drop(to: mark)
      throw error
    }
  }

  /// Moves the workspace's last record out.
  private mutating func takeModel(_ place: Int) -> ModelBuffer {
    let workspace = modelWorkspace()
    let text = workspace.pointee.record(place).hasText ? documentText() : nil
    return workspace.pointee.takeModel(place, text)
  }

  /// Reads an object by the plan of its model into the workspace.
  ///
  /// - Returns: The place of the record. An error leaves a part of one, which whoever catches it drops.
  mutating func record(_ plan: Plan) throws(JSONError) -> Int {
    if tolerance != nil { return try tolerantRecord(plan) }
    let begin = cursor
    if plan.pointee.isMisused { throw failure(.unusableModel(plan.pointee.table.misuse)) }
    let workspace = modelWorkspace()
    let place = workspace.pointee.beginRecord(plan)
    let (ranges, references) = (workspace.pointee.rangeCount, workspace.pointee.referenceCount)
    var extra: GatheredMembers?
    if try beginObject() {
      depth += Self.modelDepth - 1
      let order = workspace.pointee.order(of: plan)
      let hasTextRanges = hasTextRanges
      // 0 stands for the object's beginning, n for the member n - 1.
      var previous = 0
      repeat {
        var index = order.map { Int($0[previous]) } ?? previous
        var row = index
        if !takeName(index, plan) {
          row = try otherName(plan, place, &extra)
          if row < 0 { continue }
          index = plan.pointee.index(ofRow: row)
          if row == index { order?[previous] = Int16(truncatingIfNeeded: index) }
        }
        do throws(JSONError) {
          switch plan.pointee.members[index].code {
          case .string where hasTextRanges && cursor < end && cursor.pointee == UInt8(ascii: "\""):
            let raw = try rawString()
            workspace.pointee.countRange()
            workspace.pointee.put(place, plan, index, .string, TextRange(raw, offset: raw.start - start).word)
          case .int:
            if let value = shortInteger() {
              workspace.pointee.put(place, plan, index, .int, UInt(bitPattern: value))
            } else {
              try member(index, of: plan, at: place)
            }
          default: try member(index, of: plan, at: place)
          }
        } catch {
          throw error.inMember(plan.pointee.table.name(ofRow: row))
        }
        previous = index &+ 1
      } while try nextMember()
      depth -= Self.modelDepth - 1
    }
    var tags = workspace.pointee.tags(place, plan)
    for index in plan.pointee.required where tags[index] == .absent {
      guard bareMember(index, of: plan, at: place, from: begin) else {
        throw failure(.missing, at: begin).inMember(plan.pointee.table.names[index])
      }
      // The records have moved where there was no room for the member's.
      tags = workspace.pointee.tags(place, plan)
    }
    if let extra { try read(extra, of: plan, at: place) }
    workspace.pointee.end(place, ranges: ranges, references: references)
    return place
  }

  /// Reads the whole document as a member that it lacks, where the model says that it may come so.
  ///
  /// Only a whole document, so that no input is read more than twice, however deep it nests.
  ///
  /// - Parameter begin: The first byte of the object.
  /// - Returns: Whether it could be read so; if not, all is as before.
  @inline(never)
  mutating func bareMember(
    _ index: Int, of plan: Plan, at place: Int, from begin: UnsafePointer<UInt8>
  ) -> Bool {
    guard depth == 0, plan.pointee.table.bareMember == index else { return false }
    let (last, mark, issueCount) = (cursor, modelWorkspace().pointee.mark, tolerance?.count)
    cursor = begin
    depth = Self.modelDepth
    defer { (cursor, depth) = (last, 0) }
    do throws(JSONError) {
      try member(index, of: plan, at: place)
      return true
    } catch {
      modelWorkspace().pointee.drop(to: mark)
      if let issueCount { tolerance?.drop(to: issueCount) }
      return false
    }
  }

  /// Moves past the name of the member and its colon, if they are next and spelled as they mostly are.
  @inline(__always)
  private mutating func takeName(_ index: Int, _ plan: UnsafeMutablePointer<ModelSchema.Plan>) -> Bool {
    guard index < plan.pointee.count else { return false }
    let member = plan.pointee.members + index
    let count = member.pointee.quotedCount + 1
    guard end - cursor >= count, ModelSchema.isEqual(member.pointee.quotedStart, cursor, count) else { return false }
    cursor += count
    skipWhitespace()
    return true
  }

  /// The row of the member that is next and is not the one that was expected; -1 where it has been passed over.
  @inline(never)
  private mutating func otherName(
    _ plan: Plan, _ place: Int, _ extra: inout GatheredMembers?
  ) throws(JSONError) -> Int {
    guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
    let name = try rawString()
    try takeColon()
    let row = position(of: name, in: plan.pointee.table)
    if row < 0 {
      if plan.pointee.keepsUnknown { try collect(name, into: &extra) } else { try skip() }
    } else if row >= plan.pointee.count {
      // The member's own name comes first, wherever it stands.
      let index = plan.pointee.index(ofRow: row)
      if modelWorkspace().pointee.tags(place, plan)[index] != .absent {
        try skip()
        return -1
      }
    }
    return row
  }

  /// Reads an array of objects by the table of their model.
  mutating func models(_ table: ModelSchema) throws(JSONError) -> ModelList {
    if tolerance != nil { return try tolerantModels(table) }
    let workspace = modelWorkspace()
    let mark = workspace.pointee.mark
    let base = workspace.pointee.count
    do throws(JSONError) {
      let place = workspace.pointee.beginList(table.plan)
      _ = try elements(table.plan, of: place)
      return takeModels(place, base, table)
    } catch {
      workspace.pointee.drop(to: mark)
      throw error
    }
  }

  /// Reads an array's elements into the list at a place of the workspace; those of a long one into objects.
  ///
  /// - Returns: How many there are.
  private mutating func elements(_ plan: Plan, of place: Int) throws(JSONError) -> Int {
    let workspace = modelWorkspace()
    guard try beginArray() else { return 0 }
    var count = 0
    repeat {
      do throws(JSONError) { _ = try record(plan) } catch { throw error.inElement(count) }
      count += 1
      if workspace.pointee.top - place > ModelRecord.limit { pushElements(of: place) }
    } while try nextElement()
    return count
  }

  private mutating func pushElements(of place: Int) {
    let workspace = modelWorkspace()
    // None of the records needs it where no text was put into any.
    let text = workspace.pointee.rangeCount > 0 ? documentText() : nil
    workspace.pointee.push(from: place + ModelRecord.headCount, text)
  }

  /// Moves the list that was last read out.
  private mutating func takeModels(_ place: Int, _ base: Int, _ table: ModelSchema) -> ModelList {
    pushElements(of: place)
    return modelWorkspace().pointee.takeList(place, base, table)
  }

  /// The row of the member or alias with this name, -1 if there is none.
  @inline(__always)
  func position(of name: RawString, in table: ModelSchema) -> Int {
    if !name.hasEscapes { return table.row(of: name.start, name.count) }
    var text = Self.decode(name)
    return text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return table.row(of: name.start, 0) }
      return table.row(of: start, utf8.count)
    }
  }

  /// Reads a member's value into its slot.
  @inline(never)
  mutating func member(_ index: Int, of plan: Plan, at place: Int) throws(JSONError) {
    let member = plan.pointee.members + index
    if cursor < end, cursor.pointee == UInt8(ascii: "n") {
      return try nullMember(index, member.pointee, of: plan, at: place)
    }
    let workspace = modelWorkspace()
    switch member.pointee.code {
    case .string:
      guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(JSONKind.string.phrase) }
      let raw = try rawString()
      guard hasTextRanges else { return put(place, plan, index, .string, TextBox(Self.decode(raw))) }
      workspace.pointee.countRange()
      workspace.pointee.put(place, plan, index, .string, TextRange(raw, offset: raw.start - start).word)
    case .int: workspace.pointee.put(place, plan, index, .int, UInt(bitPattern: try int()))
    case .number: workspace.pointee.put(place, plan, index, .number, UInt(try number().bitPattern))
    case .bool: workspace.pointee.put(place, plan, index, .bool, try bool() ? 1 : 0)
    case .rfc3339:
      let date = try date()
      workspace.pointee.put(place, plan, index, .date, UInt(date.timeIntervalSinceReferenceDate.bitPattern))
    case .date:
      let date = try date(plan.pointee.table.formats[index] ?? .rfc3339)
      workspace.pointee.put(place, plan, index, .date, UInt(date.timeIntervalSinceReferenceDate.bitPattern))
    case .model:
      guard let inner = member.pointee.model else { return try skip() }
      let record = try record(inner)
      if workspace.pointee.staysRecord(record, of: place) {
        let payload = ModelRecord.payload(distance: record - place - ModelRecord.headCount)
        workspace.pointee.put(place, plan, index, .model, payload)
      } else {
        put(place, plan, index, .model, takeModel(record))
      }
    case .models:
      guard let inner = member.pointee.model else { return try skip() }
      try list(inner, index, of: plan, at: place)
    case .strings: try strings(index, of: plan, at: place)
    case .value:
      guard let codec = member.pointee.codec else { return try skip() }
      put(place, plan, index, .value, try codec._withUnsafeGuaranteedRef { $0 }.read(&self))
    }
  }

  /// Puts an object into a slot of a record.
  mutating func put(_ place: Int, _ plan: Plan, _ index: Int, _ tag: SlotTag, _ object: some AnyObject) {
    let workspace = modelWorkspace()
    workspace.pointee.countReference()
    workspace.pointee.put(place, plan, index, tag, ModelBuffer.payload(object))
  }

  private mutating func list(_ inner: Plan, _ index: Int, of plan: Plan, at place: Int) throws(JSONError) {
    if tolerance != nil { return put(place, plan, index, .models, try tolerantModels(inner.pointee.table)) }
    let workspace = modelWorkspace()
    let base = workspace.pointee.count
    let list = workspace.pointee.beginList(inner)
    let count = try elements(inner, of: list)
    if workspace.pointee.count == base {
      workspace.pointee.endList(list, count: count)
      if workspace.pointee.staysRecord(list, of: place) {
        let payload = ModelRecord.payload(distance: list - place - ModelRecord.headCount)
        return workspace.pointee.put(place, plan, index, .models, payload)
      }
    }
    put(place, plan, index, .models, takeModels(list, base, inner.pointee.table))
  }

  /// Checks a list of strings, which are made when they are asked for.
  private mutating func strings(_ index: Int, of plan: Plan, at place: Int) throws(JSONError) {
    guard tolerance == nil, hasTextRanges else {
      return put(place, plan, index, .strings, TextListBox(try list(of: String.self)))
    }
    let begin = cursor
    // Brackets, and behind each string a comma or the bracket.
    var usualCount = 1
    var isUsual = true
    if try beginArray() {
      var count = 0
      repeat {
        do throws(JSONError) {
          guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(JSONKind.string.phrase) }
          let raw = try rawString()
          usualCount += raw.count + 3
          if raw.hasUnusualEscapes { isUsual = false }
        } catch {
          throw error.inElement(count)
        }
        count += 1
      } while try nextElement()
    } else {
      usualCount += 1
    }
    let range = TextRange(
      offset: begin - start, count: cursor - begin, isUsual: isUsual && cursor - begin == usualCount)
    let workspace = modelWorkspace()
    workspace.pointee.countRange()
    workspace.pointee.put(place, plan, index, .strings, range.word)
  }

  @inline(never)
  private mutating func nullMember(
    _ index: Int, _ member: ModelSchema.Member, of plan: Plan, at place: Int
  ) throws(JSONError) {
    let begin = cursor
    if member.isRequired, !member.isNullable, let codec = member.codec?._withUnsafeGuaranteedRef({ $0 }),
      codec.acceptsNull
    {
      return put(place, plan, index, .value, try codec.read(&self))
    }
    try literal("null")
    guard member.isNullable || !member.isRequired else {
      throw failure(.mismatch(expected: "a value", found: JSONKind.null.phrase), at: begin)
    }
    modelWorkspace().pointee.put(place, plan, index, member.isNullable ? .null : .absent, 0)
  }

  /// Unknown members are rare, and their type is known only to the codec of a map; so they are gathered as the text of
  /// an object that it then reads.
  @inline(never)
  mutating func collect(_ name: RawString, into extra: inout GatheredMembers?) throws(JSONError) {
    let gathered = extra ?? GatheredMembers()
    extra = gathered
    gathered.writer.name(Self.decode(name))
    let value = cursor
    try skip()
    gathered.writer.literal(String(decoding: UnsafeBufferPointer(start: value, count: cursor - value), as: UTF8.self))
  }

  @inline(never)
  mutating func read(_ extra: GatheredMembers, of plan: Plan, at place: Int) throws(JSONError) {
    guard let codec = plan.pointee.table.extra else { return }
    extra.writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
    let offset = offset
    // The places within the gathered text are not places of the document.
    let inner = tolerance.map { _ in Tolerance(within: offset) }
    let box = extra.writer.bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes)
        reader.depth = depth
        reader.tolerance = inner
        return try codec.read(&reader)
      }
    }
    if let inner { tolerance?.take(inner.issues) }
    do throws(JSONError) {
      put(place, plan, plan.pointee.count, .value, try box.get())
    } catch {
      throw JSONError(error.kind, path: error.path, offset: offset)
    }
  }
}

/// The unknown members of an object that is being read, as the text of an object. Most objects have none, so it is a class:
/// a reader without one has a single word to look at.
final class GatheredMembers {
  var writer = JSONWriter()

  init() { writer.begin(UInt8(ascii: "{")) }
}
