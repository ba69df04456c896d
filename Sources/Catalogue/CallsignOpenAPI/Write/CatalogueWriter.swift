import CallsignCatalogue

/// A file of a written catalogue.
public struct CatalogueFile: Sendable, Equatable {
  /// The path relative to the catalogue's folder.
  public var path: String
  /// The text in UTF-8, ending with a line break.
  public var text: String

  /// Creates a file with the given text.
  public init(path: String, text: String) {
    self.path = path
    self.text = text
  }
}

/// Writes a catalogue as YAML files for people to read and edit. The same catalogue always gives the same bytes.
public struct CatalogueWriter: Sendable {
  /// Lines at the top of every file, without `#`.
  public var header: [String]
  /// Lines at the top of the file with the `api:` section, instead of ``header``. Default: none.
  public var apiHeader: [String]?
  /// Whether to write only once what several endpoints or models share. Off by default, but on in the files of an import.
  public var sharesParts = false

  /// Creates a writer that puts the given lines at the top of every file.
  public init(header: [String] = []) { self.header = header }

  /// Creates a writer for files imported from a document. The file with the `api:` section names the document and how to import it
  /// again; the other files refer to that one.
  public init(origin: ImportOrigin, overlay: String?, templates: [ModelTemplate] = []) {
    let lines = [
      "Imported from the OpenAPI document “\(Self.line(origin.title))”, version \(Self.line(origin.version)).",
      "Do not edit: `callsign import-openapi DOCUMENT --into FOLDER` writes these files.",
    ]
    header = ["Imported from the OpenAPI document that api.yaml names. Do not edit."]
    apiHeader = lines + (overlay.map { ["Your changes are in \($0)."] } ?? [])
    sharesParts = true
    self.templates = templates
  }

  /// The templates that models can use, in files that share parts. Default: none.
  public var templates: [ModelTemplate] = []

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// Writes one file for each group, in the groups' order, and one for examples. The `api:` section is in the group called `api`,
  /// or otherwise in the first.
  public func files(for catalogue: Catalogue) -> [CatalogueFile] {
    let patterns = sharesParts ? PatternNames(catalogue) : PatternNames()
    let catalogue = patterns.naming(catalogue)
    let home = catalogue.groups.first { $0.name == "api" } ?? catalogue.groups.first
    let shared =
      sharesParts
      ? SharedParts(catalogue, home: home?.name ?? "", templates: templates.map(patterns.naming), patterns)
      : SharedParts()
    var files = catalogue.groups.map { group in
      CatalogueFile(
        path: group.name + ".yaml",
        text: text(of: group, in: catalogue, isHome: group.name == home?.name, shared))
    }
    if let examples = catalogue.examples {
      files.append(
        CatalogueFile(path: CatalogueExamples.fileName, text: String(decoding: examples.json, as: UTF8.self)))
    }
    if home == nil {
      files.append(
        CatalogueFile(
          path: "api.yaml", text: text(of: Group(name: "api", file: ""), in: catalogue, isHome: true, shared)))
    }
    return files
  }

  private func text(of group: Group, in catalogue: Catalogue, isHome: Bool, _ shared: SharedParts) -> String {
    let defaultAuth = catalogue.api.defaultAuth ?? []
    var lines = YAMLLines()
    let header = isHome ? apiHeader ?? header : header
    for line in header { lines.comment(line) }
    var isFirst = header.isEmpty
    func section(_ lines: inout YAMLLines) {
      if !isFirst { lines.blank() }
      isFirst = false
    }
    if isHome {
      section(&lines)
      write(catalogue.api, to: &lines)
    }
    let auth = shared.auth[group.name]
    let documentation = shared.documentation[group.name]
    let limits = shared.limits[group.name] ?? []
    if group.summary != nil || auth != nil || documentation != nil || !limits.isEmpty {
      section(&lines)
      write(group.summary, auth, documentation, limits, to: &lines)
    }
    if isHome {
      let named = [
        ("patterns", shared.patterns.lines), ("params", shared.parameters.lines), ("fields", shared.fields.lines),
      ]
      for (key, names) in named where !names.isEmpty {
        section(&lines)
        lines.line(0, key + ":")
        for line in names { lines.line(2, line) }
      }
    }
    let mixins = shared.mixins.filter { $0.group == group.name }
    if !mixins.isEmpty {
      section(&lines)
      lines.line(0, "mixins:")
      for (index, mixin) in mixins.enumerated() {
        if index > 0 { lines.blank() }
        write(mixin, to: &lines)
      }
    }
    if !group.endpoints.isEmpty {
      section(&lines)
      lines.line(0, "endpoints:")
      for (index, endpoint) in group.endpoints.enumerated() {
        if index > 0 { lines.blank() }
        EndpointWriter(endpoint).write(
          to: &lines, shared, auth: shared.sharesParts ? auth ?? defaultAuth : [], documentation: documentation,
          limits: limits)
      }
    }
    let templates = isHome ? shared.templates.map(Self.model) : []
    if !group.models.isEmpty || !templates.isEmpty {
      section(&lines)
      lines.line(0, "models:")
      var wasLong = false
      for (index, model) in (templates + group.models).enumerated() {
        let writer = ModelWriter(model)
        let isShort = writer.isShort(shared)
        if index > 0, wasLong || !isShort { lines.blank() }
        wasLong = !isShort
        writer.write(to: &lines, shared)
      }
    }
    return lines.text
  }

  /// A template as a model with a longer name.
  private static func model(_ template: ModelTemplate) -> Model {
    var model = template.model
    model.name = "\(template.name)<\(template.parameters.joined(separator: ", "))>"
    return model
  }

