import CallsignCatalogue

/// Compares the models of two catalogues.
struct ModelDiff {
  let types: TypeComparison

  private struct Placed {
    var model: Model
    var group: String
  }

  func changes(from old: Catalogue, to new: Catalogue) -> [Change] {
    let before = Self.models(of: old)
    let after = Self.models(of: new)
    let oldByName = Dictionary(before.map { ($0.model.name, $0.model) }) { first, _ in first }
    let newNames = Set(after.map(\.model.name))
    var changes: [Change] = []
    for placed in after {
      guard let old = oldByName[placed.model.name] else {
        changes.append(
          Change(.added, "model \(placed.model.name)", isBreaking: false, group: placed.group))
        continue
      }
      changes += self.changes(from: old, to: placed.model, group: placed.group)
    }
    for placed in before where !newNames.contains(placed.model.name) {
      let successor = after.first { oldByName[$0.model.name] == nil && $0.model.shape == placed.model.shape }
      changes.append(
        Change(
          .removed, "model \(placed.model.name)",
          successor.map { "`\($0.model.name)` is new and has the same shape" } ?? "", isBreaking: true,
          group: placed.group))
    }
    return changes
  }

  private static func models(of catalogue: Catalogue) -> [Placed] {
    catalogue.groups.flatMap { group in group.models.map { Placed(model: $0, group: group.name) } }
  }

  private static func swiftName(_ model: Model) -> String { model.swiftName ?? SwiftName.type(model.name) }

  private func changes(from old: Model, to new: Model, group: String) -> [Change] {
    let subject = "model \(new.name)"
    let isSent = types.sent.contains(new.name)
    var changes: [Change] = []
    func change(_ detail: String, breaks: Bool) {
      changes.append(Change(.changed, subject, detail, isBreaking: breaks, group: group))
    }
    if Self.swiftName(old) != Self.swiftName(new) {
      change("the Swift type is `\(Self.swiftName(new))`, not `\(Self.swiftName(old))`", breaks: true)
    }
    if old.isClosed != new.isClosed { change(new.isClosed ? "is closed" : "is open", breaks: true) }
    if !old.isClosed, !new.isClosed, old.isExtensible != new.isExtensible {
      change(
        new.isExtensible ? "any other value may also be sent" : "calls by name send no other values any more",
        breaks: false)
    }
    if old.isInteger != new.isInteger { change("has other raw values", breaks: true) }
    if old.deprecation == nil, new.deprecation != nil { change("is deprecated", breaks: false) }
    switch (old.shape, new.shape) {
    case (.object(let before, let extraBefore), .object(let after, let extraAfter)):
      changes += FieldDiff(types: types, model: new.name, group: group).changes(from: before, to: after)
      switch (extraBefore, extraAfter) {
      case (nil, nil): break
      case (nil, .some): change("keeps members that are not listed", breaks: false)
      case (.some, nil): change("no longer keeps members that are not listed", breaks: true)
      case (let before?, let after?):
        switch types.difference(from: before, to: after) {
        case .none: break
        case .detail(let detail):
          change("keeps further members as \(detail)", breaks: isSent && types.isNarrower(after, than: before))
        case .type(let detail): change("keeps further members as \(detail)", breaks: true)
        }
      }
    case (.enumeration(let before), .enumeration(let after)):
      compare(before, after, isClosed: old.isClosed && new.isClosed, change)
    case (.union(let before), .union(let after)): compare(before, after, change)
    case (.alias(let before), .alias(let after)):
      switch types.difference(from: before, to: after) {
      case .none: break
      case .detail(let detail):
        change("is \(detail)", breaks: isSent && types.isNarrower(after, than: before))
      case .type(let detail): change("is \(detail)", breaks: true)
      }
    default: change("is \(Self.kind(new)), not \(Self.kind(old))", breaks: true)
    }
    return changes
  }

  private static func kind(_ model: Model) -> String {
    switch model.shape {
    case .object: "an object"
    case .enumeration: "an enum"
    case .union: "a union"
    case .alias: "another name for a type"
    }
  }

  private func compare(
    _ before: [EnumCase], _ after: [EnumCase], isClosed: Bool, _ change: (String, Bool) -> Void
  ) {
    func name(_ value: EnumCase) -> String { value.swiftName ?? SwiftName.enumCase(value.value) }
    let added = after.filter { new in !before.contains { $0.value == new.value } }
    let removed = before.filter { old in !after.contains { $0.value == old.value } }
    if !removed.isEmpty { change("without the values \(Self.list(removed.map(\.value)))", true) }
    if !added.isEmpty, isClosed {
      change("with the new values \(Self.list(added.map(\.value))), which a closed enum cannot read", true)
    } else if !added.isEmpty {
      change("with the new values \(Self.list(added.map(\.value))); a switch without `default` must name them", false)
    }
    for value in after {
      guard let old = before.first(where: { $0.value == value.value }), name(old) != name(value) else { continue }
      change("the case for `\(value.value)` is `.\(name(value))`, not `.\(name(old))`", true)
    }
  }

