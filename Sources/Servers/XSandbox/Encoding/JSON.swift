import Foundation

/// A JSON value, read from the bodies of requests and built for responses.
enum JSON: Sendable, Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  case number(Double)
  case string(String)
  case array([JSON])
  case object([String: JSON])

  subscript(member: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members[member]
  }

  /// The object with another member; other values are unchanged.
  func with(_ name: String, _ value: JSON) -> JSON {
    guard case .object(let members) = self else { return self }
    return .object(members.merging([name: value]) { $1 })
  }

  var string: String? {
    guard case .string(let value) = self else { return nil }
    return value
  }

  /// The number, whole or not.
  var double: Double? {
    switch self {
    case .integer(let value): Double(value)
    case .number(let value): value
    default: nil
    }
  }

  var boolean: Bool? {
    guard case .boolean(let value) = self else { return nil }
    return value
  }

  /// The name that JSON Schema validators use in their messages.
  var typeName: String {
    switch self {
    case .null: "null"
    case .boolean: "boolean"
    case .integer: "integer"
    case .number: "number"
    case .string: "string"
    case .array: "array"
    case .object: "object"
    }
  }
}

extension JSON: ExpressibleByStringLiteral, ExpressibleByStringInterpolation, ExpressibleByBooleanLiteral,
  ExpressibleByIntegerLiteral, ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral
{
  init(stringLiteral value: String) { self = .string(value) }
  init(booleanLiteral value: Bool) { self = .boolean(value) }
  init(integerLiteral value: Int) { self = .integer(value) }
  init(arrayLiteral elements: JSON...) { self = .array(elements) }
  init(dictionaryLiteral elements: (String, JSON)...) {
    self = .object(Dictionary(elements, uniquingKeysWith: { _, last in last }))
  }
}

extension JSON {
  /// The reason why a body is not JSON.
  struct ParsingError: Error, Sendable {
    let reason: String
  }

  /// Parses a JSON text (RFC 8259): UTF-8 only, with the maximum nesting of `JSONSerialization` (512 levels).
  init(parsing bytes: Data) throws(ParsingError) {
    // JSON in UTF-8 never contains a zero byte. If there is one, Foundation would guess UTF-16 or UTF-32.
    guard String(data: bytes, encoding: .utf8) != nil, !bytes.contains(0) else {
      throw ParsingError(reason: "the body is not valid UTF-8")
    }
    guard !Self.hasTrailingComma(bytes) else {
      throw ParsingError(reason: "there is a comma before a closing bracket")
    }
    let value: Any
    do {
      value = try JSONSerialization.jsonObject(with: bytes, options: [.fragmentsAllowed])
    } catch {
      throw ParsingError(reason: "the body is not valid JSON, or is nested too deeply")
    }
    self.init(bridging: value)
  }

  /// Foundation on Linux accepts `[1,]`.
  private static func hasTrailingComma(_ bytes: Data) -> Bool {
    var isInString = false
    var isEscaped = false
    var isAfterComma = false
    for byte in bytes {
      if isInString {
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          isInString = false
        }
        continue
      }
      switch byte {
      case 0x20, 0x09, 0x0A, 0x0D: continue
      case UInt8(ascii: "]") where isAfterComma, UInt8(ascii: "}") where isAfterComma: return true
      default:
        isAfterComma = byte == UInt8(ascii: ",")
        isInString = byte == UInt8(ascii: "\"")
      }
    }
    return false
  }

  private init(bridging value: Any) {
    switch value {
    case let value as String: self = .string(value)
    case let value as [Any]: self = .array(value.map(JSON.init(bridging:)))
    case let value as [String: Any]: self = .object(value.mapValues(JSON.init(bridging:)))
    case let value as NSNumber: self.init(bridging: value)
    default: self = .null
    }
  }

  /// `value as? Bool` also succeeds for the numbers 0 and 1. The C type of the number distinguishes them on every platform.
  private init(bridging number: NSNumber) {
    switch String(cString: number.objCType) {
    case "c", "B": self = .boolean(number.boolValue)
    case "d", "f":
      let value = number.doubleValue
      if let whole = Int(exactly: value) { self = .integer(whole) } else { self = .number(value) }
    case "Q": self = Int(exactly: number.uint64Value).map(JSON.integer) ?? .number(number.doubleValue)
    default: self = .integer(number.intValue)
    }
  }
}

extension JSON {
  /// The JSON text, with members sorted by name, so that equal values give equal bytes.
  var bytes: Data {
    var output: [UInt8] = []
    write(into: &output)
    return Data(output)
  }

  private func write(into output: inout [UInt8]) {
    switch self {
    case .null: output.append(contentsOf: "null".utf8)
    case .boolean(let value): output.append(contentsOf: (value ? "true" : "false").utf8)
    case .integer(let value): output.append(contentsOf: String(value).utf8)
    case .number(let value): output.append(contentsOf: (value.isFinite ? String(value) : "null").utf8)
    case .string(let value): Self.write(value, into: &output)
    case .array(let elements):
      output.append(UInt8(ascii: "["))
      for (index, element) in elements.enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        element.write(into: &output)
      }
      output.append(UInt8(ascii: "]"))
    case .object(let members):
      output.append(UInt8(ascii: "{"))
      for (index, member) in members.sorted(by: { $0.key < $1.key }).enumerated() {
        if index > 0 { output.append(UInt8(ascii: ",")) }
        Self.write(member.key, into: &output)
        output.append(UInt8(ascii: ":"))
        member.value.write(into: &output)
      }
      output.append(UInt8(ascii: "}"))
    }
  }

  private static func write(_ text: String, into output: inout [UInt8]) {
    output.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): output.append(contentsOf: [UInt8(ascii: "\\"), byte])
      case 0x0A: output.append(contentsOf: "\\n".utf8)
      case 0x0D: output.append(contentsOf: "\\r".utf8)
      case 0x09: output.append(contentsOf: "\\t".utf8)
      case 0..<0x20:
        output.append(contentsOf: "\\u00".utf8)
        output.append(contentsOf: (byte < 0x10 ? "0" : "").utf8)
        output.append(contentsOf: String(byte, radix: 16).utf8)
      default: output.append(byte)
      }
    }
    output.append(UInt8(ascii: "\""))
  }
}
