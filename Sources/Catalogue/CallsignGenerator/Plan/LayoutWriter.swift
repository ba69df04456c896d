import CallsignCatalogue
import CallsignSupport

/// Writes the fields of a model in the notation that the runtime's `ModelLayout` reads: `id:string owner:#0?`. `#0` is the first of
/// the types listed after the text.
struct LayoutWriter {
  private let types: SwiftTypeNames
  /// Whether the values of the model's open enums distinguish it from other variants of a union, so that the runtime must know
  /// them.
  private let namesEnums: Bool
  private var fields: [String] = []
  private var referenced: [String] = []
  private var hasSpaces = false

  init(types: SwiftTypeNames, namesEnums: Bool = false) {
    self.types = types
    self.namesEnums = namesEnums
  }

  var plan: LayoutPlan {
    // Fields are separated by spaces, unless a name or a date pattern contains one.
    LayoutPlan(
      text: hasSpaces ? "\n" + fields.joined(separator: "\n") : fields.joined(separator: " "), types: referenced)
  }

  /// - Parameter property: The name of the field's property.
  mutating func add(_ field: Field, as property: String) {
    // The property of `ip4_6` is `ip4_6`, but the runtime's usual name for it is `ip46`.
    let isUsual = property == PropertyName.usual(of: field.name) && !field.name.utf8.contains(UInt8(ascii: "~"))
    fields.append((isUsual ? "" : property + "~") + field.name + ":" + notation(field))
    // A name that equals its property contains no space.
    if property != field.name { noteSpaces(in: field.name) }
    // Words without a colon are further names of the field before them.
    for alias in field.aliases { noteSpaces(in: alias) }
    fields += field.aliases
  }

  private mutating func noteSpaces(in text: String) {
    if !hasSpaces { hasSpaces = text.utf8.contains(UInt8(ascii: " ")) }
  }

  /// Adds the members that no other field names.
  mutating func addExtra(_ type: TypeReference) {
    fields.append("*:{" + notation(type, isField: false) + "}")
  }

  private mutating func notation(_ field: Field) -> String {
    // A constant has neither `|null` nor `?`.
    let text = notation(field.type, isField: true) + (field.constant.map { "=" + Self.escaped($0) } ?? "")
    // No response contains a write-only field, even if requests must.
    return field.isWriteOnly && !text.hasSuffix("?") ? text + "?" : text
  }

  /// A constant with the characters that end a name or a field escaped.
  private static func escaped(_ constant: String) -> String {
    constant.unicodeScalars.map { scalar in
      let isOfWord =
        scalar.isASCII && (scalar.properties.isAlphabetic || "0123456789_-./".unicodeScalars.contains(scalar))
      return isOfWord ? String(scalar) : scalar.jsonEscape
    }.joined()
  }

  private mutating func notation(_ type: TypeReference, isField: Bool) -> String {
    let resolved = types.resolved(type)
    var text: String
    switch resolved.kind {
    case .scalar(let scalar): text = notation(scalar)
    case .list(let element): text = "[" + notation(element, isField: false) + "]"
    case .map(let element): text = "{" + notation(element, isField: false) + "}"
    case .named(let name):
      // A field's own open enum is kept as its string. In other places, the runtime must know the type.
      let model = types.model(named: name)
      if isField, !resolved.isNullable, model?.isClosed == false, model?.isInteger == false,
        case .enumeration? = model?.shape
      {
        text = namesEnums ? "string" + reference(types.base(resolved)) : "string"
      } else {
        text = reference(types.base(resolved))
      }
    }
    if resolved.isNullable { text += "|null" }
    if resolved.isOptional, isField { text += "?" }
    return text
  }

  private mutating func notation(_ scalar: Scalar) -> String {
    switch scalar {
    case .string, .file: return "string"
    case .int: return "int"
    case .number: return "number"
    case .bool: return "bool"
    case .bytes: return "bytes"
    case .json: return "json"
    case .base64URL, .int32, .uint64, .decimal, .url, .uuid, .duration: return scalar.text
    case .date(let format):
      switch format {
      case .rfc3339: return "date"
      case .day: return "date(day)"
      case .seconds: return "date(seconds)"
      case .milliseconds: return "date(milliseconds)"
      case .pattern(let pattern):
        noteSpaces(in: pattern)
        return "date(" + pattern + ")"
      }
    }
  }

  private mutating func reference(_ type: String) -> String {
    if let index = referenced.firstIndex(of: type) { return "#\(index)" }
    referenced.append(type)
    return "#\(referenced.count - 1)"
  }
}
