// Sound: no reader leaves the closure that gets the bytes.

import CallsignSupport

/// A type with its own JSON form.
///
/// The runtime's types and all generated models conform. To make your own type conform, read it with ``JSONReader`` and
/// write it with ``JSONWriter``:
///
/// ```swift
/// struct Point: JSONCodable {
///   var x = 0.0, y = 0.0
///   init(json reader: inout JSONReader) throws(JSONError) {
///     try reader.object { (name, reader) throws(JSONError) in
///       switch name {
///       case "x": x = try reader.number()
///       case "y": y = try reader.number()
///       default: break                       // what is not read is skipped
///       }
///     }
///   }
///   func write(json writer: inout JSONWriter) {
///     writer.object { $0.member("x", x); $0.member("y", y) }
///   }
/// }
/// ```
public protocol JSONCodable {
  /// Reads one value at the reader's position.
  init(json reader: inout JSONReader) throws(JSONError)
  /// Writes exactly one value.
  func write(json writer: inout JSONWriter)
}

/// A value that a request sends. Reading and writing are one protocol, because each conformance of a type costs every
/// binary that links it.
public typealias JSONEncodable = JSONCodable
/// A value that a response holds.
public typealias JSONDecodable = JSONCodable

/// A value that is one of several types, as the generator makes them; a value that fits none is kept as `.unknown`.
///
/// Two values are equal if they hold equal values of the same type.
public protocol Union: JSONCodable, Sendable {
  /// The value that it holds.
  var _value: any JSONCodable & Sendable { get }
}

extension JSONCodable {
  /// Reads a whole JSON document.
  ///
  /// - Throws: ``JSONError`` with the path and the byte offset of the mistake.
  public init(jsonBytes bytes: UnsafeRawBufferPointer) throws(JSONError) {
    var reader = JSONReader(bytes)
    try reader.beginDocument()
    self = try Self(json: &reader)
    try reader.endDocument()
  }

  /// Reads a whole JSON document in UTF-8.
  ///
  /// - Throws: ``JSONError`` with the path and the byte offset of the mistake.
  public init(jsonData data: Data) throws(JSONError) {
    // Returns neither `Result` nor `Optional`, because types that contain `Self` are looked up at run time, again for each
    // document.
    do { self = try data.withUnsafeBytes { try Self(jsonBytes: $0) } } catch let error as JSONError {
      throw error
    } catch {
      // The closure throws nothing else.
      throw JSONError(.unexpectedEnd, offset: 0)
    }
  }

  /// Reads a whole JSON document.
  ///
  /// - Throws: ``JSONError`` with the path and the byte offset of the mistake.
  public init(jsonString text: String) throws(JSONError) {
    var text = text
    let result = text.withUTF8 { bytes in
      Result { () throws(JSONError) in try Self(jsonBytes: UnsafeRawBufferPointer(bytes)) }
    }
    self = try result.get()
  }

  /// The value as a JSON document in UTF-8. Members of models come in the catalogue's order, keys of maps sorted,
  /// so equal values give equal bytes.
  ///
  /// - Throws: ``JSONError`` when the value holds something that JSON can't say, such as an infinite number.
  public func jsonData(_ style: JSONWriter.Style = .compact) throws(JSONError) -> Data {
    let writer = try written(style)
    return Data(writer.bytes)
  }

  /// ``jsonData(_:)`` as text.
  public func jsonString(_ style: JSONWriter.Style = .compact) throws(JSONError) -> String {
    let writer = try written(style)
    return String(decoding: writer.bytes, as: UTF8.self)
  }

  /// Reads a whole JSON document.
  package init(jsonBytes bytes: [UInt8]) throws(JSONError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try Self(jsonBytes: bytes) }
    }.get()
  }

  func jsonBytes(_ style: JSONWriter.Style) throws(JSONError) -> [UInt8] { try written(style).bytes }

  private func written(_ style: JSONWriter.Style) throws(JSONError) -> JSONWriter {
    var writer = JSONWriter(style: style)
    write(json: &writer)
    if let failure = writer.failure { throw failure }
    return writer
  }
}

extension JSONReader {
  /// Calls `body` with a reader before the first byte.
  package static func read<Value>(
    _ bytes: some ContiguousBytes, _ body: (inout JSONReader) throws(JSONError) -> Value
  ) throws(JSONError) -> Value {
    try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in
        var reader = JSONReader(bytes)
        return try body(&reader)
      }
    }.get()
  }

  /// Whether the bytes are one whole JSON document.
  package static func isDocument(_ data: Data) -> Bool { data.withUnsafeBytes { isDocument($0) } }
}
