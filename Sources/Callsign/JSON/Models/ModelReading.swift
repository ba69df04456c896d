extension JSONReader {
  /// Reads an object by the table of its model.
  mutating func model(_ table: ModelTable) throws(JSONError) -> ModelStorage {
    let begin = cursor
    let storage = ModelStorage.make(table)
    let slots = storage.slots
    // The slots live as long as the storage, which must not be given up before they are filled.
    defer { withExtendedLifetime(storage) {} }
    var extra: JSONWriter?
    if try beginObject() {
      var expected = 0
      repeat {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        let name = try rawString()
        try takeColon()
        let index = position(of: name, in: table, expected)
        if index >= 0 {
          do throws(JSONError) {
            try member(index, of: table, into: slots + index)
          } catch {
            throw error.inMember(table.names[index])
          }
          expected = index + 1
        } else if !table.plan.pointee.keepsUnknown {
          try skip()
        } else {
          try collect(name, into: &extra)
        }
      } while try nextMember()
    }
    for index in table.required where slots[index].isAbsent {
      throw failure(.missing, at: begin).inMember(table.names[index])
    }
    if let codec = table.extra, let extra { try read(extra, codec, into: storage) }
    return storage
  }

  /// Reads an array of objects by the table of their model.
  mutating func models(_ table: ModelTable) throws(JSONError) -> [ModelStorage] {
    guard try beginArray() else { return [] }
    var models: [ModelStorage] = []
    repeat {
      do throws(JSONError) {
        models.append(try model(table))
      } catch {
        throw error.inElement(models.count)
      }
    } while try nextElement()
    return models
  }

  @inline(__always)
  private func position(of name: RawString, in table: ModelTable, _ expected: Int) -> Int {
    if !name.hasEscapes { return table.index(of: name.start, name.count, expected: expected) }
    var text = Self.decode(name)
    return text.withUTF8 { utf8 in
      guard let start = utf8.baseAddress else { return table.index(of: name.start, 0, expected: expected) }
      return table.index(of: start, utf8.count, expected: expected)
    }
  }

  @inline(__always)
  private mutating func member(
    _ index: Int, of table: ModelTable, into slot: UnsafeMutablePointer<ModelSlot>
  ) throws(JSONError) {
    let member = table.members + index
    if cursor < end, cursor.pointee == UInt8(ascii: "n") { return try nullMember(member.pointee, into: slot) }
    let value: ModelSlot
    switch member.pointee.code {
    case .string: value = .string(try string())
    case .int: value = .int(try int())
    case .number: value = .number(try number())
    case .bool: value = .bool(try bool())
    case .rfc3339: value = .date(try date())
    case .date: value = .date(try date(table.formats[index] ?? .rfc3339))
    case .model:
      guard let model = member.pointee.model else { return try skip() }
      value = .model(try self.model(model._withUnsafeGuaranteedRef { $0 }))
    case .models:
      guard let model = member.pointee.model else { return try skip() }
      value = .models(try models(model._withUnsafeGuaranteedRef { $0 }))
    case .value:
      guard let codec = member.pointee.codec else { return try skip() }
      value = .value(try codec._withUnsafeGuaranteedRef { $0 }.read(&self))
    }
    // A member that comes twice replaces its first value.
    if !slot.pointee.isAbsent { slot.deinitialize(count: 1) }
    slot.initialize(to: value)
  }

  @inline(never)
  private mutating func nullMember(
    _ member: ModelTable.Member, into slot: UnsafeMutablePointer<ModelSlot>
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
  private mutating func collect(_ name: RawString, into extra: inout JSONWriter?) throws(JSONError) {
    var writer = extra ?? JSONWriter()
    if extra == nil { writer.begin(UInt8(ascii: "{")) }
    writer.name(Self.decode(name))
    let value = cursor
    try skip()
    writer.literal(String(decoding: UnsafeBufferPointer(start: value, count: cursor - value), as: UTF8.self))
    extra = writer
  }

  private func read(_ extra: JSONWriter, _ codec: ValueCodec, into storage: ModelStorage) throws(JSONError) {
    var extra = extra
    extra.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
    let offset = offset
    let box = extra.bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes)
        reader.depth = depth
        return try codec.read(&reader)
      }
    }
    do throws(JSONError) {
      storage.slots[storage.table.count] = .value(try box.get())
    } catch {
      throw JSONError(error.kind, path: error.path, offset: offset)
    }
  }
}
