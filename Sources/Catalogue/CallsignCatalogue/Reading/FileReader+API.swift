import CallsignYAML

extension FileReader {
  /// Reads the `api:` section.
  func readAPI(_ entry: YAMLEntry) -> (API, [AuthMark], name: SourceLocation)? {
    guard let keys = mapping(entry.value, APISectionKey.self, in: "`api`") else { return nil }
    var api = API(name: "", hosts: [], location: location(entry.key))
    if let entry = keys[.name] {
      api.name = swiftName(entry) ?? ""
      if let first = api.name.unicodeScalars.first, !first.properties.isUppercase, first != "_" {
        error("a Swift type's name begins with a capital: `\(SwiftName.type(api.name))`", at: entry.value)
      }
    } else {
      error(
        "`api` has no `name`; give the Swift type that carries the methods, such as `name: Petstore`", at: entry.key)
    }
    api.summary = keys[.summary].flatMap { line($0) }
    api.documentation = keys[.docs].flatMap { text($0) }
    if let hosts = keys[.hosts] {
      api.hosts = readHosts(hosts)
      if api.hosts.isEmpty, hosts.value.isNull || hosts.value.keys?.isEmpty == true {
        error("`hosts` is empty; name one, such as `api: https://api.example.com`", at: hosts.key)
      }
    } else {
      error("`api` has no `hosts`; name one, such as `hosts: {api: https://api.example.com}`", at: entry.key)
    }
    api.schemes = keys[.schemes].map { readSchemes($0) } ?? []
    let auth = keys[.auth].flatMap { readAuth($0) }
    api.defaultAuth = auth?.map(\.requirement)
    api.everyCall = readEveryCall(keys)
    api.webhooks = keys[.webhooks].flatMap { readWebhooks($0) }
    return (api, auth ?? [], location(keys[.name]?.value ?? entry.key))
  }

  private func readHosts(_ entry: YAMLEntry) -> [CatalogueHost] {
    entries(entry).compactMap { entry in
      guard let name = name(entry) else { return nil }
      var host = CatalogueHost(name: name, url: "", location: location(entry.key))
      var urlEntry = entry
      var declared: [HostVariable] = []
      if case .mapping(let mapping) = entry.value.content {
        let keys = keys(mapping.entries, HostKey.self, in: "host `\(name)`")
        guard let entry = keys[.url] else {
          error("host `\(name)` has no `url`; write one such as `https://{tenant}.example.com`", at: entry.key)
          return nil
        }
        urlEntry = entry
        declared = keys[.variables].map { readHostVariables($0) } ?? []
      }
      guard let url = text(urlEntry) else { return nil }
      host.url = url.hasSuffix("/") ? String(url.dropLast()) : url
      for name in HostURL.variables(of: url) where !host.variables.contains(where: { $0.name == name }) {
        let variable = declared.first { $0.name == name }
        host.variables.append(variable ?? HostVariable(name: name, location: location(urlEntry.value)))
      }
      for variable in declared where !host.variables.contains(where: { $0.name == variable.name }) {
        error("the URL has no `{\(variable.name)}`; put it there, or remove the variable", at: variable.location)
      }
      if let problem = HostURL.problem(host) {
        error(problem, at: urlEntry.value)
      } else {
        checkDefaults(of: host)
      }
      return host
    }
  }

  /// Rejects defaults that would make the client send nothing.
  private func checkDefaults(of host: CatalogueHost) {
    for variable in host.variables {
      guard let value = variable.defaultValue else { continue }
      let part = HostURL.part(of: variable.name, in: host.url)
      if !HostURL.isUsable(value, in: part) {
        error("`\(value)` cannot stand for `{\(variable.name)}`: \(part.allowed)", at: variable.location)
      } else if value.isEmpty, HostURL.isIncomplete(host.sampleURL) {
        error("the default of `{\(variable.name)}` is empty, and with it a part of the host", at: variable.location)
      }
    }
  }

  /// Reads a mapping from names to nothing, to a default, or to `{default, values, name, summary}`.
  private func readHostVariables(_ entry: YAMLEntry) -> [HostVariable] {
    entries(entry).compactMap { entry in
      guard let name = name(entry) else { return nil }
      var variable = HostVariable(name: name, location: location(entry.key))
      guard case .mapping(let mapping) = entry.value.content else {
        if !entry.value.isNull { variable.defaultValue = text(entry) }
        return variable
      }
      let keys = keys(mapping.entries, HostVariableKey.self, in: "variable `\(name)`")
      variable.defaultValue = keys[.fallback].flatMap { text($0) }
      variable.swiftName = swiftName(keys[.name])
      variable.summary = keys[.summary].flatMap { line($0) }
      if let values = keys[.values] {
        if case .list(let nodes) = values.value.content {
          variable.values = nodes.compactMap { node in
            guard case .scalar(let scalar) = node.content, !node.isNull else {
              error("a variable's value is a text, not \(node.kind)", at: node)
              return nil
            }
            return scalar.text
          }
        } else {
          error("`values` is a list of texts, such as `[eu, us]`", at: values.value)
        }
      }
      return variable
    }
  }

