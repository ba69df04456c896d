extension Model {
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

  /// Whether all members are equal, kept unknown ones too. A list that is missing differs from an empty one.
  public static func == (left: Self, right: Self) -> Bool { left.modelStorage.isEqual(to: right.modelStorage) }

  /// Hashes what `==` compares: every member, dates to the last bit.
  public func hash(into hasher: inout Hasher) { modelStorage.hash(into: &hasher) }

  /// The members that are there, in Swift's names: `Post(id: "20", text: "…")`. Values of enums are texts as on the wire.
  public var debugDescription: String { modelStorage.description }

  /// The members that are there, in Swift's names, for `dump` and debuggers.
  public var customMirror: Mirror { Mirror(self, children: modelStorage.children, displayStyle: .struct) }

  /// Whether a list, which reads as `[]` then, was not in the response, or was never set: `page.isMissing(\.data)`.
  public func isMissing<Element>(_ list: KeyPath<Self, [Element]>) -> Bool {
    // Reading a missing list is counted by the thread that does it.
    guard let state = ModelThreadState.current else { return self[keyPath: list].isEmpty }
    let count = state.missingListsRead
    _ = self[keyPath: list]
    return state.missingListsRead != count
  }

  /// Leaves a list out, as if it had never been set: it is not written, where an empty one would be.
  public mutating func leaveOut<Element>(_ list: WritableKeyPath<Self, [Element]>) {
    guard let state = ModelThreadState.current else { return }
    // The thread's next empty list is set as a missing one.
    state.leavesEmptyListsOut = true
    self[keyPath: list] = []
    state.leavesEmptyListsOut = false
  }
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

/// The one assumption that the runtime makes about the types that conform to `Model`: a model is a struct round a
/// `ModelStorage` and nothing else, so that its bytes are those of the storage, which are one native reference.
///
/// All that relies on it is below and in `ModelList`.
enum ModelRepresentation {
  /// The reason why a type cannot be used, or `nil` if it is as it should be. Asked once for each type, when its schema
  /// is compiled and before the first value of it is made.
  static func misuse(_ type: any Model.Type) -> String? {
    func open<T: Model>(_: T.Type) -> String? { misuse(of: T.self) }
    return open(type)
  }

  private static func misuse<T: Model>(of type: T.Type) -> String? {
    let rule = "a Model must be a struct whose only stored property is a ModelStorage; conform \(T.self) to JSONCodable"
    guard !(type is AnyObject.Type), hasLayout(T.self) else { return rule }
    // A single property of another reference type has the same layout. A mirror copies it out as what it is declared
    // to be without calling anything of it. It says nothing where the type has a mirror of its own, as generated models
    // do, or where the binary was built without reflection metadata.
    let probe = T(modelStorage: .probe)
    guard !(probe is any CustomReflectable), !(probe is any CustomLeafReflectable) else { return nil }
    let properties = Mirror(reflecting: probe).children
    return properties.allSatisfy { Swift.type(of: $0.value) == ModelStorage.self } ? nil : rule
  }

  /// Whether values of the type have the size and alignment of a storage, and hold references at all.
  @inline(__always)
  static func hasLayout<T: Model>(_: T.Type) -> Bool {
    MemoryLayout<T>.size == MemoryLayout<ModelStorage>.size
      && MemoryLayout<T>.alignment == MemoryLayout<ModelStorage>.alignment && !_isPOD(T.self)
  }
}

extension Model {
  /// The type must have been checked: its schema says so.
  @inlinable
  init(modelStorage: ModelStorage) { self = unsafeBitCast(modelStorage, to: Self.self) }

  /// The precondition is for a type that makes its values by itself, wrongly; for others it is a constant.
  var modelStorage: ModelStorage {
    precondition(ModelRepresentation.hasLayout(Self.self), "\(Self.self) is no model: it has properties of its own")
    return unsafeBitCast(self, to: ModelStorage.self)
  }
}

/// Responds to the layer below, which knows of models only that they are such.
struct ModelRuntime: ModelSupport {
  func models<T: Model>(of _: T.Type, _ reader: inout JSONReader) throws(JSONError) -> [T] {
    try reader.models(ModelSchema.of(T.self)).elements(of: T.self) ?? []
  }

  func lacks<T: Model>(_ member: StaticString, _ value: T) -> Bool {
    let storage = value.modelStorage
    let index = storage.table.index(of: member.utf8Start, member.utf8CodeUnitCount)
    return index >= 0 && storage.isAbsent(index)
  }
}
