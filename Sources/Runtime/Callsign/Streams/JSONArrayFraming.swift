import CallsignSupport

/// Takes a JSON array apart, element by element, as its bytes arrive.
struct JSONArrayFraming: Sendable {
  private enum Place {
    /// Before the `[`.
    case start
    /// Before an element or the `]`.
    case first
    /// Before an element.
    case element
    /// Within an element.
    case inside
    /// Before a comma or the `]`.
    case separator
    /// After the `]`.
    case end
  }

  private let limit: Int
  private var place = Place.start
  private var element: [UInt8] = []
  private var depth = 0
  private var isInString = false
  private var isEscaped = false
  private var elements: [Data] = []
  private var next = 0
  /// The number of bytes of a byte order mark that have gone by, which some servers send before the array.
  private var markLength = 0
  private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]
  /// Whether the response does not begin with an array.
  private(set) var isOther = false

  /// - Parameter limit: The most bytes that one element may have.
  init(limit: Int) { self.limit = limit }

  /// Whether the array has ended.
  var isComplete: Bool { place == .end && next == elements.count }

  /// Takes the next piece of the array.
  mutating func append(_ piece: Data) throws(RecordFraming.Violation) {
    if next == elements.count {
      elements.removeAll(keepingCapacity: true)
      next = 0
    }
    for byte in piece { try take(byte) }
  }

  /// The next complete element; `nil` when more bytes are needed.
  mutating func nextElement() -> Data? {
    guard next < elements.count else { return nil }
    defer { next += 1 }
    return elements[next]
  }

  private mutating func take(_ byte: UInt8) throws(RecordFraming.Violation) {
    let isBlank = byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    switch place {
    case .inside: try takeInside(byte, isBlank)
    case .start:
      if isBlank { return }
      if markLength < Self.byteOrderMark.count, byte == Self.byteOrderMark[markLength] {
        markLength += 1
        return
      }
      guard byte == UInt8(ascii: "[") else {
        isOther = true
        throw RecordFraming.Violation()
      }
      place = .first
    case .first, .element:
      if isBlank { return }
      if byte == UInt8(ascii: "]"), place == .first {
        place = .end
      } else {
        guard byte != UInt8(ascii: "]"), byte != UInt8(ascii: ",") else { throw RecordFraming.Violation() }
        place = .inside
        try takeInside(byte, false)
      }
    case .separator:
      if isBlank { return }
      try endElement(with: byte)
    case .end: if !isBlank { throw RecordFraming.Violation() }
    }
  }

  private mutating func takeInside(_ byte: UInt8, _ isBlank: Bool) throws(RecordFraming.Violation) {
    if !isInString, depth == 0, !element.isEmpty {
      // A number or word ends where something else begins.
      if isBlank || byte == UInt8(ascii: ",") || byte == UInt8(ascii: "]") {
        elements.append(Data(element))
        element.removeAll(keepingCapacity: true)
        place = .separator
        if !isBlank { try endElement(with: byte) }
        return
      }
    }
    element.append(byte)
    if element.count > limit { throw RecordFraming.Violation() }
    if isInString {
      if isEscaped {
        isEscaped = false
      } else if byte == UInt8(ascii: "\\") {
        isEscaped = true
      } else if byte == UInt8(ascii: "\"") {
        isInString = false
      }
    } else {
      switch byte {
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        depth -= 1
        if depth < 0 { throw RecordFraming.Violation() }
      default: return
      }
    }
    if !isInString, depth == 0 {
      elements.append(Data(element))
      element.removeAll(keepingCapacity: true)
      place = .separator
    }
  }

  private mutating func endElement(with byte: UInt8) throws(RecordFraming.Violation) {
    switch byte {
    case UInt8(ascii: ","): place = .element
    case UInt8(ascii: "]"): place = .end
    default: throw RecordFraming.Violation()
    }
  }
}
