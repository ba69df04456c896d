import CallsignCatalogue

/// Writes one entry of `models:`.
struct ModelWriter {
  private let model: Model

  init(_ model: Model) { self.model = model }

  /// Whether the model is one logical line.
  var isShort: Bool {
    guard !hasProperties else { return false }
    switch model.shape {
    case .object(let fields, let extra): return fields.isEmpty && extra == nil
    case .enumeration(let cases): return Self.shortValues(cases) != nil
    case .union(let union): return Self.shortTypes(union) != nil
    case .alias: return true
    }
  }

  private var hasProperties: Bool {
    model.isClosed || model.isInteger || model.summary != nil || model.documentation != nil || model.deprecation != nil
      || model.swiftName != nil
  }

  func write(to lines: inout YAMLLines, _ shared: SharedParts = SharedParts()) {
    if isShort {
      writeShort(to: &lines)
      return
    }
    if let items = compactItems(shared), lines.compact(2, model.name, items) { return }
    lines.line(2, YAMLText.scalar(model.name) + ":")
    if let name = model.swiftName { lines.entry(4, "$name", name) }
    if let summary = model.summary { lines.entry(4, "$summary", summary) }
    if let documentation = model.documentation { lines.entry(4, "$docs", documentation) }
    if let deprecation = model.deprecation { lines.line(4, "$deprecated: " + EndpointWriter.text(deprecation)) }
    switch model.shape {
    case .object(let fields, let extra):
      let like = shared.like(model: model, fieldCount: fields.count)
      lines.like(4, "$like", like.names)
      for entry in fieldEntries.prefix(like.ownCount) { lines.line(4, text(entry, shared)) }
      if let extra { lines.line(4, "$extra: " + EndpointWriter.text(extra)) }
    case .enumeration(let cases):
      if model.isInteger { lines.entry(4, "$of", "int") }
      if model.isClosed { lines.line(4, "$closed: true") }
      write(cases, to: &lines)
    case .union(let union): write(union, to: &lines)
    case .alias(let type): lines.line(4, "$type: " + EndpointWriter.text(type))
    }
  }

  /// Whether the model is written on one line.
  func isShort(_ shared: SharedParts) -> Bool {
    isShort || compactItems(shared).map { YAMLLines.isCompact(2, model.name, $0) } ?? false
  }

  /// What there is to say of the model, for one line; `nil` where values or variants have words of their own.
  private func compactItems(_ shared: SharedParts) -> [String]? {
    guard shared.isCompact, hasProperties || !fieldEntries.isEmpty else { return nil }
    func item(_ key: String, _ text: String) -> String { "\(key): \(YAMLText.scalar(text, isInFlow: true))" }
    func list(_ key: String, _ texts: [String]) -> String { "\(key): [\(texts.joined(separator: ", "))]" }
    var items: [String] = []
    if let name = model.swiftName { items.append(item("$name", name)) }
    if let summary = model.summary { items.append(item("$summary", summary)) }
    if let documentation = model.documentation { items.append(item("$docs", documentation)) }
    if let deprecation = model.deprecation {
      items.append("$deprecated: " + EndpointWriter.text(deprecation, isInFlow: true))
    }
    switch model.shape {
    case .object(let fields, let extra):
      let like = shared.like(model: model, fieldCount: fields.count)
      if like.names.count == 1 { items.append(item("$like", like.names[0])) }
      if like.names.count > 1 {
        let names = like.names.map { YAMLText.scalar($0, isInFlow: true) }
        items.append(list("$like", names))
      }
      items += fieldEntries.prefix(like.ownCount).map { text($0, shared, isInFlow: true) }
      if let extra { items.append("$extra: " + EndpointWriter.text(extra, isInFlow: true)) }
    case .alias(let type): items.append("$type: " + EndpointWriter.text(type, isInFlow: true))
    case .enumeration(let cases):
      guard cases.allSatisfy({ $0.swiftName == nil && $0.summary == nil }) else { return nil }
      if model.isInteger { items.append("$of: int") }
      if model.isClosed { items.append("$closed: true") }
      items.append(list("$enum", cases.map { YAMLText.scalar($0.value, isInFlow: true) }))
    case .union(let union):
      guard union.tag == nil else { return nil }
      items.append(list("$union", union.variants.map { Self.text($0, isInFlow: true) }))
    }
    return items
  }

  private func writeShort(to lines: inout YAMLLines) {
    switch model.shape {
    case .object: lines.line(2, YAMLText.scalar(model.name) + ": {}")
    case .enumeration(let cases):
      lines.wrapped(2, model.name, opening: "enum [", Self.shortValues(cases) ?? [], closing: "]")
    case .union(let union):
      lines.wrapped(2, model.name, opening: "union [", Self.shortTypes(union) ?? [], closing: "]")
    case .alias(let type): lines.line(2, "\(YAMLText.scalar(model.name)): \(EndpointWriter.text(type))")
    }
  }

