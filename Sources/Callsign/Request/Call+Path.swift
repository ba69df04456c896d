import CallsignHTTP
import CallsignJSON
import Foundation

extension Call {
  /// Fills a placeholder of the path. Everything but letters, digits and `-._~` is percent-encoded, so a value can
  /// neither end its segment nor begin a query; an empty value, `.` and `..` are refused.
  public mutating func path<Value: ParameterValue>(_ name: StaticString, _ value: Value) {
    setPath(name, value.parameterText)
  }

  /// Fills a placeholder with a list.
  public mutating func path<Value: ParameterValue>(
    _ name: StaticString, _ values: [Value], list: ListStyle = .comma
  ) {
    setPath(name, values.map(\.parameterText).joined(separator: list == .space ? " " : ","))
  }

  /// Fills a placeholder with a date.
  public mutating func path(_ name: StaticString, _ value: Date, _ format: DateFormat = .rfc3339) {
    setPath(name, text(name, value, format))
  }

  private mutating func setPath(_ name: StaticString, _ text: String) {
    edit { storage in
      if text.isEmpty { return storage.fail(.emptyPathValue, parameter: name) }
      // A dot needs no encoding, and URL parsers undo an encoded one, so these two would climb the path.
      if text == "." || text == ".." { return storage.fail(.dotPathValue, parameter: name) }
      storage.sent.append(name)
      storage.pathValues.append((name, PercentEncoding.encode(text)))
    }
  }
}