  /// `{signature: "X-Signature: sha256={hex}", message: "{timestamp}.{body}", …}`
  private func readWebhooks(_ entry: YAMLEntry) -> WebhookScheme? {
    guard let keys = mapping(entry.value, WebhookKey.self, in: "`webhooks`") else { return nil }
    guard let signature = keys[.signature] else {
      error(
        "`webhooks` has no `signature`; write the header field: `signature: \"X-Signature: sha256={hex}\"`",
        at: entry.key)
      return nil
    }
    guard let text = text(signature) else { return nil }
    let parts = text.split(separator: ":", maxSplits: 1).map(\.trimmed)
    guard parts.count == 2, HeaderName.isValid(parts[0]) else {
      error("`signature` is a header field and its value, such as `X-Signature: sha256={hex}`", at: signature.value)
      return nil
    }
    var scheme = WebhookScheme(header: parts[0], format: parts[1])
    if scheme.format.contains("{hex}") == scheme.format.contains("{base64}") {
      error("the signature's value has one of `{hex}` and `{base64}` for the code", at: signature.value)
    }
    checkPlaceholders(of: scheme.format, ["hex", "base64", "timestamp"], at: signature.value)
    if let entry = keys[.message], let text = self.text(entry) {
      scheme.message = text
      if !text.contains("{body}") { error("what is signed has `{body}`", at: entry.value) }
      checkPlaceholders(of: text, ["body", "timestamp", "id"], at: entry.value)
    }
    scheme.timestamp = keys[.timestamp].flatMap { headerName($0) }
    scheme.id = keys[.id].flatMap { headerName($0) }
    if let entry = keys[.hash], let hash = choice(entry, WebhookScheme.Hash.self) { scheme.hash = hash }
    if let entry = keys[.key], let key = choice(entry, WebhookScheme.Key.self) { scheme.key = key }
    if scheme.message.contains("{timestamp}"), scheme.timestamp == nil, !scheme.format.contains("{timestamp}") {
      error(
        "the time is signed; name its header field: `timestamp: X-Timestamp`, or `{timestamp}` in the signature",
        at: entry.key)
    }
    if scheme.message.contains("{id}"), scheme.id == nil {
      error("the delivery's id is signed; name its header field: `id: X-Delivery`", at: entry.key)
    }
    return scheme
  }

  private func checkPlaceholders(of text: String, _ known: [String], at node: YAMLNode) {
    for name in HostURL.variables(of: text) where !known.contains(name) {
      error("`{\(name)}` means nothing here; known are \(known.map { "`{\($0)}`" }.joined(separator: ", "))", at: node)
    }
  }

  private func headerName(_ entry: YAMLEntry) -> String? {
    guard let name = text(entry) else { return nil }
    if !HeaderName.isValid(name) { error(HeaderName.advice(name), at: entry.value) }
    return name
  }

  private func readSchemes(_ entry: YAMLEntry) -> [Scheme] {
    entries(entry).compactMap { entry in
      guard let name = name(entry) else { return nil }
      var scheme = Scheme(name: name, location: location(entry.key))
      switch entry.value.content {
      case .scalar: scheme.summary = entry.value.isNull ? nil : line(entry)
      case .list(let nodes): scheme.scopes = nodes.compactMap { readScope($0) }
      case .mapping:
        var keys = Keyed<SchemeKey, YAMLEntry>()
        for entry in entries(entry) {
          guard let scope = self.name(entry) else { continue }
          if let key = SchemeKey(rawValue: scope) {
            keys[key] = entry
          } else {
            if SchemeKey(rawValue: "$" + scope) != nil {
              warn("`\(scope)` is a scope here; if it is not one, write `$\(scope)`", at: entry.key)
            }
            scheme.scopes.append(Scope(name: scope, summary: entry.value.isNull ? nil : line(entry)))
          }
        }
        scheme.summary = keys[.summary].flatMap { line($0) }
        scheme.key = readKeyPlace(keys, of: name)
        if scheme.key != nil, !scheme.scopes.isEmpty {
          error("an API key has no scopes; remove `\(scheme.scopes[0].name)`", at: entry.key)
        }
      }
      return scheme
    }
  }

  private func readScope(_ node: YAMLNode) -> Scope? {
    guard case .scalar(let scalar) = node.content, !node.isNull else {
      error("a scope is a name, not \(node.kind)", at: node)
      return nil
    }
    return Scope(name: scalar.text)
  }
}
