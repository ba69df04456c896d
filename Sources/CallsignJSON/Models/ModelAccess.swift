import Foundation

// The accessors that generated properties call, by the position of the member. A required member is always there after
// reading and after the memberwise initializer, so the empty values below stand only in for a member that nothing set.

extension Model {
  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String {
    get { if case .string(let value) = slot(index) { value } else { "" } }
    set { set(index, .string(newValue)) }
  }

  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String? {
    get { if case .string(let value) = slot(index) { value } else { nil } }
    set { set(index, newValue.map { .string($0) } ?? .absent) }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int {
    get { if case .int(let value) = slot(index) { value } else { 0 } }
    set { set(index, .int(newValue)) }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int? {
    get { if case .int(let value) = slot(index) { value } else { nil } }
    set { set(index, newValue.map { .int($0) } ?? .absent) }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double {
    get { if case .number(let value) = slot(index) { value } else { 0 } }
    set { set(index, .number(newValue)) }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double? {
    get { if case .number(let value) = slot(index) { value } else { nil } }
    set { set(index, newValue.map { .number($0) } ?? .absent) }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool {
    get { if case .bool(let value) = slot(index) { value } else { false } }
    set { set(index, .bool(newValue)) }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool? {
    get { if case .bool(let value) = slot(index) { value } else { nil } }
    set { set(index, newValue.map { .bool($0) } ?? .absent) }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date {
    get { if case .date(let value) = slot(index) { value } else { Date(timeIntervalSince1970: 0) } }
    set { set(index, .date(newValue)) }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date? {
    get { if case .date(let value) = slot(index) { value } else { nil } }
    set { set(index, newValue.map { .date($0) } ?? .absent) }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T {
    get { T(rawValue: self[string: index]) }
    set { set(index, .string(newValue.rawValue)) }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T? {
    get { if case .string(let value) = slot(index) { T(rawValue: value) } else { nil } }
    set { set(index, newValue.map { .string($0.rawValue) } ?? .absent) }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T {
    get { self[model: index] ?? T(blank: ()) }
    set { set(index, .model(newValue.modelStorage)) }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T? {
    get { if case .model(let storage) = slot(index) { T(modelStorage: storage) } else { nil } }
    set { set(index, newValue.map { .model($0.modelStorage) } ?? .absent) }
  }
}
