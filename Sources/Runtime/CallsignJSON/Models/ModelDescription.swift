import CallsignSupport

/// The members that are there, in Swift's names.
extension ModelStorage: CustomStringConvertible, CustomReflectable {
  /// The model as an initializer would make it, `Post(id: "20", text: "…")`. Texts are quoted, and so have no line breaks.
  public var description: String {
    let members = children.map { "\($0.label ?? "_"): \(ModelText.text($0.value))" }
    return "\(table.typeName)(\(members.joined(separator: ", ")))"
  }

  /// The members that are there.
  public var customMirror: Mirror { Mirror(self, children: children, displayStyle: .struct) }

  /// The members that are there, each with its Swift name and a value of its Swift type. Open enums are their wire texts,
  /// which is how they are kept.
  var children: [Mirror.Child] {
    var children: [Mirror.Child] = []
    for index in 0..<slotCount {
      let value: Any
      switch slot(index) {
      case .absent: continue
      case .null: value = Nullable<JSONValue>.null
      case .string(let text): value = text
      case .int(let number): value = number
      case .number(let number): value = number
      case .bool(let flag): value = flag
      case .date(let date): value = date
      case .model(let storage): value = storage.table.type.map { $0.init(modelStorage: storage) as Any } ?? storage
      case .models(let list): value = list.reflected
      case .strings(let list): value = list
      case .value(let box): value = box.reflected
      }
      children.append((label: table.propertyName(index), value: value))
    }
    return children
  }
}

/// Values as they are printed inside a model.
enum ModelText {
  static func text(_ value: Any) -> String {
    switch value {
    case let value as String: return value.debugDescription
    case let value as any Model: return value.modelStorage.description
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
