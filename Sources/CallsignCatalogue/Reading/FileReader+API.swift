import CallsignYAML
import Foundation

extension FileReader {
  /// The `api:` section.
  func readAPI(_ entry: YAMLEntry) -> (API, [AuthMark], name: SourceLocation)? {
    guard let keys = mapping(entry.value, APIKey.self, in: "`api`") else { return nil }
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
      if api.hosts.isEmpty, hosts.value.isNull {
        error("`hosts` is empty; name one, such as `api: https://api.example.com`", at: hosts.key)
      }
    } else {
      error("`api` has no `hosts`; name one, such as `hosts: {api: https://api.example.com}`", at: entry.key)
    }
    api.schemes = keys[.schemes].map { readSchemes($0) } ?? []
    let auth = keys[.auth].flatMap { readAuth($0) }
    api.defaultAuth = auth?.map(\.requirement)
    api.everyCall = readEveryCall(keys)
    return (api, auth ?? [], location(keys[.name]?.value ?? entry.key))
  }

  private func readHosts(_ entry: YAMLEntry) -> [Host] {
    entries(entry).compactMap { entry in
      guard let name = name(entry), let url = text(entry) else { return nil }
      if let problem = HostURL.problem(url) {
        error(problem, at: entry.value)
      }
      let trimmed = url.hasSuffix("/") ? String(url.dropLast()) : url
      return Host(name: name, url: trimmed, location: location(entry.key))
    }
  }

  private func readSchemes(_ entry: YAMLEntry) -> [Scheme] {
    entries(entry).compactMap { entry in
      guard let name = name(entry) else { return nil }
      var scheme = Scheme(name: name, location: location(entry.key))
      switch entry.value.content {
      case .scalar: scheme.summary = entry.value.isNull ? nil : line(entry)
      case .list(let nodes): scheme.scopes = nodes.compactMap { readScope($0) }
      case .mapping:
        var keys: [SchemeKey: YAMLEntry] = [:]
        for entry in entries(entry) {
          guard let scope = self.name(entry) else { continue }
          if let key = SchemeKey(rawValue: scope) {
            keys[key] = entry
          } else {
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

/// Checks the base URL of a host.
package enum HostURL {
  /// States the problem of the URL; `nil` when it is fine. Whether credentials may go there is for the client to say.
  package static func problem(_ text: String) -> String? {
    let example = "write one such as `https://api.example.com/v1`"
    guard let url = URLComponents(string: text), let scheme = url.scheme?.lowercased(), let host = url.host,
      !host.isEmpty
    else { return "`\(text)` is not an absolute URL; \(example)" }
    switch scheme {
    case "https", "http": break
    default: return "a host is reached by `https`, not `\(scheme)`; \(example)"
    }
    if url.user != nil || url.password != nil { return "a catalogue holds no credentials; remove the part before `@`" }
    if url.query != nil || url.fragment != nil {
      return "a base URL ends with its path; remove what follows `?` or `#`"
    }
    return nil
  }
}
