import CallsignHTTP
import CallsignJSON
import CallsignSupport

/// How to write an object in a place that has no objects: anywhere except in JSON.
public enum ObjectStyle: UInt8, Sendable, Hashable {
  /// `a[b][c]=1`
  case brackets
  /// `a.b.c=1`
  case dots
  /// `b[c]=1`: each member as if it were a separate parameter
  case members
  /// One parameter or part whose value is JSON, or with ``ListStyle/repeat`` one for each element of a list. A part has
  /// JSON as its media type.
  case json
  /// `a=b,1,c,2`: alternating names and values of its members. Without `a=` in a path, a header field or a cookie.
  case flat
  /// `b=1,c=2`, in a path or a header field
  case pairs
}

extension Call {
  /// Fills a placeholder with an object whose members are texts, numbers or flags.
  ///
  /// - Parameters:
  ///   - name: The placeholder's name.
  ///   - value: The value to send. Members that are omitted or null are not sent. If there are none, the call fails,
  ///     because the path cannot have an empty segment.
  ///   - style: ``ObjectStyle/flat`` or ``ObjectStyle/pairs``.
  ///   - list: The separator between the members. With ``ListStyle/repeat`` it is the text before the value, from its
  ///     `;` on.
  public mutating func path<Value: JSONEncodable>(
    _ name: String, object value: Value, _ style: ObjectStyle, list: ListStyle = .comma
  ) {
    guard let members = members(name, value) else { return }
    let encoded = members.map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.text)) }
    setPath(name, encodedElements: Self.elements(encoded, style), list)
  }

  /// The members of a flat object that are not null, in writing order. Any other value makes the call fail.
  private mutating func members<Value: JSONEncodable>(_ name: String, _ value: Value) -> [(name: String, text: String)]?
  {
    guard let json = encoded(name, value) else { return nil }
    var members: [(name: String, text: String)] = []
    do throws(JSONError) {
      try JSONReader.read(json) { (reader) throws(JSONError) in
        try reader.beginDocument()
        try reader.object { (member, reader) throws(JSONError) in
          switch try reader.kind() {
          case .null: try reader.skip()
          case .string: members.append((member, try reader.string()))
          case .number, .bool: members.append((member, try reader.value(JSONValue.self).description))
          case .object, .array:
            throw JSONError(.invalid(expected: "a text, number or flag, as all must be here"), path: member, offset: 0)
          }
        }
      }
    } catch {
      edit { $0.fail(.value("\(error)"), parameter: name) }
      return nil
    }
    return members
  }

  /// The names and values of a flat object, as the elements of a list; `nil` if there is nothing to send.
  private mutating func elements<Value: JSONEncodable>(
    _ name: String, _ value: Value, _ style: ObjectStyle
  ) -> [String]? {
    guard let members = members(name, value), !members.isEmpty else { return nil }
    return Self.elements(members, style)
  }

  private static func elements(_ members: [(name: String, text: String)], _ style: ObjectStyle) -> [String] {
    style == .pairs ? members.map { "\($0.name)=\($0.text)" } : members.flatMap { [$0.name, $0.text] }
  }

  /// Sends an object, or a list of objects. `nil`: nothing is sent.
  ///
  /// - Parameters:
  ///   - name: The parameter's name.
  ///   - value: The value to send: anything that has a JSON form. An omitted member is not sent; null is sent as an
  ///     empty text. In a header field and a cookie, its members are texts, numbers or flags.
  ///   - style: How the names of members are joined. In a header field and a cookie ``ObjectStyle/flat`` or
  ///     ``ObjectStyle/pairs``. In a multipart body, ``ObjectStyle/json`` is a part of that media type.
  ///   - list: How lists are written at every depth: `a[]=` (``ListStyle/brackets``), `a[0]=` (``ListStyle/indexed``),
  ///     or a repeated `a=` (``ListStyle/repeat``). With ``ObjectStyle/flat`` and ``ObjectStyle/pairs``, it is the
  ///     separator between the members.
  ///   - place: The part of the request.
  public mutating func add<Value: JSONEncodable>(
    _ name: String, object value: Value?, _ style: ObjectStyle, list: ListStyle = .brackets, in place: Place
  ) {
    guard let value else { return }
    guard [.query, .form, .part].contains(place), style != .flat, style != .pairs else {
      // Only header fields may occur several times.
      let list = place == .header && list != .brackets ? list : list.inOneText
      if let elements = elements(name, value, style) { add(name, texts: elements, list, in: place) }
      return
    }
    guard let json = encoded(name, value) else { return }
    edit { storage in
      storage.sent.append(name)
      func addJSON(_ text: String) {
        if place == .part {
          storage.parts.append(.value(name: name, Data(text.utf8), mediaType: "application/json"))
        } else {
          storage.add(name, text, in: place)
        }
      }
      guard style != .json || list == .repeat else { return addJSON(String(decoding: json, as: UTF8.self)) }
      do throws(JSONError) {
        try JSONReader.read(json) { (reader) throws(JSONError) in
          try reader.beginDocument()
          if style == .json {
            return try Self.elements(&reader, addJSON)
          }
          try Self.flatten(&reader, name, style, list) { storage.add($0, $1, in: place) }
        }
      } catch {
        storage.fail(.value("\(error)"), parameter: name)
      }
    }
  }

  /// The value's JSON. One that has none makes the call fail.
  private mutating func encoded<Value: JSONEncodable>(_ name: String, _ value: Value) -> [UInt8]? {
    var writer = JSONWriter()
    value.write(json: &writer)
    do throws(JSONError) { return try writer.finish() } catch {
      edit { $0.fail(.value("\(error)"), parameter: name) }
      return nil
    }
  }

  /// Reports the JSON of each element of a list, or of a value that is not a list.
  private static func elements(_ reader: inout JSONReader, _ add: (String) -> Void) throws(JSONError) {
    guard try reader.kind() == .array else { return add(try reader.value(JSONValue.self).jsonString()) }
    try reader.array { (_, reader) throws(JSONError) in add(try reader.value(JSONValue.self).jsonString()) }
  }

  /// Reports each text within the value, with its path, in writing order.
  private static func flatten(
    _ reader: inout JSONReader, _ path: String, _ style: ObjectStyle, _ list: ListStyle,
    _ add: (_ name: String, _ text: String) -> Void
  ) throws(JSONError) {
    switch try reader.kind() {
    case .object:
      try reader.object { (member, reader) throws(JSONError) in
        switch style {
        case .dots: try flatten(&reader, "\(path).\(member)", style, list, add)
        case .members: try flatten(&reader, member, .brackets, list, add)
        case .brackets, .json, .flat, .pairs: try flatten(&reader, "\(path)[\(member)]", style, list, add)
        }
      }
    case .array:
      try reader.array { (index, reader) throws(JSONError) in
        let element: String
        switch (list, style) {
        case (.indexed, .dots): element = "\(path).\(index)"
        case (.indexed, _): element = "\(path)[\(index)]"
        case (.brackets, _): element = "\(path)[]"
        case (.repeat, _), (.comma, _), (.space, _), (.pipe, _), (.dot, _): element = path
        }
        try flatten(&reader, element, style, list, add)
      }
    case .string: add(path, try reader.string())
    case .null:
      try reader.skip()
      add(path, "")
    case .number, .bool: add(path, try reader.value(JSONValue.self).description)
    }
  }
}

