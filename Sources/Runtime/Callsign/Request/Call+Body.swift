import CallsignHTTP
import CallsignJSON
import CallsignSupport

extension Call {
  /// Sends a member of the JSON body. `nil`: nothing is sent.
  public mutating func json<Value: JSONEncodable>(_ name: String, _ value: Value?) {
    if let value { addMember(name) { value.write(json: &$0) } }
  }

  /// Sends a member that can be cleared. `nil`: nothing is sent; `.null`: JSON's `null`.
  public mutating func json<Value: JSONEncodable>(_ name: String, _ value: Nullable<Value>?) {
    switch value {
    case nil: break
    case .null?: addMember(name) { $0.null() }
    case .value(let value)?: addMember(name) { value.write(json: &$0) }
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func json(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { addMember(name) { $0.date(value, format) } }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: JSON's `null`.
  public mutating func json(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    switch value {
    case nil: break
    case .null?: addMember(name) { $0.null() }
    case .value(let value)?: addMember(name) { $0.date(value, format) }
    }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func json(_ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339) {
    guard let values else { return }
    addMember(name) { writer in writer.array { writer in for value in values { writer.date(value, format) } } }
  }

  /// Sends a list of dates that can be cleared. `nil`: nothing is sent; `.null`: JSON's `null`.
  public mutating func json(_ name: String, _ values: Nullable<[Date]>?, _ format: DateFormat = .rfc3339) {
    switch values {
    case nil: break
    case .null?: addMember(name) { $0.null() }
    case .value(let values)?: json(name, values, format)
    }
  }

  /// Sends a value as the whole body, as JSON. `nil`: no body is sent.
  public mutating func body<Value: JSONEncodable>(_ value: Value?) {
    guard let value else { return }
    edit { storage in
      do throws(JSONError) { storage.wholeBody = (.data(try value.jsonData()), "application/json") } catch {
        storage.fail(.body("\(error)"))
      }
    }
  }

  /// Sends text as the whole body, in UTF-8 and not as JSON. `nil`: no body is sent.
  ///
  /// - Parameter text: The body. Its media type is the endpoint's, or `text/plain; charset=utf-8`.
  public mutating func body(text: String?) {
    guard let text else { return }
    edit { $0.wholeBody = (.data(Data(text.utf8)), "text/plain; charset=utf-8") }
  }

  /// Sends bytes as the whole body. `nil`: no body is sent.
  ///
  /// - Parameters:
  ///   - bytes: The body.
  ///   - contentType: Its media type, unless ``CallOptions/headers`` has a `Content-Type`.
  public mutating func body(_ bytes: Data?, contentType: StaticString = "application/octet-stream") {
    guard let bytes else { return }
    edit { $0.wholeBody = (.data(bytes), contentType.description) }
  }

  /// Sends a file as a part of a multipart body. `nil`: nothing is sent.
  public mutating func part(_ name: String, _ file: FilePart?) {
    if let file { part(name, [file]) }
  }

  /// Sends several files, a part for each, under the same name or as the style has it: `name[]`, `name[0]`. `nil`: nothing is
  /// sent.
  public mutating func part(_ name: String, _ files: [FilePart]?, list: ListStyle = .repeat) {
    guard let files else { return }
    edit { storage in
      storage.sent.append(name)
      for (index, file) in files.enumerated() {
        storage.parts.append(.file(name: name + list.suffix(at: index), file))
      }
    }
  }

  private mutating func addMember(_ name: String, _ write: (inout JSONWriter) -> Void) {
    edit { storage in
      storage.sent.append(name)
      if storage.members.bytes.isEmpty { storage.members.begin(UInt8(ascii: "{")) }
      storage.members.name(name)
      write(&storage.members)
    }
  }
}
