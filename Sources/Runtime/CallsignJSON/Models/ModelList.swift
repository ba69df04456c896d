/// A list of models in a slot: their storages in one piece of memory, and the array of the Swift type once it is asked for.
///
/// Changed only while it is being made. The array is stored atomically, and the first one stays.
@usableFromInline
final class ModelList: ManagedBuffer<ModelList.Header, ModelStorage> {
  @usableFromInline
  struct Header {
    unowned(unsafe) let schema: ModelSchema
    /// The type of the elements, as an address to compare with.
    @usableFromInline let type: ObjectIdentifier
    var count: Int
    /// A ``ModelArray`` of that type.
    @usableFromInline var array: AnyObject?
  }

  deinit {
    _ = withUnsafeMutablePointers { header, storages in
      storages.deinitialize(count: header.pointee.count)
    }
  }

  private static func make(_ schema: ModelSchema, _ count: Int) -> ModelList {
    let list = ModelList.create(minimumCapacity: count) { _ in
      Header(schema: schema, type: schema.typeID, count: 0, array: nil)
    }
    return unsafeDowncast(list, to: ModelList.self)
  }

  /// Moves storages into a new list.
  static func moving(_ first: UnsafeMutablePointer<ModelStorage>, count: Int, _ schema: ModelSchema) -> ModelList {
    let list = make(schema, count)
    list.withUnsafeMutablePointers { header, storages in
      storages.moveInitialize(from: first, count: count)
      header.pointee.count = count
    }
    return list
  }

  /// The list of a record, which stays.
  static func make(of record: ModelRecord, text: Unmanaged<DocumentText>?) -> ModelList {
    let list = make(record.plan.pointee.table, record.count)
    list.withUnsafeMutablePointers { header, storages in
      record.forEach { element in
        let model = ModelBuffer.make(of: element, text: text, moving: false)
        (storages + header.pointee.count).initialize(to: ModelStorage(buffer: model))
        header.pointee.count += 1
      }
    }
    return list
  }

  /// A list of an array's elements.
  static func of<T: Model>(_ elements: [T]) -> ModelList {
    let list = make(ModelSchema.of(T.self), elements.count)
    list.withUnsafeMutablePointers { header, storages in
      for (index, element) in elements.enumerated() { (storages + index).initialize(to: element.modelStorage) }
      header.pointee.count = elements.count
      header.pointee.array = ModelArray(elements)
    }
    return list
  }

  var schema: ModelSchema { withUnsafeMutablePointerToHeader { $0.pointee.schema } }

  /// Calls `body` with the storages of the elements, in their order.
  @inline(__always)
  func withStorages<Result>(_ body: (UnsafeBufferPointer<ModelStorage>) -> Result) -> Result {
    withUnsafeMutablePointers { header, storages in
      body(UnsafeBufferPointer(start: storages, count: header.pointee.count))
    }
  }

  /// The elements; `nil` where they are of another type.
  @inlinable
  func elements<T: Model>(of _: T.Type) -> [T]? {
    withUnsafeMutablePointerToHeader { header in
      guard header.pointee.type == ObjectIdentifier(T.self) else { return nil }
      let place = ModelList.place(header)
      guard let array = _stdlib_atomicAcquiringLoadARCRef(object: place) else { return makeElements() }
      // A list of this type has no other array.
      return array._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ModelArray<T>.self).elements }
    }
  }

  @inlinable @inline(__always)
  static func place(_ header: UnsafeMutablePointer<Header>) -> UnsafeMutablePointer<AnyObject?> {
    UnsafeMutableRawPointer(header).advanced(by: MemoryLayout<Header>.offset(of: \.array).unsafelyUnwrapped)
      .assumingMemoryBound(to: AnyObject?.self)
  }

  @usableFromInline @inline(never)
  func makeElements<T: Model>() -> [T] {
    let elements = withStorages { storages in
      // An array without elements is shared by all threads, and this way of making one would write its count.
      storages.isEmpty
        ? []
        : [T](unsafeUninitializedCapacity: storages.count) { room, initialized in
          for storage in storages {
            room.initializeElement(at: initialized, to: T(modelStorage: storage))
            initialized += 1
          }
        }
    }
    return withUnsafeMutablePointerToHeader { header in
      let place = ModelList.place(header)
      let stored = _stdlib_atomicAcquiringInitializeARCRef(object: place, desired: ModelArray(elements))
      return stored._withUnsafeGuaranteedRef { unsafeDowncast($0, to: ModelArray<T>.self).elements }
    }
  }

  /// The array of the Swift type.
  var reflected: Any {
    func open<T: Model>(_: T.Type) -> Any { elements(of: T.self) ?? [] }
    return schema.type.map { open($0) } ?? []
  }

  func isEqual(to other: ModelList) -> Bool {
    withStorages { left in
      other.withStorages { right in left.elementsEqual(right, by: { $0.isEqual(to: $1) }) }
    }
  }

  func hash(into hasher: inout Hasher) {
    withStorages { storages in
      hasher.combine(storages.count)
      for storage in storages { storage.hash(into: &hasher) }
    }
  }
}

/// An array of models that a list refers to.
///
/// Allocated as one of its type, so that on Apple's systems it bridges to an `NSArray` of these elements.
@usableFromInline
final class ModelArray<Element: Model>: Sendable {
  @usableFromInline let elements: [Element]

  @usableFromInline
  init(_ elements: [Element]) { self.elements = elements }
}
