import HTTPTypes

extension HTTPFields {
  /// Sets a field after checking name and value, which `HTTPField` would change without a word: a line break in them
  /// would begin a field, or a request, of somebody else's making.
  mutating func set(_ name: String, _ value: String, endpoint: String) throws(InvalidCall) {
    guard let fieldName = HTTPField.Name(name) else {
      throw InvalidCall(endpoint: endpoint, parameter: name.printable, reason: .headerField)
    }
    guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == UInt8(ascii: "\t") }) else {
      throw InvalidCall(endpoint: endpoint, parameter: name, reason: .headerField)
    }
    switch fieldName.canonicalName {
    case "host", "content-length", "transfer-encoding", "connection":
      throw InvalidCall(endpoint: endpoint, parameter: name, reason: .reservedHeaderField)
    default: break
    }
    self[fieldName] = value
  }

  /// Adds a field beside those of the same name.
  mutating func add(_ name: String, _ value: String, endpoint: String) throws(InvalidCall) {
    var checked = HTTPFields()
    try checked.set(name, value, endpoint: endpoint)
    append(contentsOf: checked)
  }
}
