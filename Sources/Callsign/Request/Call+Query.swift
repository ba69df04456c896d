import CallsignHTTP
import CallsignJSON
import Foundation

extension Call {
  /// Sends a query parameter. `nil`: nothing is sent.
  public mutating func query<Value: ParameterValue>(_ name: StaticString, _ value: Value?) {
    if let value { addQuery(name, value.parameterText) }
  }

  /// Sends a query parameter that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query<Value: ParameterValue>(_ name: StaticString, _ value: Nullable<Value>?) {
    if let value { addQuery(name, value.text { $0.parameterText }) }
  }

  /// Sends a list. `nil`: nothing is sent. An empty list is sent as `name=`, or not at all in the styles that repeat
  /// the name.
  public mutating func query<Value: ParameterValue>(
    _ name: StaticString, _ values: [Value]?, list: ListStyle = .comma
  ) {
    if let values { addQuery(name, values.map(\.parameterText), list) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query<Value: ParameterValue>(
    _ name: StaticString, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    switch values {
    case nil: break
    case .null?: addQuery(name, "")
    case .value(let values)?: addQuery(name, values.map(\.parameterText), list)
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func query(_ name: StaticString, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addQuery(name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query(_ name: StaticString, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { addQuery(name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func query(
    _ name: StaticString, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { addQuery(name, texts(name, values, format), list) }
  }

  /// Sends a query parameter in place of what was given for it before.
  mutating func replaceQuery(_ name: StaticString, _ text: String) {
    var encoded: [UInt8] = []
    PercentEncoding.append(name.description, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    edit { storage in
      let others = storage.query.split(separator: UInt8(ascii: "&")).filter { !$0.starts(with: encoded) }
      storage.query = Array(others.joined(separator: [UInt8(ascii: "&")]))
      if !storage.sent.contains(where: { $0.description == name.description }) { storage.sent.append(name) }
      PercentEncoding.appendPair(name, text, to: &storage.query)
    }
  }

  private mutating func addQuery(_ name: StaticString, _ text: String) {
    edit { storage in
      storage.sent.append(name)
      PercentEncoding.appendPair(name, text, to: &storage.query)
    }
  }

  private mutating func addQuery(_ name: StaticString, _ texts: [String], _ list: ListStyle) {
    edit { storage in
      storage.sent.append(name)
      PercentEncoding.appendList(name, texts, list, to: &storage.query)
    }
  }
}
