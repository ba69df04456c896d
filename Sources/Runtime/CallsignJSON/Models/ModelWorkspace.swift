/// A reader's workspace while it reads models: the records that are not complete yet, the elements of lists that are not, so
/// that each list is allocated once and in its size, and the order in which members came.
///
/// APIs write the members of all objects of a kind in one order, which need not be the catalogue's. Each thread learns it,
/// over one document after another: what was learned is only tried first. A reader owns one of these through a pointer,
/// which costs no reference counting, and leaves it to its thread for the next.
struct ModelWorkspace {
  /// After each member, which one came the last time; position 0 stands for the beginning of the object, n for the
  /// member n - 1.
  typealias Order = UnsafeMutablePointer<Int16>

  private struct Learned {
    let plan: UnsafeMutablePointer<ModelSchema.Plan>
    let order: Order
  }

  /// A place in the workspace to go back to.
  struct Mark {
    fileprivate let top: Int
    fileprivate let count: Int
  }

  /// A power of two.
  private static let learnedCount = 256
  /// The most elements of a list, and words of records, of a workspace that is left to the thread.
  private static let elementsKept = 4096
  private static let wordsKept = 16384

  /// Records, one behind another. They move when there is no more room.
  private(set) var words: ModelRecord.Words
  private(set) var top = 0
  private var wordCapacity = 1024
  /// The number of ranges of the document, and of references, that a reader has put into records.
  private(set) var rangeCount = 0
  private(set) var referenceCount = 0
  /// The elements of a list follow those of the list that it is in.
  private var elements: UnsafeMutablePointer<ModelStorage>
  private var elementCapacity = 16
  private(set) var count = 0
  /// By the lowest bits of the tables' numbers; the first table at a place keeps it.
  private let learned: UnsafeMutablePointer<Learned?>

  private init() {
    words = .allocate(capacity: wordCapacity)
    elements = .allocate(capacity: elementCapacity)
    learned = .allocate(capacity: Self.learnedCount)
    learned.initialize(repeating: nil, count: Self.learnedCount)
  }

  /// The one that the thread has left from an earlier document, or a new one.
  static func take() -> UnsafeMutablePointer<ModelWorkspace> {
    guard let state = ModelThreadState.current, let workspace = state.workspace else { return make() }
    // Another reader may begin while this one reads, for a value within the document.
    state.workspace = nil
    return workspace
  }

  /// Leaves it to the thread.
  static func leave(_ workspace: UnsafeMutablePointer<ModelWorkspace>) {
    workspace.pointee.drop(to: Mark(top: 0, count: 0))
    (workspace.pointee.rangeCount, workspace.pointee.referenceCount) = (0, 0)
    guard workspace.pointee.elementCapacity <= elementsKept, workspace.pointee.wordCapacity <= wordsKept,
      let state = ModelThreadState.current, state.workspace == nil
    else { return destroy(workspace) }
    state.workspace = workspace
  }

  private static func make() -> UnsafeMutablePointer<ModelWorkspace> {
    let workspace = UnsafeMutablePointer<ModelWorkspace>.allocate(capacity: 1)
    workspace.initialize(to: ModelWorkspace())
    return workspace
  }

  static func destroy(_ workspace: UnsafeMutablePointer<ModelWorkspace>) {
    workspace.pointee.drop(to: Mark(top: 0, count: 0))
    workspace.pointee.elements.deallocate()
    workspace.pointee.words.deallocate()
    let learned = workspace.pointee.learned
    for place in 0..<learnedCount { learned[place]?.order.deallocate() }
    learned.deallocate()
    workspace.deallocate()
  }

  // MARK: The order of members

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

  // MARK: Records

  /// The present place, to go back to after an error.
  var mark: Mark { Mark(top: top, count: count) }

  /// Gives up what came after a mark.
  @inline(never)
  mutating func drop(to mark: Mark) {
    ModelRecord.forEachReference(from: words + mark.top, to: words + top) { ModelBuffer.release($0, $1) }
    top = mark.top
    (elements + mark.count).deinitialize(count: count - mark.count)
    count = mark.count
  }

  /// Begins the record of a model, all of whose members are left out.
  @inline(__always)
  mutating func beginRecord(_ plan: UnsafeMutablePointer<ModelSchema.Plan>) -> Int {
    let place = top
    let slotCount = plan.pointee.slotCount
    let slotWords = ModelRecord.slotWords(slotCount)
    if wordCapacity &- place < slotWords &+ ModelRecord.headCount { grow(by: slotWords &+ ModelRecord.headCount) }
    let record = words + place
    record[0] = UInt(bitPattern: plan)
    for index in slotCount..<slotWords { record[ModelRecord.headCount &+ index] = 0 }
    top = place &+ ModelRecord.headCount &+ slotWords
    return place
  }

