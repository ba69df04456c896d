import CallsignSupport

/// The content of one member of a model, as it is looked at where speed does not matter.
enum ModelSlot {
  case absent
  case null
  case string(String)
  case int(Int)
  case number(Double)
  case bool(Bool)
  case date(Date)
  case model(ModelStorage)
  case models(ModelList)
  case strings([String])
  case value(ModelBox)
}

/// The members of one model value. Generated models hold one and leave everything about it to the runtime.
///
/// `@unchecked Sendable`: the buffer is changed only through the only reference to it (see `set`), and everything in it
/// is Sendable. Strings that are made when they are first read are stored atomically, and the first one stays.
public struct ModelStorage: @unchecked Sendable {
  @usableFromInline var buffer: ModelBuffer

  @inlinable
  init(buffer: ModelBuffer) { self.buffer = buffer }
}

extension ModelStorage {
  /// The storage of a value whose members are all left out, for initializers to fill.
  public init(for type: any Model.Type) {
    let table = ModelSchema.of(type)
    // A mistake in the program, which no input can bring about: there is no value that could be returned instead.
    precondition(!table.plan.pointee.isMisused, table.misuse)
    self = Self.make(table)
  }

  var table: ModelSchema { buffer.withUnsafeMutablePointerToHeader { $0.pointee.table } }

  var slotCount: Int { buffer.withUnsafeMutablePointerToHeader { $0.pointee.slotCount } }

  /// All members left out.
  static func make(_ table: ModelSchema) -> ModelStorage {
    let words = ModelRecord.slotWords(table.plan.pointee.slotCount)
    let buffer = ModelBuffer.make(table, words: words, text: nil)
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: 0, count: words) }
    return ModelStorage(buffer: buffer)
  }

  /// A storage without members, to look at a type with.
  static let probe = make(ModelSchema.empty)

  func copy() -> ModelStorage {
    buffer.withUnsafeMutablePointers { header, payloads in
      let words = header.pointee.words
      let copy = ModelBuffer.make(
        header.pointee.table, words: words, hasReferences: header.pointee.hasReferences, text: header.pointee.text)
      copy.withUnsafeMutablePointerToElements { newPayloads in
        let count = header.pointee.slotCount
        let slotWords = ModelRecord.slotWords(count)
        (newPayloads + count).update(from: payloads + count, count: words - count)
        let tags = ModelBuffer.tags(payloads, count)
        for index in 0..<count {
          // Others are never replaced, and where nothing is there nothing was written.
          guard tags[index].isReference else {
            newPayloads[index] = payloads[index]
            continue
          }
          let payload = ModelBuffer.load(payloads + index)
          newPayloads[index] = payload
          ModelBuffer.retain(tags[index], payload)
        }
        ModelRecord.forEachReference(from: payloads + slotWords, to: payloads + words) { ModelBuffer.retain($0, $1) }
      }
      return ModelStorage(buffer: copy)
    }
  }

  func isAbsent(_ index: Int) -> Bool {
    buffer.withUnsafeMutablePointers { ModelBuffer.tag(index, $0, $1) == .absent }
  }

  func slot(_ index: Int) -> ModelSlot {
    buffer.withUnsafeMutablePointers { header, payloads in
      func object<T: AnyObject>(_: T.Type) -> T { ModelBuffer.object(payloads[index]) }
      return switch ModelBuffer.tag(index, header, payloads) {
      case .absent: .absent
      case .null: .null
      case .int: .int(Int(bitPattern: payloads[index]))
      case .number: .number(Double(bitPattern: UInt64(payloads[index])))
      case .bool: .bool(payloads[index] != 0)
      case .date: .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(payloads[index]))))
      case .string: .string(ModelBuffer.text(header, payloads + index))
      case .strings: .strings(ModelBuffer.texts(header, payloads + index))
      case .model: .model(ModelStorage(buffer: ModelBuffer.model(index, header, payloads)))
      case .models: .models(ModelBuffer.models(index, header, payloads).takeUnretainedValue())
      case .value: .value(object(ModelBox.self))
      }
    }
  }

  mutating func set(_ index: Int, _ slot: ModelSlot) {
    switch slot {
    case .absent: set(index, .absent, 0)
    case .null: set(index, .null, 0)
    case .int(let value): set(index, .int, UInt(bitPattern: value))
    case .number(let value): set(index, .number, UInt(value.bitPattern))
    case .bool(let value): set(index, .bool, value ? 1 : 0)
    case .date(let value): set(index, .date, UInt(value.timeIntervalSinceReferenceDate.bitPattern))
    case .string(let value): set(index, .string, ModelBuffer.payload(TextBox(value)))
    case .strings(let value): set(index, .strings, ModelBuffer.payload(TextListBox(value)))
    case .model(let value): set(index, .model, ModelBuffer.payload(value.buffer))
    case .models(let value): set(index, .models, ModelBuffer.payload(value))
    case .value(let value): set(index, .value, ModelBuffer.payload(value))
    }
  }

  /// Sets a member to a payload, whose reference, if it is one, is taken over.
  private mutating func set(_ index: Int, _ tag: SlotTag, _ payload: UInt) {
    guard index < slotCount else { return ModelBuffer.release(tag, payload) }
    // A copy in another task holds a reference of its own, so while this one is the only one nobody else can be
    // reading the slots.
    if !isKnownUniquelyReferenced(&buffer) { self = copy() }
    buffer.withUnsafeMutablePointers { header, payloads in
      let tags = ModelBuffer.tags(payloads, header.pointee.slotCount)
      ModelBuffer.release(tags[index], payloads[index])
      tags[index] = tag
      payloads[index] = payload
    }
  }

  func isEqual(to other: ModelStorage) -> Bool {
    if buffer === other.buffer { return true }
    guard table === other.table else { return false }
    for index in 0..<slotCount {
      switch (slot(index), other.slot(index)) {
      case (.absent, .absent), (.null, .null): continue
      case (.string(let left), .string(let right)): if left != right { return false }
      case (.int(let left), .int(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.bool(let left), .bool(let right)): if left != right { return false }
      case (.date(let left), .date(let right)): if left != right { return false }
      case (.model(let left), .model(let right)): if !left.isEqual(to: right) { return false }
      case (.models(let left), .models(let right)): if !left.isEqual(to: right) { return false }
      case (.strings(let left), .strings(let right)): if left != right { return false }
      case (.value(let left), .value(let right)):
        if left !== right, !left.isEqual(to: right) { return false }
      default: return false
      }
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for index in 0..<slotCount {
      switch slot(index) {
      case .absent: hasher.combine(0)
      case .null: hasher.combine(1)
      case .string(let value): hasher.combine(value)
      case .int(let value): hasher.combine(value)
      case .number(let value): hasher.combine(value)
      case .bool(let value): hasher.combine(value)
      case .date(let value): hasher.combine(value)
      case .model(let value): value.hash(into: &hasher)
      case .models(let values): values.hash(into: &hasher)
      case .strings(let values): hasher.combine(values)
      case .value(let value): value.hash(into: &hasher)
      }
    }
  }
}
