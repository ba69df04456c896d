import Foundation

// Stand-ins for what the JSON and transport branches bring; this file goes when they are merged.
public struct JSONError: Error, Sendable, Hashable {}
public struct JSONReader { public init(_ data: Data) {} }
public struct JSONWriter {
  public init() {}
}
public protocol JSONEncodable { func write(json: inout JSONWriter) }
public protocol JSONDecodable { init(json: inout JSONReader) throws(JSONError) }
public enum JSONValue: Sendable, Hashable, JSONEncodable, JSONDecodable {
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
extension String: JSONEncodable { public func write(json: inout JSONWriter) {} }
extension Bool: JSONEncodable { public func write(json: inout JSONWriter) {} }
extension Array: JSONEncodable where Element: JSONEncodable { public func write(json: inout JSONWriter) {} }
extension JSONWriter { consuming func finish() -> Data { Data() } }
extension JSONError { var isEndOfInput: Bool { false } }
extension Int: JSONEncodable { public func write(json: inout JSONWriter) {} }
