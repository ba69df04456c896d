import CallsignSupport

extension JSONWriter {
  /// Writes a model: the existing members in the catalogue's order, then the unknown ones that it kept.
  mutating func model(_ storage: ModelStorage, _ schema: ModelSchema) {
    begin(UInt8(ascii: "{"))
    storage.withSlots { slots in
      for index in slots.indices {
        if case .absent = slots[index] { continue }
        if index == schema.count {
          if case .value(let box) = slots[index] { schema.extra?.write(unknownMembers: box, of: schema, &self) }
        } else {
          name(written: schema.members[index].writtenName.bytes)
          write(slots[index], index, schema)
        }
      }
    }
    end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }

  private mutating func write(_ slot: ModelSlot, _ index: Int, _ schema: ModelSchema) {
    switch slot {
    case .string(let value): string(value)
    case .int(let value): int(value)
    case .number(let value): number(value)
    case .bool(let value): bool(value)
    case .date(let value):
      if case .date(let codec) = schema.members[index].type { date(value, codec.format) } else { date(value) }
    case .model(let value):
      if case .model(let link) = schema.members[index].type { model(value, link.schema) } else { null() }
    case .value(let box):
      switch schema.members[index].type {
      case .models(let link):
        let schema = link.schema
        begin(UInt8(ascii: "["))
        link.type._forEach(in: box) { model($0, schema) }
        end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
      case .value(let codec): codec.write(box, &self)
      default: box.write(json: &self)
      }
    case .absent, .null, .probe: null()
    }
  }
}
