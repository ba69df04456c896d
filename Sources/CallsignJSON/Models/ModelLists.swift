/// What one reader keeps while it reads lists of models: the elements of lists that are not complete yet, so that each
/// array is allocated once and in its size, and the order in which members came.
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

  /// What has been learned of a table's order; at first the catalogue's own.
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

  /// Takes what has been pushed since there were `base` elements.
  mutating func pop(to base: Int) -> [ModelStorage] {
    let taken = count - base
    count = base
    // An array without elements is shared by all threads, and this way of making one would write its count.
    guard taken > 0 else { return [] }
    return [ModelStorage](unsafeUninitializedCapacity: taken) { [first = elements + base] room, initialized in
      room.baseAddress?.moveInitialize(from: first, count: taken)
      initialized = taken
    }
  }
}