  /// Begins the record of a list.
  mutating func beginList(_ plan: UnsafeMutablePointer<ModelSchema.Plan>) -> Int {
    let place = top
    if wordCapacity - place < ModelRecord.headCount { grow(by: ModelRecord.headCount) }
    words[place] = UInt(bitPattern: plan) | 1
    top = place + ModelRecord.headCount
    return place
  }

  @inline(never)
  private mutating func grow(by further: Int) {
    wordCapacity = max(wordCapacity * 2, top + further)
    let larger = ModelRecord.Words.allocate(capacity: wordCapacity)
    larger.update(from: words, count: top)
    words.deallocate()
    words = larger
  }

  @inline(__always)
  func tags(_ place: Int, _ plan: UnsafeMutablePointer<ModelSchema.Plan>) -> UnsafeMutablePointer<SlotTag> {
    ModelBuffer.tags(words + place + ModelRecord.headCount, plan.pointee.slotCount)
  }

  /// Puts a payload, whose reference, if it is one, is taken over, into the slot of a record.
  @inline(__always)
  func put(_ place: Int, _ plan: UnsafeMutablePointer<ModelSchema.Plan>, _ index: Int, _ tag: SlotTag, _ payload: UInt)
  {
    let payloads = words + place + ModelRecord.headCount
    let tags = ModelBuffer.tags(payloads, plan.pointee.slotCount)
    // A member that comes twice replaces its first value.
    if tags[index].isReference { ModelBuffer.release(tags[index], payloads[index]) }
    tags[index] = tag
    payloads[index] = payload
  }

  @inline(__always)
  mutating func countRange() { rangeCount &+= 1 }

  mutating func countReference() { referenceCount &+= 1 }

  @inline(__always)
  func end(_ place: Int, ranges: Int, references: Int) {
    words[place &+ 1] = ModelRecord.word(
      wordCount: top &- place, hasText: rangeCount != ranges, hasReferences: referenceCount != references)
  }

  func endList(_ place: Int, count: Int) { words[place + 1] = ModelRecord.word(wordCount: top - place, count: count) }

  /// Whether the last record may stay one, for a slot of the record at another place.
  func staysRecord(_ place: Int, of outer: Int) -> Bool {
    top - place <= ModelRecord.limit && top - outer <= ModelRecord.outerLimit
  }

  func record(_ place: Int) -> ModelRecord { ModelRecord(words + place) }

  /// Moves the last record out.
  mutating func takeModel(_ place: Int, _ text: Unmanaged<DocumentText>?) -> ModelBuffer {
    let buffer = ModelBuffer.make(of: record(place), text: text, moving: true)
    top = place
    return buffer
  }

  // MARK: Lists

  /// Moves the last models' records out, to the elements of a list.
  mutating func push(from place: Int, _ text: Unmanaged<DocumentText>?) {
    ModelRecord.forEach(from: words + place, to: words + top) {
      push(ModelStorage(buffer: ModelBuffer.make(of: $0, text: text, moving: true)))
    }
    top = place
  }

  private mutating func push(_ element: consuming ModelStorage) {
    if count == elementCapacity { growElements() }
    (elements + count).initialize(to: element)
    count += 1
  }

  @inline(never)
  private mutating func growElements() {
    let larger = UnsafeMutablePointer<ModelStorage>.allocate(capacity: elementCapacity * 2)
    larger.moveInitialize(from: elements, count: count)
    elements.deallocate()
    elements = larger
    elementCapacity *= 2
  }

  /// Moves the last list out, of which all elements have been pushed since there were `base` of them.
  mutating func takeList(_ place: Int, _ base: Int, _ schema: ModelSchema) -> ModelList {
    let taken = count - base
    (top, count) = (place, base)
    return ModelList.moving(elements + base, count: taken, schema)
  }
}

extension JSONReader {
  /// The memory in which models are put together.
  @inline(__always)
  mutating func modelWorkspace() -> UnsafeMutablePointer<ModelWorkspace> {
    if let workspace { return workspace.assumingMemoryBound(to: ModelWorkspace.self) }
    return takeWorkspace()
  }

  @inline(never)
  private mutating func takeWorkspace() -> UnsafeMutablePointer<ModelWorkspace> {
    let taken = ModelWorkspace.take()
    workspace = UnsafeMutableRawPointer(taken)
    endWorkspace = { ModelWorkspace.leave($0.assumingMemoryBound(to: ModelWorkspace.self)) }
    return taken
  }
}
