import CallsignSupport

// The accessors that generated properties call, by the position of the member. The empty values below stand in for a required
// member that nothing set, or that a response lacks.
//
// A value that can grow is changed in place: its slot is emptied before, because a value that two owners have is copied at each
// change, and appending to a list 10,000 times took seconds.

extension ModelStorage {
  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String {
    get { self[string: index] ?? "" }
    set { self[index] = .string(newValue) }
    _modify {
      var text: String = self[string: index]
      self[index] = .absent
      defer { self[string: index] = text }
      yield &text
    }
  }

  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String? {
    get { if case .string(let value) = self[index] { value } else { nil } }
    set { self[index] = newValue.map { .string($0) } ?? .absent }
    _modify {
      var text: String? = self[string: index]
      self[index] = .absent
      defer { self[string: index] = text }
      yield &text
    }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int {
    get { self[int: index] ?? 0 }
    set { self[index] = .int(newValue) }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int? {
    get { if case .int(let value) = self[index] { value } else { nil } }
    set { self[index] = newValue.map { .int($0) } ?? .absent }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double {
    get { self[number: index] ?? 0 }
    set { self[index] = .number(newValue) }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double? {
    get { if case .number(let value) = self[index] { value } else { nil } }
    set { self[index] = newValue.map { .number($0) } ?? .absent }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool {
    get { self[bool: index] ?? false }
    set { self[index] = .bool(newValue) }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool? {
    get { if case .bool(let value) = self[index] { value } else { nil } }
    set { self[index] = newValue.map { .bool($0) } ?? .absent }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date {
    get { self[date: index] ?? Date(timeIntervalSince1970: 0) }
    set { self[index] = .date(newValue) }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date? {
    get { if case .date(let value) = self[index] { value } else { nil } }
    set { self[index] = newValue.map { .date($0) } ?? .absent }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T {
    get { self[enum: index] ?? T(rawValue: "") }
    set { self[index] = .string(newValue.rawValue) }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T? {
    get { (self[string: index] as String?).map { T(rawValue: $0) } }
    set { self[index] = newValue.map { .string($0.rawValue) } ?? .absent }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T {
    get {
      if let model: T = self[model: index] { return model }
      let empty = ModelStorage(for: T.self)
      if case .probe(_, let probe) = self[index] { return T(_storage: empty.probed(by: probe)) }
      return T(_storage: empty)
    }
    set { self[index] = .model(newValue._storage) }
    _modify {
      var model: T = self[model: index]
      self[index] = .absent
      defer { self[model: index] = model }
      yield &model
    }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T? {
    get {
      switch self[index] {
      case .model(let storage): T(_storage: storage)
      case .probe(.model(let storage), let probe): T(_storage: storage.probed(by: probe))
      default: nil
      }
    }
    set { self[index] = newValue.map { .model($0._storage) } ?? .absent }
    _modify {
      var model: T? = self[model: index]
      self[index] = .absent
      defer { self[model: index] = model }
      yield &model
    }
  }

  /// A list, `[]` if it is missing.
  public subscript<T: JSONCodable & Sendable>(list index: Int) -> [T] {
    get {
      if let list: [T] = read(index) { return list }
      if case .probe(_, let probe) = self[index] { probe.wasRead = true }
      return []
    }
    set {
      if newValue.isEmpty, case .probe = self[index] {
        self[index] = .absent
      } else {
        self[index] = .value(ValueBox(newValue))
      }
    }
    _modify {
      var list: [T] = self[list: index]
      // A probe tells the setter that the list was missing.
      if case .probe = self[index] {} else { self[index] = .absent }
      defer { self[list: index] = list }
      yield &list
    }
  }

  /// A map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T {
    get { read(index) ?? EmptyValue.of(T.self) }
    set { self[index] = Self.slot(newValue) }
    _modify {
      var value: T = self[value: index]
      self[index] = .absent
      defer { self[value: index] = value }
      yield &value
    }
  }

  /// A map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T? {
    get { read(index) }
    set { self[index] = newValue.map { Self.slot($0) } ?? .absent }
    _modify {
      var value: T? = self[value: index]
      self[index] = .absent
      defer { self[value: index] = value }
      yield &value
    }
  }

  /// A member that distinguishes null from absence.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T> {
    get { self[nullable: index] ?? .null }
    set { self[nullable: index] = .some(newValue) }
    _modify {
      var value: Nullable<T> = self[nullable: index]
      self[index] = .absent
      defer { self[nullable: index] = value }
      yield &value
    }
  }

  /// A member that distinguishes null from absence.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T>? {
    get { if case .null = self[index] { .null } else { read(index).map { .value($0) } } }
    set {
      switch newValue {
      case nil: self[index] = .absent
      case .null: self[index] = .null
      case .value(let value): self[index] = Self.slot(value)
      }
    }
    _modify {
      var value: Nullable<T>? = self[nullable: index]
      self[index] = .absent
      defer { self[nullable: index] = value }
      yield &value
    }
  }

  /// The members that the catalogue doesn't know.
  public subscript<T: JSONCodable & Sendable>(extra index: Int) -> [String: T] {
    get { read(index) ?? [:] }
    set { self[index] = newValue.isEmpty ? .absent : .value(ValueBox(newValue)) }
    _modify {
      var members: [String: T] = self[extra: index]
      self[index] = .absent
      defer { self[extra: index] = members }
      yield &members
    }
  }

  /// The member as a value of a type; `nil` if it is missing, null or of another type.
  func read<T: JSONCodable>(_ index: Int) -> T? { Self.value(self[index]) }

  private static func value<T: JSONCodable>(_ slot: ModelSlot) -> T? {
    switch slot {
    case .absent, .null: nil
    case .value(let box): (box as? ValueBox<T>)?.value
    case .string(let text): text as? T ?? (T.self as? any OpenEnum.Type)?.init(rawValue: text) as? T
    case .int(let value): value as? T
    case .number(let value): value as? T
    case .bool(let value): value as? T
    case .date(let value): value as? T
    case .model(let storage): (T.self as? any Model.Type)?.init(_storage: storage) as? T
    case .probe(.model(let storage), let probe): value(.model(storage.probed(by: probe)))
    case .probe(let content, let probe): value(content).map { probe.probe($0) }
    }
  }

  private static func slot<T: JSONCodable>(_ value: T) -> ModelSlot {
    switch value {
    case let value as String: .string(value)
    case let value as Int: .int(value)
    case let value as Double: .number(value)
    case let value as Bool: .bool(value)
    case let value as Date: .date(value)
    case let value as any Model: .model(value._storage)
    default: .value(ValueBox(value))
    }
  }
}
