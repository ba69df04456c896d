import CallsignCatalogue

/// Writes one entry of `models:`.
struct ModelWriter {
  private let model: Model

  init(_ model: Model) { self.model = model }

  /// Whether the model takes one logical line.
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
    model.isClosed || model.isExtensible || model.isInteger || model.summary != nil || model.documentation != nil
      || model.deprecation != nil || model.swiftName != nil
  }

  func write(to lines: inout YAMLLines, _ shared: SharedParts = SharedParts()) {
    if let text = shared.uses[model.name].map(text) ?? (shared.sharesParts ? aliasText : nil) {
      return lines.entry(2, model.name, text)
    }
    if isShort, shared.members[model.name] == nil {
      writeShort(to: &lines)
      return
    }
    lines.line(2, QuotedScalar.scalar(model.name) + ":")
    if let name = model.swiftName { lines.entry(4, "$name", name) }
    if let summary = model.summary { lines.entry(4, "$summary", summary) }
    if let documentation = model.documentation { lines.entry(4, "$docs", documentation) }
    if let deprecation = model.deprecation { lines.line(4, "$deprecated: " + EndpointWriter.text(deprecation)) }
    switch model.shape {
    case .object(let fields, let extra):
      let like = shared.like(model: model, fieldCount: fields.count)
      lines.like(4, "$like", like.names)
      for entry in fieldEntries.prefix(like.ownCount) {
        let known = shared.fields[entry.name]
        // A single name would look like a type.
        let isWhole = fields.count == 1 && known.map(entry.isSaid) == true
        lines.line(4, entry.text(after: isWhole ? nil : known))
      }
      if let extra { lines.line(4, "$extra: " + EndpointWriter.text(extra)) }
    case .enumeration(let cases):
      if model.isInteger { lines.entry(4, "$of", "int") }
      if model.isClosed || model.isExtensible { lines.line(4, "$closed: \(model.isClosed)") }
      if let members = shared.members[model.name] {
        lines.entry(4, "$members", members.model)
        if !members.exceptions.isEmpty { lines.wrapped(4, "$except", opening: "[", names(members), closing: "]") }
      } else {
        write(cases, to: &lines)
      }
    case .union(let union): write(union, to: &lines)
    case .alias(let type): lines.line(4, "$type: " + EndpointWriter.text(type))
    }
  }

  /// The use of a template, followed by the model's own summary.
  private func text(_ use: TemplateFinder.Use) -> String {
    use.hasOwnSummary ? "\(use.text) - \(model.summary ?? "")" : use.text
  }

  /// `Note: string(..280) - What people say.`: an alias with nothing except a summary.
  private var aliasText: String? {
    guard case .alias(let type) = model.shape, let summary = model.summary, model.documentation == nil,
      model.deprecation == nil, model.swiftName == nil
    else { return nil }
    return type.text(with: summary)
  }

  /// Whether the model is written on one line.
  func isShort(_ shared: SharedParts) -> Bool {
    if shared.uses[model.name] != nil || shared.sharesParts && aliasText != nil { return true }
    return isShort && shared.members[model.name] == nil
  }

  private func writeShort(to lines: inout YAMLLines) {
    switch model.shape {
    case .object: lines.line(2, QuotedScalar.scalar(model.name) + ": {}")
    case .enumeration(let cases):
      lines.wrapped(2, model.name, opening: "enum [", Self.shortValues(cases) ?? [], closing: "]")
    case .union(let union):
      lines.wrapped(2, model.name, opening: "union [", Self.shortTypes(union) ?? [], closing: "]")
    case .alias(let type): lines.line(2, "\(QuotedScalar.scalar(model.name)): \(EndpointWriter.text(type))")
    }
  }

  // MARK: Fields

  /// The entries of an object's fields.
  var fieldEntries: [NamedEntry] {
    guard case .object(let fields, _) = model.shape else { return [] }
    return fields.map(entry)
  }

  private func entry(_ field: Field) -> NamedEntry {
    var pairs: [(key: String, text: String)] = []
    if !field.aliases.isEmpty {
      let names = field.aliases.map { QuotedScalar.scalar($0, isInFlow: true) }
      pairs.append(("also", "also: [\(names.joined(separator: ", "))]"))
    }
    if let constant = field.constant {
      pairs.append(("value", "value: \(QuotedScalar.scalar(constant, isInFlow: true))"))
    }
    if let value = field.defaultValue { pairs.append(("default", EndpointWriter.text(value))) }
    if field.isReadOnly { pairs.append(("read_only", "read_only: true")) }
    if field.isWriteOnly { pairs.append(("write_only", "write_only: true")) }
    pairs += EndpointWriter.keyed(name: field.swiftName, summary: field.summary, deprecation: field.deprecation)
    // A key with one `$` describes the model.
    let name = field.name.hasPrefix("$") ? "$" + field.name : field.name
    return NamedEntry(name: name, type: field.type, pairs: pairs, summaryText: field.summary)
  }

  // MARK: Enums

  private func names(_ members: SharedParts.Members) -> [String] {
    members.exceptions.map { QuotedScalar.scalar($0, isInFlow: true) }
  }

  /// The values for `enum [a, b]`, if that form is sufficient.
  private static func shortValues(_ cases: [EnumCase]) -> [String]? {
    var values: [String] = []
    for entry in cases {
      guard entry.swiftName == nil, entry.summary == nil, let text = shortValue(entry.value) else { return nil }
      values.append(text)
    }
    // Together they form one plain scalar.
    return QuotedScalar.isPlain("enum [" + values.joined(separator: ", ") + "]", isInFlow: false) ? values : nil
  }

  private static func shortValue(_ value: String) -> String? {
    // Compares code points, like the catalogue reader: a comma with an accent is one character, but still a comma.
    let scalars = value.unicodeScalars
    guard !value.contains(where: { $0.isNewline || $0 == "\t" }) else { return nil }
    let isBare =
      !scalars.isEmpty && scalars.first != " " && scalars.last != " " && scalars.first != "\"" && scalars.first != "'"
      && !scalars.contains { ",[]".unicodeScalars.contains($0) }
      && !zip(scalars, scalars.dropFirst()).contains { $0 == " " && $1 == " " }
    if isBare { return value }
    // Lines are wrapped only between values, so spaces in quotes are safe.
    return scalars.contains("\"") ? nil : "\"\(value)\""
  }

  private func write(_ cases: [EnumCase], to lines: inout YAMLLines) {
    if let values = Self.listed(cases) { return lines.wrapped(4, "$enum", opening: "[", values, closing: "]") }
    lines.line(4, "$enum:")
    for entry in cases { lines.line(6, Self.text(entry)) }
  }

  /// The values as a list, if few of them have a name or a summary.
  private static func listed(_ cases: [EnumCase]) -> [String]? {
    let rest = cases.filter { $0.swiftName != nil || $0.summary != nil }
    // If there is a text about each value, one per line is easier to read.
    guard rest.count * 8 <= cases.count else { return nil }
    return cases.map { entry in
      let value = QuotedScalar.scalar(entry.value, isInFlow: true)
      return entry.swiftName == nil && entry.summary == nil ? value : "{\(text(entry))}"
    }
  }

  /// `value: summary`, `value: {name: …, summary: …}` or `value:`.
  private static func text(_ entry: EnumCase) -> String {
    let value = QuotedScalar.scalar(entry.value, isInFlow: true) + ":"
    if let name = entry.swiftName {
      let pairs = EndpointWriter.pairs(name: name, summary: entry.summary, deprecation: nil)
      return "\(value) {\(pairs.joined(separator: ", "))}"
    }
    return entry.summary.map { "\(value) \(QuotedScalar.scalar($0, isInFlow: true))" } ?? value
  }

  // MARK: Unions

  private static func shortTypes(_ union: Union) -> [String]? {
    guard union.tag == nil, union.variants.allSatisfy({ $0.swiftName == nil }) else { return nil }
    let types = union.variants.map(\.type.text)
    return QuotedScalar.isPlain("union [" + types.joined(separator: ", ") + "]", isInFlow: false) ? types : nil
  }

  private func write(_ union: Union, to lines: inout YAMLLines) {
    guard let tag = union.tag else {
      lines.wrapped(4, "$union", opening: "[", union.variants.map { Self.text($0, isInFlow: true) }, closing: "]")
      return
    }
    lines.entry(4, "$tag", tag)
    lines.line(4, "$union:")
    for variant in union.variants {
      for tag in variant.tags { lines.line(6, "\(QuotedScalar.scalar(tag)): \(Self.text(variant, isInFlow: false))") }
    }
  }

  private static func text(_ variant: Union.Variant, isInFlow: Bool) -> String {
    guard let name = variant.swiftName else { return EndpointWriter.text(variant.type, isInFlow: isInFlow) }
    return "{name: \(name), type: \(EndpointWriter.text(variant.type, isInFlow: true))}"
  }
}
