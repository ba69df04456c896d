import Yams

/// Reads JSON or YAML into values that keep their order.
enum DocumentParser {
  /// More nesting than any real document has; a reader that recurses must not run out of stack.
  static let maximumDepth = 200
  /// More values than any real document has; YAML aliases may multiply a few lines to billions.
  static let maximumValues = 4_000_000

  static func parse(_ bytes: [UInt8]) throws(ImportError) -> DocumentValue {
    let bytes = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes[...]
    let text = String(decoding: bytes, as: UTF8.self)
    // Repairs would have made the text longer or different.
    guard text.utf8.elementsEqual(bytes) else {
      throw .syntax(message: "the document is not UTF-8", line: 1, column: 1)
    }
    try checkDepth(of: bytes)
    let node: Node?
    do {
      node = try Yams.compose(yaml: text)
    } catch let error as YamlError {
      throw Self.error(error)
    } catch {
      throw .syntax(message: "\(error)", line: 1, column: 1)
    }
    guard let node else { throw .notOpenAPI("the document is empty") }
    var count = 0
    return try value(of: node, depth: 0, count: &count)
  }

  /// Counts the brackets of a JSON text before a recursive parser sees them. Other YAML is bounded by libyaml.
  private static func checkDepth(of bytes: ArraySlice<UInt8>) throws(ImportError) {
    guard let first = bytes.first(where: { $0 > 0x20 }), first == UInt8(ascii: "{") || first == UInt8(ascii: "[") else {
      return
    }
    var depth = 0
    var isInString = false
    var isEscaped = false
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
      case UInt8(ascii: "\""): isInString = true
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        depth += 1
        if depth > maximumDepth { throw .tooDeep(at: "#") }
      case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
      default: break
      }
    }
  }

  private static func value(of node: Node, depth: Int, count: inout Int) throws(ImportError) -> DocumentValue {
    count += 1
    if count > maximumValues { throw .tooLarge }
    if depth > maximumDepth { throw .tooDeep(at: "#") }
    switch node {
    case .scalar(let scalar): return value(of: scalar)
    case .sequence(let sequence):
      var list: [DocumentValue] = []
      list.reserveCapacity(sequence.count)
      for element in sequence { list.append(try value(of: element, depth: depth + 1, count: &count)) }
      return .list(list)
    case .mapping(let mapping):
      var object = DocumentObject()
      for (key, element) in mapping {
        guard case .scalar(let name) = key else {
          throw .syntax(message: "a key must be a string", line: key.mark?.line ?? 1, column: key.mark?.column ?? 1)
        }
        object.set(name.string, try value(of: element, depth: depth + 1, count: &count))
      }
      return .object(object)
    case .alias: return .null
    }
  }

  /// Plain scalars by YAML 1.2's core schema, which is JSON's: `yes` and `on` are strings.
  private static func value(of scalar: Node.Scalar) -> DocumentValue {
    guard scalar.style == .plain || scalar.style == .any else { return .string(scalar.string) }
    switch scalar.string {
    case "", "null", "Null", "NULL", "~": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return isNumber(scalar.string) ? .number(scalar.string) : .string(scalar.string)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let startsLikeNumber = (0x30...0x39).contains(first) || [0x2B, 0x2D, 0x2E].contains(first)
    return startsLikeNumber && Double(text) != nil && !text.utf8.contains { $0 == 0x78 || $0 == 0x6E || $0 == 0x70 }
  }

  private static func error(_ error: YamlError) -> ImportError {
    switch error {
    case .scanner(_, let problem, let mark, _), .parser(_, let problem, let mark, _),
      .composer(_, let problem, let mark, _):
      return .syntax(message: problem, line: mark.line, column: mark.column)
    case .duplicatedKeysInMapping(let duplicates, let context):
      return .syntax(
        message: "the key \(duplicates.map { "`\($0)`" }.joined(separator: ", ")) is there twice",
        line: context.mark.line, column: context.mark.column)
    case .reader(let problem, _, _, _): return .syntax(message: problem, line: 1, column: 1)
    default: return .syntax(message: "not JSON or YAML", line: 1, column: 1)
    }
  }
}
