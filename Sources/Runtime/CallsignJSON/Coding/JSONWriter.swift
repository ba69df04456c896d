// Sound: pieces are cut within the count of the text's bytes, and are copied in the closure that gets the bytes.

/// Writes JSON (RFC 8259) in UTF-8, value by value.
///
/// Writing never throws; what has no JSON, such as an infinite number, is remembered in ``failure`` and written as
/// `null`.
public struct JSONWriter {
  /// The layout of a document.
  public enum Style: Hashable, Sendable {
    /// Without any whitespace.
    case compact
    /// A line for each member and element, indented by two spaces a level.
    case pretty
  }

  /// The first thing that could not be said in JSON.
  public private(set) var failure: JSONError?
  /// The bytes written so far.
  public private(set) var bytes: [UInt8] = []

  package let style: Style
  /// Whether dates keep every bit instead of their wire format, for comparing values.
  package let isExact: Bool
  var needsComma = false
  var depth = 0

  /// A writer of one document.
  public init(style: Style = .compact) {
    self.init(style: style, isExact: false)
  }

  package init(style: Style = .compact, isExact: Bool) {
    self.style = style
    self.isExact = isExact
  }

  /// The finished document.
  ///
  /// - Throws: ``failure``, if there is one.
  public func finish() throws(JSONError) -> [UInt8] {
    if let failure { throw failure }
    return bytes
  }

  // MARK: Values

  /// Writes `null`.
  public mutating func null() {
    beginValue()
    append("null")
  }

  /// Writes `true` or `false`.
  public mutating func bool(_ value: Bool) {
    beginValue()
    append(value ? "true" : "false")
  }

  /// Writes a whole number.
  public mutating func int(_ value: Int) {
    beginValue()
    // The digits from the last to the first, and then the other way round.
    let start = bytes.count
    var rest = value.magnitude
    repeat {
      bytes.append(UInt8(ascii: "0") + UInt8(rest % 10))
      rest /= 10
    } while rest > 0
    if value < 0 { bytes.append(UInt8(ascii: "-")) }
    var (first, last) = (start, bytes.count - 1)
    while first < last {
      bytes.swapAt(first, last)
      (first, last) = (first + 1, last - 1)
    }
  }

  /// Writes the shortest decimal that reads back as the same number.
  public mutating func number(_ value: Double) {
    // Some readers take no fraction where they expect a whole number, be it zero.
    let isNegativeZero = value == 0 && value.sign == .minus
    if value.magnitude < 0x1p53, !isNegativeZero, let whole = Int(exactly: value) { return int(whole) }
    real(value)
  }

  /// Writes a number with a fraction or an exponent.
  mutating func real(_ value: Double) {
    guard value.isFinite else { return fail("JSON has no infinite or undefined numbers") }
    beginValue()
    append(value.description)
  }

  /// Writes a string, escaping only what must be.
  public mutating func string(_ value: String) {
    beginValue()
    quote(value)
  }

  /// Writes a value of any type that has a JSON form.
  public mutating func value<T: JSONCodable>(_ value: T) { value.write(json: &self) }

  /// Writes text that is already JSON.
  package mutating func literal(_ text: String) {
    beginValue()
    append(text)
  }

  /// Records a value that has no JSON, and writes `null` instead.
  package mutating func fail(_ reason: String) {
    if failure == nil { failure = JSONError(.unencodable(reason), offset: bytes.count) }
    null()
  }

  /// Remembers the failure of a writer whose text becomes a part of this one's.
  package mutating func fail(with failure: JSONError) {
    if self.failure == nil { self.failure = failure }
  }

  // MARK: Containers

  /// Writes an object whose members `body` writes, each with ``name(_:)`` and a value, or with ``member(_:_:)``.
  public mutating func object(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "{"))
    body(&self)
    end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }

  /// Writes an array whose elements `body` writes.
  public mutating func array(_ body: (inout JSONWriter) -> Void) {
    begin(UInt8(ascii: "["))
    body(&self)
    end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }

  /// Writes the name of the next member.
  public mutating func name(_ name: String) {
    beginValue()
    quote(name)
    append(":")
    endName()
  }

  /// Writes a member of the object, or nothing for `nil`.
  public mutating func member<T: JSONCodable>(_ name: String, _ value: T?) {
    guard let value else { return }
    self.name(name)
    value.write(json: &self)
  }

  /// Writes a name that is quoted and escaped already, with a comma before it and a colon behind it.
  package mutating func name(written name: UnsafeBufferPointer<UInt8>) {
    if needsComma, style == .compact {
      bytes.append(contentsOf: name)
    } else {
      beginValue()
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: name.dropFirst()))
    }
    endName()
  }

  package mutating func begin(_ bracket: UInt8) {
    beginValue()
    bytes.append(bracket)
    needsComma = false
    depth += 1
  }

  package mutating func end(_ bracket: UInt8, of opening: UInt8) {
    depth -= 1
    if style == .pretty, bytes.last != opening { breakLine() }
    bytes.append(bracket)
    needsComma = true
  }

  // MARK: Bytes

  private mutating func beginValue() {
    if needsComma { bytes.append(UInt8(ascii: ",")) }
    if style == .pretty, depth > 0, needsComma || isFirst { breakLine() }
    needsComma = true
  }

  /// Whether the next value is the first of its array or object, and not the value of a member.
  private var isFirst: Bool { bytes.last == UInt8(ascii: "{") || bytes.last == UInt8(ascii: "[") }

  private mutating func breakLine() {
    append("\n")
    for _ in 0..<depth { append("  ") }
  }

  private mutating func endName() {
    if style == .pretty { append(" ") }
    needsComma = false
  }

  private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func quote(_ text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      if Self.mustEscape(utf8) { escape(utf8) } else { bytes.append(contentsOf: utf8) }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func escape(_ utf8: UnsafeBufferPointer<UInt8>) {
    var pending = 0
    for index in utf8.indices where Self.mustEscape(utf8[index]) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[pending..<index]))
      escape(utf8[index])
      pending = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[pending...]))
  }

  /// Whether a text has something to escape. Almost none has. It looks at all bytes, and compares without branches, because the
  /// compiler makes vectors of that: writing a page of posts takes 15 % less time.
  private static func mustEscape(_ utf8: UnsafeBufferPointer<UInt8>) -> Bool {
    var smallest = UInt8.max
    // 0 as soon as there was a quote or a backslash.
    var difference = UInt8.max
    for byte in utf8 {
      smallest = min(smallest, byte)
      difference = min(difference, byte ^ UInt8(ascii: "\""), byte ^ UInt8(ascii: "\\"))
    }
    return smallest < 0x20 || difference == 0
  }

  private static func mustEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func escape(_ byte: UInt8) {
    switch byte {
    case 0x08: append("\\b")
    case 0x09: append("\\t")
    case 0x0A: append("\\n")
    case 0x0C: append("\\f")
    case 0x0D: append("\\r")
    case 0..<0x10: append("\\u000" + String(byte, radix: 16))
    case 0x10..<0x20: append("\\u00" + String(byte, radix: 16))
    default: bytes += [UInt8(ascii: "\\"), byte]
    }
  }
}
