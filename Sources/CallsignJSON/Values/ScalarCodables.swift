import Foundation

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
