// Sound: the string's bytes are the reader's.

import CallsignSupport

extension String: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.string() }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(self) }
}

extension Int: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.int() }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.int(self) }
}

extension Double: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.number() }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.number(self) }
}

extension Bool: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.bool() }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.bool(self) }
}

/// Base64 text (RFC 4648 §4); the URL-safe alphabet and missing padding are accepted when read.
extension Data: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    let offset = reader.offset
    var text = try reader.string(expecting: "base64 text")
    if text.utf8.contains(where: { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }) {
      text = String(text.map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 })
    }
    text += String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
    guard let data = Data(base64Encoded: text) else {
      throw JSONError(.invalid(expected: "base64 text"), offset: offset)
    }
    self = data
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.string(base64EncodedString()) }
}

extension JSONReader {
  /// Reads a date; in the formats that are numbers, a string of digits is accepted too.
  public mutating func date(_ format: DateFormat = .rfc3339) throws(JSONError) -> Date {
    try date(CompiledDateFormat(format))
  }

  package mutating func date(_ compiled: CompiledDateFormat) throws(JSONError) -> Date {
    let begin = cursor
    let format = compiled.format
    if format.isNumeric, cursor < end, cursor.pointee != UInt8(ascii: "\"") {
      let number = try number()
      guard let date = format.date(from: number) else { throw failure(.invalid(expected: format.phrase), at: begin) }
      return date
    }
    guard cursor < end, cursor.pointee == UInt8(ascii: "\"") else { throw unexpected(format.phrase) }
    let raw = try rawString()
    let date =
      raw.hasEscapes
      ? compiled.date(from: Self.decode(raw))
      : compiled.date(fromUTF8: UnsafeBufferPointer(start: raw.start, count: raw.count))
    guard let date else { throw failure(.invalid(expected: format.phrase), at: begin) }
    return date
  }
}

extension JSONWriter {
  /// Writes a date. One that the format can't say is remembered in ``failure``.
  public mutating func date(_ value: Date, _ format: DateFormat = .rfc3339) { date(value, CompiledDateFormat(format)) }

  package mutating func date(_ value: Date, _ compiled: CompiledDateFormat) {
    if isExact { return number(value.timeIntervalSinceReferenceDate) }
    let format = compiled.format
    guard let text = compiled.string(from: value) else {
      return fail("the date can't be written as \(format.phrase)")
    }
    if format.isNumeric { literal(text) } else { string(text) }
  }
}

/// As RFC 3339 says; members of models with another format are read and written by their models.
extension Date: JSONCodable {
  /// Reads one value at the reader's position. A calendar day and a number of seconds since 1970 are also accepted,
  /// because the format is known only in models.
  public init(json reader: inout JSONReader) throws(JSONError) {
    switch try reader.kind() {
    case .string:
      self = try reader.text(expecting: DateFormat.rfc3339.phrase) {
        DateFormat.rfc3339.date(from: $0) ?? DateFormat.day.date(from: $0)
      }
    case .number: self = try reader.date(.seconds)
    default: self = try reader.date()
    }
  }
  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) { writer.date(self) }
}

extension Array: JSONCodable where Element: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) {
    // Models are read with one look at their schema, and each list is allocated once.
    if let model = Element.self as? any Model.Type {
      func open<T: Model>(_: T.Type) throws(JSONError) -> [Element]? {
        try T._layout.support.models(of: T.self, &reader) as? [Element]
      }
      if let elements = try open(model) {
        self = elements
        return
      }
    }
    self = try reader.list(of: Element.self)
  }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    for element in self { element.write(json: &writer) }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }
}

extension Dictionary where Key == String {
  /// The names in order. One sort serves maps of all types: a sort of the members would be compiled for each type.
  package var sortedNames: [String] { Array(keys).sortedAsNames() }
}

extension [String] {
  /// The same texts in order.
  package func sortedAsNames() -> [String] { sorted() }
}

/// A JSON object whose names are data. Written sorted by name, so that equal maps give equal bytes.
extension Dictionary: JSONCodable where Key == String, Value: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.map(of: Value.self) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "{"))
    for name in sortedNames {
      guard let value = self[name] else { continue }
      writer.name(name)
      value.write(json: &writer)
    }
    writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }
}
