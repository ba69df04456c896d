import CallsignHTTP
import CallsignJSON
import Foundation

extension Call {
  /// Sends a text part of a multipart body. `nil`: nothing is sent.
  public mutating func part<Value: ParameterValue>(_ name: StaticString, _ value: Value?) {
    if let value { addPart(name, value.parameterText) }
  }

  /// Sends a text part that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part<Value: ParameterValue>(_ name: StaticString, _ value: Nullable<Value>?) {
    if let value { addPart(name, value.text { $0.parameterText }) }
  }

  /// Sends a list, in one part or in one part for each element, as the style has it. `nil`: nothing is sent.
  public mutating func part<Value: ParameterValue>(
    _ name: StaticString, _ values: [Value]?, list: ListStyle = .comma
  ) {
    guard let values else { return }
    switch list {
    case .comma: addPart(name, values.map(\.parameterText).joined(separator: ","))
    case .space: addPart(name, values.map(\.parameterText).joined(separator: " "))
    case .repeat: for value in values { addPart(name, value.parameterText) }
    case .brackets: for value in values { addPart(name, value.parameterText, suffix: "[]") }
    }
  }

  /// Sends a date as a text part. `nil`: nothing is sent.
  public mutating func part(_ name: StaticString, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addPart(name, text(name, value, format)) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part<Value: ParameterValue>(
    _ name: StaticString, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    switch values {
    case nil: break
    case .null?: addPart(name, "")
    case .value(let values)?: part(name, values, list: list)
    }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part(_ name: StaticString, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { addPart(name, text(name, value, format)) }
  }

  /// Sends a list of dates as text parts. `nil`: nothing is sent.
  public mutating func part(
    _ name: StaticString, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { part(name, texts(name, values, format), list: list) }
  }

  /// Sends a file as a part of a multipart body. `nil`: nothing is sent.
  public mutating func part(_ name: StaticString, _ file: FilePart?) {
    guard let file else { return }
    edit { storage in
      storage.sent.append(name)
      storage.parts.append(.file(name: name.description, file))
    }
  }

  /// Sends several files, a part for each under the same name. `nil`: nothing is sent.
  public mutating func part(_ name: StaticString, _ files: [FilePart]?) {
    guard let files else { return }
    edit { storage in
      storage.sent.append(name)
      for file in files { storage.parts.append(.file(name: name.description, file)) }
    }
  }

  private mutating func addPart(_ name: StaticString, _ text: String, suffix: String = "") {
    edit { storage in
      storage.sent.append(name)
      storage.parts.append(.text(name: name.description + suffix, value: text))
    }
  }
}
