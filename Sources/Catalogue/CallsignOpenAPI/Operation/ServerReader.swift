import CallsignCatalogue

import struct Foundation.URL

/// Reads `servers`, which become the catalogue's hosts.
struct ServerReader {
  private var log: ImportLog
  private(set) var hosts: [CatalogueHost] = []
  private var hostNames: Set<String> = []
  private var counter = NameCounter()
  /// The names of hosts, by the document's URLs.
  private var names: [String: String] = [:]
  /// The variables in the document's URLs, by URL.
  private var variables: [String: [HostVariable]] = [:]
  /// The arguments of the client's initializers, and what uses each.
  private var labels = ["auth": "", "configuration": "", "client": ""]

  /// The host to use if the document does not say where the API is. No such name can exist (RFC 2606 §2). A call without another
  /// base URL fails with the advice to set one.
  static let placeholder = "https://server.invalid"

  private let overrides: [String: String]
  /// The document's own URL (`$self`, OpenAPI 3.2), which is the base of relative URLs.
  private let documentURL: URL?

  /// - Parameter overrides: The base URLs to use instead of the document's, by the host's name. The first host is `api`.
  init(_ document: OpenAPIDocument, overrides: [String: String], log: ImportLog) throws(ImportError) {
    // Problems with servers that are not used do not matter.
    self.log = overrides["api"] == nil ? log : ImportLog()
    self.overrides = overrides
    documentURL = document.root["$self"]?.string.flatMap { Self.isAbsolute($0) ? URL(string: $0) : nil }
    for (_, url) in overrides.sorted(by: { $0.key < $1.key }) where !Self.isAbsolute(url) {
      throw .invalid("the server `\(url)` is not an absolute http or https URL", at: "#/servers")
    }
    var list = document.root["servers"]?.list ?? []
    // The default of OpenAPI if a document lists no servers.
    if list.isEmpty, documentURL != nil { list = [.object(DocumentObject([("url", .string("/"))]))] }
    var urls: [(url: String, pointer: String)] = []
    for (index, server) in list.enumerated() {
      let pointer = Pointer.child("#/servers", String(index))
      if let url = try url(of: server, at: pointer) { urls.append((url, pointer)) }
    }
    self.log = log
    // An override of the first host replaces all servers that the document lists.
    if let first = overrides["api"] {
      hosts = [CatalogueHost(name: "api", url: Self.trimmed(first))]
      hostNames = ["api"]
      for (url, _) in urls { names[url] = "api" }
      return
    }
    let known = Set(urls.map(\.url))
    for (url, pointer) in urls {
      if url.hasPrefix("http://"), known.contains("https" + url.dropFirst("http".count)) {
        log.note("the server `\(url)` also exists with `https` and is left out", at: pointer)
      } else {
        add(url)
      }
    }
    if hosts.isEmpty {
      if log.isStrict {
        throw .invalid("the document names no absolute server URL; give one with --server", at: "#/servers")
      }
      log.warn(
        "the document names no absolute server URL; give one with --server, or the client a base URL: until then calls go to "
          + "`\(Self.placeholder)`, which is nowhere", at: "#/servers")
      add(Self.placeholder)
    }
  }

  /// Checks, after all hosts are known, that each override belongs to a host.
  ///
  /// - Throws: ``ImportError`` for an override without a host.
  func checkOverrides() throws(ImportError) {
    let known = hosts.map { "`\($0.name)`" }.joined(separator: ", ")
    for name in overrides.keys.sorted() where !hosts.contains(where: { $0.name == name }) {
      throw .invalid("unknown host `\(name)`, so it cannot get another URL; the hosts are \(known)", at: "#/servers")
    }
  }

  /// The catalogue's host for the servers of an operation or path; `nil` if it is the document's own.
  mutating func host(for servers: DocumentValue?, at place: String) throws(ImportError) -> String? {
    guard let list = servers?.list, let first = list.first else { return nil }
    let pointer = Pointer.child(place, "servers")
    if list.count > 1 { log.note("several servers; the first is taken", at: pointer) }
    guard let url = try url(of: first, at: pointer) else { return nil }
    let name = add(url)
    return name == hosts.first?.name ? nil : name
  }

