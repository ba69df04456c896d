/// A list of models in a slot: an array of the Swift type, behind a class that does not name the type.
class AnyModelList: ModelBox, @unchecked Sendable {
  /// Moves storages into an array of this type. The array is allocated as one of its type, so that on Apple's systems it
  /// bridges to an `NSArray` of these elements.
  ///
  /// A class method, since a class knows its type: a generic function would look it up for each list.
  class func moving(_ first: UnsafeMutablePointer<ModelStorage>, count: Int) -> AnyModelList { AnyModelList() }

  /// Calls `body` with the storages of the elements, in their order.
  func withStorages(_ body: (UnsafeBufferPointer<ModelStorage>) -> Void) {}

  override func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    withStorages { for storage in $0 { writer.model(storage) } }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }

  override func isEqual(to other: ModelBox) -> Bool {
    guard let other = other as? AnyModelList else { return false }
    var isEqual = false
    withStorages { left in
      other.withStorages { right in isEqual = left.elementsEqual(right, by: { $0.isEqual(to: $1) }) }
    }
    return isEqual
  }

  override func hash(into hasher: inout Hasher) {
    withStorages { storages in
      hasher.combine(storages.count)
      for storage in storages { storage.hash(into: &hasher) }
    }
  }
}

/// `@unchecked Sendable`: it holds a constant of a Sendable type.
final class ModelList<Element: Model>: AnyModelList, @unchecked Sendable {
  let elements: [Element]

  init(_ elements: [Element]) { self.elements = elements }

  override class func moving(_ first: UnsafeMutablePointer<ModelStorage>, count: Int) -> AnyModelList {
    // An array without elements is shared by all threads, and this way of making one would write its count.
    guard count > 0, ModelRepresentation.hasLayout(Element.self) else { return ModelList([]) }
    return ModelList(
      [Element](unsafeUninitializedCapacity: count) { room, initialized in
        first.withMemoryRebound(to: Element.self, capacity: count) {
          room.baseAddress?.moveInitialize(from: $0, count: count)
        }
        initialized = count
      })
  }

  override var reflected: Any { elements }

  override func withStorages(_ body: (UnsafeBufferPointer<ModelStorage>) -> Void) {
    precondition(
      ModelRepresentation.hasLayout(Element.self), "\(Element.self) is no model: it has properties of its own")
    elements.withUnsafeBufferPointer { elements in
      guard let first = elements.baseAddress else { return body(UnsafeBufferPointer(start: nil, count: 0)) }
      // Elements of equal layout, whose one stored property is a storage.
      first.withMemoryRebound(to: ModelStorage.self, capacity: elements.count) {
        body(UnsafeBufferPointer(start: $0, count: elements.count))
      }
    }
  }
}

extension Model {
  static var emptyList: AnyModelList { ModelList<Self>([]) }
  static var listType: AnyModelList.Type { ModelList<Self>.self }
}

extension Array: JSONCodable where Element: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    // Models are read with one look at their schema, and each list is allocated once.
    if let model = Element.self as? any Model.Type {
      let list = try reader.models(ModelSchema.of(model))
      if let elements = list.reflected as? [Element] {
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
/// APIs write the members of all objects of a kind in one order, which need not be the catalogue's. Each reader learns it
/// anew, so threads share nothing. A reader owns one of these through a pointer, which costs no reference counting.
struct ModelLists {
  /// After each member, which one came the last time; position 0 stands for the beginning of the object, n for the
  /// member n - 1.
  typealias Order = UnsafeMutablePointer<Int16>

  private struct Learned {
    let plan: UnsafeMutablePointer<ModelSchema.Plan>
    let order: Order
  }

  private static let learnedCount = 32

  /// The elements of a list follow those of the list that it is in.
  private var elements: UnsafeMutablePointer<ModelStorage>
  private var capacity = 16
  private(set) var count = 0
  /// By the lowest bits of the tables' numbers; the first table at a place keeps it. `nil` before any list has had a
  /// second element, since nothing is gained by learning from single objects.
  private var learned: UnsafeMutablePointer<Learned?>?

  private init() { elements = .allocate(capacity: capacity) }

  static func make() -> UnsafeMutablePointer<ModelLists> {
    let lists = UnsafeMutablePointer<ModelLists>.allocate(capacity: 1)
    lists.initialize(to: ModelLists())
    return lists
  }

  static func destroy(_ lists: UnsafeMutablePointer<ModelLists>) {
    lists.pointee.elements.deinitialize(count: lists.pointee.count)
    lists.pointee.elements.deallocate()
    if let learned = lists.pointee.learned {
      for place in 0..<learnedCount { learned[place]?.order.deallocate() }
      learned.deallocate()
    }
    lists.deallocate()
  }

  /// The order learned for a table's members; at first the catalogue's own.
  @inline(__always)
  func order(of plan: UnsafeMutablePointer<ModelSchema.Plan>) -> Order? {
    guard let learned else { return nil }
    let place = plan.pointee.number & (Self.learnedCount - 1)
    guard let found = learned[place] else { return Self.learn(plan, at: learned + place) }
    return found.plan == plan ? found.order : nil
  }

  mutating func beginLearning() {
    guard learned == nil else { return }
    let learned = UnsafeMutablePointer<Learned?>.allocate(capacity: Self.learnedCount)
    learned.initialize(repeating: nil, count: Self.learnedCount)
    self.learned = learned
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
  mutating func pop(to base: Int, as type: AnyModelList.Type) -> AnyModelList {
    let taken = count - base
    count = base
    return type.moving(elements + base, count: taken)
  }

  /// Gives up the elements that have been pushed since there were `base` of them.
  mutating func drop(to base: Int) {
    (elements + base).deinitialize(count: count - base)
    count = base
  }
}

extension JSONReader {
  /// The memory in which lists of models are put together, once there is one.
  @inline(__always)
  var lists: UnsafeMutablePointer<ModelLists>? { workspace?.assumingMemoryBound(to: ModelLists.self) }

  mutating func beginLists() -> UnsafeMutablePointer<ModelLists> {
    if let lists { return lists }
    let lists = ModelLists.make()
    workspace = UnsafeMutableRawPointer(lists)
    endWorkspace = { ModelLists.destroy($0.assumingMemoryBound(to: ModelLists.self)) }
    return lists
  }
}
