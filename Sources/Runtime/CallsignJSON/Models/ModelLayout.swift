import CallsignSupport

extension ModelLayout {
  /// A layout; the type's own documentation says what the text is.
  public init(_ text: StaticString, _ types: any JSONCodable.Type...) {
    self.init(text, types, ModelRuntime())
  }
}

/// A text of several words: the names of an enum's cases, the fields of a layout.
struct WordList {
  /// Separated by spaces, or by newlines if the text begins with one.
  static func words(_ text: StaticString) -> [Substring] {
    let text = text.withUTF8Buffer { String(decoding: $0, as: UTF8.self) }
    return text.first == "\n" ? text.dropFirst().split(separator: "\n") : text.split(separator: " ")
  }
}

/// A type of a layout: the content of a slot, and how it is read and written.
enum LayoutType {
  case string, int, number, bool
  case date(DateFormat)
  case model(any Model.Type)
  case models(any Model.Type)
  case strings
  case value(ValueCodec)

  var code: MemberCode {
    switch self {
    case .string: .string
    case .int: .int
    case .number: .number
    case .bool: .bool
    case .date(.rfc3339): .rfc3339
    case .date: .date
    case .model: .model
    case .models: .models
    case .strings: .strings
    case .value: .value
    }
  }

  var format: CompiledDateFormat? { if case .date(let format) = self { CompiledDateFormat(format) } else { nil } }
  var model: (any Model.Type)? {
    switch self {
    case .model(let type), .models(let type): type
    default: nil
    }
  }
  var codecIfNeeded: ValueCodec? { if case .value(let codec) = self { codec } else { nil } }

  /// The codec by which the type is read and written inside a list or map.
  var codec: ValueCodec {
    switch self {
    case .string: PlainCodec<String>()
    case .int: PlainCodec<Int>()
    case .number: PlainCodec<Double>()
    case .bool: PlainCodec<Bool>()
    case .date(let format): DateCodec(format)
    case .model(let type): Self.codec(type)
    case .models(let type): Self.codec(type).list
    case .strings: StringListCodec()
    case .value(let codec): codec
    }
  }

  static func codec<T: JSONCodable>(_: T.Type) -> ValueCodec { PlainCodec<T>() }
}

/// Reads the type that follows a field's colon. The generator writes them, so what it can't have written reads as `json`.
struct LayoutTypeParser {
  private var rest: Substring
  private let types: [any JSONCodable.Type]
  private(set) var isOptional = false
  private(set) var isNullable = false
  /// The text of the value that the member always has.
  private(set) var constant: String?
  /// The enum that the field's text is of, where its values tell variants of a union apart.
  private(set) var enumeration: ValueCodec?

  init(_ text: Substring, _ types: [any JSONCodable.Type]) {
    rest = text
    self.types = types
    if rest.last == "?" {
      rest.removeLast()
      isOptional = true
    }
    if rest.hasSuffix("|null") {
      rest.removeLast(5)
      isNullable = true
    }
    if let sign = rest.firstIndex(of: "="), ["string", "int", "bool"].contains(rest[..<sign]) {
      constant = try? String(jsonString: "\"\(rest[rest.index(after: sign)...])\"")
      rest = rest[..<sign]
    }
    if rest.hasPrefix("string#"), let type = Self.type(rest.dropFirst(6), types) {
      enumeration = LayoutType.codec(type)
      rest = "string"
    }
  }

  /// The type that `#0` stands for.
  private static func type(_ text: Substring, _ types: [any JSONCodable.Type]) -> (any JSONCodable.Type)? {
    guard text.first == "#", let index = Int(text.dropFirst()), types.indices.contains(index) else { return nil }
    return types[index]
  }

  /// Of `{T}`: T.
  mutating func mapElement() -> LayoutType? {
    guard rest.first == "{", rest.last == "}" else { return nil }
    return parse(rest.dropFirst().dropLast())
  }

  func type() -> LayoutType { parse(rest) }

  private func parse(_ text: Substring) -> LayoutType {
    // That of a field itself is taken off before: this is an element's.
    if text.hasSuffix("|null") { return .value(parse(text.dropLast(5)).codec.nullable) }
    switch text {
    case "string": return .string
    case "int": return .int
    case "number": return .number
    case "bool": return .bool
    case "date": return .date(.rfc3339)
    case "date(day)": return .date(.day)
    case "date(seconds)": return .date(.seconds)
    case "date(milliseconds)": return .date(.milliseconds)
    case "bytes": return .value(PlainBytesCodec())
    case "int32": return .value(PlainCodec<Int32>())
    case "decimal": return .value(PlainCodec<Decimal>())
    case "decimal(text)": return .value(DecimalTextCodec())
    case "url": return .value(PlainCodec<URL>())
    case "uuid": return .value(PlainCodec<UUID>())
    case "duration": return .value(DurationCodec(.iso8601))
    case "duration(seconds)": return .value(DurationCodec(.seconds))
    case "duration(milliseconds)": return .value(DurationCodec(.milliseconds))
    case "duration(protobuf)": return .value(DurationCodec(.protobuf))
    default: break
    }
    if text.hasPrefix("date("), text.hasSuffix(")") {
      return .date(.pattern(String(text.dropFirst(5).dropLast())))
    }
    if text.first == "[", text.last == "]" {
      let element = parse(text.dropFirst().dropLast())
      if case .model(let type) = element { return .models(type) }
      if case .string = element { return .strings }
      return .value(element.codec.list)
    }
    if text.first == "{", text.last == "}" { return .value(parse(text.dropFirst().dropLast()).codec.map) }
    if let type = Self.type(text, types) {
      if let model = type as? any Model.Type { return .model(model) }
      return .value(LayoutType.codec(type))
    }
    return .value(PlainCodec<JSONValue>())
  }
}
