/// Reports which facts about a document as a whole cannot be in a catalogue.
struct DocumentNotes {
  let document: OpenAPIDocument
  let log: ImportLog

  func take() {
    for (index, tag) in (document.root["tags"]?.list ?? []).enumerated() {
      let place = Pointer.child("#/tags", String(index))
      let name = tag["name"]?.string ?? ""
      if let parent = tag["parent"]?.string {
        log.note("the tag `\(name)` belongs to `\(parent)`; each has a separate file", at: place)
      }
      if tag["kind"] != nil { log.countUnsaid(keyword: "kind", at: place) }
    }
    for (index, server) in (document.root["servers"]?.list ?? []).enumerated() where server["name"] != nil {
      log.countUnsaid(keyword: "servers: name", at: Pointer.child("#/servers", String(index)))
    }
    for scheme in document.root["components"]?["securitySchemes"]?.object?.members ?? [] {
      noteLogin(scheme.value, at: Pointer.child("#/components/securitySchemes", scheme.key))
    }
    for schema in document.root["components"]?["schemas"]?.object?.members ?? [] {
      guard schema.value["discriminator"]?["defaultMapping"] != nil else { continue }
      log.warn(
        "`defaultMapping` cannot be expressed in a catalogue; other values arrive as `.unknown`",
        at: Pointer.child("#/components/schemas", schema.key))
    }
  }

  /// A catalogue says which credentials a call accepts; the program says where to request them.
  private func noteLogin(_ scheme: DocumentValue, at place: String) {
    if scheme["deprecated"]?.bool == true { log.note("the scheme is deprecated", at: place) }
    if let url = scheme["oauth2MetadataUrl"]?.string {
      log.note("the provider describes itself at \(url): give that to the login", at: place)
    }
    for flow in scheme["flows"]?.object?.members ?? [] {
      let urls = ["deviceAuthorizationUrl", "authorizationUrl", "tokenUrl"].compactMap { key in
        flow.value[key]?.string.map { "\(key) \($0)" }
      }
      guard !urls.isEmpty else { continue }
      log.note("give these to the login (\(flow.key)): \(urls.joined(separator: ", "))", at: place)
    }
  }
}
