import CallsignSupport

extension JSONWriter {
  /// Writes a model: the members that are there in the catalogue's order, then the unknown ones that it kept.
  mutating func model(_ storage: borrowing ModelStorage) {
    storage.buffer.withUnsafeMutablePointers { header, payloads in
      model(header.pointee.table, payloads, header.pointee.text)
    }
  }

  private mutating func model(
    _ table: ModelSchema, _ payloads: UnsafeMutablePointer<UInt>, _ document: Unmanaged<DocumentText>?
  ) {
    begin(UInt8(ascii: "{"))
    let tags = ModelBuffer.tags(payloads, table.plan.pointee.slotCount)
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
      case .string: text(ModelBuffer.load(payloads + index), document)
      case .strings: texts(ModelBuffer.load(payloads + index), document)
      case .model:
        let payload = ModelBuffer.load(payloads + index)
        if payload & 1 == 1 {
          model(ModelRecord(in: payloads, payload), document)
        } else {
          let inner: Unmanaged<ModelBuffer> = ModelBuffer.reference(payload)
          inner._withUnsafeGuaranteedRef { model(ModelStorage(buffer: $0)) }
        }
      case .models:
        let payload = ModelBuffer.load(payloads + index)
        begin(UInt8(ascii: "["))
        if payload & 1 == 1 {
          ModelRecord(in: payloads, payload).forEach { model($0, document) }
        } else {
          let list: Unmanaged<ModelList> = ModelBuffer.reference(payload)
          list._withUnsafeGuaranteedRef { $0.withStorages { storages in for storage in storages { model(storage) } } }
        }
        end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
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
    end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }

  private mutating func model(_ record: ModelRecord, _ document: Unmanaged<DocumentText>?) {
    model(record.plan.pointee.table, record.payloads, document)
  }

  /// Writes a string as it was read, where that is what would be written of it.
  @inline(__always)
  private mutating func text(_ payload: UInt, _ document: Unmanaged<DocumentText>?) {
    if let text = ModelBuffer.writtenText(document, payload) { return member(written: text) }
    if payload & 1 == 0 {
      let box: Unmanaged<TextBox> = ModelBuffer.reference(payload)
      return string(box._withUnsafeGuaranteedRef { $0.text })
    }
    if let document { string(ModelBuffer.text(TextRange(word: payload), in: document)) } else { string("") }
  }

  private mutating func texts(_ payload: UInt, _ document: Unmanaged<DocumentText>?) {
    if style == .compact, let text = ModelBuffer.writtenText(document, payload) { return member(array: text) }
    if payload & 1 == 0 {
      let box: Unmanaged<TextListBox> = ModelBuffer.reference(payload)
      return box._withUnsafeGuaranteedRef { $0.list }.write(json: &self)
    }
    ModelBuffer.texts(TextRange(word: payload), in: document).write(json: &self)
  }

  /// Writes the members of a map into the object that is being written.
  private mutating func extraMembers(of box: ModelBox, _ codec: ValueCodec, _ table: ModelSchema) {
    var writer = JSONWriter(isExact: isExact)
    codec.write(box, &writer)
    if let failure = writer.failure { fail(with: failure) }
    // Reading back what has just been written can't fail.
    guard let value = try? JSONValue(jsonBytes: writer.bytes), case .object(let members) = value else { return }
    for name in members.sortedNames where !table.names.contains(name) {
      guard let value = members[name] else { continue }
      self.name(name)
      value.write(json: &self)
    }
  }
}
