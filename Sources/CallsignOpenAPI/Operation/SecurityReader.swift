import CallsignCatalogue

/// Reads `securitySchemes`, and what an operation demands of them.
struct SecurityReader {
  private let document: OpenAPIDocument
  private let log: ImportLog
  /// The catalogue's name for each of the document's schemes.
  private var names: [String: String] = [:]
  private(set) var schemes: [Scheme] = []

  init(_ document: OpenAPIDocument, log: ImportLog) throws(ImportError) {
    self.document = document
    self.log = log
    let base = "#/components/securitySchemes"
    for member in document.root["components"]?["securitySchemes"]?.object?.members ?? [] {
      let place = Pointer.child(base, member.key)
      let resolved = try log.repairing("the scheme is left out", at: place) { () throws(ImportError) in
        try document.resolved(member.value, at: place)
      }
      if let (value, pointer, _) = resolved { add(value, called: member.key, at: pointer) }
    }
  }

  private mutating func add(_ value: DocumentValue, called key: String, at pointer: String) {
    var scheme = Scheme(name: "")
    switch value["type"]?.string {
    case "http":
      switch value["scheme"]?.string?.lowercased() {
      case "bearer": scheme.name = "bearer"
      case "basic": scheme.name = "basic"
      case "digest": scheme.name = "digest"
      case "oauth": scheme.name = "oauth1"
      default:
        scheme.name = Self.ownName(key)
        scheme.summary = "The HTTP authentication scheme \(value["scheme"]?.string ?? "that it is named after")."
        log.warn("the scheme becomes one of the catalogue's own, `\(scheme.name)`", at: pointer)
      }
    case "oauth2":
      scheme.name = "oauth2"
      scheme.scopes = scopes(of: value)
    case "openIdConnect":
      scheme.name = "oauth2"
      log.warn("OpenID Connect is taken as OAuth 2.0, without the provider's own discovery", at: pointer)
    case "apiKey":
      scheme.name = Self.ownName(key)
      // These words stand for schemes that are none of a key.
      if ["oauth1", "oauth2", "bearer", "basic", "digest", "none"].contains(scheme.name) { scheme.name += "_key" }
      let place = value["in"]?.string ?? "header"
      let name = value["name"]?.string ?? key
      scheme.summary = "A key in the \(place) `\(name)`."
      if let part = KeyPlace.Part(rawValue: place), part == .query || HeaderName.isValid(name) {
        scheme.key = KeyPlace(part: part, name: name)
      } else {
        log.warn("no key can be in the \(place) `\(name)`; the scheme becomes one of the catalogue's own", at: pointer)
      }
    default:
      scheme.name = Self.ownName(key)
      scheme.summary = "The scheme that the API's document calls \(key)."
      log.warn("the scheme becomes one of the catalogue's own, `\(scheme.name)`", at: pointer)
    }
    // A key that goes elsewhere is another one, however alike the names are.
    scheme.name = scheme.name.counted(after: "_") { candidate in
      schemes.contains { $0.key != scheme.key && SwiftName.member($0.name) == SwiftName.member(candidate) }
    }
    names[key] = scheme.name
    if let index = schemes.firstIndex(where: { $0.name == scheme.name }) {
      log.note("the catalogue has one `\(scheme.name)` for this scheme and another", at: pointer)
      schemes[index].scopes += scheme.scopes.filter { scope in
        !schemes[index].scopes.contains { $0.name == scope.name }
      }
    } else {
      schemes.append(scheme)
    }
  }

  private func scopes(of value: DocumentValue) -> [Scope] {
    var result: [Scope] = []
    for flow in value["flows"]?.object?.members ?? [] {
      for scope in flow.value["scopes"]?.object?.members ?? [] {
        for name in scopes(in: scope.key) where !result.contains(where: { $0.name == name }) {
          result.append(Scope(name: name))
        }
      }
    }
    return result
  }

  /// The scopes that a text names: spaces separate them (RFC 6749 §3.3), and in some documents commas.
  private func scopes(in text: String) -> [String] {
    text.split { $0.isWhitespace || $0 == "," }.map(String.init).filter { scope in
      guard scope.contains(where: { "()".contains($0) }) else { return true }
      log.warn("the scope `\(scope)` cannot be said in a catalogue and is left out", at: "#/components/securitySchemes")
      return false
    }
  }

  /// `PartnerKey` is `partner_key`.
  private static func ownName(_ key: String) -> String {
    let name = Words(key).list.map { $0.lowercased() }.joined(separator: "_")
    return name.isEmpty ? "scheme" : name
  }

  /// The schemes that an operation accepts; `none` where it demands nothing.
  func requirements(of operation: DocumentValue, at pointer: String) -> [AuthRequirement] {
    let alternatives = operation["security"]?.list ?? document.root["security"]?.list ?? []
    var result: [AuthRequirement] = []
    for alternative in alternatives {
      let demands = alternative.object?.members ?? []
      if demands.isEmpty { result.append(AuthRequirement(scheme: "none")) }
      var together: [AuthRequirement] = []
      for demand in demands {
        guard let name = names[demand.key] else {
          log.warn("`security` names `\(demand.key)`, which `securitySchemes` lacks; it is left out", at: pointer)
          continue
        }
        let scopes = (demand.value.list?.compactMap(\.string) ?? []).flatMap(scopes(in:))
        let requirement = AuthRequirement(scheme: name, scopes: name == "oauth2" ? scopes.sorted() : [])
        if !together.contains(requirement) { together.append(requirement) }
      }
      guard var requirement = together.first else { continue }
      requirement.others = Array(together.dropFirst())
      if !result.contains(requirement) { result.append(requirement) }
    }
    return result.isEmpty ? [AuthRequirement(scheme: "none")] : result
  }
}
