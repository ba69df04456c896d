// Sound: the reader does not leave the closure that gets the bytes.

import CallsignJSON
import CallsignSupport
import CallsignYAML
import Foundation

/// A JSON or YAML value. Objects keep the order of their members, which is the API's order.
indirect enum DocumentValue: Hashable, Sendable {
  case null
  case bool(Bool)
  /// The number as written, so that `1.0` and large numbers lose nothing.
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

  /// A schema's own examples: `example` or, since OpenAPI 3.1, the list `examples`.
  var ownExamples: [DocumentValue] {
    let list = self["examples"]?.list ?? []
    return list.isEmpty ? self["example"].map { [$0] } ?? [] : list
  }

  /// The number of values in it, including itself.
  var count: Int {
    switch self {
    case .list(let list): list.reduce(1) { $0 + $1.count }
    case .object(let object): object.members.reduce(1) { $0 + $1.value.count }
    default: 1
    }
  }

  /// Whether it contains an object with this member, at any depth.
  func contains(key: String) -> Bool {
    switch self {
    case .list(let list): list.contains { $0.contains(key: key) }
    case .object(let object): object[key] != nil || object.members.contains { $0.value.contains(key: key) }
    default: false
    }
  }

  /// A scalar as a person would write it.
  var scalarText: String? {
    switch self {
    case .string(let text), .number(let text): text
    case .bool(let flag): flag ? "true" : "false"
    case .null, .list, .object: nil
    }
  }
}

/// An object's members in the document's order, with lookup by key.
struct DocumentObject: Hashable, Sendable {
  private(set) var members: [Member] = []
  private var positions: [String: Int] = [:]

  struct Member: Hashable, Sendable {
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
  func hash(into hasher: inout Hasher) { hasher.combine(members) }
}

/// Reads JSON or YAML into values that keep the order of members.
enum DocumentParser {
  /// The maximum depth. It exceeds that of any real document and keeps recursive readers from running out of stack.
  static let maximumDepth = 200

  /// - Parameter log: Records repairs. A strict log rejects what would need repair.
  static func parse(_ bytes: [UInt8], log: ImportLog = ImportLog()) throws(ImportError) -> DocumentValue {
    let bytes = log.isStrict ? bytes : decoded(bytes, log)
    if let value = try json(bytes, log) { return value }
    let document: YAMLDocument
    do throws(YAMLError) {
      document = try YAMLDocument(bytes, rules: .init(maximumDepth: maximumDepth, aliases: .allowed))
    } catch {
      switch error.problem {
      case .tooDeep: throw .tooDeep(at: "#")
      case .tooManyNodes: throw .tooLarge
      default: throw .syntax(message: error.message + advice(error.problem), line: error.line, column: error.column)
      }
    }
    for key in document.duplicateKeys {
      try log.noteDuplicate(key.name, line: key.first.line, column: key.first.column, counts: "first")
    }
    guard let root = document.root else { throw .notOpenAPI("the document is empty") }
    return try value(of: root, log)
  }

  /// Advice about a text that is not valid JSON or YAML, as the end of a sentence.
  private static func advice(_ problem: YAMLError.Problem) -> String {
    switch problem {
    case .secondDocument: return "; put it into a separate file"
    case .syntax(let words, _):
      if words.contains("cannot start any token") {
        return "; indent with spaces instead of tabs, and put a text that begins so in quotes"
      }
      if words.contains("expected node content") { return "; a value is missing, or the text ends in the middle" }
      return words.contains("control characters") ? "; name a file of JSON or YAML" : ""
    default: return ""
    }
  }

  /// The maximum number of duplicate keys to name: each one costs a search through the text.
  private static let maximumDuplicates = 100

  /// The text as UTF-8. UTF-16 is converted, and bytes that are not UTF-8 become U+FFFD.
  private static func decoded(_ bytes: [UInt8], _ log: ImportLog) -> [UInt8] {
    guard bytes.count >= 2 else { return bytes }
    let start = (bytes[0], bytes[1])
    if start == (0xFE, 0xFF) || start == (0xFF, 0xFE) || (start.0 == 0) != (start.1 == 0) {
      let isBigEndian = start == (0xFE, 0xFF) || start.0 == 0
      var units: [UInt16] = []
      units.reserveCapacity(bytes.count / 2)
      for index in stride(from: 0, to: bytes.count - 1, by: 2) {
        let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
        units.append(isBigEndian ? first << 8 | second : second << 8 | first)
      }
      if units.first == 0xFEFF { units.removeFirst() }
      return Array(String(decoding: units, as: UTF16.self).utf8)
    }
    guard String(bytes: bytes, encoding: .utf8) == nil else { return bytes }
    log.warn("the text is not all UTF-8; what cannot be read is replaced by U+FFFD", at: log.file + "#")
    return Array(String(decoding: bytes, as: UTF8.self).utf8)
  }

  // MARK: JSON