  /// Writes the facts about a group.
  private func write(
    _ summary: String?, _ auth: [AuthRequirement]?, _ documentation: String?, _ limits: [RateLimit],
    to lines: inout YAMLLines
  ) {
    lines.line(0, "group:")
    if let summary { lines.entry(2, "summary", summary) }
    if let auth { lines.wrapped(2, "auth", opening: "[", auth.flatMap(EndpointWriter.pieces), closing: "]") }
    if let documentation { lines.entry(2, "docs", documentation) }
    if !limits.isEmpty { lines.line(2, "limits: \(EndpointWriter.text(limits))") }
  }

  private func write(_ mixin: SharedParts.Mixin, to lines: inout YAMLLines) {
    lines.line(2, QuotedScalar.scalar(mixin.name) + ":")
    if mixin.content == .pages { return lines.line(4, "pages: \(mixin.lines[0])") }
    lines.line(4, mixin.content.key + ":")
    for line in mixin.lines { lines.line(6, line) }
  }

  private func write(_ api: API, to lines: inout YAMLLines) {
    lines.line(0, "api:")
    lines.entry(2, "name", api.name)
    if let summary = api.summary { lines.entry(2, "summary", summary) }
    if let documentation = api.documentation { lines.entry(2, "docs", documentation) }
    lines.line(2, "hosts:")
    for host in api.hosts { write(host, to: &lines) }
    if !api.schemes.isEmpty {
      lines.line(2, "schemes:")
      for scheme in api.schemes { write(scheme, to: &lines) }
    }
    if let webhooks = api.webhooks {
      lines.line(2, "webhooks:")
      lines.entry(4, "signature", "\(webhooks.header): \(webhooks.format)")
      if webhooks.message != "{body}" { lines.entry(4, "message", webhooks.message) }
      if let name = webhooks.timestamp { lines.entry(4, "timestamp", name) }
      if let name = webhooks.id { lines.entry(4, "id", name) }
      if webhooks.hash != .sha256 { lines.entry(4, "hash", webhooks.hash.rawValue) }
      if webhooks.key != .text { lines.entry(4, "key", webhooks.key.rawValue) }
    }
    if let auth = api.defaultAuth {
      lines.wrapped(2, "auth", opening: "[", auth.flatMap(EndpointWriter.pieces), closing: "]")
    }
    write(api.everyCall, to: &lines)
  }

  private func write(_ facts: EveryCall, to lines: inout YAMLLines) {
    for (key, constants) in [("headers", facts.headers), ("query", facts.query)] where !constants.isEmpty {
      lines.line(2, key + ":")
      for constant in constants { lines.entry(4, constant.name, constant.value) }
    }
    if !facts.failures.isEmpty {
      lines.line(2, "failure:")
      for sign in facts.failures {
        let values = sign.values.map { QuotedScalar.value(sign.isNegated ? "not " + $0 : $0) }
        let text = values.count == 1 ? values[0] : "[\(values.joined(separator: ", "))]"
        lines.line(4, "\(QuotedScalar.scalar(sign.path)): \(text)")
      }
    }
    if !facts.errors.isEmpty {
      lines.wrapped(2, "errors", opening: "{", facts.errors.map(EndpointWriter.text), closing: "}")
    }
    if let field = facts.idempotencyKey { lines.entry(2, "idempotency", field) }
  }

  private func write(_ host: CatalogueHost, to lines: inout YAMLLines) {
    let isShort = host.variables.allSatisfy { $0 == HostVariable(name: $0.name, location: $0.location) }
    if isShort { return lines.entry(4, host.name, host.url) }
    lines.line(4, "\(QuotedScalar.scalar(host.name)):")
    lines.entry(6, "url", host.url)
    lines.line(6, "variables:")
    for variable in host.variables {
      var pairs: [String] = []
      if let value = variable.defaultValue { pairs.append("default: \(QuotedScalar.scalar(value, isInFlow: true))") }
      if !variable.values.isEmpty {
        let values = variable.values.map { QuotedScalar.scalar($0, isInFlow: true) }
        pairs.append("values: [\(values.joined(separator: ", "))]")
      }
      if let name = variable.swiftName { pairs.append("name: \(name)") }
      if let summary = variable.summary { pairs.append("summary: \(QuotedScalar.scalar(summary, isInFlow: true))") }
      let text = pairs.isEmpty ? "" : " {\(pairs.joined(separator: ", "))}"
      lines.line(8, "\(QuotedScalar.scalar(variable.name)):\(text)")
    }
  }

  private func write(_ scheme: Scheme, to lines: inout YAMLLines) {
    let name = QuotedScalar.scalar(scheme.name)
    if let key = scheme.key {
      lines.line(4, "\(name):")
      if let summary = scheme.summary { lines.entry(6, "$summary", summary) }
      lines.entry(6, "$in", key.part.rawValue)
      lines.entry(6, "$name", key.name)
      if let prefix = key.prefix { lines.entry(6, "$prefix", prefix) }
      return
    }
    if scheme.scopes.isEmpty {
      lines.line(4, "\(name):" + (scheme.summary.map { " " + QuotedScalar.scalar($0) } ?? ""))
      return
    }
    lines.line(4, "\(name):")
    if let summary = scheme.summary { lines.entry(6, "$summary", summary) }
    for scope in scheme.scopes {
      lines.line(6, "\(QuotedScalar.scalar(scope.name)):" + (scope.summary.map { " " + QuotedScalar.scalar($0) } ?? ""))
    }
  }
}
