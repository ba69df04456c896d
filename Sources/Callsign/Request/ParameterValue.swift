import CallsignJSON
import Foundation

/// A value that can be written as text: in a path, query, header, form, or text part of a multipart body.
public protocol ParameterValue {
  /// The value as the API reads it, not yet encoded for its place.
  var parameterText: String { get }
}

extension String: ParameterValue {
  /// The string itself.
  public var parameterText: String { self }
}

extension Substring: ParameterValue {
  /// The same characters.
  public var parameterText: String { String(self) }
}

extension Int: ParameterValue {
  /// Decimal digits.
  public var parameterText: String { String(self) }
}

extension Int64: ParameterValue {
  /// Decimal digits.
  public var parameterText: String { String(self) }
}

extension UInt64: ParameterValue {
  /// Decimal digits.
  public var parameterText: String { String(self) }
}

extension Double: ParameterValue {
  /// The shortest decimal text that reads back as the same number; a whole number has no fraction.
  public var parameterText: String {
    if let whole = Int(exactly: self), magnitude < 1e15 { return String(whole) }
    return description
  }
}

extension Bool: ParameterValue {
  /// `true` or `false`.
  public var parameterText: String { self ? "true" : "false" }
}

extension ParameterValue where Self: RawRepresentable, RawValue: ParameterValue {
  /// The raw value's text.
  public var parameterText: String { rawValue.parameterText }
}

extension ParameterValue where Self: OpenEnum {
  /// The text on the wire.
  public var parameterText: String { rawValue }
}
