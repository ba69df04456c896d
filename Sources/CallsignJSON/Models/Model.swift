/// An object of an API, as the generator makes them: a value type round one reference.
///
/// ```swift
/// public struct List: Model, Codable, Hashable {
///   let storage: ModelStorage
///   public static var layout: ModelLayout { ModelLayout("id:string created_at:date? owner:#0?", User.self) }
///   @_alwaysEmitIntoClient public var id: ListID { get { self[string: 0] } set { self[string: 0] = newValue } }
///   …
/// }
/// ```
///
/// Reading, writing, comparing and hashing are done by the runtime from the layout, so a model costs a binary little
/// more than its name. A copy costs one retain; changing a copy copies its members first.
///
/// - Important: A conforming type is a struct whose only stored property is a ``ModelStorage``. The runtime relies on
///   it and checks it before it makes the first value: reading another type throws ``JSONError``, and ``init(blank:)``
///   stops the process. For types of your own conform to ``JSONCodable`` instead.
public protocol Model: JSONCodable, Sendable {
  /// The members, their wire names and types.
  static var layout: ModelLayout { get }
}

extension Model {
  /// A value whose members are all left out, for initializers to fill.
  public init(blank: ()) {
    let table = ModelSchema.of(Self.self)
    // A mistake in the program, which no input can bring about: there is no value that could be returned instead.
    precondition(!table.plan.pointee.isMisused, table.misuse)
    self.init(modelStorage: ModelStorage.make(table))
  }

  func slot(_ index: Int) -> ModelSlot { modelStorage.slot(index) }

  mutating func set(_ index: Int, _ slot: ModelSlot) {
    withModelStorage { storage in
      // A copy in another task holds a reference of its own, so while this one is the only one nobody else can be
      // reading the slots.
      if !isKnownUniquelyReferenced(&storage.buffer) { storage = storage.copy() }
      storage.set(index, slot)
    }
  }

  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    // The reader throws for a type that is not its storage and nothing else.
    self.init(modelStorage: try reader.model(ModelSchema.of(Self.self)))
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.model(modelStorage) }

  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws { try self.init(through: decoder) }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws { try encode(through: encoder) }

  /// Whether all members are equal, kept unknown ones too.
  public static func == (left: Self, right: Self) -> Bool { left.modelStorage.isEqual(to: right.modelStorage) }

  /// Hashes what `==` compares: every member, dates to the last bit.
  public func hash(into hasher: inout Hasher) { modelStorage.hash(into: &hasher) }
}

/// Without this the compiler would derive a `hashValue` for each model.
extension Model where Self: Hashable {
  /// A hash of what `==` compares.
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}
