import CallsignHTTP
import CallsignJSON
import Foundation

extension Call {
  /// Sends a header field. `nil`: nothing is sent. A value with control characters makes the call fail.
  public mutating func header<Value: ParameterValue>(_ name: StaticString, _ value: Value?) {
    if let value { addHeader(name, value.parameterText) }
  }

  /// Sends a header field that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func header<Value: ParameterValue>(_ name: StaticString, _ value: Nullable<Value>?) {
    if let value { addHeader(name, value.text { $0.parameterText }) }
  }

  /// Sends a list in one field, or in one field for each element where the style repeats. `nil`: nothing is sent.
  public mutating func header<Value: ParameterValue>(
    _ name: StaticString, _ values: [Value]?, list: ListStyle = .comma
  ) {
    guard let values else { return }
    switch list {
    case .comma: addHeader(name, values.map(\.parameterText).joined(separator: ","))
    case .space: addHeader(name, values.map(\.parameterText).joined(separator: " "))
    case .repeat, .brackets: for value in values { addHeader(name, value.parameterText) }
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func header(_ name: StaticString, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addHeader(name, text(name, value, format)) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func header<Value: ParameterValue>(
    _ name: StaticString, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    switch values {
    case nil: break
    case .null?: addHeader(name, "")
    case .value(let values)?: header(name, values, list: list)
    }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func header(_ name: StaticString, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { addHeader(name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func header(
    _ name: StaticString, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { header(name, texts(name, values, format), list: list) }
  }

  private mutating func addHeader(_ name: StaticString, _ text: String) {
    edit { storage in
      storage.sent.append(name)
      storage.headers.append((name.description, text))
    }
  }
}
