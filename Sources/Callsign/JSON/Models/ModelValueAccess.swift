import Foundation

extension Model {
  /// A list, map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T {
    get {
      if let value: T = self[value: index] { return value }
      return Self.empty()
    }
    set { set(index, .value(ValueBox(newValue))) }
  }

  /// A list, map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T? {
    get {
      guard case .value(let box) = slot(index), let box = box as? ValueBox<T> else { return nil }
      return box.value
    }
    set { set(index, newValue.map { .value(ValueBox($0)) } ?? .absent) }
  }

  /// A member for which null is a value of its own.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T> {
    get { self[nullable: index] ?? .null }
    set { self[nullable: index] = .some(newValue) }
  }

  /// A member for which null is a value of its own.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T>? {
    get {
      switch slot(index) {
      case .absent: return nil
      case .null: return .null
      case .value(let box): return (box as? ValueBox<T>).map { .value($0.value) }
      case .string(let value): return (value as? T).map { .value($0) }
      case .int(let value): return (value as? T).map { .value($0) }
      case .number(let value): return (value as? T).map { .value($0) }
      case .bool(let value): return (value as? T).map { .value($0) }
      case .date(let value): return (value as? T).map { .value($0) }
      case .model(let storage):
        guard let model = T.self as? any Model.Type else { return nil }
        return (model.init(modelStorage: storage) as? T).map { .value($0) }
      }
    }
    set {
      switch newValue {
      case nil: set(index, .absent)
      case .null: set(index, .null)
      case .value(let value): set(index, Self.slot(value))
      }
    }
  }

  /// The members that the catalogue doesn't know.
  public subscript<T: JSONCodable & Sendable>(extra index: Int) -> [String: T] {
    get { self[value: index] ?? [:] }
    set { set(index, newValue.isEmpty ? .absent : .value(ValueBox(newValue))) }
  }

  private static func slot<T: JSONCodable>(_ value: T) -> ModelSlot {
    switch value {
    case let value as String: .string(value)
    case let value as Int: .int(value)
    case let value as Double: .number(value)
    case let value as Bool: .bool(value)
    case let value as Date: .date(value)
    case let value as any Model: .model(value.modelStorage)
    default: .value(ValueBox(value))
    }
  }

  private static func empty<T: JSONCodable>() -> T {
    for text in ["[]", "{}", "\"\"", "null"] {
      if let value = try? T(jsonString: text) { return value }
    }
    // Not reached by generated code: lists, maps, raw bytes, any JSON and unions each read one of the above.
    preconditionFailure("\(T.self) has no empty value; a required member of \(Self.self) was never set")
  }
}
