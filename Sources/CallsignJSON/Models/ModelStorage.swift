import Foundation

/// The content of one member of a model.
enum ModelSlot {
  case absent
  case null
  case string(String)
  case int(Int)
  case number(Double)
  case bool(Bool)
  case date(Date)
  case model(ModelStorage)
  case models(AnyModelList)
  case strings([String])
  case value(ModelBox)

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

/// The members of one model value. Generated models hold one and leave everything about it to the runtime.
///
/// `@unchecked Sendable`: the buffer is changed only through the only reference to it (see `set`), and everything in it
/// is Sendable.
public struct ModelStorage: @unchecked Sendable {
  var buffer: ModelBuffer
}

/// The slots of a model, as many as its table says, in one piece of memory.
final class ModelBuffer: ManagedBuffer<ModelBuffer.Header, ModelSlot> {
  struct Header {
    /// Tables are never freed, so there is no reason to count references to them.
    unowned(unsafe) let table: ModelSchema
    let slotCount: Int
  }

  deinit {
    withUnsafeMutablePointers { header, slots in
      // Most slots are empty or plain numbers, which need nothing.
      for index in 0..<header.pointee.slotCount {
        switch slots[index] {
        case .absent, .null, .int, .number, .bool, .date: continue
        case .string, .model, .models, .strings, .value: (slots + index).deinitialize(count: 1)
        }
      }
    }
  }
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

  /// The slots, for as long as something else holds the storage.
  var slots: UnsafeMutablePointer<ModelSlot> { buffer.withUnsafeMutablePointerToElements { $0 } }

  private static func allocate(_ table: ModelSchema) -> ModelStorage {
    let count = table.plan.pointee.slotCount
    let buffer = ModelBuffer.create(minimumCapacity: count) { _ in ModelBuffer.Header(table: table, slotCount: count) }
    return ModelStorage(buffer: unsafeDowncast(buffer, to: ModelBuffer.self))
  }

  /// All members left out.
  static func make(_ table: ModelSchema) -> ModelStorage {
    let storage = allocate(table)
    storage.slots.initialize(repeating: .absent, count: storage.slotCount)
    return storage
  }

  /// A storage without members, to look at a type with.
  static let probe = make(ModelSchema.empty)

  func copy() -> ModelStorage {
    let storage = Self.allocate(table)
    storage.slots.initialize(from: slots, count: storage.slotCount)
    return storage
  }

  func slot(_ index: Int) -> ModelSlot { index < slotCount ? slots[index] : .absent }

  mutating func set(_ index: Int, _ slot: ModelSlot) {
    guard index < slotCount else { return }
    // A copy in another task holds a reference of its own, so while this one is the only one nobody else can be
    // reading the slots.
    if !isKnownUniquelyReferenced(&buffer) { self = copy() }
    slots[index] = slot
  }

  func isEqual(to other: ModelStorage) -> Bool {
    if buffer === other.buffer { return true }
    guard table === other.table else { return false }
    for index in 0..<slotCount {
      switch (slots[index], other.slots[index]) {
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
      switch slots[index] {
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
