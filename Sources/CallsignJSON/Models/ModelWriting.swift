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
      case .models(let values):
        begin(UInt8(ascii: "["))
        for value in values { model(value) }
        end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
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
