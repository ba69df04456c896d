import CallsignSupport

// The slots lie behind the object that counts references to them: with an array of slots, reading a page of posts took 3 % longer.
//
// Sound: each access to a slot compares the position with the number of slots, and slots are changed only while there is one
// reference to the object.

/// The members of one model value. Generated models hold one and leave everything about it to the runtime.
///
/// A copy shares the slots until one of both is changed, as an array does.
///
/// `@unchecked Sendable`: slots are changed only through the only reference to their buffer, and all that they hold is Sendable.
public struct ModelStorage: @unchecked Sendable {
  private var buffer: SlotBuffer

  /// All members left out.
  package init(count: Int) { buffer = SlotBuffer.absent(count) }

  /// The number of slots: one for each member in the layout's order, and one more if the model keeps unknown members.
  package var count: Int { buffer.withUnsafeMutablePointerToHeader { $0.pointee } }

  /// The slot at a position. Beyond the last one it is absent, and setting it does nothing.
  package subscript(index: Int) -> ModelSlot {
    get { 0..<count ~= index ? buffer.withUnsafeMutablePointerToElements { $0[index] } : .absent }
    set {
      guard 0..<count ~= index else { return }
      if !isKnownUniquelyReferenced(&buffer) { buffer = buffer.copy() }
      buffer.withUnsafeMutablePointerToElements { $0[index] = newValue }
    }
  }

  package func isAbsent(_ index: Int) -> Bool {
    guard 0..<count ~= index else { return true }
    return buffer.withUnsafeMutablePointerToElements { if case .absent = $0[index] { true } else { false } }
  }

  /// Whether a member is set.
  package var hasMember: Bool { (0..<count).contains { !isAbsent($0) } }

  /// Calls `body` with the slots in their order, without copying them.
  package func withSlots<Result>(_ body: (UnsafeBufferPointer<ModelSlot>) -> Result) -> Result {
    buffer.withUnsafeMutablePointers { count, slots in
      body(UnsafeBufferPointer(start: slots, count: count.pointee))
    }
  }

  /// The same storage with each slot changed.
  ///
  /// - Parameter change: Gets the position of the slot, too.
  package func mapSlots(_ change: (Int, ModelSlot) -> ModelSlot) -> ModelStorage {
    var result = self
    for index in 0..<count { result[index] = change(index, self[index]) }
    return result
  }
}

extension ModelStorage: Hashable {
  /// Whether the members of both are equal, those that are left out among them.
  public static func == (left: ModelStorage, right: ModelStorage) -> Bool {
    left.buffer === right.buffer
      || (left.count == right.count && (0..<left.count).allSatisfy { left[$0] == right[$0] })
  }

  /// Hashes the members that `==` compares.
  public func hash(into hasher: inout Hasher) { for index in 0..<count { hasher.combine(self[index]) } }
}

/// The slots of a model; the header is their number.
private final class SlotBuffer: ManagedBuffer<Int, ModelSlot> {
  deinit { _ = withUnsafeMutablePointers { count, slots in slots.deinitialize(count: count.pointee) } }

  private static func make(_ count: Int) -> SlotBuffer {
    // `create` makes an object of the class that it is called on.
    unsafeDowncast(SlotBuffer.create(minimumCapacity: count) { _ in count }, to: SlotBuffer.self)
  }

  static func absent(_ count: Int) -> SlotBuffer {
    let buffer = make(count)
    buffer.withUnsafeMutablePointerToElements { $0.initialize(repeating: .absent, count: count) }
    return buffer
  }

  func copy() -> SlotBuffer {
    withUnsafeMutablePointers { count, slots in
      let copy = Self.make(count.pointee)
      copy.withUnsafeMutablePointerToElements { $0.initialize(from: slots, count: count.pointee) }
      return copy
    }
  }
}

/// The content of one member of a model.
package enum ModelSlot: Hashable, Sendable {
  case absent
  case null
  case string(String)
  case int(Int)
  case number(Double)
  case bool(Bool)
  case date(Date)
  case model(ModelStorage)
  case value(ModelBox)
  /// The slot's content, while the model is checked for missing lists. A stored model never has one.
  indirect case probe(ModelSlot, MissingListProbe)
}

/// Notes that a missing list was read.
///
/// `@unchecked Sendable`: only the call of ``Model/isMissing(_:)`` that made it has it.
package final class MissingListProbe: Hashable, @unchecked Sendable {
  package var wasRead = false

  package init() {}

  package static func == (left: MissingListProbe, right: MissingListProbe) -> Bool { left === right }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
