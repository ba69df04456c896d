extension JSONReader {
  /// Reads an object by the table of its model.
  mutating func model(_ table: ModelTable) throws(JSONError) -> ModelStorage {
    let begin = cursor
    let storage = ModelStorage.make(table)
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
            try member(index, of: table, into: storage.slots + index)
          } catch {
            throw error.inMember(table.names[index])
          }
          expected = index + 1
        } else if table.extra == nil {
          try skip()
        } else {
          try collect(name, into: &extra)
        }
      } while try nextMember()
    }
    for index in table.required where storage.slots[index].isAbsent {
      throw failure(.missing, at: begin).inMember(table.names[index])
    }
    if let codec = table.extra, let extra { try read(extra, codec, into: storage) }
    return storage
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
    let member = table.members[index]
    if cursor < end, cursor.pointee == UInt8(ascii: "n") { return try nullMember(member, into: slot) }
    switch member.code {
    case .string: slot.pointee = .string(try string())
    case .int: slot.pointee = .int(try int())
    case .number: slot.pointee = .number(try number())
    case .bool: slot.pointee = .bool(try bool())
    case .date: slot.pointee = .date(try date(table.formats[index] ?? .rfc3339))
    case .model:
      guard let model = table.models[index] else { return try skip() }
      slot.pointee = .model(try self.model(model))
    case .value:
      guard let codec = table.codecs[index] else { return try skip() }
      slot.pointee = .value(try codec.read(&self))
    }
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