  /// The value of a JSON text; `nil` if the text is not JSON, such as YAML in flow style. The YAML parser cannot read all of JSON:
  /// it rejects escaped surrogate pairs.
  private static func json(_ bytes: [UInt8], _ log: ImportLog) throws(ImportError) -> DocumentValue? {
    let text = bytes.withoutByteOrderMark
    guard let first = text.first(where: { !isWhitespace($0) }), first == UInt8(ascii: "{") else { return nil }
    var duplicates: [(key: String, offset: Int)] = []
    switch read(text, &duplicates) {
    case .failure(let error):
      if error.kind == .tooDeep { throw .tooDeep(at: "#") }
      if !log.isStrict, let repaired = RepairedJSON(Data(text)), let value = try json(Array(repaired.data), log) {
        let line = text.prefix(error.offset).count { $0 == 0x0A } + 1
        let reason = if case .syntax(let reason) = error.kind { reason } else { "it is not JSON" }
        log.warn(
          "some characters of the text are not valid (line \(line): \(reason)); they are read as U+FFFD",
          at: log.file + "#")
        return value
      }
      return nil
    case .success(let value):
      for duplicate in duplicates {
        let before = text.prefix(duplicate.offset)
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 - before.startIndex + 1 } ?? 0) + 1
        try log.noteDuplicate(duplicate.key, line: line, column: column, counts: "last")
      }
      return value
    }
  }

  private static func read(
    _ text: ArraySlice<UInt8>, _ duplicates: inout [(key: String, offset: Int)]
  ) -> Result<DocumentValue, JSONError> {
    text.withUnsafeBytes { buffer in
      var reader = JSONReader(buffer)
      do throws(JSONError) {
        try reader.beginDocument()
        let value = try json(&reader, buffer, depth: 1, &duplicates)
        guard buffer[reader.offset...].allSatisfy(isWhitespace) else {
          return .failure(JSONError(.trailingContent, offset: reader.offset))
        }
        return .success(value)
      } catch {
        return .failure(error)
      }
    }
  }

  private static func isWhitespace(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0A, 0x0D].contains(byte) }

  private static func json(
    _ reader: inout JSONReader, _ text: UnsafeRawBufferPointer, depth: Int,
    _ duplicates: inout [(key: String, offset: Int)]
  ) throws(JSONError) -> DocumentValue {
    guard depth <= maximumDepth else { throw JSONError(.tooDeep, offset: reader.offset) }
    switch try reader.kind() {
    case .null:
      _ = try reader.null()
      return .null
    case .bool: return .bool(try reader.bool())
    case .string: return .string(try reader.string())
    case .number:
      let start = reader.offset
      try reader.skip()
      return .number(String(decoding: text[start..<reader.offset], as: UTF8.self))
    case .array:
      var list: [DocumentValue] = []
      try reader.array { (_, reader) throws(JSONError) in
        list.append(try json(&reader, text, depth: depth + 1, &duplicates))
      }
      return .list(list)
    case .object:
      var object = DocumentObject()
      try reader.object { (name, reader) throws(JSONError) in
        if duplicates.count < maximumDuplicates, object[name] != nil { duplicates.append((name, reader.offset)) }
        object.set(name, try json(&reader, text, depth: depth + 1, &duplicates))
      }
      return .object(object)
    }
  }

  // MARK: YAML

  private static func value(of node: YAMLNode, _ log: ImportLog) throws(ImportError) -> DocumentValue {
    switch node.content {
    case .scalar(let scalar): return value(of: scalar)
    case .list(let nodes):
      var list: [DocumentValue] = []
      list.reserveCapacity(nodes.count)
      for element in nodes { list.append(try value(of: element, log)) }
      return .list(list)
    case .mapping(let mapping):
      var object = DocumentObject()
      for entry in mapping.entries {
        guard case .scalar(let name) = entry.key.content else {
          throw .syntax(message: "a key must be a string", line: entry.key.line, column: entry.key.column)
        }
        let value = try value(of: entry.value, log)
        if name.text == "<<", name.style == .plain {
          try merge(value, into: &object, at: entry.key, log)
        } else {
          object.set(name.text, value)
        }
      }
      return .object(object)
    }
  }

  /// Adds the members of a merge key's value, which is a mapping or a list of mappings (YAML 1.1, `tag:yaml.org,2002:merge`). The
  /// object's own members take precedence; among several mappings, the first does.
  private static func merge(
    _ value: DocumentValue, into object: inout DocumentObject, at key: YAMLNode, _ log: ImportLog
  ) throws(ImportError) {
    for part in value.list ?? [value] {
      guard let members = part.object?.members else {
        let message = "`<<` merges mappings, and this is not a mapping"
        if log.isStrict { throw .syntax(message: message, line: key.line, column: key.column) }
        log.warn("\(message) (\(key.line):\(key.column)); it is left out", at: "#")
        continue
      }
      for member in members where object[member.key] == nil { object.set(member.key, member.value) }
    }
  }

  /// Reads plain scalars by YAML 1.2's core schema, which is JSON's: `yes` and `on` are strings.
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
