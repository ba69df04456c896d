// Sound: a reader keeps three addresses, which lie in the bytes that it was made for: `start <= cursor <= end`. It can be neither
// copied nor kept, so it does not outlive these bytes. No file of the reader looks at a byte before it has compared the place with
// `end`.

import CallsignSupport

/// Reads JSON (RFC 8259) from bytes, value by value, without an intermediate tree.
///
/// A reader exists only during the call that reads a document; it can be neither copied nor kept. Every method either
/// reads the value at the reader's position completely or throws. Among members of the same name the last one wins.
public struct JSONReader: ~Copyable {
  /// The number of arrays and objects that may be inside one another: 512. A model counts as ``modelDepth`` of them.
  public static let depthLimit = 512
  /// The number of levels that a model counts as. Reading one takes more of the stack than another value does, and threads that
  /// Apple's systems lend have only 512 KB.
  public static let modelDepth = 4

  package let start: UnsafePointer<UInt8>
  package let end: UnsafePointer<UInt8>
  /// Always between `start` and `end`; a byte is looked at only after comparing with `end`.
  package var cursor: UnsafePointer<UInt8>
  package var depth = 0
  /// The order of the members of models so far.
  package var memberOrders = MemberOrders()
  /// Set for a second reading, which leaves out the parts that failed in the first one.
  package var tolerance: Tolerance?

  package init(_ bytes: UnsafeRawBufferPointer) {
    // An empty buffer may have no address; any will do, because nothing of it is read.
    let base = bytes.baseAddress ?? UnsafeRawPointer(bitPattern: 1).unsafelyUnwrapped
    start = base.assumingMemoryBound(to: UInt8.self)
    end = start + bytes.count
    cursor = start
  }

  /// The position of the next byte, counted from 0.
  public var offset: Int { cursor - start }

  // MARK: Errors

  package func failure(_ kind: JSONError.Kind) -> JSONError { JSONError(kind, offset: offset) }

  package func failure(_ kind: JSONError.Kind, at place: UnsafePointer<UInt8>) -> JSONError {
    JSONError(kind, offset: place - start)
  }

  /// The error for a value that does not begin as it should.
  package func unexpected(_ expected: String) -> JSONError {
    guard cursor < end else { return failure(.unexpectedEnd) }
    guard let found = Self.kind(of: cursor.pointee), beginsLiteral(of: found) else {
      return failure(.syntax(reason: "this is not the beginning of a JSON value"))
    }
    return failure(.mismatch(expected: expected, found: found.phrase))
  }

  /// Whether the literal follows whose first letter was found; `true` for a kind that is not a literal.
  private func beginsLiteral(of kind: JSONKind) -> Bool {
    let rest = UnsafeBufferPointer(start: cursor, count: end - cursor)
    return switch kind {
    case .null: rest.starts(with: "null".utf8)
    case .bool: rest.starts(with: "true".utf8) || rest.starts(with: "false".utf8)
    default: true
    }
  }

  // MARK: Structure

  package mutating func skipWhitespace() {
    if cursor < end, cursor.pointee > 0x20 { return }
    skipWhitespaceRun()
  }

  mutating func skipWhitespaceRun() {
    while cursor < end {
      switch cursor.pointee {
      case 0x20, 0x0A, 0x0D, 0x09: cursor += 1
      default: return
      }
    }
  }

  /// Moves past the byte if it is next.
  mutating func take(_ byte: UInt8) -> Bool {
    guard cursor < end, cursor.pointee == byte else { return false }
    cursor += 1
    return true
  }

  package mutating func beginDocument() throws(JSONError) {
    if end - start >= 3, start[0] == 0xEF, start[1] == 0xBB, start[2] == 0xBF {
      throw failure(.syntax(reason: "begins with a byte order mark"))
    }
    skipWhitespace()
  }

  mutating func endDocument() throws(JSONError) {
    skipWhitespace()
    guard cursor == end else { throw failure(.trailingContent) }
  }

  mutating func beginNesting() throws(JSONError) {
    depth += 1
    guard depth <= Self.depthLimit else { throw failure(.tooDeep) }
  }

  /// Begins an object; `false` if it is empty and already read.
  package mutating func beginObject() throws(JSONError) -> Bool {
    guard take(UInt8(ascii: "{")) else { throw unexpected(JSONKind.object.phrase) }
    try beginNesting()
    skipWhitespace()
    if take(UInt8(ascii: "}")) {
      depth -= 1
      return false
    }
    return true
  }

