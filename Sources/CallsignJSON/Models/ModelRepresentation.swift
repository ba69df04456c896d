/// The one assumption that the runtime makes about the types that conform to `Model`: a model is a struct round a
/// `ModelStorage` and nothing else, so that its bytes are those of the storage, which are one native reference.
///
/// All that relies on it is in this file.
enum ModelRepresentation {
  /// What is wrong with a type, or `nil` if it is as it should be. Asked once for each type, when its table is compiled
  /// and before the first value of it is made.
  static func misuse(_ type: any Model.Type) -> String? {
    func open<T: Model>(_: T.Type) -> String? { misuse(of: T.self) }
    return open(type)
  }

  private static func misuse<T: Model>(of type: T.Type) -> String? {
    let rule = "a Model must be a struct whose only stored property is a ModelStorage; conform \(T.self) to JSONCodable"
    guard !(type is AnyObject.Type), hasLayout(T.self) else { return rule }
    // A single property of another reference type has the same layout. A mirror copies it out as what it is declared
    // to be without calling anything of it. It says nothing where the type has a mirror of its own, or where the binary
    // was built without reflection metadata.
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
  /// The type must have been checked: its table says so.
  init(modelStorage: ModelStorage) { self = unsafeBitCast(modelStorage, to: Self.self) }

  /// The precondition is for a type that makes its values by itself, wrongly; for others it is a constant.
  var modelStorage: ModelStorage {
    precondition(ModelRepresentation.hasLayout(Self.self), "\(Self.self) is no model: it has properties of its own")
    return unsafeBitCast(self, to: ModelStorage.self)
  }

  /// Gives access to the storage where it is, so that it is not referenced once more while it is changed.
  mutating func withModelStorage(_ body: (inout ModelStorage) -> Void) {
    precondition(ModelRepresentation.hasLayout(Self.self), "\(Self.self) is no model: it has properties of its own")
    withUnsafeMutablePointer(to: &self) { model in
      // Same size and alignment, and the one stored property is a storage.
      model.withMemoryRebound(to: ModelStorage.self, capacity: 1) { body(&$0.pointee) }
    }
  }

  /// Elements of equal layout make arrays of equal layout, and destroying an element of either kind is one release; so
  /// one array can stand for the other without a copy. (Arrays of structs are never bridged from Objective-C.)
  static func list(modelStorages: [ModelStorage]) -> [Self] {
    guard ModelRepresentation.hasLayout(Self.self) else { return [] }
    return unsafeBitCast(modelStorages, to: [Self].self)
  }

  /// The opposite of `list(modelStorages:)`.
  static func modelStorages(of list: [Self]) -> [ModelStorage] {
    precondition(ModelRepresentation.hasLayout(Self.self), "\(Self.self) is no model: it has properties of its own")
    return unsafeBitCast(list, to: [ModelStorage].self)
  }
}
