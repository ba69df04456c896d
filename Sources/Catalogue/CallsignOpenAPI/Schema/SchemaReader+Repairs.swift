import CallsignCatalogue
import CallsignJSON

/// Repairs common mistakes in schemas: words that are not types, and keyword values of the wrong type.
extension SchemaReader {
  /// The types of a schema, in JSON Schema's words. Other words that people use are replaced by what they mean, also in the
  /// schema's `type` and `format`.
  func types(of schema: inout DocumentValue, at pointer: String) throws(ImportError) -> [String] {
    var types: [String] = []
    switch schema["type"] {
    case .string(let type)?: types = [type]
    case .list(let list)?: types = list.compactMap(\.string)
    case .null?, nil: break
    case .object?, .bool?, .number?: throw .invalid("`type` must be a string or a list of strings", at: pointer)
    }
    let hasValues = ["enum", "const", "x-extensible-enum"].contains { schema.object?[$0] != nil }
    for (index, type) in types.enumerated().reversed() where !Self.typeWords.contains(type) {
      let problem = "`\(type)` is not a type of JSON Schema"
      if log.isStrict { throw .invalid(problem, at: pointer) }
      if let meant = Self.meaning(ofType: type) {
        if type == "enum", hasValues {
          log.warn("\(problem); the values determine it", at: pointer)
          types.remove(at: index)
          continue
        }
        log.warn("\(problem); it is taken as `\(meant.format ?? meant.type)`", at: pointer)
        types[index] = meant.type
        guard var object = schema.object else { continue }
        if let format = meant.format, object["format"] == nil { object.set("format", .string(format)) }
        schema = .object(object)
      } else if hasValues {
        log.warn("\(problem); the values determine it", at: pointer)
        types.remove(at: index)
      } else {
        throw .invalid(problem, at: pointer)
      }
    }
    return types
  }

  private static let typeWords: Set<String> = ["string", "integer", "number", "boolean", "array", "object", "null"]

  /// The type that people mean by a word that is not a type.
  private static func meaning(ofType word: String) -> (type: String, format: String?)? {
    switch word.lowercased().filter({ $0.isLetter || $0.isNumber || $0 == "-" }) {
    case "string", "str", "text", "char", "character", "varchar", "enum", "password", "email", "url", "uri", "uuid",
      "guid", "hostname", "ipv4", "ipv6":
      ("string", nil)
    case "date": ("string", "date")
    case "date-time", "datetime": ("string", "date-time")
    case "file", "binary", "bytes": ("string", "binary")
    case "byte", "base64": ("string", "byte")
    case "integer", "int", "int32", "int64", "long", "short", "bigint": ("integer", nil)
    case "number", "float", "double", "decimal", "numeric": ("number", nil)
    case "boolean", "bool": ("boolean", nil)
    case "array", "list": ("array", nil)
    case "object", "map", "hash", "dict", "dictionary": ("object", nil)
    default: nil
    }
  }

  // MARK: Keywords

  /// The type of a keyword's value.
  private enum Kind {
    case number, numberOrBool, bool, boolOrObject, text, list, object
  }

  private static let kinds: [String: Kind] = [
    "maximum": .number, "minimum": .number, "exclusiveMaximum": .numberOrBool, "exclusiveMinimum": .numberOrBool,
    "maxLength": .number, "minLength": .number, "maxItems": .number, "minItems": .number, "pattern": .text,
    "format": .text, "contentEncoding": .text, "contentMediaType": .text, "enum": .list, "required": .list,
    "allOf": .list, "oneOf": .list, "anyOf": .list, "properties": .object, "discriminator": .object,
    "additionalProperties": .boolOrObject, "nullable": .bool, "readOnly": .bool, "writeOnly": .bool,
    "deprecated": .bool,
  ]

  /// The schema with keyword values of the wrong type corrected if their meaning is clear, or removed.
  func withMeantKeywords(_ schema: DocumentValue, at pointer: String) throws(ImportError) -> DocumentValue {
    guard let object = schema.object else { return schema }
    var result: DocumentObject?
    for (index, member) in object.members.enumerated() {
      guard let kind = Self.kinds[member.key], member.value != .null, !Self.fits(member.value, kind) else {
        result?.set(member.key, member.value)
        continue
      }
      if result == nil {
        result = DocumentObject()
        for before in object.members[..<index] { result?.set(before.key, before.value) }
      }
      let (word, meant) = Self.meant(member.value, kind)
      let problem = "`\(member.key)` must be \(word)"
      if log.isStrict { throw .invalid(problem, at: pointer) }
      log.warn("\(problem); it is \(meant == nil ? "left out" : "taken as one")", at: pointer)
      if let meant { result?.set(member.key, meant) }
    }
    return result.map(DocumentValue.object) ?? schema
  }

  /// Whether an array's own keywords are meant for its elements, which it does not describe otherwise.
  func hasMembersOfElements(_ schema: DocumentValue) -> Bool {
    guard schema["properties"]?.object?.members.isEmpty == false else { return false }
    return schema["items"]?.object?.members.allSatisfy { $0.key == "type" && $0.value == .string("object") } ?? true
  }

  /// Reports keywords that describe values of another type than the schema's.
  func warnOfMisplaced(in schema: DocumentValue, types: [String], at pointer: String) {
    guard types.count == 1, let type = types.first else { return }
    for (keyword, owner) in [("properties", "object"), ("additionalProperties", "object"), ("items", "array")]
    where type != owner && schema[keyword]?.object?.members.isEmpty == false {
      if keyword == "properties", type == "array", hasMembersOfElements(schema) { continue }
      log.warn("`\(keyword)` describes no \(type); it is left out", at: pointer)
    }
  }

  private static func fits(_ value: DocumentValue, _ kind: Kind) -> Bool {
    switch (kind, value) {
    case (.number, .number), (.numberOrBool, .number), (.numberOrBool, .bool), (.bool, .bool), (.boolOrObject, .bool),
      (.boolOrObject, .object), (.text, .string), (.list, .list), (.object, .object):
      true
    default: false
    }
  }

  /// The type that a keyword's value must have, in words, and the value that was meant.
  private static func meant(_ value: DocumentValue, _ kind: Kind) -> (word: String, value: DocumentValue?) {
    switch kind {
    case .number: ("a number", number(value))
    case .numberOrBool: ("a number, or `true` or `false`", number(value) ?? flag(value))
    case .bool: ("`true` or `false`", flag(value))
    case .boolOrObject: ("a schema", flag(value))
    case .text: ("a text", nil)
    case .list: ("a list", value.string.map { .list([.string($0)]) })
    case .object: ("a mapping", nil)
    }
  }

  private static func number(_ value: DocumentValue) -> DocumentValue? {
    guard let text = value.string, Double(written: text) != nil else { return nil }
    return .number(text)
  }

  private static func flag(_ value: DocumentValue) -> DocumentValue? {
    switch value.string?.lowercased() {
    case "true": .bool(true)
    case "false": .bool(false)
    default: nil
    }
  }
}
