import CallsignSupport

/// Reads and writes values of one type, known only at run time.
class ValueCodec {
  func read(_ reader: inout JSONReader) throws(JSONError) -> ModelBox { ModelBox() }
  func write(_ box: ModelBox, _ writer: inout JSONWriter) { box.write(json: &writer) }
  /// Whether null is a value of the type itself, as of any JSON.
  var acceptsNull: Bool { false }
  /// Whether the type has an empty value.
  var hasEmptyValue: Bool { true }
  /// The number of known values of an enum; `nil` of another type.
  var caseCount: Int? { nil }
  /// Whether a value is one of the enum's; `nil` if it is of another kind.
  func hasCase(_ value: JSONValue) -> Bool? { nil }
  /// Begins to read members of this type that a model does not know.
  func unknownMembers() -> UnknownMembers { UnknownMembers() }
  /// Writes the unknown members that a model kept into the object that is being written.
  func write(unknownMembers box: ModelBox, of schema: ModelSchema, _ writer: inout JSONWriter) {}
  /// The codec of lists of this type.
  var list: ValueCodec { self }
  /// The codec of maps of this type.
  var map: ValueCodec { self }
  /// The codec of values of this type or null.
  var nullable: ValueCodec { self }
}

/// Reads and writes values of a type known to the compiler.
class TypedCodec<Value>: ValueCodec {
  func value(_ reader: inout JSONReader) throws(JSONError) -> Value {
    throw reader.failure(.invalid(expected: "a value of a known type"))
  }
  func write(value: Value, _ writer: inout JSONWriter) {}

  final override func read(_ reader: inout JSONReader) throws(JSONError) -> ModelBox { ValueBox(try value(&reader)) }

  final override func write(_ box: ModelBox, _ writer: inout JSONWriter) {
    guard let box = box as? ValueBox<Value> else { return writer.null() }
    write(value: box.value, &writer)
  }

  final override func unknownMembers() -> UnknownMembers { TypedUnknownMembers(self) }

  final override func write(unknownMembers box: ModelBox, of schema: ModelSchema, _ writer: inout JSONWriter) {
    guard let members = (box as? ValueBox<[String: Value]>)?.value else { return }
    // A program may have given one of them the name of a member.
    for name in members.sortedNames where schema.index(of: name) == nil {
      guard let value = members[name] else { continue }
      writer.name(name)
      write(value: value, &writer)
    }
  }

  override var list: ValueCodec { ListCodec(self) }
  override var map: ValueCodec { MapCodec(self) }
  override var nullable: ValueCodec { NullableCodec(self) }
}

/// The unknown members of an object that is being read.
class UnknownMembers {
  /// Reads the value of a member.
  func read(_ name: String, _ reader: inout JSONReader) throws(JSONError) { try reader.skip() }
  /// What a slot keeps of them.
  var box: ModelBox { ModelBox() }
}

final class TypedUnknownMembers<Value>: UnknownMembers {
  private let codec: TypedCodec<Value>
  private var members: [String: Value] = [:]

  init(_ codec: TypedCodec<Value>) { self.codec = codec }

  override func read(_ name: String, _ reader: inout JSONReader) throws(JSONError) {
    if let value = try reader.mapValue(codec.value) { members.updateValue(value, forKey: name) }
  }

  override var box: ModelBox { ValueBox(members) }
}

/// A type that reads and writes itself.
final class PlainCodec<Value: JSONCodable>: TypedCodec<Value> {
  override func value(_ reader: inout JSONReader) throws(JSONError) -> Value { try reader.value(Value.self) }
  override func write(value: Value, _ writer: inout JSONWriter) { value.write(json: &writer) }

  override var acceptsNull: Bool { Value.self == JSONValue.self }

  override var hasEmptyValue: Bool { EmptyValue.exists(for: Value.self) }

  override var caseCount: Int? {
    if let type = Value.self as? any OpenEnum.Type { return EnumNames(type.names).count }
    func count<Closed: ClosedEnum>(_: Closed.Type) -> Int { Closed.allCases.count }
    return (Value.self as? any ClosedEnum.Type).map { count($0) }
  }

