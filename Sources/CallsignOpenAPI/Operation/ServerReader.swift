import CallsignCatalogue

/// Reads `servers`, which are the catalogue's hosts.
struct ServerReader {
  private let log: ImportLog
  private(set) var hosts: [Host] = []

  /// - Parameter override: The base URL to use instead of the document's own.
  init(_ document: OpenAPIDocument, override: String?, log: ImportLog) throws(ImportError) {
    self.log = log
    if let override {
      guard Self.isAbsolute(override) else {
        throw .invalid("the server `\(override)` is no absolute http or https URL", at: "#/servers")
      }
      hosts = [Host(name: "api", url: Self.trimmed(override))]
      return
    }
    for (index, server) in (document.root["servers"]?.list ?? []).enumerated() {
      let pointer = Pointer.child("#/servers", String(index))
      let url = try url(of: server, at: pointer)
      guard Self.isAbsolute(url) else {
        log.warn("the server `\(url)` is no absolute URL and is left out", at: pointer)
        continue
      }
      add(url)
    }
    if hosts.isEmpty {
      throw .invalid("the document names no absolute server URL; give one with --server", at: "#/servers")
    }
  }

  /// The catalogue's host for the servers of an operation or path; `nil` for the document's own.
  mutating func host(for servers: DocumentValue?, at place: String) throws(ImportError) -> String? {
    guard let list = servers?.list, let first = list.first else { return nil }
    let pointer = Pointer.child(place, "servers")
    if list.count > 1 { log.note("several servers; the first is taken", at: pointer) }
    let url = try url(of: first, at: pointer)
    guard Self.isAbsolute(url) else {
      log.warn("the server `\(url)` is no absolute URL; the document's own is taken", at: pointer)
      return nil
    }
    let name = add(url)
    return name == hosts.first?.name ? nil : name
  }

  private func url(of server: DocumentValue, at pointer: String) throws(ImportError) -> String {
    guard var url = server["url"]?.string else { throw .invalid("a server needs a `url`", at: pointer) }
    for variable in server["variables"]?.object?.members ?? [] {
      guard let value = variable.value["default"]?.scalarText else {
        throw .invalid("the variable `\(variable.key)` needs a `default`", at: pointer)
      }
      log.warn("the server's variable `\(variable.key)` is fixed at its default, `\(value)`", at: pointer)
      url = url.split(separator: "{\(variable.key)}", omittingEmptySubsequences: false).joined(separator: value)
    }
    return Self.trimmed(url)
  }

  @discardableResult
  private mutating func add(_ url: String) -> String {
    if let host = hosts.first(where: { $0.url == url }) { return host.name }
    var name = "api"
    if !hosts.isEmpty {
      let authority = url.split(separator: "/").dropFirst().first ?? "host"
      name = String(authority.prefix { $0 != "." && $0 != ":" })
    }
    let base = name
    var number = 2
    while hosts.contains(where: { $0.name == name }) {
      name = "\(base)\(number)"
      number += 1
    }
    hosts.append(Host(name: name, url: url))
    return name
  }

  private static func isAbsolute(_ url: String) -> Bool { url.hasPrefix("https://") || url.hasPrefix("http://") }

  private static func trimmed(_ url: String) -> String {
    var url = url[...]
    while url.hasSuffix("/") { url = url.dropLast() }
    return String(url)
  }
}
