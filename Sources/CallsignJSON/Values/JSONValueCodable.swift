/// Any `Decoder` can be read into a `JSONValue` and any `Encoder` be written from one. Numbers beyond 64 bits go through
/// `Double` on this way; the runtime's own reading and writing keeps them.
extension JSONValue: Codable {
  /// Reads the value's JSON through any of Swift's decoders.
  public init(from decoder: any Decoder) throws {
    if let container = try? decoder.container(keyedBy: MemberKey.self) {
      var members: [String: JSONValue] = [:]
      for key in container.allKeys { members[key.stringValue] = try container.decode(JSONValue.self, forKey: key) }
      self = .object(members)
      return
    }
    if var container = try? decoder.unkeyedContainer() {
      var elements: [JSONValue] = []
      while !container.isAtEnd { elements.append(try container.decode(JSONValue.self)) }
      self = .array(elements)
      return
    }
    let container = try decoder.singleValueContainer()
    if container.decodeNil() {
      self = .null
    } else if let value = try? container.decode(Bool.self) {
      self = .bool(value)
    } else if let value = try? container.decode(Int.self) {
      self = .integer(value)
    } else if let value = try? container.decode(UInt64.self) {
      self = .literal(String(value))
    } else if let value = try? container.decode(Double.self) {
      self = .number(value)
    } else {
      self = .string(try container.decode(String.self))
    }
  }

  /// Writes the value's JSON through any of Swift's encoders.
  public func encode(to encoder: any Encoder) throws {
    switch self {
    case .object(let members):
      var container = encoder.container(keyedBy: MemberKey.self)
      for (name, value) in members { try container.encode(value, forKey: MemberKey(stringValue: name)) }
    case .array(let elements):
      var container = encoder.unkeyedContainer()
      for element in elements { try container.encode(element) }
    default:
      var container = encoder.singleValueContainer()
      switch self {
      case .bool(let value): try container.encode(value)
      case .integer(let value): try container.encode(value)
      case .number(let value): try container.encode(value)
      case .string(let value): try container.encode(value)
      case .literal(let text):
        if let value = UInt64(text) { try container.encode(value) } else { try container.encode(double) }
      case .null, .array, .object: try container.encodeNil()
      }
    }
  }

  private struct MemberKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }
    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { return nil }
  }
}

/// How models, open enums and unions are `Codable`: through ``JSONValue``, with the wire's own names and formats
/// whatever strategies the coder is set to.
extension JSONCodable {
  func encode(through encoder: any Encoder) throws {
    try JSONValue(jsonBytes: jsonBytes(.compact)).encode(to: encoder)
  }

  init(through decoder: any Decoder) throws {
    let value = try JSONValue(from: decoder)
    do throws(JSONError) {
      self = try value.decode()
    } catch {
      throw DecodingError.dataCorrupted(
        DecodingError.Context(
          codingPath: decoder.codingPath, debugDescription: error.description, underlyingError: error))
    }
  }

  init(jsonBytes bytes: [UInt8]) throws(JSONError) {
    self = try bytes.withUnsafeBytes { bytes in
      Result { () throws(JSONError) in try Self(jsonBytes: bytes) }
    }.get()
  }
}
