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
  /// The value's text; the empty text for null, for places that have no null of their own.
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

// The functions by which generated code hands parameters over: one family for each place that takes text. `nil` sends
// nothing; `.null` clears, by an empty value.

extension Call {
  /// Sends a query parameter. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query<Value: ParameterValue>(_ name: String, _ value: Value?) {
    if let value { add(.query, name, value.parameterText) }
  }

  /// Sends a list. `nil`: nothing is sent. An empty list is sent as `name=`, or not at all in the styles that repeat
  /// the name.
  public mutating func query<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma
  ) {
    guard let values else { return }
    guard list == .comma else { return add(.query, name, values.map(\.parameterText), list) }
    // The most frequent list by far: each value is written where it goes. Not by an iterator: of a type that is known at run
    // time alone, its types would be looked up for each element.
    queryList(name, count: values.count) { values[$0].parameterText }
  }

  private mutating func queryList(_ name: String, count: Int, _ text: (Int) -> String) {
    edit { storage in
      storage.willSend(name)
      storage.add(.query, name, "")
      // Taken out meanwhile, so that no access is checked for overlap.
      var query: [UInt8] = []
      swap(&query, &storage.query)
      for index in 0..<count {
        if index > 0 { query.append(UInt8(ascii: ",")) }
        PercentEncoding.append(text(index), to: &query)
      }
      storage.query = query
    }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query<Value: ParameterValue>(
    _ name: String, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    if let values { add(.query, name, values, list) }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func query(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { add(.query, name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { add(.query, name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func query(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.query, name, texts(name, values, format), list) }
  }

  /// Sends a list of dates that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func query(
    _ name: String, _ values: Nullable<[Date]>?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.query, name, values, format, list) }
  }
}

extension Call {
  /// Sends query parameters in whose values the reserved characters of RFC 3986 §2.2 stand as they are: `a/b`, not `a%2Fb`.
  /// `&`, `#` and `+` stay encoded, as they would end the value or be a space.
  ///
  /// - Parameters:
  ///   - list: How a list is written that is one text; the comma of ``ListStyle/comma`` stays encoded within an element.
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
  /// Sends a field of a form body. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form<Value: ParameterValue>(_ name: String, _ value: Value?) {
    if let value { add(.form, name, value.parameterText) }
  }

  /// Sends a list. `nil`: nothing is sent. An empty list is sent as `name=`, or not at all in the styles that repeat
  /// the name.
  public mutating func form<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma
  ) {
    if let values { add(.form, name, values.map(\.parameterText), list) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form<Value: ParameterValue>(
    _ name: String, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    if let values { add(.form, name, values, list) }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func form(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { add(.form, name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { add(.form, name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func form(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.form, name, texts(name, values, format), list) }
  }

  /// Sends a list of dates that can be cleared. `nil`: nothing is sent; `.null`: `name=`.
  public mutating func form(
    _ name: String, _ values: Nullable<[Date]>?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.form, name, values, format, list) }
  }
}

extension Call {
  /// Sends a header field. `nil`: nothing is sent; `.null`: an empty value. A value with control characters makes the
  /// call fail.
  public mutating func header<Value: ParameterValue>(_ name: String, _ value: Value?) {
    if let value { add(.header, name, value.parameterText) }
  }

  /// Sends a list. `nil`: nothing is sent. It goes in one field, or in one field for each element where the style repeats.
  public mutating func header<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma
  ) {
    if let values { add(.header, name, values.map(\.parameterText), list) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func header<Value: ParameterValue>(
    _ name: String, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    if let values { add(.header, name, values, list) }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func header(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { add(.header, name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: an empty value.
  public mutating func header(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { add(.header, name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func header(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.header, name, texts(name, values, format), list) }
  }
}

extension Call {
  /// Sends a text part of a multipart body. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part<Value: ParameterValue>(_ name: String, _ value: Value?) {
    if let value { add(.part, name, value.parameterText) }
  }

  /// Sends a list. `nil`: nothing is sent. It goes in one part, or in one part for each element where the style repeats.
  public mutating func part<Value: ParameterValue>(
    _ name: String, _ values: [Value]?, list: ListStyle = .comma
  ) {
    if let values { add(.part, name, values.map(\.parameterText), list) }
  }

  /// Sends a list that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part<Value: ParameterValue>(
    _ name: String, _ values: Nullable<[Value]>?, list: ListStyle = .comma
  ) {
    if let values { add(.part, name, values, list) }
  }

  /// Sends a date. `nil`: nothing is sent.
  public mutating func part(_ name: String, _ value: Date?, _ format: DateFormat = .rfc3339) {
    if let value { add(.part, name, text(name, value, format)) }
  }

  /// Sends a date that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part(_ name: String, _ value: Nullable<Date>?, _ format: DateFormat = .rfc3339) {
    if let value { add(.part, name, text(name, value, format)) }
  }

  /// Sends a list of dates. `nil`: nothing is sent.
  public mutating func part(
    _ name: String, _ values: [Date]?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.part, name, texts(name, values, format), list) }
  }

  /// Sends a list of dates that can be cleared. `nil`: nothing is sent; `.null`: an empty part.
  public mutating func part(
    _ name: String, _ values: Nullable<[Date]>?, _ format: DateFormat = .rfc3339, list: ListStyle = .comma
  ) {
    if let values { add(.part, name, values, format, list) }
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

  /// The text that was given for a query parameter; `nil` where none was.
  package func queryValue(_ name: String) -> String? {
    var encoded: [UInt8] = []
    PercentEncoding.append(name, to: &encoded)
    encoded.append(UInt8(ascii: "="))
    let pair = arguments.query.split(separator: UInt8(ascii: "&")).last { $0.starts(with: encoded) }
    return pair.flatMap { PercentEncoding.decode($0.dropFirst(encoded.count)) }
  }

  /// Sends a query parameter in place of what was given for it before.
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
  /// The style itself where it has a text between two elements, else ``comma``.
  var inOneText: ListStyle {
    switch self {
    case .comma, .space, .pipe, .dot: self
    case .repeat, .brackets, .indexed: .comma
    }
  }

  /// The text behind the name of a list for its element at a place, where the name has one.
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

extension Call {
  /// The part of a request that carries a parameter that is text.
  fileprivate enum Place {
    case query
    case form
    case header
    case part
  }

  private mutating func add(_ place: Place, _ name: String, _ text: String) {
    edit { storage in
      storage.willSend(name)
      storage.add(place, name, text)
    }
  }

  private mutating func add(_ place: Place, _ name: String, _ texts: [String], _ list: ListStyle) {
    edit { storage in
      storage.willSend(name)
      switch list {
      case .comma, .space, .pipe, .dot: storage.add(place, name, elements: texts, list)
      case .repeat: for text in texts { storage.add(place, name, text) }
      case .brackets, .indexed:
        for (index, text) in texts.enumerated() {
          storage.add(place, name, text, suffix: place == .header ? "" : list.suffix(at: index))
        }
      }
    }
  }

  private mutating func add<Value: ParameterValue>(
    _ place: Place, _ name: String, _ values: Nullable<[Value]>, _ list: ListStyle
  ) {
    switch values {
    case .null: add(place, name, "")
    case .value(let values): add(place, name, values.map(\.parameterText), list)
    }
  }

  private mutating func add(
    _ place: Place, _ name: String, _ dates: Nullable<[Date]>, _ format: DateFormat, _ list: ListStyle
  ) {
    switch dates {
    case .null: add(place, name, "")
    case .value(let dates): add(place, name, texts(name, dates, format), list)
    }
  }

  /// A date as text. One that the format cannot say makes the call fail.
  private mutating func text(_ name: String, _ date: Date, _ format: DateFormat) -> String {
    if let text = format.string(from: date) { return text }
    edit { $0.fail(.value("the date cannot be written in the format that the API reads"), parameter: name) }
    return ""
  }

  private mutating func text(_ name: String, _ date: Nullable<Date>, _ format: DateFormat) -> String {
    switch date {
    case .null: ""
    case .value(let date): text(name, date, format)
    }
  }

  private mutating func texts(_ name: String, _ dates: [Date], _ format: DateFormat) -> [String] {
    var texts: [String] = []
    for date in dates { texts.append(text(name, date, format)) }
    return texts
  }
}

extension Call.Storage {
  /// Notes a parameter, for the rules that count them.
  fileprivate func willSend(_ name: String) {
    // At once what most calls need, instead of growing several times.
    if sent.isEmpty { sent.reserveCapacity(8) }
    sent.append(name)
  }

  fileprivate func add(_ place: Call.Place, _ name: String, _ text: String, suffix: String = "") {
    switch place {
    case .query:
      if query.isEmpty { query.reserveCapacity(256) }
      PercentEncoding.appendPair(name, text, suffix: suffix, to: &query)
    case .form: PercentEncoding.appendPair(name, text, suffix: suffix, to: &form)
    case .header: headers.append((name, text))
    case .part: parts.append(.text(name: name + suffix, value: text))
    }
  }

  /// Adds a list, or the names and values of an object, as one value.
  fileprivate func add(_ place: Call.Place, _ name: String, elements: [String], _ list: ListStyle) {
    switch place {
    case .query:
      PercentEncoding.appendPair(name, elements: elements, delimiter: list.delimiter(isEncoded: true), to: &query)
    case .form:
      PercentEncoding.appendPair(name, elements: elements, delimiter: list.delimiter(isEncoded: true), to: &form)
    case .header, .part: add(place, name, elements.joined(separator: list.delimiter()))
    }
  }
}
