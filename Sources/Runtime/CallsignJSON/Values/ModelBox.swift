import CallsignSupport

/// A value of a model that is none of the simple kinds: a list, map, union, raw bytes, any JSON.
///
/// `@unchecked Sendable`: subclasses hold a constant of a Sendable type.
public class ModelBox: Hashable, @unchecked Sendable {
  @usableFromInline
  package init() {}

  package func write(json writer: inout JSONWriter) {}
  package func isEqual(to other: ModelBox) -> Bool { self === other }
  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {}
  /// The value itself, for debuggers.
  package var reflected: Any { self }

  /// Whether both hold equal values.
  public static func == (left: ModelBox, right: ModelBox) -> Bool { left === right || left.isEqual(to: right) }
}

/// `@unchecked Sendable`: the value comes from a property of a model, all of whose types are Sendable.
@usableFromInline
package final class ValueBox<Value>: ModelBox, @unchecked Sendable {
  @usableFromInline
  package let value: Value

  // For the lists of models below, which are compiled for each model.
  @inlinable
  package init(_ value: Value) { self.value = value }

  package override var reflected: Any { value }

  package override func write(json writer: inout JSONWriter) { (value as? any JSONCodable)?.write(json: &writer) }

  package override func isEqual(to other: ModelBox) -> Bool {
    guard let other = other as? ValueBox<Value> else { return false }
    return AnyEquality.isEqual(value, other.value)
  }

  public override func hash(into hasher: inout Hasher) { AnyEquality.hash(value, into: &hasher) }
}

// Compiled for each model: the same code for all of them reads a page of posts 1.3 times as slowly.
extension Model {
  /// The list of models of these values, for a slot.
  @inlinable
  public static func _list(_ storages: [ModelStorage]) -> ModelBox { ValueBox(storages.map { Self(_storage: $0) }) }

  /// Calls `body` with the values of each model in such a list.
  @inlinable
  public static func _forEach(in list: ModelBox, _ body: (ModelStorage) -> Void) {
    if let list = list as? ValueBox<[Self]> { for model in list.value { body(model._storage) } }
  }
}

/// Compares and hashes values whose types are known only at run time. All that a catalogue can say is `Hashable`; types of
/// one's own that are not are compared by their JSON.
package enum AnyEquality {
  package static func isEqual(_ left: Any, _ right: Any) -> Bool {
    // An empty list can be cast to any list.
    guard type(of: left) == type(of: right) else { return false }
    guard let equatable = left as? any Equatable else { return exactJSON(left) == exactJSON(right) }
    func open<T: Equatable>(_ left: T) -> Bool { (right as? T).map { $0 == left } ?? false }
    return open(equatable)
  }

  package static func hash(_ value: Any, into hasher: inout Hasher) {
    if let value = value as? any Hashable { return value.hash(into: &hasher) }
    hasher.combine(exactJSON(value))
  }

  private static func exactJSON(_ value: Any) -> [UInt8] {
    // Dates to the last bit.
    var writer = JSONWriter(isExact: true)
    (value as? any JSONCodable)?.write(json: &writer)
    return writer.bytes
  }
}
