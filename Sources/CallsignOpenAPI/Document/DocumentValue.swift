import CallsignYAML

/// A JSON or YAML value whose objects keep the order of their members, which is the API's own order.
indirect enum DocumentValue: Equatable, Sendable {
  case null
  case bool(Bool)
  /// As it is written, so that `1.0` and large numbers lose nothing.
  case number(String)
  case string(String)
  case list([DocumentValue])
  case object(DocumentObject)

  subscript(key: String) -> DocumentValue? {
    if case .object(let object) = self { object[key] } else { nil }
  }

  var object: DocumentObject? { if case .object(let object) = self { object } else { nil } }
  var list: [DocumentValue]? { if case .list(let list) = self { list } else { nil } }
  var string: String? { if case .string(let string) = self { string } else { nil } }
  var bool: Bool? { if case .bool(let bool) = self { bool } else { nil } }

  /// A scalar's text: what a person would write for it.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .list, .object: nil
    }
  }
}

/// An object's members in the document's order, found by key without a search.
struct DocumentObject: Equatable, Sendable {
  private(set) var members: [Member] = []
  private var positions: [String: Int] = [:]

  struct Member: Equatable, Sendable {
    var key: String
    var value: DocumentValue
  }

  init(_ members: [(String, DocumentValue)] = []) {
    for (key, value) in members { set(key, value) }
  }

  mutating func set(_ key: String, _ value: DocumentValue) {
    if let position = positions[key] {
      members[position].value = value
    } else {
      positions[key] = members.count
      members.append(Member(key: key, value: value))
    }
  }

  subscript(key: String) -> DocumentValue? { positions[key].map { members[$0].value } }

  static func == (left: Self, right: Self) -> Bool { left.members == right.members }
}

/// Reads JSON or YAML into values that keep their order.
enum DocumentParser {
  /// More nesting than any real document has; a reader that recurses must not run out of stack.
  static let maximumDepth = 200

  static func parse(_ bytes: [UInt8]) throws(ImportError) -> DocumentValue {
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument(bytes, rules: .init(maximumDepth: maximumDepth, aliases: .allowed))
    } catch {
      switch error.problem {
      case .tooDeep: throw .tooDeep(at: "#")
      case .tooManyNodes: throw .tooLarge
      default: throw .syntax(message: error.message, line: error.line, column: error.column)
      }
    }
    if let key = document.duplicateKeys.first {
      throw .syntax(message: "the key `\(key.name)` is there twice", line: key.first.line, column: key.first.column)
    }
    guard let root = document.root else { throw .notOpenAPI("the document is empty") }
    return try value(of: root)
  }

  private static func value(of node: YAMLNode) throws(ImportError) -> DocumentValue {
    switch node.content {
    case .scalar(let scalar): return value(of: scalar)
    case .list(let nodes):
      var list: [DocumentValue] = []
      list.reserveCapacity(nodes.count)
      for element in nodes { list.append(try value(of: element)) }
      return .list(list)
    case .mapping(let mapping):
      var object = DocumentObject()
      for entry in mapping.entries {
        guard case .scalar(let name) = entry.key.content else {
          throw .syntax(message: "a key must be a string", line: entry.key.line, column: entry.key.column)
        }
        object.set(name.text, try value(of: entry.value))
      }
      return .object(object)
    }
  }

  /// Plain scalars by YAML 1.2's core schema, which is JSON's: `yes` and `on` are strings.
  private static func value(of scalar: YAMLScalar) -> DocumentValue {
    guard scalar.style == .plain else { return .string(scalar.text) }
    switch scalar.text {
    case "", "null", "Null", "NULL", "~": return .null
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: return isNumber(scalar.text) ? .number(scalar.text) : .string(scalar.text)
    }
  }

  private static func isNumber(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    let startsLikeNumber = (0x30...0x39).contains(first) || [0x2B, 0x2D, 0x2E].contains(first)
    return startsLikeNumber && Double(text) != nil && !text.utf8.contains { $0 == 0x78 || $0 == 0x6E || $0 == 0x70 }
  }
}