  private func compare(_ before: Union, _ after: Union, _ change: (String, Bool) -> Void) {
    if before.tag != after.tag {
      change("its variants are distinguished by \(after.tag.map { "`\($0)`" } ?? "their shape")", false)
    }
    func isSame(_ one: Union.Variant, _ other: Union.Variant) -> Bool { one.swiftName == other.swiftName }
    // New or removed variants are reported below, without their tags.
    for variant in after.variants where before.tag == after.tag {
      guard
        let old = before.variants.first(where: {
          types.difference(from: $0.type, to: variant.type) == .none && isSame($0, variant)
        })
      else { continue }
      for tag in old.tags where !variant.tags.contains(tag) {
        change("`\(tag)` is not a tag of \(types.text(variant.type)) any more", true)
      }
      for tag in variant.tags where !old.tags.contains(tag) {
        change("`\(tag)` is a tag of \(types.text(variant.type))", false)
      }
    }
    for variant in after.variants
    where !before.variants.contains(where: {
      types.difference(from: $0.type, to: variant.type) == .none && isSame($0, variant)
    }) {
      change("with the new variant \(types.text(variant.type)); a switch without `default` must name it", false)
    }
    for variant in before.variants
    where !after.variants.contains(where: {
      types.difference(from: variant.type, to: $0.type) == .none && isSame($0, variant)
    }) {
      change("without the variant \(types.text(variant.type))", true)
    }
  }

  private static func list(_ values: [String]) -> String { values.map { "`\($0)`" }.joined(separator: ", ") }
}

/// Compares the fields of a model.
struct FieldDiff {
  let types: TypeComparison
  let model: String
  let group: String

  /// Whether callers create such a value instead of only reading it.
  private var isSent: Bool { types.sent.contains(model) }

  /// Whether no response contains such a value.
  private var isOnlySent: Bool { isSent && !types.received.contains(model) }

  func changes(from old: [Field], to new: [Field]) -> [Change] {
    var changes: [Change] = []
    for field in new {
      let subject = "field \(model).\(field.name)"
      guard let before = old.first(where: { $0.name == field.name }) else {
        let isRequired = Self.isDemanded(field)
        changes.append(
          Change(
            .added, subject, (isRequired ? "required, " : "") + types.text(field.type),
            isBreaking: isRequired && isSent, group: group))
        continue
      }
      changes += self.changes(from: before, to: field, subject: subject)
    }
    for field in old where !new.contains(where: { $0.name == field.name }) {
      changes.append(Change(.removed, "field \(model).\(field.name)", isBreaking: true, group: group))
    }
    let order = Change.ofOrder(
      from: Self.arguments(old), to: Self.arguments(new), "model \(model)",
      "the order of the initializer's arguments is", group: group)
    if isSent, let order { changes.append(order) }
    return changes
  }

  /// Required arguments come first, as in methods.
  private static func arguments(_ fields: [Field]) -> [String] {
    let arguments = fields.filter { $0.constant == nil }
    return (arguments.filter(isDemanded) + arguments.filter { !isDemanded($0) }).map(\.propertyName)
  }

  /// Whether the initializer's argument is required.
  private static func isDemanded(_ field: Field) -> Bool {
    !field.type.isOptional && !field.isReadOnly && field.constant == nil
  }

  private func changes(from old: Field, to new: Field, subject: String) -> [Change] {
    var changes: [Change] = []
    func change(_ detail: String, breaks: Bool) {
      changes.append(Change(.changed, subject, detail, isBreaking: breaks, group: group))
    }
    if old.propertyName != new.propertyName {
      change("the property is `\(new.propertyName)`, not `\(old.propertyName)`", breaks: true)
    }
    var isSameType = true
    switch types.difference(from: old.type, to: new.type) {
    case .none: break
    case .detail(let detail):
      change("is \(detail)", breaks: isSent && !new.isReadOnly && types.isNarrower(new.type, than: old.type))
    case .type(let detail):
      change("is \(detail)", breaks: true)
      isSameType = false
    }
    if isSameType, types.isPlainList(new.type) {
      // The property is a list both before and after. A missing list is read as an empty one.
      let isDemanded = isSent && Self.isDemanded(new) && !old.isReadOnly
      if old.type.isOptional, !new.type.isOptional {
        change(isDemanded ? "must be given to the initializer" : "is always there now", breaks: isDemanded)
      }
      if !old.type.isOptional, new.type.isOptional {
        change("may be missing now: it then reads as empty", breaks: false)
      }
    } else {
      // Code that reads an optional unwraps it, which does not compile for other types, so changes in both directions break it.
      if old.type.isOptional, !new.type.isOptional {
        change(
          isOnlySent ? "must be given now: no optional any more" : "is always there now: no optional any more",
          breaks: true)
      }
      if !old.type.isOptional, new.type.isOptional {
        change(isOnlySent ? "may be left out now: an optional" : "may be missing now: an optional", breaks: true)
      }
    }
    if (old.constant == nil) != (new.constant == nil) {
      change(
        new.constant == nil
          ? "is an argument of the initializer again" : "is not an argument of the initializer any more",
        breaks: isSent)
    } else if let constant = new.constant, constant != old.constant {
      change("is sent as `\(constant)`", breaks: false)
    }
    if old.isReadOnly, Self.isDemanded(new) { change("must be given to the initializer", breaks: isSent) }
    if !old.isReadOnly, new.isReadOnly {
      change(
        Self.isDemanded(old) ? "may be left out of the initializer" : "is set by the API alone now", breaks: false)
    }
    if old.isReadOnly, !new.isReadOnly, !Self.isDemanded(new) { change("can be sent now", breaks: false) }
    if old.isWriteOnly != new.isWriteOnly {
      change(new.isWriteOnly ? "is not in responses any more" : "is also in responses", breaks: false)
    }
    if old.deprecation == nil, new.deprecation != nil { change("is deprecated", breaks: false) }
    for name in new.aliases where !old.aliases.contains(name) && old.name != name {
      change(
        name == Field.wholeResponse
          ? "may also be the whole response" : "is also read from `\(name)`", breaks: false)
    }
    for name in old.aliases where !new.aliases.contains(name) {
      change(
        name == Field.wholeResponse
          ? "is no longer the whole response" : "is no longer read from `\(name)`", breaks: true)
    }
    return changes
  }
}
