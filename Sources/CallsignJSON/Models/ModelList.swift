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

extension Array: JSONCodable where Element: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    // Models are read with one look at their schema, and each list is allocated once.
    if let model = Element.self as? any Model.Type {
      let list = try reader.models(ModelSchema.of(model))
      func open<T: Model>(_: T.Type) -> [Element]? { list.elements(of: T.self) as? [Element] }
      if let elements = open(model) {
        self = elements
        return
      }
    }
    self = try reader.list(of: Element.self)
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    for element in self { element.write(json: &writer) }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }
}

/// A reader's workspace while it reads lists of models: the elements of lists that are not complete yet, so that each array
/// is allocated once and in its size, and the order in which members came.
///
/// APIs write the members of all objects of a kind in one order, which need not be the catalogue's. Each thread learns it,
/// over one document after another: what was learned is only tried first. A reader owns one of these through a pointer,
/// which costs no reference counting, and leaves it to its thread for the next.
struct ModelLists {
  /// After each member, which one came the last time; position 0 stands for the beginning of the object, n for the
  /// member n - 1.
  typealias Order = UnsafeMutablePointer<Int16>

  private struct Learned {
    let plan: UnsafeMutablePointer<ModelSchema.Plan>
    let order: Order
  }

  /// A power of two.
  private static let learnedCount = 256
  /// The most elements of a list that is left to the thread.
  private static let capacityKept = 4096

  /// The elements of a list follow those of the list that it is in.
  private var elements: UnsafeMutablePointer<ModelStorage>
  private var capacity = 16
  private(set) var count = 0
  /// By the lowest bits of the tables' numbers; the first table at a place keeps it.
  private let learned: UnsafeMutablePointer<Learned?>

  private init() {
    elements = .allocate(capacity: capacity)
    learned = .allocate(capacity: Self.learnedCount)
    learned.initialize(repeating: nil, count: Self.learnedCount)
  }

  /// The one that the thread has left from an earlier document, or a new one.
  static func take() -> UnsafeMutablePointer<ModelLists> {
    guard let state = ModelThreadState.current, let lists = state.lists else { return make() }
    // Another reader may begin while this one reads, for a value within the document.
    state.lists = nil
    return lists
  }

  /// Leaves it to the thread.
  static func leave(_ lists: UnsafeMutablePointer<ModelLists>) {
    lists.pointee.drop(to: 0)
    guard lists.pointee.capacity <= capacityKept, let state = ModelThreadState.current, state.lists == nil else {
      return destroy(lists)
    }
    state.lists = lists
  }

  private static func make() -> UnsafeMutablePointer<ModelLists> {
    let lists = UnsafeMutablePointer<ModelLists>.allocate(capacity: 1)
    lists.initialize(to: ModelLists())
    return lists
  }

  static func destroy(_ lists: UnsafeMutablePointer<ModelLists>) {
    lists.pointee.elements.deinitialize(count: lists.pointee.count)
    lists.pointee.elements.deallocate()
    let learned = lists.pointee.learned
    for place in 0..<learnedCount { learned[place]?.order.deallocate() }
    learned.deallocate()
    lists.deallocate()
  }

  /// The order learned for a table's members; at first the catalogue's own.
  @inline(__always)
  func order(of plan: UnsafeMutablePointer<ModelSchema.Plan>) -> Order? {
    let place = plan.pointee.number & (Self.learnedCount - 1)
    guard let found = learned[place] else { return Self.learn(plan, at: learned + place) }
    return found.plan == plan ? found.order : nil
  }

  @inline(never)
  private static func learn(
    _ plan: UnsafeMutablePointer<ModelSchema.Plan>, at place: UnsafeMutablePointer<Learned?>
  ) -> Order {
    let count = plan.pointee.count + 1
    let order = Order.allocate(capacity: count)
    for position in 0..<count { order[position] = Int16(truncatingIfNeeded: position) }
    place.pointee = Learned(plan: plan, order: order)
    return order
  }

  @inline(__always)
  mutating func push(_ element: consuming ModelStorage) {
    if count == capacity { grow() }
    (elements + count).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func grow() {
    let larger = UnsafeMutablePointer<ModelStorage>.allocate(capacity: capacity * 2)
    larger.moveInitialize(from: elements, count: count)
    elements.deallocate()
    elements = larger
    capacity *= 2
  }

  /// Takes the elements that have been pushed since there were `base` of them.
  mutating func pop(to base: Int, as schema: ModelSchema) -> ModelList {
    let taken = count - base
    count = base
    return ModelList.moving(elements + base, count: taken, schema)
  }

  /// Gives up the elements that have been pushed since there were `base` of them.
  mutating func drop(to base: Int) {
    (elements + base).deinitialize(count: count - base)
    count = base
  }
}

extension JSONReader {
  /// The memory in which lists of models are put together.
  @inline(__always)
  mutating func beginLists() -> UnsafeMutablePointer<ModelLists> {
    if let workspace { return workspace.assumingMemoryBound(to: ModelLists.self) }
    return takeLists()
  }

  @inline(never)
  private mutating func takeLists() -> UnsafeMutablePointer<ModelLists> {
    let lists = ModelLists.take()
    workspace = UnsafeMutableRawPointer(lists)
    endWorkspace = { ModelLists.leave($0.assumingMemoryBound(to: ModelLists.self)) }
    return lists
  }
}
