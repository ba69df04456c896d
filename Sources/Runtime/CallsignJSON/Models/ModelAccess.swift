import CallsignSupport

// The accessors that generated properties call, by the position of the member. A required member is always there after
// reading and after the memberwise initializer, so the empty values below stand only in for a member that nothing set.

extension ModelStorage {
  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String {
    @inlinable get { self[string: index] ?? "" }
    set { set(index, .string(newValue)) }
  }

  /// A text member; the empty text stands in for a required one that nothing set.
  public subscript(string index: Int) -> String? {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        ModelBuffer.tag(index, header, payloads) == .string ? ModelBuffer.text(header, payloads + index) : nil
      }
    }
    set { set(index, newValue.map { .string($0) } ?? .absent) }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int {
    @inlinable get { self[int: index] ?? 0 }
    set { set(index, .int(newValue)) }
  }

  /// A member that is a whole number.
  public subscript(int index: Int) -> Int? {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        ModelBuffer.tag(index, header, payloads) == .int ? Int(bitPattern: payloads[index]) : nil
      }
    }
    set { set(index, newValue.map { .int($0) } ?? .absent) }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double {
    @inlinable get { self[number: index] ?? 0 }
    set { set(index, .number(newValue)) }
  }

  /// A member that is a number.
  public subscript(number index: Int) -> Double? {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        ModelBuffer.tag(index, header, payloads) == .number ? Double(bitPattern: UInt64(payloads[index])) : nil
      }
    }
    set { set(index, newValue.map { .number($0) } ?? .absent) }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool {
    @inlinable get { self[bool: index] ?? false }
    set { set(index, .bool(newValue)) }
  }

  /// A member that is true or false.
  public subscript(bool index: Int) -> Bool? {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        ModelBuffer.tag(index, header, payloads) == .bool ? payloads[index] != 0 : nil
      }
    }
    set { set(index, newValue.map { .bool($0) } ?? .absent) }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date {
    @inlinable get { self[date: index] ?? Date(timeIntervalSince1970: 0) }
    set { set(index, .date(newValue)) }
  }

  /// A member that is a date, whatever its format on the wire.
  public subscript(date index: Int) -> Date? {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        ModelBuffer.tag(index, header, payloads) == .date
          ? Date(timeIntervalSinceReferenceDate: Double(bitPattern: UInt64(payloads[index]))) : nil
      }
    }
    set { set(index, newValue.map { .date($0) } ?? .absent) }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T {
    get { self[enum: index] ?? T(rawValue: "") }
    set { set(index, .string(newValue.rawValue)) }
  }

  /// A member of an open enum, which is kept as its wire text.
  public subscript<T: OpenEnum>(enum index: Int) -> T? {
    get {
      guard let known = position(of: index, in: EnumNames(T.names)) else { return nil }
      return T(index: known, text: known < 0 ? self[string: index] : "")
    }
    set { set(index, newValue.map { .string($0.rawValue) } ?? .absent) }
  }

  /// The position of a text among names, -1 where it is none of them; `nil` where the member is no text.
  private func position(of index: Int, in names: EnumNames) -> Int? {
    buffer.withUnsafeMutablePointers { header, payloads in
      guard ModelBuffer.tag(index, header, payloads) == .string else { return nil }
      // No string is made of a known name.
      let word = ModelBuffer.load(payloads + index)
      if !TextRange(word: word).hasEscapes, let text = ModelBuffer.writtenText(header.pointee.text, word) {
        return names.index(of: text)
      }
      return names.index(of: ModelBuffer.text(header, payloads + index))
    }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T {
    @inlinable get { T(modelStorage: model(at: index) ?? ModelStorage(for: T.self)) }
    set { set(index, .model(newValue.modelStorage)) }
  }

  /// A member that is itself a model.
  public subscript<T: Model>(model index: Int) -> T? {
    @inlinable get { model(at: index).map { T(modelStorage: $0) } }
    set { set(index, newValue.map { .model($0.modelStorage) } ?? .absent) }
  }

  @inlinable
  func model(at index: Int) -> ModelStorage? {
    buffer.withUnsafeMutablePointers { header, payloads in
      ModelBuffer.tag(index, header, payloads) == .model
        ? ModelStorage(buffer: ModelBuffer.model(index, header, payloads)) : nil
    }
  }

  // MARK: Lists

  /// A list of texts, `[]` if it is missing.
  public subscript(list index: Int) -> [String] {
    get { if case .strings(let list) = slot(index) { list } else { Self.missingList() } }
    set { setList(index, .strings(newValue), isEmpty: newValue.isEmpty) }
  }

  /// A list of models, `[]` if it is missing.
  public subscript<T: Model>(list index: Int) -> [T] {
    @inlinable get {
      buffer.withUnsafeMutablePointers { header, payloads in
        guard ModelBuffer.tag(index, header, payloads) == .models else { return nil }
        return ModelBuffer.models(index, header, payloads)._withUnsafeGuaranteedRef { $0.elements(of: T.self) }
      } ?? Self.missingList()
    }
    set { setList(index, .models(ModelList.of(newValue)), isEmpty: newValue.isEmpty) }
  }

  /// A list of anything else, `[]` if it is missing.
  public subscript<T: JSONCodable & Sendable>(list index: Int) -> [T] {
    get { read(index) ?? Self.missingList() }
    set { setList(index, Self.slot(newValue), isEmpty: newValue.isEmpty) }
  }

  private mutating func setList(_ index: Int, _ slot: ModelSlot, isEmpty: Bool) {
    let isLeftOut = isEmpty && ModelThreadState.current?.leavesEmptyListsOut == true
    set(index, isLeftOut ? .absent : slot)
  }

  @usableFromInline @inline(never)
  static func missingList<Element>() -> [Element] {
    ModelThreadState.current?.missingListsRead += 1
    return []
  }

  // MARK: Other values

  /// A map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T {
    get { read(index) ?? Self.empty() }
    set { set(index, Self.slot(newValue)) }
  }

  /// A map, union, raw bytes or any JSON.
  public subscript<T: JSONCodable & Sendable>(value index: Int) -> T? {
    get { read(index) }
    set { set(index, newValue.map { Self.slot($0) } ?? .absent) }
  }

  /// A member for which null is a value of its own.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T> {
    get { self[nullable: index] ?? .null }
    set { self[nullable: index] = .some(newValue) }
  }

  /// A member for which null is a value of its own.
  public subscript<T: JSONCodable & Sendable>(nullable index: Int) -> Nullable<T>? {
    get { if case .null = slot(index) { .null } else { read(index).map { .value($0) } } }
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
    get { read(index) ?? [:] }
    set { set(index, newValue.isEmpty ? .absent : .value(ValueBox(newValue))) }
  }

  /// The member as a value of a type; `nil` if it is missing, null or of another type.
  func read<T: JSONCodable>(_ index: Int) -> T? {
    switch slot(index) {
    case .absent, .null: nil
    case .value(let box): (box as? ValueBox<T>)?.value
    case .string(let text): text as? T ?? (T.self as? any OpenEnum.Type)?.init(rawValue: text) as? T
    case .int(let value): value as? T
    case .number(let value): value as? T
    case .bool(let value): value as? T
    case .date(let value): value as? T
    // By its type: an empty array of any kind could be cast.
    case .strings(let value): T.self == [String].self ? value as? T : nil
    case .models(let list):
      (T.self as? any ModelElements.Type).flatMap { $0.elements(of: list) as? T }
    case .model(let storage):
      storage.table.type == T.self ? (T.self as? any Model.Type)?.init(modelStorage: storage) as? T : nil
    }
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
    case let value as any ModelElements: .models(value.boxed)
    default: .value(ValueBox(value))
    }
  }

  private static func empty<T: JSONCodable>() -> T {
    let texts = [
      "[]", "{}", "\"\"", "null", "0", "false", "\"1970-01-01T00:00:00Z\"", "\"00000000-0000-0000-0000-000000000000\"",
      "\"about:blank\"",
    ]
    for text in texts {
      if let value = try? T(jsonString: text) { return value }
    }
    if let closed = T.self as? any ClosedEnum.Type, let value = firstCase(closed) as? T { return value }
    // No input leads here: reading throws where a required member is missing. Generated code doesn't either, even where
    // nothing was set: its maps, raw bytes, any JSON and unions each read one of the above.
    preconditionFailure("\(T.self) has no empty value; a required member was never set")
  }
}

private func firstCase<T: ClosedEnum>(_: T.Type) -> Any? { T.allCases.first }

/// An array of models, recognized at run time.
private protocol ModelElements {
  var boxed: ModelList { get }
  static func elements(of list: ModelList) -> Any?
}

extension Array: ModelElements where Element: Model {
  fileprivate var boxed: ModelList { ModelList.of(self) }
  fileprivate static func elements(of list: ModelList) -> Any? { list.elements(of: Element.self) }
}