// Additions to a body from ``CallOptions/body``.
extension Call.Storage {
  /// A JSON object with further members, which replace its own of the same names.
  static func json(
    _ data: Data, adding members: [String: JSONValue], endpoint: String
  ) throws(InvalidCall) -> Data {
    guard var object = (try? JSONValue(jsonData: data))?.object else {
      throw InvalidCall(
        endpoint: endpoint, reason: .body("CallOptions.body adds members to an object, and the body is not one"))
    }
    object.merge(members) { $1 }
    do throws(JSONError) { return try JSONValue.object(object).jsonData() } catch {
      throw InvalidCall(endpoint: endpoint, reason: .body("\(error)"))
    }
  }

  /// The form's fields with further ones.
  func form(adding fields: [String: JSONValue]) -> [UInt8] {
    guard !fields.isEmpty else { return form }
    var url = AbsoluteURL("https://form.invalid")
    url?.query = String(decoding: form, as: UTF8.self)
    for name in fields.sortedNames {
      guard let value = fields[name] else { continue }
      url?.removeQueryParameter(name)
      url?.addQueryParameter(name, value.string ?? value.description)
    }
    return Array((url?.query ?? "").utf8)
  }

  /// The parts with further ones.
  func parts(adding fields: [String: JSONValue]) -> [MultipartBody.Part] {
    guard !fields.isEmpty else { return parts }
    return parts.filter { fields[$0.name] == nil }
      + fields.sortedNames.map { name in
        let value = fields[name] ?? .null
        if let text = value.string { return .text(name: name, value: text) }
        return .value(name: name, Data(value.description.utf8), mediaType: "application/json")
      }
  }
}
