import CallsignSupport

extension ModelLayout {
  /// A layout; the type's documentation explains the text.
  public init(_ text: StaticString, _ types: any JSONCodable.Type...) {
    self.init(text.description, types)
  }

  /// A layout whose text is not in a source file.
  package init(_ text: String, _ types: [any JSONCodable.Type]) { self.init(text, types, ModelRuntime()) }
}

/// A member of a layout.
struct LayoutMember {
  /// The name on the wire.
  let name: String
  /// The name as it is written: quoted and escaped, with a comma before it and a colon behind it.
  let writtenName: SchemaName
  /// The Swift name, if it is not the usual one.
  let property: String?
  let type: LayoutType
  let isRequired: Bool
  /// Whether null differs from absence.
  let isNullable: Bool
  /// The text of the value that the member always has.
  let constant: String?
  /// The enum of the text, if its values distinguish variants of a union.
  let enumeration: ValueCodec?
}

/// A type of a layout: the content of a slot, and how it is read and written.
enum LayoutType {
  case string, int, number, bool
  case date(DateCodec)
  case model(SchemaLink)
  case models(SchemaLink)
  case value(ValueCodec)

  /// The codec for the type inside a list or map.
  var codec: ValueCodec {
    switch self {
    case .string: PlainCodec<String>()
    case .int: PlainCodec<Int>()
    case .number: PlainCodec<Double>()
    case .bool: PlainCodec<Bool>()
    case .date(let codec): codec
    case .model(let link): Self.codec(of: link.type, link)
    case .models(let link): Self.codec(of: link.type, link).list
    case .value(let codec): codec
    }
  }

  /// Whether there is an empty value that replaces a missing member.
  var hasEmptyValue: Bool {
    switch self {
    case .string, .int, .number, .bool, .date, .model, .models: true
    case .value(let codec): codec.hasEmptyValue
    }
  }

  /// The codec of a value that is none of the simple kinds.
  var valueCodec: ValueCodec? { if case .value(let codec) = self { codec } else { nil } }

  static func codec<T: Model>(of _: T.Type, _ link: SchemaLink) -> ValueCodec { ModelCodec<T>(link) }

  static func codec<T: JSONCodable>(of _: T.Type) -> ValueCodec { PlainCodec<T>() }
}

/// Takes the text of a layout apart, by its bytes: a character may span the end of a name and the sign behind it. The generator
/// writes the text, so a type that it can't have written reads as `json`.
struct LayoutParser {
  private(set) var members: [LayoutMember] = []
  private(set) var aliases: [(name: String, member: Int)] = []
  private(set) var bareMember: Int?
  private(set) var extra: ValueCodec?
  private let types: [any JSONCodable.Type]
  private let schemas: SchemaTable

  private typealias Bytes = Substring.UTF8View

  init(_ layout: ModelLayout, _ schemas: SchemaTable) {
    types = layout.types
    self.schemas = schemas
    for field in Self.fields(layout.text) { add(field) }
  }

  /// Fields are separated by spaces, or by newlines if the text begins with one.
  private static func fields(_ text: String) -> [Bytes] {
    let bytes = text[...].utf8
    let newline = UInt8(ascii: "\n")
    return bytes.first == newline ? bytes.split(separator: newline) : bytes.split(separator: UInt8(ascii: " "))
  }

  private mutating func add(_ field: Bytes) {
    guard let colon = Self.separator(in: field) else { return addFurtherName(field.text) }
    let type = field[field.index(after: colon)...]
    // A member that is called so has its property's name before it.
    if field[..<colon].elementsEqual("*".utf8), let element = Self.inside(type, "{", "}") {
      extra = self.type(element).codec
    } else {
      members.append(member(field[..<colon], type))
    }
  }

  /// A word without a colon: a further name of the member before it, or the sign that the member may be the whole document.
  private mutating func addFurtherName(_ name: String) {
    guard !members.isEmpty else { return }
    if name == "." { bareMember = members.count - 1 } else { aliases.append((name, members.count - 1)) }
  }

