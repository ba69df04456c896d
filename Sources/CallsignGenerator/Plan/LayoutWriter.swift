import CallsignCatalogue

/// Writes the fields of a model in the notation that the runtime's `ModelLayout` reads: `id:string owner:#0?`, where
/// `#0` is the first of the types beside the text.
struct LayoutWriter {
  private let types: TypeTable
  private var fields: [String] = []
  private var referenced: [String] = []

  init(types: TypeTable) { self.types = types }

  var plan: LayoutPlan {
    // A space separates, unless a name or a date pattern has one.
    let hasSpaces = fields.contains { $0.utf8.contains(UInt8(ascii: " ")) }
    let text = hasSpaces ? "\n" + fields.joined(separator: "\n") : fields.joined(separator: " ")
    return LayoutPlan(text: text, types: referenced)
  }

  /// - Parameter property: The name of the field's property.
  mutating func add(_ field: Field, as property: String) {
    let isUsual = property == PropertyName.usual(of: field.name) && !field.name.utf8.contains(UInt8(ascii: "~"))
    fields.append((isUsual ? "" : property + "~") + field.name + ":" + notation(field))
    // Words without a colon are further names of the field before them.
    fields += field.aliases
  }

  /// The members that no other field names.
  mutating func addExtra(_ type: TypeReference) {
    fields.append("*:{" + notation(type, isField: false) + "}")
  }

  private mutating func notation(_ field: Field) -> String {
    let text = notation(field.type, isField: true)
    // No answer has it, however much a request needs it.
    return field.isWriteOnly && !text.hasSuffix("?") ? text + "?" : text
  }

  private mutating func notation(_ type: TypeReference, isField: Bool) -> String {
    let resolved = types.resolved(type)
    var text: String
    switch resolved.kind {
    case .scalar(let scalar): text = notation(scalar)
    case .list(let element): text = "[" + notation(element, isField: false) + "]"
    case .map(let element): text = "{" + notation(element, isField: false) + "}"
    case .named(let name):
      // A field's own open enum is kept as its string; elsewhere the runtime has to know the type.
      let model = types.model(named: name)
      if isField, !resolved.isNullable, model?.isClosed == false, model?.isInteger == false,
        case .enumeration? = model?.shape
      {
        text = "string"
      } else {
        text = reference(types.base(resolved))
      }
    }
    if resolved.isNullable { text += "|null" }
    if resolved.isOptional, isField { text += "?" }
    return text
  }

  private func notation(_ scalar: Scalar) -> String {
    switch scalar {
    case .string, .file: "string"
    case .int: "int"
    case .number: "number"
    case .bool: "bool"
    case .bytes: "bytes"
    case .json: "json"
    case .int32, .decimal, .url, .uuid, .duration: scalar.text
    case .date(let format):
      switch format {
      case .rfc3339: "date"
      case .day: "date(day)"
      case .seconds: "date(seconds)"
      case .milliseconds: "date(milliseconds)"
      case .pattern(let pattern): "date(" + pattern + ")"
      }
    }
  }

  private mutating func reference(_ type: String) -> String {
    if let index = referenced.firstIndex(of: type) { return "#\(index)" }
    referenced.append(type)
    return "#\(referenced.count - 1)"
  }
}
