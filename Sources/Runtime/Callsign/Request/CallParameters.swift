import CallsignHTTP
import CallsignJSON
import CallsignSupport

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

extension Int32: ParameterValue {
  /// Decimal digits.
  public var parameterText: String { String(self) }
}

extension Decimal: ParameterValue {
  /// Decimal digits, none of them rounded away.
  public var parameterText: String { description }
}

extension URL: ParameterValue {
  /// The URL's text.
  public var parameterText: String { absoluteString }
}

extension UUID: ParameterValue {
  /// Digits in small letters, with hyphens (RFC 9562 §4).
  public var parameterText: String { uuidString.lowercased() }
}

extension Duration: ParameterValue {
  /// ISO 8601, such as `PT1H30M`.
  public var parameterText: String { DurationFormat.iso8601.string(from: self) }
}

extension FormattedDuration: ParameterValue {
  /// The length of time in its format.
  public var parameterText: String { format.string(from: value) }
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

extension ParameterValue where Self: IntegerEnum {
  /// The number on the wire.
  public var parameterText: String { rawValue.parameterText }
}

extension Nullable: ParameterValue where Value: ParameterValue {
  /// The value's text; the empty text for null, for places that have no null.
  public var parameterText: String {
    switch self {
    case .null: ""
    case .value(let value): value.parameterText
    }
  }
}

extension JSONValue {
  /// The text as a parameter has it: a string's own, and the JSON of anything else. `nil` for null.
  public var parameterText: String? { isNull ? nil : string ?? description }
}

// Generated code adds parameters with these functions. `nil` sends nothing; `.null` clears, by an empty value.

extension Call {
  /// A part of a request that carries parameters as text.
  public enum Place: Sendable, Hashable {
    /// The URL's query.
    case query
    /// A form body (`application/x-www-form-urlencoded`).
    case form
    /// A header field. A value with control characters makes the call fail.
    case header
    /// A cookie, next to those of credentials and of the client's own header fields. Characters that a cookie cannot have
    /// (RFC 6265 §4.1.1) are percent-encoded.
    case cookie
    /// A part of a multipart body (RFC 7578).
    case part
  }

  /// Sends a value. `nil`: nothing is sent; `.null`: an empty value, such as `name=`.
  public mutating func add<Value: ParameterValue>(_ name: String, _ value: Value?, in place: Place) {
    if let value { add(name, text: value.parameterText, in: place) }
  }

