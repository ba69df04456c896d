import Foundation

extension Model {
  /// A list, map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T {
    get {
      if let value: T = self[value: index] { return value }
      return Self.empty()
    }
    set { set(index, Self.slot(newValue)) }
  }

  /// A list, map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T? {
    get {
      switch slot(index) {
      case .value(let box): return (box as? ValueBox<T>)?.value
      case .models(let storages): return (T.self as? any ModelList.Type)?.make(storages) as? T
      case .strings(let list): return list as? T
      default: return nil
      }
    }
    set { set(index, newValue.map { Self.slot($0) } ?? .absent) }
  }

  /// A list of texts.
  public subscript(value index: Int) -> [String] {
    get { if case .strings(let list) = slot(index) { list } else { [] } }
    set { set(index, .strings(newValue)) }
  }

  /// A list of texts.
  public subscript(value index: Int) -> [String]? {
    get { if case .strings(let list) = slot(index) { list } else { nil } }
    set { set(index, newValue.map { .strings($0) } ?? .absent) }
  }

  /// A list of models.
  public subscript<T: Model>(value index: Int) -> [T] {
    get { models(index) ?? [] }
    set { setModels(index, newValue) }
  }

  /// A list of models.
  public subscript<T: Model>(value index: Int) -> [T]? {
    get { models(index) }
    set { setModels(index, newValue) }
  }

  private func models<T: Model>(_ index: Int) -> [T]? {
    guard case .models(let storages) = slot(index) else { return nil }
    return T.list(modelStorages: storages)
  }

  private mutating func setModels<T: Model>(_ index: Int, _ list: [T]?) {
    set(index, list.map { .models(T.modelStorages(of: $0)) } ?? .absent)
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
      case .strings(let value): return (value as? T).map { .value($0) }
      case .model(let storage):
        guard let model = T.self as? any Model.Type else { return nil }
        return (model.init(modelStorage: storage) as? T).map { .value($0) }
      case .models(let storages):
        guard let list = T.self as? any ModelList.Type else { return nil }
        return (list.make(storages) as? T).map { .value($0) }
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
    // By its type: an empty array of any kind could be cast.
    case _ where T.self == [String].self: (value as? [String]).map { .strings($0) } ?? .absent
    case let value as any Model: .model(value.modelStorage)
    case let value as any ModelList: .models(value.storages)
    default: .value(ValueBox(value))
    }
  }

  private static func empty<T: JSONCodable>() -> T {
    for text in ["[]", "{}", "\"\"", "null", "0", "false", "\"1970-01-01T00:00:00Z\""] {
      if let value = try? T(jsonString: text) { return value }
    }
    // No input leads here: reading throws where a required member is missing. Generated code doesn't either, even where
    // nothing was set: its lists, maps, raw bytes, any JSON and unions each read one of the above.
    preconditionFailure("\(T.self) has no empty value; a required member of \(Self.self) was never set")
  }
}

/// An array of models, recognized at run time.
private protocol ModelList {
  static func make(_ storages: [ModelStorage]) -> Self
  var storages: [ModelStorage] { get }
}

extension Array: ModelList where Element: Model {
  fileprivate static func make(_ storages: [ModelStorage]) -> Self { Element.list(modelStorages: storages) }
  fileprivate var storages: [ModelStorage] { Element.modelStorages(of: self) }
}
