import CallsignHTTP
import CallsignJSON
import Foundation

extension Call {
  /// Sends a field of a form body. `nil`: nothing is sent.
  public mutating func form<Value: ParameterValue>(_ name: StaticString, _ value: Value?) {
    if let value { addForm(name, value.parameterText) }
  }

  /// Sends a field that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form<Value: ParameterValue>(_ name: StaticString, _ value: Nullable<Value>?) {
    if let value { addForm(name, value.text { $0.parameterText }) }
  }

  /// Sends a list. `nil`: nothing is sent. An empty list is sent as `name=`, or not at all in the styles that repeat
  /// the name.
  public mutating func form<Value: ParameterValue>(
    _ name: StaticString, _ values: [Value]?, list: ListStyle = .comma
  ) {
    if let values { addForm(name, values.map(\.parameterText), list) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form<Value: ParameterValue>(
    _ name: StaticString, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    switch values {
    case nil: break
    case .null?: addForm(name, "")
    case .value(let values)?: addForm(name, values.map(\.parameterText), list)
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func form(_ name: StaticString, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addForm(name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form(_ name: StaticString, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { addForm(name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func form(
    _ name: StaticString, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { addForm(name, texts(name, values, format), list) }
  }

  private mutating func addForm(_ name: StaticString, _ text: String) {
    edit { storage in
      storage.sent.append(name)
      PercentEncoding.appendPair(name, text, to: &storage.form)
    }
  }

  private mutating func addForm(_ name: StaticString, _ texts: [String], _ list: ListStyle) {
    edit { storage in
      storage.sent.append(name)
      PercentEncoding.appendList(name, texts, list, to: &storage.form)
    }
  }
}