  override func hasCase(_ value: JSONValue) -> Bool? {
    if let type = Value.self as? any OpenEnum.Type {
      return value.string.map { EnumNames(type.names).index(of: $0) >= 0 }
    }
    return UnionVariants.fits(Value.self, value.kind) ? (try? value.decode(Value.self)) != nil : nil
  }
}

/// A model inside a list, a map or a nullable member.
final class ModelCodec<Value: Model>: TypedCodec<Value> {
  private let link: SchemaLink

  init(_ link: SchemaLink) { self.link = link }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> Value {
    Value(_storage: try reader.model(link.schema))
  }

  override func write(value: Value, _ writer: inout JSONWriter) { writer.model(value._storage, link.schema) }

  override var list: ValueCodec { ModelListCodec<Value>(link) }
}

/// A list of models inside a list, a map or a nullable member.
final class ModelListCodec<Value: Model>: TypedCodec<[Value]> {
  private let link: SchemaLink

  init(_ link: SchemaLink) { self.link = link }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> [Value] {
    try reader.models(link.schema).map { Value(_storage: $0) }
  }

  override func write(value: [Value], _ writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    for model in value { writer.model(model._storage, link.schema) }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }
}

/// A date in a format of the API's own.
final class DateCodec: TypedCodec<Date> {
  let format: CompiledDateFormat

  init(_ format: CompiledDateFormat) { self.format = format }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> Date { try reader.date(format) }
  override func write(value: Date, _ writer: inout JSONWriter) { writer.date(value, format) }
}

/// A decimal number that the API writes as a text.
final class DecimalTextCodec: TypedCodec<Decimal> {
  override func value(_ reader: inout JSONReader) throws(JSONError) -> Decimal { try Decimal(json: &reader) }
  override func write(value: Decimal, _ writer: inout JSONWriter) { DecimalText(value).write(json: &writer) }
}

/// Bytes that the API writes as base64url.
final class Base64URLCodec: TypedCodec<Data> {
  override func value(_ reader: inout JSONReader) throws(JSONError) -> Data { try Data(json: &reader) }
  override func write(value: Data, _ writer: inout JSONWriter) { Base64URLText(value).write(json: &writer) }
}

/// A length of time in a format of the API's own.
final class DurationCodec: TypedCodec<Duration> {
  private let format: DurationFormat

  init(_ format: DurationFormat) { self.format = format }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> Duration { try reader.duration(format) }
  override func write(value: Duration, _ writer: inout JSONWriter) { writer.duration(value, format) }
}

final class ListCodec<Element>: TypedCodec<[Element]> {
  private let element: TypedCodec<Element>

  init(_ element: TypedCodec<Element>) { self.element = element }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> [Element] {
    try reader.list(element.value)
  }

  override func write(value: [Element], _ writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "["))
    for value in value { element.write(value: value, &writer) }
    writer.end(UInt8(ascii: "]"), of: UInt8(ascii: "["))
  }
}

final class MapCodec<Element>: TypedCodec<[String: Element]> {
  private let element: TypedCodec<Element>

  init(_ element: TypedCodec<Element>) { self.element = element }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> [String: Element] {
    try reader.map(element.value)
  }

  override func write(value: [String: Element], _ writer: inout JSONWriter) {
    writer.begin(UInt8(ascii: "{"))
    for name in value.sortedNames {
      guard let member = value[name] else { continue }
      writer.name(name)
      element.write(value: member, &writer)
    }
    writer.end(UInt8(ascii: "}"), of: UInt8(ascii: "{"))
  }
}

/// An element that may be null.
final class NullableCodec<Element>: TypedCodec<Nullable<Element>> {
  private let element: TypedCodec<Element>

  init(_ element: TypedCodec<Element>) { self.element = element }

  override func value(_ reader: inout JSONReader) throws(JSONError) -> Nullable<Element> {
    try reader.null() ? .null : .value(try element.value(&reader))
  }

  override func write(value: Nullable<Element>, _ writer: inout JSONWriter) {
    switch value {
    case .null: writer.null()
    case .value(let value): element.write(value: value, &writer)
    }
  }
}