  /// The colon between a field's name and its type. A date's pattern may also contain colons: `at:date(HH:mm)?`. No
  /// colon follows the pattern, unlike the bracket of a name such as `update(s)`.
  private static func separator(in field: Bytes) -> Bytes.Index? {
    let colon = UInt8(ascii: ":")
    guard let open = field.lastIndex(of: UInt8(ascii: "(")), field[..<open].ends(with: "date"),
      let close = field[open...].firstIndex(of: UInt8(ascii: ")")), !field[close...].contains(colon)
    else { return field.lastIndex(of: colon) }
    return field[..<open].lastIndex(of: colon)
  }

  private func member(_ name: Bytes, _ type: Bytes) -> LayoutMember {
    var (name, property) = (name, String?.none)
    if let tilde = name.firstIndex(of: UInt8(ascii: "~")) {
      property = name[..<tilde].text
      name = name[name.index(after: tilde)...]
    }
    var (rest, isRequired, isNullable) = (type, true, false)
    var (constant, enumeration) = (String?.none, ValueCodec?.none)
    if rest.ends(with: "?") {
      rest = rest.dropLast()
      isRequired = false
    }
    if rest.ends(with: "|null") {
      rest = rest.dropLast(5)
      isNullable = true
    }
    if let sign = rest.firstIndex(of: UInt8(ascii: "=")), ["string", "int", "bool"].contains(rest[..<sign].text) {
      constant = try? String(jsonString: "\"\(rest[rest.index(after: sign)...].text)\"")
      rest = rest[..<sign]
    }
    if rest.starts(with: "string#".utf8), let named = namedType(rest.dropFirst(6)) {
      enumeration = LayoutType.codec(of: named)
      rest = rest.prefix(6)
    }
    var writer = JSONWriter()
    writer.string(name.text)
    let writtenName = [UInt8(ascii: ",")] + writer.bytes + [UInt8(ascii: ":")]
    return LayoutMember(
      name: name.text, writtenName: SchemaName(writtenName), property: property, type: self.type(rest),
      isRequired: isRequired, isNullable: isNullable, constant: constant, enumeration: enumeration)
  }

  /// The type that `#0` refers to.
  private func namedType(_ text: Bytes) -> (any JSONCodable.Type)? {
    guard text.first == UInt8(ascii: "#"), let index = Int(text.dropFirst().text), types.indices.contains(index) else {
      return nil
    }
    return types[index]
  }

  /// The text between two signs.
  private static func inside(_ text: Bytes, _ first: Unicode.Scalar, _ last: Unicode.Scalar) -> Bytes? {
    guard text.count >= 2, text.first == UInt8(ascii: first), text.last == UInt8(ascii: last) else { return nil }
    return text.dropFirst().dropLast()
  }

  private func type(_ text: Bytes) -> LayoutType {
    // That of a member itself is taken off before: this is an element's.
    if text.ends(with: "|null") { return .value(type(text.dropLast(5)).codec.nullable) }
    switch text.text {
    case "string": return .string
    case "int": return .int
    case "number": return .number
    case "bool": return .bool
    case "date": return .date(DateCodec(.rfc3339))
    case "date(day)": return .date(DateCodec(CompiledDateFormat(.day)))
    case "date(seconds)": return .date(DateCodec(CompiledDateFormat(.seconds)))
    case "date(milliseconds)": return .date(DateCodec(CompiledDateFormat(.milliseconds)))
    case "bytes": return .value(PlainCodec<Data>())
    case "bytes(base64url)": return .value(Base64URLCodec())
    case "uint64": return .value(PlainCodec<UInt64>())
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
    if text.starts(with: "date(".utf8), text.ends(with: ")") {
      return .date(DateCodec(CompiledDateFormat(.pattern(text.dropFirst(5).dropLast().text))))
    }
    if let element = Self.inside(text, "[", "]") {
      let element = type(element)
      if case .model(let link) = element { return .models(link) }
      return .value(element.codec.list)
    }
    if let element = Self.inside(text, "{", "}") { return .value(type(element).codec.map) }
    switch namedType(text) {
    case let model as any Model.Type: return .model(schemas.link(to: model))
    case let type?: return .value(LayoutType.codec(of: type))
    case nil: return .value(PlainCodec<JSONValue>())
    }
  }
}

extension Substring.UTF8View {
  fileprivate var text: String { String(Substring(self)) }

  fileprivate func ends(with suffix: String) -> Bool { self.suffix(suffix.utf8.count).elementsEqual(suffix.utf8) }
}
