import CallsignSupport

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

/// The slots of a model in one piece of memory: a word for each member, its payload, then a byte for each, its tag, and then
/// the records of what it holds and nobody has asked for (``ModelRecord``).
///
/// Tags and payloads are written while the buffer has one owner. After that only a ``TextRange`` and a record are replaced,
/// once, by the string, the model or the list that is there, and atomically.
@usableFromInline
final class ModelBuffer: ManagedBuffer<ModelBuffer.Header, UInt> {
  @usableFromInline
  struct Header {
    /// Tables are never freed, so there is no reason to count references to them.
    unowned(unsafe) let table: ModelSchema
    @usableFromInline let slots: UInt32
    /// The words of the slots and of the records behind them, doubled, and one more where a record holds a reference.
    let extent: UInt32
    /// The document of the ranges, retained; `nil` where no member is one.
    var text: Unmanaged<DocumentText>?

    @inlinable @inline(__always)
    var slotCount: Int { Int(slots) }
    var words: Int { Int(extent &>> 1) }
    var hasReferences: Bool { extent & 1 != 0 }
  }

  deinit {
    withUnsafeMutablePointers { header, payloads in
      let count = header.pointee.slotCount
      let tags = Self.tags(payloads, count)
      for index in 0..<count where tags[index].isReference { Self.release(tags[index], payloads[index]) }
      if header.pointee.hasReferences {
        let records = payloads + ModelRecord.slotWords(count)
        ModelRecord.forEachReference(from: records, to: payloads + header.pointee.words) { Self.release($0, $1) }
      }
      header.pointee.text?.release()
    }
  }

  /// Slots of a table, followed by records, none of which has a value yet.
  @inline(__always)
  static func make(
    _ table: ModelSchema, words: Int, hasReferences: Bool = false, text: Unmanaged<DocumentText>?
  ) -> ModelBuffer {
    let slots = UInt32(truncatingIfNeeded: table.plan.pointee.slotCount)
    let extent = UInt32(truncatingIfNeeded: words &<< 1 | (hasReferences ? 1 : 0))
    let buffer = ModelBuffer.create(minimumCapacity: words) { _ in
      Header(table: table, slots: slots, extent: extent, text: text?.retain())
    }
    return unsafeDowncast(buffer, to: ModelBuffer.self)
  }

  /// The buffer of a record, whose references are taken over, or retained if it stays.
  static func make(of record: ModelRecord, text: Unmanaged<DocumentText>?, moving: Bool) -> ModelBuffer {
    let words = record.wordCount - ModelRecord.headCount
    let buffer = make(
      record.plan.pointee.table, words: words, hasReferences: record.hasReferences, text: record.hasText ? text : nil)
    buffer.withUnsafeMutablePointerToElements { $0.update(from: record.payloads, count: words) }
    if !moving, record.hasReferences {
      ModelRecord.forEachReference(from: record.start, to: record.start + record.wordCount) { retain($0, $1) }
    }
    return buffer
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

  /// Puts an object in the place of a range or a record; the object that is there then, which may be another thread's.
  private static func replace<T: AnyObject>(_ word: UInt, at payload: UnsafeMutablePointer<UInt>, by object: T) -> T {
    let place = UnsafeMutableRawPointer(payload).assumingMemoryBound(to: UnsafeRawPointer?.self)
    var found = UnsafeRawPointer(bitPattern: word)
    let new = Unmanaged.passRetained(object)
    if _stdlib_atomicCompareExchangeStrongPtr(
      object: place, expected: &found, desired: UnsafeRawPointer(new.toOpaque()))
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
    guard let document = header.pointee.text else { return "" }
    return replace(word, at: payload, by: TextBox(text(TextRange(word: word), in: document))).text
  }

  /// The string at a place in a document.
  static func text(_ range: TextRange, in document: Unmanaged<DocumentText>) -> String {
    document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { JSONReader.decode(range.raw(in: $0)) }
    }
  }

  /// The strings of a member that is a list of them.
  static func texts(_ header: UnsafeMutablePointer<Header>, _ payload: UnsafeMutablePointer<UInt>) -> [String] {
    let word = load(payload)
    guard word & 1 == 1 else { return (object(word) as TextListBox).list }
    return replace(word, at: payload, by: TextListBox(texts(TextRange(word: word), in: header.pointee.text))).list
  }

  /// The strings of an array in a document.
  static func texts(_ range: TextRange, in document: Unmanaged<DocumentText>?) -> [String] {
    guard let document else { return [] }
    return document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { document in
        var reader = JSONReader(UnsafeRawBufferPointer(start: document + range.offset, count: range.count))
        // It was checked when the document was read.
        return (try? reader.list(of: String.self)) ?? []
      }
    }
  }

  /// The bytes of a string that was not asked for and is written as it was read, or of an array of strings.
  @inline(__always)
  static func writtenText(_ document: Unmanaged<DocumentText>?, _ word: UInt) -> UnsafeBufferPointer<UInt8>? {
    guard word & 5 == 1, let document else { return nil }
    let raw = document._withUnsafeGuaranteedRef { document in
      document.withUnsafeMutablePointerToElements { TextRange(word: word).raw(in: $0) }
    }
    return UnsafeBufferPointer(start: raw.start, count: raw.count)
  }

  // MARK: Models

  /// The model of a member that is one.
  @inlinable @inline(__always)
  static func model(
    _ index: Int, _ header: UnsafeMutablePointer<Header>, _ payloads: UnsafeMutablePointer<UInt>
  ) -> ModelBuffer {
    let word = load(payloads + index)
    return word & 1 == 0 ? object(word) : makeModel(index, header, payloads, word)
  }

  @usableFromInline @inline(never)
  static func makeModel(
    _ index: Int, _ header: UnsafeMutablePointer<Header>, _ payloads: UnsafeMutablePointer<UInt>, _ word: UInt
  ) -> ModelBuffer {
    let model = make(of: ModelRecord(in: payloads, word), text: header.pointee.text, moving: false)
    return replace(word, at: payloads + index, by: model)
  }

  /// The list of a member that is one of models; the buffer holds it.
  @inlinable @inline(__always)
  static func models(
    _ index: Int, _ header: UnsafeMutablePointer<Header>, _ payloads: UnsafeMutablePointer<UInt>
  ) -> Unmanaged<ModelList> {
    let word = load(payloads + index)
    return word & 1 == 0 ? reference(word) : makeModels(index, header, payloads, word)
  }

  @usableFromInline @inline(never)
  static func makeModels(
    _ index: Int, _ header: UnsafeMutablePointer<Header>, _ payloads: UnsafeMutablePointer<UInt>, _ word: UInt
  ) -> Unmanaged<ModelList> {
    let list = ModelList.make(of: ModelRecord(in: payloads, word), text: header.pointee.text)
    return .passUnretained(replace(word, at: payloads + index, by: list))
  }
}