  /// The server's absolute URL; `nil` if it has none that can be used, which is reported.
  private mutating func url(of server: DocumentValue, at pointer: String) throws(ImportError) -> String? {
    guard var url = server["url"]?.scalarText else {
      if log.isStrict { throw .invalid("a server needs a `url`", at: pointer) }
      log.warn("a server without a `url` is left out", at: pointer)
      return nil
    }
    url = withScheme(url, server["variables"], at: pointer)
    if let host = try template(url, server["variables"], at: pointer) { return host }
    var isUnknown = false
    for variable in server["variables"]?.object?.members ?? [] where url.contains("{\(variable.key)}") {
      let known = variable.value["default"]?.scalarText ?? variable.value["enum"]?.list?.first?.scalarText
      if let known, !known.isEmpty || variable.value["default"] != nil {
        log.warn("the server's variable `\(variable.key)` is fixed at `\(known)`", at: pointer)
      }
      let placeholder = "{\(variable.key)}"
      // An empty value needs no colon or slash before it.
      for sign in [":", "/"] where known == "" && !url.contains("//" + placeholder) {
        url = url.replacing(sign + placeholder, with: "")
      }
      url = url.replacing(placeholder, with: known ?? placeholder)
    }
    while let open = url.firstIndex(of: "{"), let close = url[open...].firstIndex(of: "}") {
      let name = url[url.index(after: open)..<close]
      log.warn("the server's variable `\(name)` has no value; set the client's base URL", at: pointer)
      isUnknown = true
      url.replaceSubrange(open...close, with: name.filter { $0.isASCII && ($0.isLetter || $0.isNumber) })
    }
    url = url.filter { !$0.isWhitespace }
    if !Self.isAbsolute(url), let found = URL(string: url, relativeTo: documentURL)?.absoluteString,
      Self.isAbsolute(found)
    {
      log.note("the server `\(url)` is `\(found)`, by the document's `$self`", at: pointer)
      url = found
    }
    url = Self.trimmed(url)
    if url.hasPrefix("//") { url = "https:" + url }
    guard Self.isAbsolute(url) else {
      let path = url.hasPrefix("/") || url.isEmpty ? url : "/" + url
      guard !log.isStrict, !path.contains(where: { "?#{}:@".contains($0) }) else {
        log.warn("the server `\(url)` is not an absolute URL and is left out", at: pointer)
        return nil
      }
      if let resolved = resolved(path) {
        log.warn(
          "the server `\(server["url"]?.scalarText ?? "")` is relative; it is taken as `\(resolved)`, relative to the document's own server; "
            + "give another by --server HOST=URL", at: pointer)
        return resolved
      }
      log.warn(
        "the server `\(url)` is relative to the document's own URL; set the client's base URL, or give "
          + (hosts.isEmpty ? "--server" : "--server HOST=URL"), at: pointer)
      return Self.placeholder + path
    }
    if HostURL.isIncomplete(url) {
      log.warn("the server `\(url)` is left out: a part of its host is empty", at: pointer)
      return nil
    }
    if isUnknown {
      let elsewhere = Self.nowhere(url)
      return HostURL.problem(elsewhere) == nil ? elsewhere : Self.placeholder
    }
    if let problem = HostURL.problem(url) {
      if log.isStrict { throw .invalid(problem, at: pointer) }
      log.warn("the server `\(url)` is left out: \(problem)", at: pointer)
      return nil
    }
    return url
  }

  /// The URL of a path on the host of the document's first server; `nil` if that host is not known.
  private mutating func resolved(_ path: String) -> String? {
    guard let base = hosts.first, base.url != Self.placeholder, !base.url.hasPrefix(Self.placeholder + "/"),
      !path.split(separator: "/").contains(where: { $0 == "." || $0 == ".." })
    else { return nil }
    let parts = base.url.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count > 2 else { return nil }
    let origin = parts.prefix(3).joined(separator: "/")
    let names = HostURL.variables(of: origin)
    variables[origin + path] = base.variables.filter { names.contains($0.name) }
    return origin + path
  }

  /// The URL with a fixed scheme instead of a variable at its start, because a catalogue's host has one: `https` if the document
  /// allows it.
  private func withScheme(_ url: String, _ described: DocumentValue?, at pointer: String) -> String {
    guard url.hasPrefix("{"), let end = url.firstRange(of: "}://") else { return url }
    let name = String(url[..<end.lowerBound].dropFirst())
    let fallback = described?[name]?["default"]?.scalarText
    let values = [fallback] + (described?[name]?["enum"]?.list ?? []).map(\.scalarText)
    let schemes = values.compactMap { $0?.lowercased() }.filter { $0 == "https" || $0 == "http" }
    guard let first = schemes.first else { return url }
    let rest = url[end.lowerBound...].dropFirst()
    // A server on the caller's own machine usually has no certificate.
    let scheme = !schemes.contains("https") || first == "http" && Self.isLoopback(rest, described) ? "http" : "https"
    if scheme == "https" {
      log.note("the server's variable `\(name)` is fixed at `https`", at: pointer)
    } else {
      log.warn(
        "the server's variable `\(name)` is fixed at `http`, so credentials are only sent to this machine",
        at: pointer)
    }
    return scheme + rest
  }

