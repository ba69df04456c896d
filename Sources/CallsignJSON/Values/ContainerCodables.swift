extension Array: JSONCodable where Element: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.list(of: Element.self) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    for element in self { element.write(json: &writer) }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }
}

/// A JSON object whose names are data. Written sorted by name, so that equal maps give equal bytes.
extension Dictionary: JSONCodable where Key == String, Value: JSONCodable {
  /// Reads one value at the reader's position.
  public init(json reader: inout JSONReader) throws(JSONError) { self = try reader.map(of: Value.self) }

  /// Writes exactly one value.
  public func write(json writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "{"))
    for (name, value) in sorted(by: { $0.key < $1.key }) {
      writer.name(name)
      value.write(json: &writer)
    }
    writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }
}
