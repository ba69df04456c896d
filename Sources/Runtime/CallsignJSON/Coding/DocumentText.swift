/// A document's bytes, kept for the strings of models, which are made only when they are asked for.
///
/// Written once, when it is made, and never changed.
@usableFromInline
package final class DocumentText: ManagedBuffer<Int, UInt8> {
  package static func copying(_ start: UnsafePointer<UInt8>, count: Int) -> DocumentText {
    let text = DocumentText.create(minimumCapacity: count) { _ in count }
    text.withUnsafeMutablePointerToElements { $0.initialize(from: start, count: count) }
    return unsafeDowncast(text, to: DocumentText.self)
  }
}

/// The place of a checked string, or of an array of strings, in a document, in one word whose lowest bit is set, which is so
/// in no address of an object.
@usableFromInline
package struct TextRange {
  /// Documents of more bytes have places that don't fit: 1 GB.
  @inlinable package static var documentLimit: Int { 1 << 30 }

  @usableFromInline package let word: UInt

  @inlinable package init(word: UInt) { self.word = word }

  @inlinable @inline(__always)
  package init(_ raw: RawString, offset: Int) {
    word = Self.word(offset, raw.count) | (raw.hasEscapes ? 2 : 0) | (raw.hasUnusualEscapes ? 4 : 0)
  }

  /// The place of an array of strings.
  ///
  /// - Parameter isUsual: Whether the writer would write it so: without spaces and unusual escapes.
  @inlinable @inline(__always)
  package init(offset: Int, count: Int, isUsual: Bool) { word = Self.word(offset, count) | (isUsual ? 0 : 4) }

  @inlinable static func word(_ offset: Int, _ count: Int) -> UInt {
    UInt(bitPattern: offset) &<< 33 | UInt(bitPattern: count) &<< 3 | 1
  }

  @inlinable package var offset: Int { Int(bitPattern: word &>> 33) }
  @inlinable package var count: Int { Int(bitPattern: word &>> 3 & 0x3FFF_FFFF) }
  @inlinable package var hasEscapes: Bool { word & 2 != 0 }
  @inlinable package var hasUnusualEscapes: Bool { word & 4 != 0 }

  /// The string's bytes between its quotes, as they are in the document.
  @inlinable @inline(__always)
  package func raw(in document: UnsafePointer<UInt8>) -> RawString {
    RawString(
      start: document + offset, count: count, hasEscapes: hasEscapes, hasUnusualEscapes: hasUnusualEscapes)
  }
}

extension JSONReader {
  /// The document, copied when it is first asked for.
  package mutating func documentText() -> Unmanaged<DocumentText> {
    if let text { return text }
    let new = Unmanaged.passRetained(DocumentText.copying(start, count: end - start))
    text = new
    return new
  }

  /// Whether places in the document fit into a ``TextRange``.
  @inlinable @inline(__always)
  package var hasTextRanges: Bool { end - start < TextRange.documentLimit }
}
