import Foundation

// Stand-ins for what the JSON branch brings; this file goes when it is merged.
public struct JSONError: Error, Sendable, Hashable { enum Kind { case unexpectedEnd, other }; var kind: Kind { .other } }
public struct JSONReader: ~Copyable {}
public struct JSONWriter {
  public init() {}
  mutating func begin(_ bracket: UInt8) {}
  mutating func end(_ bracket: UInt8, of opening: UInt8) {}
  mutating func name(_ name: String) {}
  var bytes: [UInt8] { [] }
  mutating func null() {}
  mutating func array(_ body: (inout JSONWriter) -> Void) {}
  mutating func date(_ d: Date, _ f: DateFormat) {}
  func finish() throws(JSONError) -> [UInt8] { [] }
}
public protocol JSONCodable {
  func write(json: inout JSONWriter)
  init(json: inout JSONReader) throws(JSONError)
}
public typealias JSONEncodable = JSONCodable
public typealias JSONDecodable = JSONCodable
extension JSONCodable {
  public init(jsonData: Data) throws(JSONError) { throw JSONError() }
  public func jsonData() throws(JSONError) -> Data { Data() }
}
public enum JSONValue: Sendable, Hashable, JSONCodable {
  case null
  public func write(json: inout JSONWriter) {}
  public init(json: inout JSONReader) throws(JSONError) { self = .null }
}
public enum Nullable<T> { case null, value(T) }
extension Nullable: Sendable where T: Sendable {}
public enum DateFormat: Sendable, Hashable {
  case rfc3339, day, seconds, milliseconds
  case pattern(String)
}
extension String: JSONCodable { public func write(json: inout JSONWriter) {}; public init(json: inout JSONReader) throws(JSONError) { self = "" } }
extension Bool: JSONCodable { public func write(json: inout JSONWriter) {}; public init(json: inout JSONReader) throws(JSONError) { self = false }  }
extension Int: JSONCodable { public func write(json: inout JSONWriter) {}; public init(json: inout JSONReader) throws(JSONError) { self = 0 }  }
extension Array: JSONCodable where Element: JSONCodable { public func write(json: inout JSONWriter) {}; public init(json: inout JSONReader) throws(JSONError) { self = [] }  }
