import Foundation

/// What one member of a model holds.
enum ModelSlot {
  case absent
  case null
  case string(String)
  case int(Int)
  case number(Double)
  case bool(Bool)
  case date(Date)
  case model(ModelStorage)
  case value(ModelBox)

  var isAbsent: Bool { if case .absent = self { true } else { false } }
}

/// The members of one model value. Generated models hold one and leave everything about it to the runtime.
///
/// `@unchecked Sendable`: it is changed only through the only reference to it (see `Model.set`), and everything in it is
/// Sendable.
public final class ModelStorage: @unchecked Sendable {
  let table: ModelTable
  /// `table.slotCount` of them, always initialized.
  let slots: UnsafeMutablePointer<ModelSlot>

  private init(_ table: ModelTable) {
    self.table = table
    slots = UnsafeMutablePointer.allocate(capacity: table.slotCount)
  }

  deinit {
    slots.deinitialize(count: table.slotCount)
    slots.deallocate()
  }

  /// All members left out.
  static func make(_ table: ModelTable) -> ModelStorage {
    let storage = ModelStorage(table)
    storage.slots.initialize(repeating: .absent, count: table.slotCount)
    return storage
  }

  func copy() -> ModelStorage {
    let storage = ModelStorage(table)
    storage.slots.initialize(from: slots, count: table.slotCount)
    return storage
  }

  func slot(_ index: Int) -> ModelSlot { index < table.slotCount ? slots[index] : .absent }

  func set(_ index: Int, _ slot: ModelSlot) {
    guard index < table.slotCount else { return }
    slots[index] = slot
  }

  func isEqual(to other: ModelStorage) -> Bool {
    if self === other { return true }
    guard table === other.table else { return false }
    for index in 0..<table.slotCount {
      switch (slots[index], other.slots[index]) {
      case (.absent, .absent), (.null, .null): continue
      case (.string(let left), .string(let right)): if left != right { return false }
      case (.int(let left), .int(let right)): if left != right { return false }
      case (.number(let left), .number(let right)): if left != right { return false }
      case (.bool(let left), .bool(let right)): if left != right { return false }
      case (.date(let left), .date(let right)): if left != right { return false }
      case (.model(let left), .model(let right)): if !left.isEqual(to: right) { return false }
      case (.value(let left), .value(let right)):
        if left !== right, ExactJSON.bytes(left.write) != ExactJSON.bytes(right.write) { return false }
      default: return false
      }
    }
    return true
  }

  func hash(into hasher: inout Hasher) {
    for index in 0..<table.slotCount {
      switch slots[index] {
      case .absent: hasher.combine(0)
      case .null: hasher.combine(1)
      case .string(let value): hasher.combine(value)
      case .int(let value): hasher.combine(value)
      case .number(let value): hasher.combine(value)
      case .bool(let value): hasher.combine(value)
      case .date(let value): hasher.combine(value)
      case .model(let value): value.hash(into: &hasher)
      case .value(let value): hasher.combine(ExactJSON.bytes(value.write))
      }
    }
  }
}

/// The members that are there, as JSON.
extension ModelStorage: CustomStringConvertible, CustomReflectable {
  public var description: String {
    var writer = JSONWriter()
    writer.model(self)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  public var customMirror: Mirror {
    var children: [(label: String?, value: Any)] = []
    for index in 0..<table.count {
      switch slots[index] {
      case .absent: continue
      case .null: children.append((table.names[index], "null"))
      case .string(let value): children.append((table.names[index], value))
      case .int(let value): children.append((table.names[index], value))
      case .number(let value): children.append((table.names[index], value))
      case .bool(let value): children.append((table.names[index], value))
      case .date(let value): children.append((table.names[index], value))
      case .model(let value): children.append((table.names[index], value))
      case .value(let box): children.append((table.names[index], box.reflected))
      }
    }
    return Mirror(self, children: children, displayStyle: .struct)
  }
}

/// JSON that tells any two different values apart, for comparing what has no other way to be compared.
enum ExactJSON {
  static func bytes(_ write: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter(isExact: true)
    write(&writer)
    return writer.bytes
  }
}
