import CallsignYAML

/// Reads the YAML nodes of one file into the draft. `spec/README.md` describes the format.
///
/// Entries that cannot be read are reported and left out. If leaving them out would cause further errors,
/// ``TypeReference/unreadable`` takes their place.
package final class FileReader {
  /// The file, and the other texts that its nodes come from, by number.
  let sources: [SourceText]
  let source: SourceText
  package private(set) var diagnostics: [Diagnostic] = []
  var suggestions = Suggestions()
  /// The mixins, templates and patterns of the catalogue.
  package let parts: ReusableParts
  /// The values of the names of the template that is being read.
  package internal(set) var names = TemplateNames()
  /// The enums whose values are the field names of another model.
  var memberEnums: [MemberEnum] = []

  package init(_ source: SourceText, others: [SourceText] = [], parts: ReusableParts = ReusableParts()) {
    self.source = source
    self.parts = parts
    sources = [source] + others
  }

  private func source(of node: YAMLNode) -> SourceText { sources[min(Int(node.source), sources.count - 1)] }

  func read(_ root: YAMLNode?, into draft: inout CatalogueDraft) {
    var group = CatalogueDraft.GroupDraft(group: Group(name: groupName, file: source.file))
    defer { draft.groups.append(group) }
    guard let root, !root.isNull else { return }
    guard let keys = mapping(root, FileKey.self, in: "a catalogue file") else { return }
    if let entry = keys[.api], let (api, auth, name) = readAPI(entry) { draft.apis.append((api, auth, name)) }
    if let entry = keys[.group] { readGroup(entry, into: &group) }
    if let entry = keys[.endpoints] {
      for entry in entries(entry) {
        guard let (endpoint, marks) = readEndpoint(entry) else { continue }
        group.group.endpoints.append(endpoint)
        group.marks.append(marks)
      }
    }
    if let entry = keys[.models] {
      for entry in entries(entry) {
        // Templates have already been collected. Without any templates, such a name is an invalid model name and is read here.
        if !parts.sources.isEmpty, entry.key.text?.contains("<") == true { continue }
        if let model = readModel(entry) { group.group.models.append(model) }
      }
    }
    group.group.models += madeModels()
    draft.memberEnums += memberEnums
  }

  private var groupName: String {
    let file = source.file.split(separator: "/").last ?? ""
    return String(file.split(separator: ".", omittingEmptySubsequences: false).first ?? file)
  }

  private func readGroup(_ entry: YAMLEntry, into group: inout CatalogueDraft.GroupDraft) {
    guard !entry.value.isNull, let keys = mapping(entry.value, GroupKey.self, in: "`group`") else { return }
    group.group.summary = keys[.summary].flatMap { line($0) }
    group.auth = keys[.auth].flatMap { readAuth($0) }
    if let entry = keys[.host], let name = text(entry) {
      group.host = (name, location(entry.value))
    }
    group.documentation = keys[.docs].flatMap { text($0) }
    group.limits = keys[.limits].map { readLimits($0) } ?? []
  }

  // MARK: Diagnostics

  func error(_ message: String, at location: SourceLocation) {
    diagnostics.append(Diagnostic(.error, message, at: location))
  }

  package func error(_ message: String, at node: YAMLNode) { error(message, at: location(node)) }

  func warn(_ message: String, at node: YAMLNode) {
    diagnostics.append(Diagnostic(.warning, message, at: location(node)))
  }

  package func location(_ node: YAMLNode) -> SourceLocation {
    SourceLocation(file: source(of: node).file, line: node.line, column: node.column)
  }

  // MARK: Nodes

  /// The text of a key. Complex keys are reported.
  package func name(_ entry: YAMLEntry) -> String? {
    guard case .scalar(let scalar) = entry.key.content else {
      error("a key must be a name, not \(entry.key.kind); put it in quotes", at: entry.key)
      return nil
    }
    return scalar.text
  }

  /// The entries of a mapping whose keys are names from the catalogue.
  package func entries(_ entry: YAMLEntry) -> [YAMLEntry] {
    if entry.value.isNull { return [] }
    guard case .mapping(let mapping) = entry.value.content else {
      error("`\(name(entry) ?? "")` must be a mapping from names, not \(entry.value.kind)", at: entry.value)
      return []
    }
    return mapping.entries
  }

  /// The entries of a mapping by key. Unknown keys are reported.
  package func mapping<Key: CatalogueKey>(_ node: YAMLNode, _: Key.Type, in what: String) -> Keyed<Key, YAMLEntry>? {
    named(node, known(Key.self), in: what).map(Keyed.init)
  }

  package func keys<Key: CatalogueKey>(_ entries: [YAMLEntry], _: Key.Type, in what: String) -> Keyed<Key, YAMLEntry> {
    Keyed(named(entries, known(Key.self), in: what))
  }

  private func known<Key: CatalogueKey>(_: Key.Type) -> KeyNames {
    let id = ObjectIdentifier(Key.self)
    if let known = parts.keyNames[id] { return known }
    let known = KeyNames(Key.allCases.map(\.rawValue))
    parts.keyNames[id] = known
    return known
  }

  /// The entries of a mapping by name. It does the work of ``mapping(_:_:in:)`` as a separate function, so that it is built once
  /// and not for each kind of key.
  private func named(_ node: YAMLNode, _ known: KeyNames, in what: String) -> NamedValues<YAMLEntry>? {
    guard case .mapping(let mapping) = node.content else {
      error("\(what) must be a mapping, not \(node.kind); its keys are \(Self.list(known.list))", at: node)
      return nil
    }
    return named(mapping.entries, known, in: what)
  }

  private func named(_ entries: [YAMLEntry], _ known: KeyNames, in what: String) -> NamedValues<YAMLEntry> {
    var found = NamedValues<YAMLEntry>()
    for entry in entries {
      guard let name = name(entry) else { continue }
      if known.set.contains(name) {
        found.set(entry, name)
      } else {
        let advice = suggestions.clause(for: name, among: known.list) ?? "; its keys are \(Self.list(known.list))"
        error("unknown key `\(name)` in \(what)\(advice)", at: entry.key)
      }
    }
    return found
  }

  private static func list(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  /// The value as text. Anything else is reported.
  package func text(_ entry: YAMLEntry) -> String? {
    guard case .scalar(let scalar) = entry.value.content, !entry.value.isNull else {
      let key = name(entry) ?? ""
      error("`\(key)` must be a text, not \(entry.value.kind); write `\(key): …`, or remove the key", at: entry.value)
      return nil
    }
    return scalar.text
  }

  /// Reads a value or a list of values.
  func readDefault(_ entry: YAMLEntry) -> DefaultValue? {
    guard case .list(let nodes) = entry.value.content else { return text(entry).map { .single($0) } }
    var texts: [String] = []
    for node in nodes {
      guard case .scalar(let scalar) = node.content, !node.isNull else {
        error("a default is a text, a number, a flag or a list of such, not \(node.kind)", at: node)
        return nil
      }
      texts.append(scalar.text)
    }
    return .list(texts)
  }

  /// The value as a one-line text, such as a summary.
  package func line(_ entry: YAMLEntry) -> String? {
    guard let text = text(entry) else { return nil }
    let line = text.isOneLine ? text : text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    return filledIn(line, at: entry.value)
  }

  /// The value as a Boolean.
  func flag(_ entry: YAMLEntry) -> Bool? {
    switch text(entry) {
    case "true": return true
    case "false": return false
    case .some(let other):
      error("`\(name(entry) ?? "")` must be `true` or `false`, not `\(other)`", at: entry.value)
      return nil
    case nil: return nil
    }
  }

  /// The value as one of an enum's raw values.
  func choice<Choice: RawRepresentable & CaseIterable>(_ entry: YAMLEntry, _: Choice.Type) -> Choice?
  where Choice.RawValue == String {
    word(entry, among: Choice.allCases.map(\.rawValue)).flatMap(Choice.init)
  }

  private func word(_ entry: YAMLEntry, among words: [String]) -> String? {
    guard let text = text(entry) else { return nil }
    if words.contains(text) { return text }
    let advice = suggestions.clause(for: text, among: words) ?? "; it is one of \(Self.list(words))"
    error("`\(name(entry) ?? "")` cannot be `\(text)`\(advice)", at: entry.value)
    return nil
  }

  /// Reads `deprecated: true`, or a message that says what to use instead.
  func deprecation(_ entry: YAMLEntry?) -> Deprecation? {
    guard let entry, let text = line(entry) else { return nil }
    switch text {
    case "false": return nil
    case "true": return Deprecation()
    default: return Deprecation(message: text)
    }
  }

  /// A Swift name chosen by a person. It must be an identifier.
  func swiftName(_ entry: YAMLEntry?) -> String? {
    guard let entry, let name = text(entry) else { return nil }
    guard SwiftIdentifier.isValid(name) else {
      error("`\(name)` is not a Swift name; use letters, digits and `_`, not beginning with a digit", at: entry.value)
      return nil
    }
    return name
  }
}

extension TypeReference {
  /// The placeholder for a type that could not be read and was reported.
  static func unreadable(at location: SourceLocation) -> TypeReference {
    TypeReference(.named(""), location: location)
  }

  var isUnreadable: Bool { kind == .named("") }
}

extension FileReader {
  /// Reads a type in any of its YAML forms: a text, a list with one element (`[T]`), or a map with one key (`{T}`).
  package func readType(_ node: YAMLNode, of what: String) -> TypeReference {
    switch node.content {
    case .scalar(let scalar):
      if node.isNull {
        error("\(what) has no type; write one, such as `string`", at: node)
        return .unreadable(at: location(node))
      }
      return readType(node, scalar) ?? .unreadable(at: location(node))
    case .list(let elements):
      guard let first = elements.first, elements.count == 1 else {
        error(
          elements.isEmpty
            ? "a list names the type of its elements: `[string]`"
            : "a list holds one type; put a type with a comma in quotes, such as `\"[string(1..9, /a+/)]\"`",
          at: elements.count > 1 ? elements[1] : node)
        return .unreadable(at: location(node))
      }
      return TypeReference(.list(readType(first, of: what)), location: location(node))
    case .mapping(let mapping):
      guard let key = mapping.onlyKeyWithoutValue else {
        error(
          mapping.entries.isEmpty
            ? "a map names the type of its values: `{string}`; for any object write `{json}`"
            : "this is not a type; a map is `{T}` with one type, and an object needs a name under `models:`",
          at: node)
        return .unreadable(at: location(node))
      }
      return TypeReference(.map(readType(key, of: what)), location: location(node))
    }
  }

  private func readType(_ node: YAMLNode, _ scalar: YAMLScalar) -> TypeReference? {
    let source = source(of: node)
    let positions = ScalarPositions(node, scalar, in: source)
    // A template use must be registered with the parts, and a template's names have another value in each use.
    guard positions.areSideBySide, names.isEmpty else {
      return parse(node, scalar) { (parser) throws(TypeSyntaxError) in try parser.wholeText() }
    }
    let place = positions[0]
    let location = SourceLocation(file: source.file, line: place.line, column: place.column)
    if let known = parts.types.type(scalar.text, at: location) { return known }
    let type = parse(node, scalar) { (parser) throws(TypeSyntaxError) in try parser.wholeText() }
    if let type, !scalar.text.utf8.contains(UInt8(ascii: "<")) { parts.types.keep(type, scalar.text, at: location) }
    return type
  }

  /// Runs the type parser on a scalar. A syntax error is reported at its character.
  func parse<Result>(
    _ node: YAMLNode, _ scalar: YAMLScalar, _ body: (inout TypeParser) throws(TypeSyntaxError) -> Result
  ) -> Result? {
    let locate = locator(node, scalar)
    var parser = TypeParser(scalar.text, parts: parts, types: names.types, locate: locate)
    do throws(TypeSyntaxError) {
      return try body(&parser)
    } catch let failure {
      error(failure.message, at: locate(failure.offset))
      return nil
    }
  }

  /// The location of each character of a scalar.
  func locator(_ node: YAMLNode, _ scalar: YAMLScalar) -> (Int) -> SourceLocation {
    let source = source(of: node)
    let isPlain = scalar.style == .plain
    // Created only if needed: most callers ask only for the start of a plain scalar.
    var positions: ScalarPositions?
    return { offset in
      if offset == 0, isPlain { return SourceLocation(file: source.file, line: node.line, column: node.column) }
      let known = positions ?? ScalarPositions(node, scalar, in: source)
      positions = known
      let place = known[offset]
      return SourceLocation(file: source.file, line: place.line, column: place.column)
    }
  }
}

extension String {
  /// Whether the text is ASCII without a line break, and has only single spaces between words.
  fileprivate var isOneLine: Bool {
    var text = self
    return text.withUTF8 { bytes in
      guard let start = bytes.baseAddress else { return true }
      var isBehindSpace = true
      var index = 0
      while index < bytes.count {
        let byte = start[index]
        guard byte >= 0x20, byte <= 0x7E, byte != 0x20 || !isBehindSpace else { return false }
        isBehindSpace = byte == 0x20
        index += 1
      }
      return !isBehindSpace
    }
  }
}