  /// After a member: whether another one follows. When not, the object has been read.
  package mutating func nextMember() throws(JSONError) -> Bool {
    skipWhitespace()
    if take(UInt8(ascii: ",")) {
      skipWhitespace()
      return true
    }
    guard take(UInt8(ascii: "}")) else { throw syntaxFailure("a comma or `}` is missing") }
    depth -= 1
    return false
  }

  /// Moves past the colon between name and value.
  package mutating func takeColon() throws(JSONError) {
    skipWhitespace()
    guard take(UInt8(ascii: ":")) else { throw syntaxFailure("a colon is missing") }
    skipWhitespace()
  }

  /// Moves past these bytes, if they are next, and white space behind them.
  package mutating func take(_ bytes: UnsafeBufferPointer<UInt8>) -> Bool {
    guard end - cursor >= bytes.count, let first = bytes.baseAddress, memcmp(first, cursor, bytes.count) == 0 else {
      return false
    }
    cursor += bytes.count
    skipWhitespace()
    return true
  }

  /// Begins an array; `false` if it is empty and already read.
  package mutating func beginArray() throws(JSONError) -> Bool {
    guard take(UInt8(ascii: "[")) else { throw unexpected(JSONKind.array.phrase) }
    try beginNesting()
    skipWhitespace()
    if take(UInt8(ascii: "]")) {
      depth -= 1
      return false
    }
    return true
  }

  /// After an element: whether another one follows. When not, the array has been read.
  package mutating func nextElement() throws(JSONError) -> Bool {
    skipWhitespace()
    if take(UInt8(ascii: ",")) {
      skipWhitespace()
      return true
    }
    guard take(UInt8(ascii: "]")) else { throw syntaxFailure("a comma or `]` is missing") }
    depth -= 1
    return false
  }

  /// The error for text that is not valid JSON, or is missing.
  func syntaxFailure(_ reason: String) -> JSONError {
    cursor < end ? failure(.syntax(reason: reason)) : failure(.unexpectedEnd)
  }

  // MARK: Kinds

  static func kind(of first: UInt8) -> JSONKind? {
    switch first {
    case UInt8(ascii: "\""): .string
    case UInt8(ascii: "{"): .object
    case UInt8(ascii: "["): .array
    case UInt8(ascii: "t"), UInt8(ascii: "f"): .bool
    case UInt8(ascii: "n"): .null
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): .number
    default: nil
    }
  }

  /// The kind of the value at the reader's position.
  ///
  /// The position does not change.
  ///
  /// - Throws: ``JSONError`` if no value begins here.
  public func kind() throws(JSONError) -> JSONKind {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    guard let kind = Self.kind(of: cursor.pointee) else {
      throw failure(.syntax(reason: "this is not the beginning of a JSON value"))
    }
    return kind
  }
}

extension JSONReader {
  /// Reads `true` or `false`.
  ///
  /// - Throws: ``JSONError`` if the next value is not one of them, or is not valid JSON.
  public mutating func bool() throws(JSONError) -> Bool {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    switch cursor.pointee {
    case UInt8(ascii: "t"):
      try literal("true")
      return true
    case UInt8(ascii: "f"):
      try literal("false")
      return false
    default:
      throw unexpected(JSONKind.bool.phrase)
    }
  }

  /// Reads `null` if it is next; else nothing is read and the response is `false`.
  ///
  /// - Throws: ``JSONError`` if the next value begins with `n` and is not `null`.
  public mutating func null() throws(JSONError) -> Bool {
    guard cursor < end, cursor.pointee == UInt8(ascii: "n") else { return false }
    try literal("null")
    return true
  }

  package mutating func literal(_ text: StaticString) throws(JSONError) {
    let count = text.utf8CodeUnitCount
    for index in 0..<count {
      guard cursor + index < end else { throw failure(.unexpectedEnd, at: end) }
      guard cursor[index] == text.utf8Start[index] else {
        throw failure(.syntax(reason: "this is not the beginning of a JSON value"))
      }
    }
    cursor += count
  }

