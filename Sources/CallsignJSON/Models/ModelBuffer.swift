import Foundation

/// The kind of content that a member has.
@usableFromInline @frozen
enum SlotTag {
  case absent, null, int, number, bool, date
  /// A ``TextBox``, or a ``TextRange`` until the string is asked for.
  case string
  /// A ``TextListBox``, or a ``TextRange`` until the strings are asked for.
  case strings
  case model, models, value

  /// Whether the payload may be a reference.
  @inline(__always)
  var isReference: Bool {
    switch self {
    case .absent, .null, .int, .number, .bool, .date: false
    case .string, .strings, .model, .models, .value: true
    }
  }
}

/// A string that a slot refers to.
@usableFromInline
final class TextBox: Sendable {
  @usableFromInline let text: String

  init(_ text: String) { self.text = text }
}

/// A list of strings that a slot refers to.
final class TextListBox: Sendable {
  let list: [String]

  init(_ list: [String]) { self.list = list }
}

/// The slots of a model in one piece of memory: a word for each member, its payload, and then a byte for each, its tag.
///
/// Tags and payloads are written while the buffer has one owner. After that only a ``TextRange`` is replaced, once, by the
/// string that is there, and atomically.
@usableFromInline
final class ModelBuffer: ManagedBuffer<ModelBuffer.Header, UInt> {
  @usableFromInline
  struct Header {
    /// Tables are never freed, so there is no reason to count references to them.
    unowned(unsafe) let table: ModelSchema
    @usableFromInline let slotCount: Int
    /// The document of the ranges, retained; `nil` where no member is one.
    var text: Unmanaged<DocumentText>?
  }

  deinit {
    withUnsafeMutablePointers { header, payloads in
      let count = header.pointee.slotCount
      let tags = Self.tags(payloads, count)
      for index in 0..<count where tags[index].isReference { Self.release(tags[index], payloads[index]) }
      header.pointee.text?.release()
    }
  }

  // MARK: Tags

  @inlinable @inline(__always)
  static func tags(_ payloads: UnsafeMutablePointer<UInt>, _ count: Int) -> UnsafeMutablePointer<SlotTag> {
    UnsafeMutableRawPointer(payloads + count).assumingMemoryBound(to: SlotTag.self)
  }

  /// The tag of a member; a model has no members beyond its own.
  @inlinable @inline(__always)
  static func tag(
    _ index: Int, _ header: UnsafeMutablePointer<Header>, _ payloads: UnsafeMutablePointer<UInt>
  ) -> SlotTag {
    let count = header.pointee.slotCount
    guard UInt(bitPattern: index) < UInt(bitPattern: count) else { return .absent }
    return tags(payloads, count)[index]
  }

  // MARK: References

  /// A reference as a payload, retained.
  @inline(__always)
  static func payload(_ object: some AnyObject) -> UInt { UInt(bitPattern: Unmanaged.passRetained(object).toOpaque()) }

  /// The object that a payload refers to.
  @inlinable @inline(__always)
  static func object<T: AnyObject>(_ payload: UInt) -> T { reference(payload).takeUnretainedValue() }

  @inlinable @inline(__always)
  static func reference<T: AnyObject>(_ payload: UInt) -> Unmanaged<T> {
    // What the tag promises: it was made by `payload(_:)`.
    Unmanaged.fromOpaque(UnsafeRawPointer(bitPattern: payload).unsafelyUnwrapped)
  }

  @inline(__always)
  static func release(_ tag: SlotTag, _ payload: UInt) {
    guard tag.isReference, payload & 1 == 0 else { return }
    (reference(payload) as Unmanaged<AnyObject>).release()
  }

  static func retain(_ tag: SlotTag, _ payload: UInt) {
    guard tag.isReference, payload & 1 == 0 else { return }
    _ = (reference(payload) as Unmanaged<AnyObject>).retain()
  }

  // MARK: Strings

  // The standard library's own atomic operations: those of Synchronization ask for a later macOS than the package does.

  /// A payload that another thread may be replacing.
  @inlinable @inline(__always)
  static func load(_ payload: UnsafeMutablePointer<UInt>) -> UInt {
    let word = UnsafeMutableRawPointer(payload).assumingMemoryBound(to: TextBox?.self)
    return UInt(bitPattern: _stdlib_atomicAcquiringLoadARCRef(object: word)?.toOpaque())
  }

  /// Puts an object in the place of a range; the object that is there then, which may be another thread's.
  private static func replace<T: AnyObject>(
    _ range: TextRange, at payload: UnsafeMutablePointer<UInt>, by object: T
  ) -> T {
    let word = UnsafeMutableRawPointer(payload).assumingMemoryBound(to: UnsafeRawPointer?.self)
    var found = UnsafeRawPointer(bitPattern: range.word)
    let new = Unmanaged.passRetained(object)
    if _stdlib_atomicCompareExchangeStrongPtr(object: word, expected: &found, desired: UnsafeRawPointer(new.toOpaque()))
    {
      return object
    }
    new.release()
    return Self.object(load(payload))
  }

  /// The string of a member that is one.
  @inlinable @inline(__always)
  static func text(_ header: UnsafeMutablePointer<Header>, _ payload: UnsafeMutablePointer<UInt>) -> String {
    let word = load(payload)
    guard word & 1 == 0 else { return makeText(header, payload, word) }
    return (reference(word) as Unmanaged<TextBox>)._withUnsafeGuaranteedRef { $0.text }
  }

  @usableFromInline @inline(never)
  static func makeText(
    _ header: UnsafeMutablePointer<Header>, _ payload: UnsafeMutablePointer<UInt>, _ word: UInt
  ) -> String {
    let range = TextRange(word: word)
    guard let document = header.pointee.text else { return "" }
    let text = document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { JSONReader.decode(range.raw(in: $0)) }
    }
    return replace(range, at: payload, by: TextBox(text)).text
  }

  /// The strings of a member that is a list of them.
  static func texts(_ header: UnsafeMutablePointer<Header>, _ payload: UnsafeMutablePointer<UInt>) -> [String] {
    let word = load(payload)
    guard word & 1 == 1 else { return (object(word) as TextListBox).list }
    let range = TextRange(word: word)
    guard let document = header.pointee.text else { return [] }
    let list = document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { document in
        var reader = JSONReader(UnsafeRawBufferPointer(start: document + range.offset, count: range.count))
        // It was checked when the document was read.
        return (try? reader.list(of: String.self)) ?? []
      }
    }
    return replace(range, at: payload, by: TextListBox(list)).list
  }

  /// The bytes of a string that was not asked for and is written as it was read.
  @inline(__always)
  static func writtenText(
    _ header: UnsafeMutablePointer<Header>, _ word: UInt
  ) -> UnsafeBufferPointer<UInt8>? {
    guard word & 5 == 1, let document = header.pointee.text else { return nil }
    let raw = document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { TextRange(word: word).raw(in: $0) }
    }
    return UnsafeBufferPointer(start: raw.start, count: raw.count)
  }
}
