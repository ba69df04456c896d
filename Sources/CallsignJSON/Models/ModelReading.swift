extension JSONReader {
  /// Reads an object by the table of its model.
  mutating func model(_ table: ModelSchema) throws(JSONError) -> ModelStorage {
    if let tolerance { return try model(table, tolerance) }
    let begin = cursor
    let plan = table.plan
    if plan.pointee.isMisused { throw failure(.unusableModel(table.misuse)) }
    let storage = ModelStorage.make(table)
    var extra: GatheredMembers?
    if try beginObject() {
      depth += Self.modelDepth - 1
      let order = beginLists().pointee.order(of: plan)
      // 0 stands for the object's beginning, n for the member n - 1.
      var previous = 0
      repeat {
        var index = order.map { Int($0[previous]) } ?? previous
        var alias: Int?
        if !takeName(index, plan) {
          guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
          let name = try rawString()
          try takeColon()
          index = position(of: name, in: table)
          if index < 0 {
            if plan.pointee.keepsUnknown { try collect(name, into: &extra) } else { try skip() }
            continue
          }
          if index < plan.pointee.count {
            order?[previous] = Int16(truncatingIfNeeded: index)
          } else {
            alias = index
            index = plan.pointee.index(ofRow: index)
            // The member's own name comes first, wherever it stands.
            if !storage.isAbsent(index) {
              try skip()
              continue
            }
          }
        }
        do throws(JSONError) {
          try member(index, of: table, into: storage)
        } catch {
          throw error.inMember(table.name(ofRow: alias ?? index))
        }
        previous = index + 1
      } while try nextMember()
      depth -= Self.modelDepth - 1
    }
    for index in plan.pointee.required where storage.isAbsent(index) {
      throw failure(.missing, at: begin).inMember(table.names[index])
    }
    if let extra, let codec = table.extra { try read(extra, codec, into: storage) }
    return storage
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

  /// Reads an array of objects by the table of their model.
  mutating func models(_ table: ModelSchema) throws(JSONError) -> ModelList {
    if let tolerance { return try models(table, tolerance) }
    let lists = beginLists()
    guard try beginArray() else { return lists.pointee.pop(to: lists.pointee.count, as: table) }
    let base = lists.pointee.count
    do throws(JSONError) {
      repeat {
        do throws(JSONError) {
          lists.pointee.push(try model(table))
        } catch {
          throw error.inElement(lists.pointee.count - base)
        }
      } while try nextElement()
    } catch {
      lists.pointee.drop(to: base)
      throw error
    }
    return lists.pointee.pop(to: base, as: table)
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

  @inline(__always)
  mutating func member(
    _ index: Int, of table: ModelSchema, into storage: borrowing ModelStorage
  ) throws(JSONError) {
    let member = table.members + index
    if cursor < end, cursor.pointee == UInt8(ascii: "n") { return try nullMember(index, member.pointee, into: storage) }
    switch member.pointee.code {
    case .string:
      guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(JSONKind.string.phrase) }
      let raw = try rawString()
      guard hasTextRanges else {
        return storage.put(index, .string, ModelBuffer.payload(TextBox(Self.decode(raw))))
      }
      storage.keep(documentText())
      storage.put(
        index, .string,
        TextRange(raw, offset: raw.start - start).word)
    case .int: storage.put(index, .int, UInt(bitPattern: try int()))
    case .number: storage.put(index, .number, UInt(try number().bitPattern))
    case .bool: storage.put(index, .bool, try bool() ? 1 : 0)
    case .rfc3339: storage.put(index, .date, UInt(try date().timeIntervalSinceReferenceDate.bitPattern))
    case .date:
      let date = try date(table.formats[index] ?? .rfc3339)
      storage.put(index, .date, UInt(date.timeIntervalSinceReferenceDate.bitPattern))
    case .model:
      guard let model = member.pointee.model else { return try skip() }
      let value = try self.model(model._withUnsafeGuaranteedRef { $0 })
      storage.put(index, .model, ModelBuffer.payload(value.buffer))
    case .models:
      guard let model = member.pointee.model else { return try skip() }
      storage.put(index, .models, ModelBuffer.payload(try models(model._withUnsafeGuaranteedRef { $0 })))
    case .strings: try strings(index, into: storage)
    case .value:
      guard let codec = member.pointee.codec else { return try skip() }
      storage.put(index, .value, ModelBuffer.payload(try codec._withUnsafeGuaranteedRef { $0 }.read(&self)))
    }
  }

  /// Checks a list of strings, which are made when they are asked for.
  private mutating func strings(_ index: Int, into storage: borrowing ModelStorage) throws(JSONError) {
    guard tolerance == nil, hasTextRanges else {
      return storage.put(index, .strings, ModelBuffer.payload(TextListBox(try list(of: String.self))))
    }
    let begin = cursor
    if try beginArray() {
      var count = 0
      repeat {
        do throws(JSONError) {
          guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(JSONKind.string.phrase) }
          _ = try rawString()
        } catch {
          throw error.inElement(count)
        }
        count += 1
      } while try nextElement()
    }
    storage.keep(documentText())
    storage.put(index, .strings, TextRange(offset: begin - start, count: cursor - begin).word)
  }

  @inline(never)
  private mutating func nullMember(
    _ index: Int, _ member: ModelSchema.Member, into storage: borrowing ModelStorage
  ) throws(JSONError) {
    let begin = cursor
    try literal("null")
    guard member.isNullable || !member.isRequired else {
      throw failure(.mismatch(expected: "a value", found: JSONKind.null.phrase), at: begin)
    }
    storage.put(index, member.isNullable ? .null : .absent, 0)
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
  func read(_ extra: GatheredMembers, _ codec: ValueCodec, into storage: ModelStorage) throws(JSONError) {
    extra.writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
    let offset = offset
    // The places within the gathered text are none of the document.
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
      storage.put(storage.table.count, .value, ModelBuffer.payload(try box.get()))
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
