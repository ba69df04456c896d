import CallsignSupport

/// Values as they are printed inside a model.
enum ModelText {
  /// The existing members, each with its Swift name and a value of its Swift type. Open enums appear as their text on the wire,
  /// which is how they are stored.
  static func children(of model: some Model) -> [Mirror.Child] {
    let schema = ModelSchema.of(type(of: model))
    return (0..<model._storage.count).compactMap { index in
      value(model._storage[index], index, schema).map { (label: schema.propertyName(index), value: $0) }
    }
  }

  private static func value(_ slot: ModelSlot, _ index: Int, _ schema: ModelSchema) -> Any? {
    switch slot {
    case .absent: nil
    case .null: Nullable<JSONValue>.null
    case .string(let text): text
    case .int(let number): number
    case .number(let number): number
    case .bool(let flag): flag
    case .date(let date): date
    case .model(let storage):
      if case .model(let link) = schema.members[index].type { link.schema.type.init(_storage: storage) } else { nil }
    case .value(let box): box.reflected
    case .probe(let content, _): value(content, index, schema)
    }
  }

  /// The model as an initializer would make it, `Post(id: "20", text: "…")`. Texts are quoted, and so have no line breaks.
  static func text(_ model: some Model) -> String {
    let members = children(of: model).map { "\($0.label ?? "_"): \(text($0.value))" }
    return "\(type(of: model))(\(members.joined(separator: ", ")))"
  }

  private static func text(_ value: Any) -> String {
    switch value {
    case let value as String: return value.debugDescription
    case let value as any Model: return text(value)
    case let value as any OpenEnum: return "." + String(describing: value)
    case let value as any Union: return text(value._value)
    // A union's variant in the API's form.
    case let value as FormattedDate: return text(value.value)
    case let value as FormattedDuration: return text(value.value)
    case let value as DecimalText: return text(value.value)
    case Nullable<JSONValue>.null: return ".null"
    case let value as JSONValue: return (try? value.jsonString()) ?? "…"
    case let value as any Collection where !(value is Data):
      let mirror = Mirror(reflecting: value)
      let elements =
        mirror.displayStyle == .dictionary
        ? mirror.children.compactMap { $0.value as? (key: AnyHashable, value: Any) }
          .map { text($0.key.base) + ": " + text($0.value) }.sortedAsNames()
        : mirror.children.map { text($0.value) }
      return "[" + (elements.isEmpty && mirror.displayStyle == .dictionary ? ":" : elements.joined(separator: ", "))
        + "]"
    default: return String(describing: value)
    }
  }
}
