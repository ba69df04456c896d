import CallsignYAML

/// The reusable parts of a catalogue from all of its files: parameters and fields by name, mixins, model templates and named
/// patterns, and the models made from templates.
package final class ReusableParts {
  /// Keys that several endpoints share, or fields that several models share.
  package struct Mixin {
    var name: YAMLNode
    var keys: Keyed<MixinKey, YAMLEntry>
  }

  /// A model with types, and words in its texts, that each use fills in: `Response<T>`, `Page<T, nouns>`.
  package struct Template {
    var name: String
    package var parameters: [String]
    package var entry: YAMLEntry
  }

  /// A model that is made from a template and has not been read yet.
  struct Use {
    var model: String
    var template: Template
    var arguments: [TemplateArgument]
    var location: SourceLocation
  }

  /// The maximum number of models made from templates. A template that uses itself with ever longer arguments would make more.
  static let maximumUses = 10_000
  /// The maximum length of a template with its arguments.
  static let maximumUseLength = 200

  /// The texts that nodes come from, numbered 1, 2, …; the texts of the parts follow the given ones.
  package private(set) var sources: [SourceText]
  package private(set) var mixins: [String: Mixin] = [:]
  package private(set) var templates: [String: Template] = [:]
  private(set) var patterns: [String: String] = [:]
  /// Parameters and fields that are the same wherever an entry names them.
  package private(set) var parameters: [String: YAMLEntry] = [:]
  package private(set) var fields: [String: YAMLEntry] = [:]
  /// The names of models by the template use that makes them: `Response<[Post]>`.
  private var models: [String: String] = [:]
  /// The template uses that the catalogue declares under another name.
  private var declared: Set<String> = []
  /// The models to read.
  private var uses: [Use] = []
  private var useCount = 0
  /// The summaries of models, for templates that include them in their texts.
  private var summaries: [String: String] = [:]
  private var places: [String: YAMLNode] = [:]
  /// The mixins and templates that are in use.
  var usedMixins: Set<String> = []
  var usedTemplates: Set<String> = []

  // These two are not parts but caches that the readers of all files share.
  var types = KnownTypes()
  var keyNames: [ObjectIdentifier: KeyNames] = [:]

  /// Starts without parts.
  ///
  /// - Parameter sources: The other texts that nodes of the files come from, by number.
  package init(after sources: [SourceText] = []) { self.sources = sources }

  /// Collects the parts of all files.
  ///
  /// - Returns: The problems.
  package func collect(_ files: [(source: SourceText, root: YAMLNode?)]) -> [Diagnostic] {
    var diagnostics: [Diagnostic] = []
    for (source, root) in files {
      guard let sections = root?.keys, sections.contains(where: Self.hasParts) else { continue }
      sources.append(source)
      guard let number = UInt16(exactly: sources.count) else { break }
      let reader = FileReader(source)
      for section in sections {
        switch section.key.text {
        case FileKey.params.rawValue: collectNames(section.numbered(number), reader, "parameter", into: &parameters)
        case FileKey.fields.rawValue: collectNames(section.numbered(number), reader, "field", into: &fields)
        case FileKey.mixins.rawValue: collectMixins(section.numbered(number), reader)
        case FileKey.patterns.rawValue: collectPatterns(section.numbered(number), reader)
        case FileKey.models.rawValue:
          for entry in section.value.keys ?? [] where Self.isTemplate(entry) {
            collectTemplate(entry.numbered(number), reader)
          }
        default: break
        }
      }
      diagnostics += reader.diagnostics
    }
    if !templates.isEmpty {
      // Runs twice because a template's argument can be a model that is declared further on.
      for _ in 0..<2 { for (source, root) in files { collectDeclared(root, source) } }
      for (_, root) in files { collectSummaries(root) }
      models = models.filter { declared.contains($0.key) }
      uses = []
      useCount = 0
    }
    return diagnostics
  }

  private static func isTemplate(_ entry: YAMLEntry) -> Bool { entry.key.text?.contains("<") == true }

  private static func hasParts(_ section: YAMLEntry) -> Bool {
    switch section.key.text.flatMap(FileKey.init) {
    case .params, .fields, .mixins, .patterns: true
    case .models: section.value.keys?.contains(where: isTemplate) ?? false
    case .api, .group, .endpoints, nil: false
    }
  }

  private func collectNames(
    _ section: YAMLEntry, _ reader: FileReader, _ what: String, into names: inout [String: YAMLEntry]
  ) {
    for entry in reader.entries(section) {
      guard let name = reader.name(entry), isFree(name, what, entry.key, reader) else { continue }
      if entry.value.saysType, !entry.value.isNull {
        names[name] = entry
      } else {
        reader.error("the \(what) `\(name)` has no type; write one, such as `string`", at: entry.key)
        // The mistake is reported here only, not at each use.
        names[name] = YAMLEntry(key: entry.key, value: entry.value.scalar("string"))
      }
    }
  }

  private func collectMixins(_ section: YAMLEntry, _ reader: FileReader) {
    for entry in reader.entries(section) {
      guard let name = reader.name(entry), isFree(name, "mixin", entry.key, reader) else { continue }
      guard let keys = reader.mapping(entry.value, MixinKey.self, in: "mixin `\(name)`") else { continue }
      if keys[.fields] != nil, let other = keys.all.first(where: { ![.fields, .summary, .like].contains($0.key) })?.key
      {
        reader.error(
          "a mixin is for endpoints or for models; put `fields` and `\(other.rawValue)` into two", at: entry.key)
      }
      mixins[name] = Mixin(name: entry.key, keys: keys)
    }
  }

  private func collectPatterns(_ section: YAMLEntry, _ reader: FileReader) {
    for entry in reader.entries(section) {
      guard let name = reader.name(entry), isFree(name, "pattern", entry.key, reader) else { continue }
      guard let text = reader.text(entry) else { continue }
      if !Self.isWord(name) {
        reader.error("`\(name)` cannot be a pattern's name; use letters, digits and `_`", at: entry.key)
      }
      guard text.count > 2, text.hasPrefix("/"), text.hasSuffix("/") else {
        reader.error("a pattern is a regular expression between slashes, such as `/^[0-9]+$/`", at: entry.value)
        continue
      }
      patterns[name] = text.dropFirst().dropLast().split(separator: "\\/", omittingEmptySubsequences: false)
        .joined(separator: "/")
    }
  }

  private func collectTemplate(_ entry: YAMLEntry, _ reader: FileReader) {
    guard let text = reader.name(entry) else { return }
    let parts = text.split(separator: "<", maxSplits: 1, omittingEmptySubsequences: false).map(\.trimmed)
    let parameters = parts.last?.dropLast().split(separator: ",", omittingEmptySubsequences: false).map(\.trimmed) ?? []
    guard parts.count == 2, text.hasSuffix(">"), !parts[0].isEmpty, parameters.allSatisfy(Self.isWord),
      Set(parameters).count == parameters.count
    else {
      reader.error("a template is a name with the names of its types, such as `Response<T>`", at: entry.key)
      return
    }
    for name in parameters where Scalar(name) != nil {
      reader.error("`\(name)` is a word of the type language; give the template's type another name", at: entry.key)
    }
    guard isFree(parts[0], "template", entry.key, reader) else { return }
    templates[parts[0]] = Template(name: parts[0], parameters: parameters, entry: entry)
  }

  private func isFree(_ name: String, _ what: String, _ key: YAMLNode, _ reader: FileReader) -> Bool {
    guard let other = places.updateValue(key, forKey: "\(what) \(name)") else { return true }
    let file = sources[Int(other.source) - 1].file
    let place = other.source == key.source ? "line \(other.line)" : "\(file):\(other.line):\(other.column)"
    reader.error("the \(what) `\(name)` already exists in \(place); remove or rename one", at: key)
    return false
  }

  /// Collects `PostResponse: Response<Post>`: the name of a model made from a template.
  private func collectDeclared(_ root: YAMLNode?, _ source: SourceText) {
    let reader = FileReader(source, parts: self)
    for entry in root?.keys?["models"]?.keys ?? [] {
      guard let name = entry.key.text, !name.contains("<"), Self.isWord(name),
        let text = entry.value.text ?? entry.value.entries?["$type"]?.text, text.contains("<"),
        let key = reader.canonicalUse(text), models[key] == nil || !declared.contains(key)
      else { continue }
      models[key] = name
      declared.insert(key)
    }
  }

  private func collectSummaries(_ root: YAMLNode?) {
    for entry in root?.keys?["models"]?.keys ?? [] {
      guard let name = entry.key.text, let text = entry.value.entries?[ModelKey.summary.rawValue]?.text else {
        continue
      }
      summaries[name] = text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
  }

  /// The summary of the model that a type refers to; `nil` if the model has none.
  func summary(of type: TypeReference) -> String? {
    if case .named(let name) = type.kind { summaries[name] } else { nil }
  }

  static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, first.isLowercase || first.isUppercase || first == 0x5F else { return false }
    return text.utf8.allSatisfy { $0.isLowercase || $0.isUppercase || $0.isDigit || $0 == 0x5F }
  }

  // MARK: Uses of templates

  /// The name of the model that a template makes from the arguments.
  func model(
    _ template: Template, _ arguments: [TemplateArgument], at location: SourceLocation
  ) -> String? {
    let key = Self.key(template, arguments)
    if let name = models[key] { return name }
    guard useCount < Self.maximumUses, key.utf8.count <= Self.maximumUseLength else { return nil }
    let types = arguments.compactMap { if case .type(let type) = $0 { type } else { nil } }
    let name = types.map(Self.words).joined() + template.name
    models[key] = name
    uses.append(Use(model: name, template: template, arguments: arguments, location: location))
    useCount += 1
    return name
  }

  /// The models that have been requested since the last call.
  func takeUses() -> [Use] {
    defer { uses = [] }
    return uses
  }

  /// Whether the model is declared as `name: Response<Post>` with exactly these arguments.
  package func isDeclared(_ name: String, _ template: Template, _ arguments: [TemplateArgument]) -> Bool {
    let key = Self.key(template, arguments)
    return declared.contains(key) && models[key] == name
  }

  /// Whether the model exists only because something uses a template.
  package func isMade(_ name: String) -> Bool { models.contains { $0.value == name && !declared.contains($0.key) } }

  /// Warnings about unused mixins and templates, available after all files have been read.
  func unused() -> [Diagnostic] {
    let mixins = mixins.filter { !usedMixins.contains($0.key) }.map { name, mixin in
      (mixin.name, "nothing is like the mixin `\(name)`; remove it, or name it in a `like`")
    }
    let templates = templates.values.filter { !usedTemplates.contains($0.name) }.map { template in
      (template.entry.key, "the template `\(template.name)` is not used; remove it, or use it as a type")
    }
    return (mixins + templates).compactMap { node, message in
      guard node.source > 0, Int(node.source) <= sources.count else { return nil }
      return Diagnostic(
        .warning, message, at: FileReader(sources[Int(node.source) - 1], others: sources).location(node))
    }
  }

  /// A template and its arguments, such as `Response<Post>`; `nil` if the text is not such a use.
  package func use(_ text: String) -> (template: Template, arguments: [TemplateArgument])? {
    var parser = TypeParser(text, parts: self) { _ in .none }
    guard let use = try? parser.wholeUse(), let template = templates[use.name],
      use.arguments.count == template.parameters.count
    else { return nil }
    return (template, use.arguments)
  }

  static func key(_ template: Template, _ arguments: [TemplateArgument]) -> String {
    "\(template.name)<\(arguments.map(\.text).joined(separator: ", "))>"
  }

  /// The part of a model's name that stands for a type: `Post`, `PostList`.
  private static func words(_ type: TypeReference) -> String {
    switch type.kind {
    case .scalar(let scalar): capitalized(scalar.name)
    case .named(let name): capitalized(name)
    case .list(let element): words(element) + "List"
    case .map(let value): words(value) + "Map"
    }
  }

  private static func capitalized(_ text: String) -> String { text.prefix(1).uppercased() + text.dropFirst() }
}

extension YAMLEntry {
  /// The same entry as part of the text with this number.
  package func numbered(_ source: UInt16) -> YAMLEntry {
    YAMLEntry(key: key.numbered(source), value: value.numbered(source))
  }
}