  // MARK: Fields

  /// The entries of an object's fields.
  var fieldEntries: [NamedEntry] {
    guard case .object(let fields, _) = model.shape else { return [] }
    return fields.map(entry)
  }

  private func text(_ entry: NamedEntry, _ shared: SharedParts, isInFlow: Bool = false) -> String {
    let known = shared.fields[entry.name]
    // One name alone in braces looks like a type.
    let isWhole = fieldEntries.count == 1 && known.map(entry.isSaid) == true
    return entry.text(after: isWhole ? nil : known, isInFlow: isInFlow)
  }

  private func entry(_ field: Field) -> NamedEntry {
    var pairs: [(key: String, text: String)] = []
    if !field.aliases.isEmpty {
      let names = field.aliases.map { YAMLText.scalar($0, isInFlow: true) }
      pairs.append(("also", "also: [\(names.joined(separator: ", "))]"))
    }
    if let constant = field.constant { pairs.append(("value", "value: \(YAMLText.scalar(constant, isInFlow: true))")) }
    if let value = field.defaultValue { pairs.append(("default", EndpointWriter.text(value))) }
    if field.isReadOnly { pairs.append(("read_only", "read_only: true")) }
    if field.isWriteOnly { pairs.append(("write_only", "write_only: true")) }
    pairs += EndpointWriter.keyed(name: field.swiftName, summary: field.summary, deprecation: field.deprecation)
    // A key with one `$` is about the model.
    return NamedEntry(name: field.name.hasPrefix("$") ? "$" + field.name : field.name, type: field.type, pairs: pairs)
  }

  // MARK: Enums

  /// The values for `enum [a, b]`, where that form can say all there is.
  private static func shortValues(_ cases: [EnumCase]) -> [String]? {
    var values: [String] = []
    for entry in cases {
      guard entry.swiftName == nil, entry.summary == nil, let text = shortValue(entry.value) else { return nil }
      values.append(text)
    }
    // Together they are one plain scalar.
    return YAMLText.isPlain("enum [" + values.joined(separator: ", ") + "]", isInFlow: false) ? values : nil
  }

  private static func shortValue(_ value: String) -> String? {
    let isBare =
      !value.isEmpty && value.first != " " && value.last != " " && value.first != "\"" && value.first != "'"
      && !value.contains { ",[]".contains($0) || $0.isNewline || $0 == "\t" } && !value.contains("  ")
    if isBare { return value }
    // Lines are wrapped between values only, so spaces inside quotes are safe.
    guard !value.contains("\""), !value.contains(where: { $0.isNewline || $0 == "\t" }) else { return nil }
    return "\"\(value)\""
  }

  private func write(_ cases: [EnumCase], to lines: inout YAMLLines) {
    if cases.allSatisfy({ $0.swiftName == nil && $0.summary == nil }) {
      lines.wrapped(4, "$enum", opening: "[", cases.map { YAMLText.scalar($0.value, isInFlow: true) }, closing: "]")
      return
    }
    lines.line(4, "$enum:")
    for entry in cases {
      var text = YAMLText.scalar(entry.value) + ":"
      if let name = entry.swiftName {
        text +=
          " {" + EndpointWriter.pairs(name: name, summary: entry.summary, deprecation: nil).joined(separator: ", ")
          + "}"
      } else if let summary = entry.summary {
        text += " " + YAMLText.scalar(summary)
      }
      lines.line(6, text)
    }
  }

  // MARK: Unions

  private static func shortTypes(_ union: Union) -> [String]? {
    guard union.tag == nil, union.variants.allSatisfy({ $0.swiftName == nil }) else { return nil }
    let types = union.variants.map(\.type.text)
    return YAMLText.isPlain("union [" + types.joined(separator: ", ") + "]", isInFlow: false) ? types : nil
  }

  private func write(_ union: Union, to lines: inout YAMLLines) {
    guard let tag = union.tag else {
      lines.wrapped(4, "$union", opening: "[", union.variants.map { Self.text($0, isInFlow: true) }, closing: "]")
      return
    }
    lines.entry(4, "$tag", tag)
    lines.line(4, "$union:")
    for variant in union.variants {
      for tag in variant.tags { lines.line(6, "\(YAMLText.scalar(tag)): \(Self.text(variant, isInFlow: false))") }
    }
  }

  private static func text(_ variant: Union.Variant, isInFlow: Bool) -> String {
    guard let name = variant.swiftName else { return EndpointWriter.text(variant.type, isInFlow: isInFlow) }
    return "{name: \(name), type: \(EndpointWriter.text(variant.type, isInFlow: true))}"
  }
}