  /// Sends a list. `nil`: nothing is sent. An empty list is sent as an empty value, or not at all in the styles that repeat
  /// the name.
  public mutating func add<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma, in place: Place
  ) {
    if let values { add(name, texts: values.map(\.parameterText), list, in: place) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func add<Value: ParameterValue>(
    _ name: String, _ values: Nullable<[Value]>?, list: ListStyle = .comma, in place: Place
  ) {
    switch values {
    case nil: break
    case .null?: add(name, text: "", in: place)
    case .value(let values)?: add(name, values, list: list, in: place)
    }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func add(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339, in place: Place) {
    if let value { add(name, text: text(name, value, format), in: place) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func add(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339, in place: Place) {
    switch value {
    case nil: break
    case .null?: add(name, text: "", in: place)
    case .value(let value)?: add(name, value, format, in: place)
    }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func add(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma, in place: Place
  ) {
    if let values { add(name, texts: texts(name, values, format), list, in: place) }
  }

  /// Sends a list of dates that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func add(
    _ name: String, _ values: Nullable<[Date]>?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma,
    in place: Place
  ) {
    switch values {
    case nil: break
    case .null?: add(name, text: "", in: place)
    case .value(let values)?: add(name, values, format, list: list, in: place)
    }
  }

  private mutating func add(_ name: String, text: String, in place: Place) {
    edit { storage in
      storage.sent.append(name)
      storage.add(name, text, in: place)
    }
  }

  mutating func add(_ name: String, texts: [String], _ list: ListStyle, in place: Place) {
    edit { storage in
      storage.sent.append(name)
      // All of a list's elements go in one cookie.
      switch place == .cookie ? list.inOneText : list {
      case .comma, .space, .pipe, .dot: storage.add(name, elements: texts, list, in: place)
      case .repeat: for text in texts { storage.add(name, text, in: place) }
      case .brackets, .indexed:
        for (index, text) in texts.enumerated() {
          storage.add(name, text, suffix: place == .header ? "" : list.suffix(at: index), in: place)
        }
      }
    }
  }

  /// A date as text. A date that the format cannot express makes the call fail.
  private mutating func text(_ name: String, _ date: Date, _ format: DateFormat) -> String {
    if let text = format.string(from: date) { return text }
    edit { $0.fail(.value("the date cannot be written in the format that the API reads"), parameter: name) }
    return ""
  }

  private mutating func texts(_ name: String, _ dates: [Date], _ format: DateFormat) -> [String] {
    var texts: [String] = []
    for date in dates { texts.append(text(name, date, format)) }
    return texts
  }
}

extension Call.Storage {
  func add(_ name: String, _ text: String, suffix: String = "", in place: Call.Place) {
    switch place {
    case .query: PercentEncoding.appendPair(name, text, suffix: suffix, to: &query)
    case .form: PercentEncoding.appendPair(name, text, suffix: suffix, to: &form)
    case .header: headers.append((name, text))
    case .cookie: cookies.append("\(name)=\(CookieText.encoded(text))")
    case .part: parts.append(.text(name: name + suffix, value: text))
    }
  }

  /// Adds a list, or the names and values of an object, as one value.
  fileprivate func add(_ name: String, elements: [String], _ list: ListStyle, in place: Call.Place) {
    switch place {
    case .query:
      PercentEncoding.appendPair(name, elements: elements, delimiter: list.delimiter(isEncoded: true), to: &query)
    case .form:
      PercentEncoding.appendPair(name, elements: elements, delimiter: list.delimiter(isEncoded: true), to: &form)
    case .cookie:
      // A cookie has no spaces (RFC 6265 §4.1.1), but may have pipes.
      let delimiter = list == .space ? "%20" : list.delimiter()
      cookies.append("\(name)=\(elements.map(CookieText.encoded).joined(separator: delimiter))")
    case .header, .part: add(name, elements.joined(separator: list.delimiter()), in: place)
    }
  }
}

extension Call {
  /// Sends query parameters whose values keep the reserved characters of RFC 3986 §2.2 as they are: `a/b`, not `a%2Fb`.
  /// `&`, `#` and `+` stay encoded, because they would end the value or mean a space.
  ///
  /// - Parameters:
  ///   - list: How a list is written as one text; the comma of ``ListStyle/comma`` stays encoded within an element.
  ///   - add: Adds the parameters.
  public mutating func withReserved(list: ListStyle? = nil, _ add: (inout Call) -> Void) {
    let start = arguments.query.count
    add(&self)
    edit { storage in
      let characters = ":/?[]@!$'()*;=" + (list == .comma ? "" : ",")
      let pairs = storage.query[start...].split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
      let replaced = pairs.map { pair -> [UInt8] in
        let name = pair.prefix { $0 != UInt8(ascii: "=") }
        return name + PercentEncoding.decode(characters, ofEncoded: pair.dropFirst(name.count))
      }
      storage.query.replaceSubrange(start..., with: Array(replaced.joined(separator: [UInt8(ascii: "&")])))
    }
  }
}

extension Call {
  /// Fills a placeholder of the path. Everything but letters, digits and `-._~` is percent-encoded, so a value can
  /// neither end its segment nor begin a query; an empty value, `.` and `..` are refused.
  public mutating func path<Value: ParameterValue>(_ name: String, _ value: Value) {
    setPath(name, value.parameterText)
  }

  /// Fills a placeholder with a list. Each element is encoded by itself, so that none can be taken for two.
  public mutating func path<Value: ParameterValue>(
    _ name: String, _ values: [Value], list: ListStyle = .comma
  ) {
    setPath(name, elements: values.map(\.parameterText), list)
  }

  /// Fills a placeholder with a date.
  public mutating func path(_ name: String, _ value: Date, _ format: DateFormat = .rfc3339) {
    setPath(name, text(name, value, format))
  }

  /// Fills a placeholder with a list of dates.
  public mutating func path(
    _ name: String, _ values: [Date], _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    setPath(name, elements: texts(name, values, format), list)
  }

  private mutating func setPath(_ name: String, elements: [String], _ list: ListStyle) {
    setPath(name, encodedElements: elements.map(PercentEncoding.encode), list)
  }

  /// - Parameter elements: Texts whose delimiters, if any, are written as the path has them.
  mutating func setPath(_ name: String, encodedElements elements: [String], _ list: ListStyle) {
    guard list == .repeat else {
      return setPath(name, encoded: elements.joined(separator: list.delimiter(isEncoded: true)))
    }
    setPath(name, encoded: elements.joined(separator: "\(TransportRequest.repetition)"), isRepeated: elements.count > 1)
  }

  private mutating func setPath(_ name: String, _ text: String) {
    setPath(name, encoded: PercentEncoding.encode(text))
  }

  private mutating func setPath(_ name: String, encoded text: String, isRepeated: Bool = false) {
    edit { storage in
      if text.isEmpty { return storage.fail(.emptyPathValue, parameter: name) }
      // A dot needs no encoding, and URL parsers undo an encoded one, so these two would climb the path.
      if text == "." || text == ".." { return storage.fail(.dotPathValue, parameter: name) }
      storage.sent.append(name)
      storage.pathValues.append((name, text, isRepeated))
    }
  }

  /// The text that was set for a query parameter; `nil` if there is none.
  package func queryValue(_ name: String) -> String? {
    var encoded: [UInt8] = []
    PercentEncoding.append(name, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    let pair = arguments.query.split(separator: UInt8(ascii: "&")).last { $0.starts(with: encoded) }
    return pair.flatMap { PercentEncoding.decode($0.dropFirst(encoded.count)) }
  }

  /// Sends a query parameter instead of an earlier value.
  package mutating func replaceQuery(_ name: String, _ text: String) {
    var encoded: [UInt8] = []
    PercentEncoding.append(name, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    edit { storage in
      let others = storage.query.split(separator: UInt8(ascii: "&")).filter { !$0.starts(with: encoded) }
      storage.query = Array(others.joined(separator: [UInt8(ascii: "&")]))
      if !storage.sent.contains(name) { storage.sent.append(name) }
      PercentEncoding.appendPair(name, text, to: &storage.query)
    }
  }
}

extension ListStyle {
  /// The style itself if it has a separator between two elements, else ``comma``.
  var inOneText: ListStyle {
    switch self {
    case .comma, .space, .pipe, .dot: self
    case .repeat, .brackets, .indexed: .comma
    }
  }

  /// The text after the name of a list for its element at a position, if the name has one.
  func suffix(at index: Int) -> String {
    switch self {
    case .brackets: "[]"
    case .indexed: "[\(index)]"
    case .comma, .space, .pipe, .dot, .repeat: ""
    }
  }

  /// The text between two elements; a comma for the styles that have none.
  ///
  /// - Parameter isEncoded: Whether it is written as a URL or a form has it.
  func delimiter(isEncoded: Bool = false) -> String {
    switch self {
    case .space: isEncoded ? "%20" : " "
    case .pipe: isEncoded ? "%7C" : "|"
    case .dot: "."
    case .comma, .repeat, .brackets, .indexed: ","
    }
  }
}