  /// Moves past the next value, checking it as strictly as if it were read.
  ///
  /// - Throws: ``JSONError`` if it is not valid JSON, or is nested more deeply than ``depthLimit``.
  public mutating func skip() throws(JSONError) {
    guard cursor < end else { throw failure(.unexpectedEnd) }
    switch cursor.pointee {
    case UInt8(ascii: "\""):
      _ = try rawString()
    case UInt8(ascii: "{"):
      guard try beginObject() else { return }
      repeat {
        guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected("a member's name") }
        _ = try rawString()
        try takeColon()
        try skip()
      } while try nextMember()
    case UInt8(ascii: "["):
      guard try beginArray() else { return }
      repeat { try skip() } while try nextElement()
    case UInt8(ascii: "t"): try literal("true")
    case UInt8(ascii: "f"): try literal("false")
    case UInt8(ascii: "n"): try literal("null")
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): _ = try numberLiteral()
    default: throw unexpected("a value")
    }
  }
}

extension JSONReader {
  /// Reads an object: calls `body` with the name of each member and the reader before its value. A value that `body`
  /// does not read is skipped.
  ///
  /// - Throws: ``JSONError`` if the next value is not an object, is not valid JSON or is nested more deeply than
  ///   ``depthLimit``; and what `body` throws, with the member added to its path.
  public mutating func object(
    _ body: (_ name: String, _ reader: inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try beginObject() else { return }
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      tolerance?.enter(member: name)
      do throws(JSONError) {
        try readOrSkip { (reader) throws(JSONError) in try body(name, &reader) }
      } catch {
        tolerance?.leave()
        throw error.inMember(name)
      }
      tolerance?.leave()
    } while try nextMember()
  }

  /// Reads an array: calls `body` with the index of each element and the reader before it. An element that `body`
  /// does not read is skipped.
  ///
  /// - Throws: ``JSONError`` if the next value is not an array, is not valid JSON or is nested more deeply than
  ///   ``depthLimit``; and what `body` throws, with the element added to its path.
  public mutating func array(
    _ body: (_ index: Int, _ reader: inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    guard try beginArray() else { return }
    var index = 0
    repeat {
      tolerance?.enter(element: index)
      do throws(JSONError) {
        try readOrSkip { (reader) throws(JSONError) in try body(index, &reader) }
      } catch {
        tolerance?.leave()
        throw error.inElement(index)
      }
      tolerance?.leave()
      index += 1
    } while try nextElement()
  }

  private mutating func readOrSkip(
    _ body: (inout JSONReader) throws(JSONError) -> Void
  ) throws(JSONError) {
    let before = cursor
    try body(&self)
    if cursor == before { try skip() }
  }

  /// Reads any type that has a JSON form.
  public mutating func value<T: JSONCodable>(_: T.Type = T.self) throws(JSONError) -> T {
    tolerance == nil ? try T(json: &self) : try tolerantValue()
  }

  package mutating func list<T: JSONCodable>(of _: T.Type) throws(JSONError) -> [T] {
    try list { (reader) throws(JSONError) in try reader.value(T.self) }
  }

  package mutating func map<T: JSONCodable>(of _: T.Type) throws(JSONError) -> [String: T] {
    try map { (reader) throws(JSONError) in try reader.value(T.self) }
  }

  /// Reads an array whose elements `element` reads.
  package mutating func list<T>(
    _ element: (inout JSONReader) throws(JSONError) -> T
  ) throws(JSONError) -> [T] {
    if tolerance != nil { return try tolerantList(element) }
    guard try beginArray() else { return [] }
    var list: [T] = []
    repeat {
      do throws(JSONError) {
        list.append(try element(&self))
      } catch {
        throw error.inElement(list.count)
      }
    } while try nextElement()
    return list
  }

  /// Reads an object whose names are data and whose values `element` reads.
  package mutating func map<T>(
    _ element: (inout JSONReader) throws(JSONError) -> T
  ) throws(JSONError) -> [String: T] {
    guard try beginObject() else { return [:] }
    var map: [String: T] = [:]
    repeat {
      let name = try string(expecting: "a member's name")
      try takeColon()
      // Set by its key, a growing map of JSON values would be moved by code for all types.
      if let value = try mapValue(element) { map.updateValue(value, forKey: name) }
    } while try nextMember()
    return map
  }

  /// Reads a value whose name is data; `nil` if it was skipped.
  mutating func mapValue<T>(_ element: (inout JSONReader) throws(JSONError) -> T) throws(JSONError) -> T? {
    if tolerance != nil { return try readOrLeaveOut(.member("*"), element) }
    do throws(JSONError) { return try element(&self) } catch { throw error.inMember("*") }
  }
}
