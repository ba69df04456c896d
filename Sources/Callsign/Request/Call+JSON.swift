import Foundation

extension Call {
  /// Sends a member of the JSON body. `nil`: nothing is sent.
  public mutating func json<Value: JSONEncodable>(_ name: StaticString, _ value: Value?) {
    if let value { addMember(name, value) }
  }

  /// Sends a member that can be cleared. `nil`: nothing is sent; `.null`: JSON's `null`.
  public mutating func json<Value: JSONEncodable>(_ name: StaticString, _ value: Nullable<Value>?) {
    switch value {
    case nil: break
    case .null?: addMember(name, JSONValue.null)
    case .value(let value)?: addMember(name, value)
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func json(_ name: StaticString, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addMember(name, FormattedDate(value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: JSON's `null`.
  public mutating func json(_ name: StaticString, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    switch value {
    case nil: break
    case .null?: addMember(name, JSONValue.null)
    case .value(let value)?: addMember(name, FormattedDate(value, format))
    }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func json(_ name: StaticString, _ values: [Date]?, _ format: DateFormat = .rfc3339) {
    if let values { addMember(name, values.map { FormattedDate($0, format) }) }
  }

  /// Sends a value as the whole body, as JSON. `nil`: no body is sent.
  public mutating func body<Value: JSONEncodable>(_ value: Value?) {
    guard let value else { return }
    var writer = JSONWriter()
    value.write(json: &writer)
    let data = writer.finish()
    edit { $0.wholeBody = .json(data) }
  }

  /// Sends bytes as the whole body. `nil`: no body is sent.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - contentType: Its media type, unless ``CallOptions/headers`` has a `Content-Type`.
  public mutating func body(_ bytes: Data?, contentType: StaticString = "application/octet-stream") {
    guard let bytes else { return }
    edit { $0.wholeBody = .raw(.data(bytes), contentType: contentType.description) }
  }

  private mutating func addMember(_ name: StaticString, _ value: some JSONEncodable) {
    edit { storage in
      storage.sent.append(name)
      storage.members.add(name, value)
    }
  }
}

/// The members of a JSON body, written as they come.
struct JSONMembers {
  private var writer: JSONWriter?

  mutating func add(_ name: StaticString, _ value: some JSONEncodable) {}

  /// The object, `{}` when nothing was added.
  func object() -> Data { Data("{}".utf8) }
}

/// A date in the format that its parameter has on the wire.
struct FormattedDate: JSONEncodable {
  let date: Date
  let format: DateFormat

  init(_ date: Date, _ format: DateFormat) {
    self.date = date
    self.format = format
  }

  func write(json: inout JSONWriter) {}
}
