import Foundation

extension JSONWriter {
  /// Writes a model: the members that are there in the catalogue's order, then the unknown ones that it kept.
  mutating func model(_ storage: borrowing ModelStorage) {
    begin(UInt8(ascii: "{"))
    storage.buffer.withUnsafeMutablePointers { header, payloads in
      let table = header.pointee.table
      let tags = ModelBuffer.tags(payloads, header.pointee.slotCount)
      let members = table.members
      for index in 0..<table.count where tags[index] != .absent {
        let member = members + index
        name(quoted: member.pointee.quotedStart, count: member.pointee.quotedCount)
        switch tags[index] {
        case .absent, .null: null()
        case .int: self.member(int: Int(bitPattern: payloads[index]))
        case .number: number(Double(bitPattern: UInt64(payloads[index])))
        case .bool: bool(payloads[index] != 0)
        case .date:
          let value = Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(payloads[index])))
          if member.pointee.code == .rfc3339, !isExact, let date = CalendarDate(value) {
            self.member(rfc3339: date)
          } else {
            date(value, table.formats[index] ?? .rfc3339)
          }
        case .string:
          if let text = ModelBuffer.writtenText(header, ModelBuffer.load(payloads + index)) {
            self.member(written: text)
          } else {
            string(ModelBuffer.text(header, payloads + index))
          }
        case .strings: ModelBuffer.texts(header, payloads + index).write(json: &self)
        case .model:
          let inner: Unmanaged<ModelBuffer> = ModelBuffer.reference(payloads[index])
          inner._withUnsafeGuaranteedRef { model(ModelStorage(buffer: $0)) }
        case .models:
          let list: Unmanaged<ModelList> = ModelBuffer.reference(payloads[index])
          list._withUnsafeGuaranteedRef { models($0) }
        case .value:
          let box: ModelBox = ModelBuffer.object(payloads[index])
          if let codec = member.pointee.codec {
            codec.takeUnretainedValue().write(box, &self)
          } else {
            box.write(json: &self)
          }
        }
      }
      if table.plan.pointee.keepsUnknown, tags[table.count] == .value, let codec = table.extra {
        extraMembers(of: ModelBuffer.object(payloads[table.count]), codec, table)
      }
    }
    end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }

  private mutating func models(_ list: ModelList) {
    begin(UInt8(ascii: "["))
    list.withStorages { storages in for storage in storages { model(storage) } }
    end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }

  /// Writes the members of a map into the object that is being written.
  private mutating func extraMembers(of box: ModelBox, _ codec: ValueCodec, _ table: ModelSchema) {
    var writer = JSONWriter(isExact: isExact)
    codec.write(box, &writer)
    // Reading back what has just been written can't fail.
    guard let value = try? JSONValue(jsonBytes: writer.bytes), case .object(let members) = value else { return }
    for name in members.sortedNames where !table.names.contains(name) {
      guard let value = members[name] else { continue }
      self.name(name)
      value.write(json: &self)
    }
  }
}