  /// Whether the text after a scheme leads to the caller's own machine, according to the defaults of its variables.
  private static func isLoopback(_ rest: Substring, _ described: DocumentValue?) -> Bool {
    var host = String(rest.drop { $0 == ":" || $0 == "/" })
    for variable in described?.object?.members ?? [] {
      guard let value = variable.value["default"]?.scalarText else { continue }
      host = host.replacing("{\(variable.key)}", with: value)
    }
    let name = host.prefix { !":/".contains($0) }
    return name == "localhost" || name.hasPrefix("127.") || host.hasPrefix("[::1]")
  }

  /// The URL with its variables, in the form that a catalogue's host also supports; `nil` for a URL without variables, or with
  /// variables that are not only in host and path.
  private mutating func template(
    _ text: String, _ described: DocumentValue?, at pointer: String
  ) throws(ImportError) -> String? {
    let names = HostURL.variables(of: text)
    guard !names.isEmpty else { return nil }
    var url = Self.trimmed(text.filter { !$0.isWhitespace })
    if url.hasPrefix("//") { url = "https:" + url }
    guard Self.isAbsolute(url), !names.contains("") else { return nil }
    var found: [HostVariable] = []
    for name in names where !found.contains(where: { $0.name == name }) {
      var variable = HostVariable(name: name)
      let values = described?[name]?["enum"]?.list?.compactMap(\.scalarText) ?? []
      variable.defaultValue = described?[name]?["default"]?.scalarText ?? values.first
      variable.swiftName = label(of: name)
      variable.values = values
      // A value is checked when it is used. A default that cannot be used is dropped.
      let part = HostURL.part(of: name, in: url)
      if let value = variable.defaultValue, !HostURL.isUsable(value, in: part) { return nil }
      if variable.defaultValue == "" {
        // Without a value, a path would have an extra slash and a host an extra colon.
        if part == .path || url.contains(":{\(name)}") { return nil }
        let filled = CatalogueHost(name: "api", url: url, variables: [variable]).sampleURL
        if HostURL.isIncomplete(filled) {
          let problem = "the `default` of the variable `\(name)` is empty, and with it a part of the host"
          if log.isStrict { throw .invalid(problem, at: pointer) }
          log.warn("\(problem); it must be given to the client", at: pointer)
          variable.defaultValue = nil
        }
      }
      if log.isStrict, variable.defaultValue == nil {
        throw .invalid("the variable `\(name)` needs a `default`", at: pointer)
      }
      found.append(variable)
    }
    let host = CatalogueHost(name: "api", url: url, variables: found)
    guard HostURL.problem(host) == nil else { return nil }
    variables[url] = found
    return url
  }

  /// A label for the client's initializers, if the variable's name has another meaning there.
  private mutating func label(of name: String) -> String? {
    let usual = SwiftName.member(name)
    var label = usual
    while let owner = labels[label], owner != name { label += "Value" }
    labels[label] = name
    return label == usual ? nil : label
  }

  /// The URL with a host that cannot exist, because a part of the host is unknown.
  private static func nowhere(_ url: String) -> String {
    let parts = url.split(separator: "/", maxSplits: 2, omittingEmptySubsequences: true)
    guard parts.count >= 2 else { return placeholder }
    let host = parts[1].prefix { $0 != ":" && $0 != "@" }.filter { $0.isASCII }
    return "https://" + host + ".invalid" + (parts.count > 2 ? "/" + parts[2] : "")
  }

  @discardableResult
  private mutating func add(_ url: String) -> String {
    if let known = names[url] { return known }
    var name = "api"
    if !hosts.isEmpty {
      let authority = url.split(separator: "/").dropFirst().first ?? "host"
      name = String(authority.prefix { $0 != "." && $0 != ":" })
    }
    name = String(name.unicodeScalars.filter { $0.isASCII && ($0.properties.isAlphabetic || ("0"..."9").contains($0)) })
    if name.first?.isLetter != true { name = "host" + name }
    name = counter.free(name) { [hostNames] in hostNames.contains($0) }
    hostNames.insert(name)
    names[url] = name
    if let override = overrides[name] {
      hosts.append(CatalogueHost(name: name, url: Self.trimmed(override)))
    } else {
      hosts.append(CatalogueHost(name: name, url: url, variables: variables[url] ?? []))
    }
    return name
  }

  private static func isAbsolute(_ url: String) -> Bool { url.hasPrefix("https://") || url.hasPrefix("http://") }

  private static func trimmed(_ url: String) -> String {
    var url = url[...]
    while url.hasSuffix("/") { url = url.dropLast() }
    return String(url)
  }
}
