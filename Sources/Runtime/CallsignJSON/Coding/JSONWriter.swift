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
  /// The bytes written so far, which each use copies.
  public var bytes: [UInt8] { Array(sink.bytes) }

  @usableFromInline var sink = ByteSink()

  @usableFromInline package let style: Style
  /// Whether dates keep every bit instead of their wire format, for comparing values.
  package let isExact: Bool
  @usableFromInline var needsComma = false
  @usableFromInline var depth = 0

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
    put(value)
  }

  @inline(__always)
  @usableFromInline mutating func put(_ value: Int) {
    sink.put(upTo: 20) { digits in
      var magnitude = value.magnitude
      var count = 1
      var power: UInt = 10
      while count < 19, magnitude >= power {
        count &+= 1
        power &*= 10
      }
      if value < 0 {
        digits[0] = UInt8(ascii: "-")
        count &+= 1
      }
      var place = count
      repeat {
        place &-= 1
        let (quotient, remainder) = magnitude.quotientAndRemainder(dividingBy: 10)
        digits[place] = UInt8(ascii: "0") &+ UInt8(truncatingIfNeeded: remainder)
        magnitude = quotient
      } while magnitude > 0
      return count
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
    var text = value.description
    text.withUTF8 { sink.append($0) }
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
    var text = text
    text.withUTF8 { sink.append($0) }
  }

  /// Remembers what has no JSON, and writes `null` in its place.
  package mutating func fail(_ reason: String) {
    if failure == nil { failure = JSONError(.unencodable(reason), offset: sink.count) }
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
    endName()
  }

  /// Writes a member of the object, or nothing for `nil`.
  public mutating func member<T: JSONCodable>(_ name: String, _ value: T?) {
    guard let value else { return }
    self.name(name)
    value.write(json: &self)
  }

  /// Writes a name that is quoted and escaped already, behind which there are a colon and seven bytes more, into an object
  /// that has been begun.
  @inlinable @inline(__always)
  package mutating func name(quoted name: UnsafePointer<UInt8>, count: Int) {
    if style == .pretty {
      beginValue()
      sink.append(UnsafeBufferPointer(start: name, count: count))
      return endName()
    }
    sink.reserve(count &+ 9)
    if needsComma { sink.put(UInt8(ascii: ",")) }
    sink.put(words: name, count: count &+ 1)
    needsComma = false
  }

  // Values behind a name: there is nothing to separate them from.

  @inlinable @inline(__always)
  package mutating func member(int value: Int) {
    put(value)
    needsComma = true
  }

  /// Writes a string that is escaped already.
  @inlinable @inline(__always)
  package mutating func member(written text: UnsafeBufferPointer<UInt8>) {
    sink.reserve(text.count &+ 2)
    sink.put(UInt8(ascii: "\""))
    sink.append(text)
    sink.append(UInt8(ascii: "\""))
    needsComma = true
  }

  /// Writes an array of strings that are escaped already, brackets and all.
  package mutating func member(array text: UnsafeBufferPointer<UInt8>) {
    sink.append(text)
    needsComma = true
  }

  package mutating func member(rfc3339 date: CalendarDate) {
    sink.put(upTo: 26) { room in
      room[0] = UInt8(ascii: "\"")
      let count = RFC3339.write(date, to: UnsafeMutableBufferPointer(start: room + 1, count: 24))
      room[count + 1] = UInt8(ascii: "\"")
      return count + 2
    }
    needsComma = true
  }

  package mutating func begin(_ bracket: UInt8) {
    beginValue()
    sink.append(bracket)
    needsComma = false
    depth += 1
  }

  package mutating func end(_ bracket: UInt8, of opening: UInt8) {
    sink.unshare()
    depth -= 1
    if style == .pretty, sink.last != opening { breakLine() }
    sink.append(bracket)
    needsComma = true
  }

  // MARK: Bytes

  @inlinable @inline(__always)
  package mutating func beginValue() {
    sink.unshare()
    if needsComma { sink.append(UInt8(ascii: ",")) }
    if style == .pretty, depth > 0, needsComma || isFirst { breakLine() }
    needsComma = true
  }

  /// Whether the next value is the first of its array or object, and not the value of a member.
  @usableFromInline var isFirst: Bool { sink.last == UInt8(ascii: "{") || sink.last == UInt8(ascii: "[") }

  @usableFromInline mutating func breakLine() {
    sink.append(UInt8(ascii: "\n"))
    for _ in 0..<depth * 2 { sink.append(UInt8(ascii: " ")) }
  }

  @usableFromInline mutating func endName() {
    sink.append(UInt8(ascii: ":"))
    if style == .pretty { sink.append(UInt8(ascii: " ")) }
    needsComma = false
  }

  private mutating func append(_ text: StaticString) {
    sink.append(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  private mutating func quote(_ text: String) {
    var text = text
    sink.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var pending = 0
      var index = 0
      while index < utf8.count {
        // Eight at a time, since almost none must be escaped.
        if index &+ 8 <= utf8.count {
          let word = UnsafeRawBufferPointer(utf8).loadUnaligned(fromByteOffset: index, as: UInt64.self)
          if !Self.mustEscape(word) {
            index &+= 8
            continue
          }
        }
        let byte = utf8[index]
        if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") {
          sink.append(UnsafeBufferPointer(rebasing: utf8[pending..<index]))
          pending = index &+ 1
          escape(byte)
        }
        index &+= 1
      }
      sink.append(UnsafeBufferPointer(rebasing: utf8[pending...]))
    }
    sink.append(UInt8(ascii: "\""))
  }

  /// Whether one of eight bytes is a quote, a backslash or a control character.
  @inline(__always)
  private static func mustEscape(_ word: UInt64) -> Bool {
    let ones: UInt64 = 0x0101_0101_0101_0101
    let quotes = word ^ (ones &* 0x22)
    let backslashes = word ^ (ones &* 0x5C)
    // The lowest byte that is marked is so rightly; those beyond ASCII are none of the three.
    let marks =
      ((quotes &- ones) & ~quotes) | ((backslashes &- ones) & ~backslashes) | ((word &- ones &* 0x20) & ~word)
    return marks & (ones &* 0x80) != 0
  }

  private mutating func escape(_ byte: UInt8) {
    sink.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x08: sink.append(UInt8(ascii: "b"))
    case 0x09: sink.append(UInt8(ascii: "t"))
    case 0x0A: sink.append(UInt8(ascii: "n"))
    case 0x0C: sink.append(UInt8(ascii: "f"))
    case 0x0D: sink.append(UInt8(ascii: "r"))
    case 0..<0x20:
      append("u00")
      for digit in [byte >> 4, byte & 0xF] {
        sink.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
      }
    default: sink.append(byte)
    }
  }
}
