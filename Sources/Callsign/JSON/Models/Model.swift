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
/// - Important: A conforming type is a struct whose only stored property is a ``ModelStorage``; the runtime
///   relies on it. For types of your own conform to ``JSONCodable`` instead.
public protocol Model: JSONCodable, Sendable {
  /// The members, their wire names and types.
  static var layout: ModelLayout { get }
}

extension Model {
  /// A value whose members are all left out, for initializers to fill.
  public init(blank: ()) { self.init(modelStorage: ModelStorage.make(ModelTable.of(Self.self))) }

  init(modelStorage: ModelStorage) { self = unsafeBitCast(modelStorage, to: Self.self) }

  /// With the initializer above and `set` the only place that relies on a model being its storage and nothing else;
  /// `unsafeBitCast` checks the size.
  var modelStorage: ModelStorage { unsafeBitCast(self, to: Unmanaged<ModelStorage>.self).takeUnretainedValue() }

  func slot(_ index: Int) -> ModelSlot { modelStorage.slot(index) }

  mutating func set(_ index: Int, _ slot: ModelSlot) {
    withUnsafeMutablePointer(to: &self) { model in
      model.withMemoryRebound(to: ModelStorage.self, capacity: 1) { storage in
        if !isKnownUniquelyReferenced(&storage.pointee) { storage.pointee = storage.pointee.copy() }
        storage.pointee.set(index, slot)
      }
    }
  }

  public init(json reader: inout JSONReader) throws(JSONError) {
    self.init(modelStorage: try reader.model(ModelTable.of(Self.self)))
  }

  public func write(json writer: inout JSONWriter) { writer.model(modelStorage) }

  public init(from decoder: any Decoder) throws { try self.init(through: decoder) }

  public func encode(to encoder: any Encoder) throws { try encode(through: encoder) }

  public static func == (left: Self, right: Self) -> Bool { left.modelStorage.isEqual(to: right.modelStorage) }

  public func hash(into hasher: inout Hasher) { modelStorage.hash(into: &hasher) }
}

/// Without this the compiler would derive a `hashValue` for each model.
extension Model where Self: Hashable {
  public var hashValue: Int {
    var hasher = Hasher()
    hash(into: &hasher)
    return hasher.finalize()
  }
}
