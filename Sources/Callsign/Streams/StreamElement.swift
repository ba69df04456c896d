import CallsignJSON
import Foundation

/// One record of a stream.
public enum StreamElement<Value> {
  /// The record, decoded.
  case value(Value)
  /// A record that is not what the catalogue says; the stream goes on.
  case undecodable(UndecodableRecord)

  /// The record, where it could be decoded.
  public var value: Value? {
    guard case .value(let value) = self else { return nil }
    return value
  }
}

extension StreamElement: Sendable where Value: Sendable {}
extension StreamElement: Equatable where Value: Equatable {}
extension StreamElement: Hashable where Value: Hashable {}

/// A record that could not be decoded, as it came.
public struct UndecodableRecord: Sendable, Hashable {
  /// The record's bytes, without the framing.
  public let bytes: Data
  /// What is wrong, with the field's path.
  public let error: JSONError

  /// What the API says instead of the record, where it does: that it is about to disconnect, for example.
  public var problems: [Problem] { Problem.beside(data: bytes) }

  /// Keeps a record and the reason.
  public init(bytes: Data, error: JSONError) {
    self.bytes = bytes
    self.error = error
  }
}
