extension JSONReader {
  /// Reads an object by the table of its model.
  mutating func model(_ table: ModelSchema) throws(JSONError) -> ModelStorage {
    if let tolerance { return try model(table, tolerance) }
    let begin = cursor
    let plan = table.plan
    if plan.pointee.isMisused { throw failure(.unusableModel(table.misuse)) }
    let storage = ModelStorage.make(table)
    let slots = storage.slots
    // The slots live as long as the storage, which must not be given up before they are filled.
    defer { withExtendedLifetime(storage) {} }
    var extra: JSONWriter?
    if try beginObject() {
      let order = lists?.pointee.order(of: plan)
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
            if !slots[index].isAbsent {
              try skip()
              continue
            }
          }
        }
        do throws(JSONError) {
          try member(index, of: table, into: slots + index)
        } catch {
          throw error.inMember(table.name(ofRow: alias ?? index))
        }
        previous = index + 1
      } while try nextMember()
    }
    for index in plan.pointee.required where slots[index].isAbsent {
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
  mutating func models(_ table: ModelSchema) throws(JSONError) -> AnyModelList {
    // Only the schema of no type has none.
    guard let type = table.type, let listType = table.listType else {
      throw failure(.unusableModel("a list of no type"))
    }
    if let tolerance { return try models(table, of: type, tolerance) }
    guard try beginArray() else { return type.emptyList }
    let lists = beginLists()
    let base = lists.pointee.count
    do throws(JSONError) {
      repeat {
        do throws(JSONError) {
          lists.pointee.push(try model(table))
        } catch {
          throw error.inElement(lists.pointee.count - base)
        }
        guard try nextElement() else { break }
        lists.pointee.beginLearning()
      } while true
    } catch {
      lists.pointee.drop(to: base)
      throw error
    }
    return lists.pointee.pop(to: base, as: listType)
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
    _ index: Int, of table: ModelSchema, into slot: UnsafeMutablePointer<ModelSlot>
  ) throws(JSONError) {
    let member = table.members + index
    if cursor < end, cursor.pointee == UInt8(ascii: "n") { return try nullMember(member.pointee, into: slot) }
    // Each value goes where it belongs without a variable between, which would cost counting its references.
    switch member.pointee.code {
    case .string: Self.put(.string(try string()), slot)
    case .int: Self.put(.int(try int()), slot)
    case .number: Self.put(.number(try number()), slot)
    case .bool: Self.put(.bool(try bool()), slot)
    case .rfc3339: Self.put(.date(try date()), slot)
    case .date: Self.put(.date(try date(table.formats[index] ?? .rfc3339)), slot)
    case .model:
      guard let model = member.pointee.model else { return try skip() }
      Self.put(.model(try self.model(model._withUnsafeGuaranteedRef { $0 })), slot)
    case .models:
      guard let model = member.pointee.model else { return try skip() }
      Self.put(.models(try models(model._withUnsafeGuaranteedRef { $0 })), slot)
    case .strings: Self.put(.strings(try list(of: String.self)), slot)
    case .value:
      guard let codec = member.pointee.codec else { return try skip() }
      Self.put(.value(try codec._withUnsafeGuaranteedRef { $0 }.read(&self)), slot)
    }
  }

  @inline(__always)
  private static func put(_ value: consuming ModelSlot, _ slot: UnsafeMutablePointer<ModelSlot>) {
    // A member that comes twice replaces its first value.
    if !slot.pointee.isAbsent { slot.deinitialize(count: 1) }
    slot.initialize(to: value)
  }

  @inline(never)
  private mutating func nullMember(
    _ member: ModelSchema.Member, into slot: UnsafeMutablePointer<ModelSlot>
  ) throws(JSONError) {
    let begin = cursor
    try literal("null")
    if member.isNullable {
      slot.pointee = .null
    } else if !member.isRequired {
      slot.pointee = .absent
    } else {
      throw failure(.mismatch(expected: "a value", found: JSONKind.null.phrase), at: begin)
    }
  }

  /// Unknown members are rare, and their type is known only to the codec of a map; so they are gathered as the text of
  /// an object that it then reads.
  mutating func collect(_ name: RawString, into extra: inout JSONWriter?) throws(JSONError) {
    var writer = extra ?? JSONWriter()
    if extra == nil { writer.begin(UInt8(ascii: "{")) }
    // Two holders would make each member copy all those before it.
    extra = nil
    writer.name(Self.decode(name))
    let value = cursor
    try skip()
    writer.literal(String(decoding: UnsafeBufferPointer(start: value, count: cursor - value), as: UTF8.self))
    extra = writer
  }

  func read(_ extra: JSONWriter, _ codec: ValueCodec, into storage: ModelStorage) throws(JSONError) {
    var extra = extra
    extra.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
    let offset = offset
    // The places within the gathered text are none of the document.
    let inner = tolerance.map { _ in Tolerance(within: offset) }
    let box = extra.bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes)
        reader.depth = depth
        reader.tolerance = inner
        return try codec.read(&reader)
      }
    }
    if let inner { tolerance?.take(inner.issues) }
    do throws(JSONError) {
      storage.slots[storage.table.count] = .value(try box.get())
    } catch {
      throw JSONError(error.kind, path: error.path, offset: offset)
    }
  }
}

extension JSONWriter {
  /// Writes a model: the members that are there in the catalogue's order, then the unknown ones that it kept.
  mutating func model(_ storage: ModelStorage) {
    begin(UInt8(ascii: "{"))
    let table = storage.table
    let slots = storage.slots
    defer { withExtendedLifetime(storage) {} }
    for index in 0..<table.count {
      let slot = slots[index]
      if slot.isAbsent { continue }
      let member = table.members[index]
      name(quoted: UnsafeBufferPointer(start: member.quotedStart, count: member.quotedCount))
      switch slot {
      case .absent, .null: null()
      case .string(let value): string(value)
      case .int(let value): int(value)
      case .number(let value): number(value)
      case .bool(let value): bool(value)
      case .date(let value): date(value, table.formats[index] ?? .rfc3339)
      case .model(let value): model(value)
      case .models(let values): values.write(json: &self)
      case .strings(let values): values.write(json: &self)
      case .value(let value):
        if let codec = member.codec {
          codec.takeUnretainedValue().write(value, &self)
        } else {
          value.write(json: &self)
        }
      }
    }
    if table.extra != nil, case .value(let extra) = storage.slots[table.count] { members(of: extra, table) }
    end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }

  /// Writes the members of a map into the object that is being written.
  private mutating func members(of box: ModelBox, _ table: ModelSchema) {
    var writer = JSONWriter(isExact: isExact)
    table.extra?.write(box, &writer)
    // Reading back what has just been written can't fail.
    guard let value = try? JSONValue(jsonBytes: writer.bytes), case .object(let members) = value else { return }
    for (name, value) in members.sorted(by: { $0.key < $1.key }) where !table.names.contains(name) {
      self.name(name)
      value.write(json: &self)
    }
  }
}
