import Foundation

extension JSON {
  /// Why a body is not JSON.
  struct ParsingError: Error, Sendable {
    let reason: String
  }

  /// Reads a JSON text (RFC 8259): UTF-8 only, nested at most as deep as `JSONSerialization` allows (512 levels).
  init(parsing bytes: Data) throws(ParsingError) {
    // A zero byte is never part of JSON in UTF-8; with one, Foundation would guess at UTF-16 or UTF-32.
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

  /// Foundation on Linux lets `[1,]` pass.
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

  /// `value as? Bool` also succeeds for the numbers 0 and 1; the C type of the number tells them apart on every platform.
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
