import CallsignCatalogue

/// Reads `securitySchemes` and the requirements of operations.
struct SecurityReader {
  private let document: OpenAPIDocument
  private let log: ImportLog
  /// The catalogue's name for each scheme of the document.
  private var names: [String: String] = [:]
  private(set) var schemes: [Scheme] = []
  /// The positions of the document's schemes in the list, by their Swift names.
  private var positions: [String: [Int]] = [:]
  /// The schemes of the document that identify the caller through the connection instead of the request.
  private var ofConnections: Set<String> = []
  private var counter = NameCounter()
  /// The credentials of operations for which the document states none.
  private var given: [AuthRequirement] = []
  /// Whether every operation has an empty list of credentials, which is how a generator says that it does not know.
  private var takesEmptyForUnsaid = false

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

  /// Sets the credentials that people give if the document states none.
  ///
  /// - Parameters:
  ///   - auth: The credentials, by the catalogue's or the document's scheme names.
  ///   - isSaid: Whether something else states them.
  /// - Throws: ``ImportError`` for a scheme that is neither in the catalogue nor in the document.
  mutating func take(_ auth: [AuthRequirement], isSaid: Bool) throws(ImportError) {
    let place = "#/components/securitySchemes"
    let said = [document.root["security"]] + document.operations.map { $0["security"] }
    let isAsked = said.contains { $0?.list?.contains { $0.object?.members.isEmpty == false } ?? ($0?.object != nil) }
    if auth.isEmpty {
      let names = schemes.map(\.name)
      guard !names.isEmpty, !isSaid, said.allSatisfy({ $0 == nil }), !document.operations.isEmpty else { return }
      log.warn(
        "the document has the scheme\(names.count == 1 ? "" : "s") \(Self.listed(names)), but no operation asks for "
          + "credentials; if they do, give --auth \(names[0]), or say `auth: [\(names[0])]` under `api` of the overlay",
        at: place)
      return
    }
    if isAsked {
      log.warn("the document says which credentials its operations take, so --auth changes nothing", at: place)
      return
    }
    for requirement in auth { given.append(try known(requirement, at: place)) }
    takesEmptyForUnsaid = document.operations.allSatisfy { operation in
      (operation["security"] ?? document.root["security"])?.list?.isEmpty == true
    }
  }

  private static func listed(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  /// The requirement with the catalogue's name for its scheme. The scheme is added if the document lacks it.
  private mutating func known(_ requirement: AuthRequirement, at place: String) throws(ImportError) -> AuthRequirement {
    var result = requirement
    result.scheme = names[requirement.scheme] ?? requirement.scheme
    let isDeclared = schemes.contains { $0.name == result.scheme }
    guard isDeclared || AuthRequirement.knownSchemes.contains(result.scheme) else {
      let known =
        AuthRequirement.knownSchemes + schemes.map(\.name).filter { !AuthRequirement.knownSchemes.contains($0) }
      throw .invalid(
        "unknown scheme `\(requirement.scheme)` for --auth; the schemes are \(Self.listed(known))", at: place)
    }
    if !requirement.scopes.isEmpty, result.scheme != "oauth2" {
      throw .invalid("`\(requirement.scheme)` has no scopes; give --auth without them", at: place)
    }
    if !isDeclared, result.scheme != "none" {
      schemes.append(Scheme(name: result.scheme, scopes: requirement.scopes.map { Scope(name: $0) }))
    }
    result.others = []
    for other in requirement.others { result.others.append(try known(other, at: place)) }
    return result
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
      // These names stand for schemes that do not use a key.
      if ["oauth1", "oauth2", "bearer", "basic", "digest", "none"].contains(scheme.name) { scheme.name += "_key" }
      let place = value["in"]?.string ?? "header"
      let name = value["name"]?.string ?? key
      scheme.summary = "A key in the \(place) `\(name)`."
      if let part = KeyPlace.Part(rawValue: place), part == .query || HeaderName.isValid(name) {
        scheme.key = KeyPlace(part: part, name: name)
        if part == .header, let word = Self.prefix(named: name, in: value["description"]?.string ?? "") {
          scheme.key?.prefix = word + " "
          log.note(
            "by the scheme's description its key goes as `\(name): \(word) KEY`, so it is given without `\(word)`",
            at: pointer)
        }
      } else {
        log.warn("no key can be in the \(place) `\(name)`; the scheme becomes one of the catalogue's own", at: pointer)
      }
    case "mutualTLS":
      ofConnections.insert(key)
      log.note(
        "the server asks for a client certificate, which no request carries; give it to the transport: "
          + "`TransportConfiguration.clientCertificates`, or `callsign call --cert`", at: pointer)
      return
    default:
      scheme.name = Self.ownName(key)
      scheme.summary = "The scheme that the API's document calls \(key)."
      log.warn("the scheme becomes one of the catalogue's own, `\(scheme.name)`", at: pointer)
    }
    // A key in another place is a different scheme, even if the names are alike.
    scheme.name = counter.free(scheme.name, after: "_") { [schemes, positions] candidate in
      positions[SwiftName.member(candidate), default: []].contains { schemes[$0].key != scheme.key }
    }
    names[key] = scheme.name
    let swiftName = SwiftName.member(scheme.name)
    if let index = positions[swiftName, default: []].first(where: { schemes[$0].name == scheme.name }) {
      log.note("the catalogue has one `\(scheme.name)` for this scheme and another", at: pointer)
      let known = Set(schemes[index].scopes.map(\.name))
      schemes[index].scopes += scheme.scopes.filter { !known.contains($0.name) }
    } else {
      positions[swiftName, default: []].append(schemes.count)
      schemes.append(scheme)
    }
  }

  /// The word before the key that a description mentions: `required prefix "Token"`, or an example such as `Authorization: Token
  /// <key>`.
  private static func prefix(named header: String, in description: String) -> String? {
    let quotes: Set<Character> = ["\"", "'", "`"]
    func word(_ text: Substring) -> Substring { text.prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" } }
    for beginning in ["required prefix ", "with prefix ", "with the prefix ", "prefixed with ", "prefixed by "] {
      guard let range = description.lowercased().firstRange(of: beginning) else { continue }
      let distance = description.lowercased().distance(from: description.lowercased().startIndex, to: range.upperBound)
      let found = word(description.dropFirst(distance).drop { quotes.contains($0) })
      if !found.isEmpty { return String(found) }
    }
    var rest = description[...]
    while let range = rest.firstRange(of: header + ":") {
      rest = rest[range.upperBound...].drop { $0 == " " || quotes.contains($0) }
      let found = word(rest)
      let next = rest.dropFirst(found.count)
      guard !found.isEmpty, next.first == " ", let key = next.dropFirst().first else { continue }
      // The text after it stands for a key: in brackets, in capitals, or a sample with digits.
      if "<{[$\"'`".contains(key) || key.isUppercase || key.isNumber { return String(found) }
    }
    return nil
  }

  private func scopes(of value: DocumentValue) -> [Scope] {
    var result: [Scope] = []
    var known: Set<String> = []
    for flow in value["flows"]?.object?.members ?? [] {
      for scope in flow.value["scopes"]?.object?.members ?? [] {
        for name in scopes(in: scope.key) where known.insert(name).inserted { result.append(Scope(name: name)) }
      }
    }
    return result
  }

  /// The scopes in a text, separated by spaces (RFC 6749 §3.3) or, in some documents, by commas.
  private func scopes(in text: String) -> [String] {
    let place = "#/components/securitySchemes"
    let scopes = text.split { $0.isWhitespace || $0 == "," }.map(String.init)
    if scopes.count > 1 { log.note("the scope `\(text)` is read as \(Self.listed(scopes))", at: place) }
    return scopes.filter { scope in
      guard scope.contains(where: { "()".contains($0) }) else { return true }
      log.warn("the scope `\(scope)` cannot be expressed in a catalogue and is left out", at: place)
      return false
    }
  }

  /// `PartnerKey` becomes `partner_key`.
  private static func ownName(_ key: String) -> String {
    let name = Words(key).list.map { $0.lowercased() }.joined(separator: "_")
    return name.isEmpty ? "scheme" : name
  }

  /// The maximum number of alternatives of a realistic operation.
  private static let maximumAlternatives = 100

  /// The schemes that an operation accepts; `none` if it requires nothing.
  ///
  /// - Throws: ``ImportError`` if `security` is not a list and the import is strict.
  func requirements(of operation: DocumentValue, at pointer: String) throws(ImportError) -> [AuthRequirement] {
    var alternatives = try self.alternatives(operation["security"], at: Pointer.child(pointer, "security"))
    if alternatives == nil || takesEmptyForUnsaid, !given.isEmpty { return given }
    if alternatives == nil { alternatives = try self.alternatives(document.root["security"], at: "#/security") }
    var result: [AuthRequirement] = []
    if let alternatives, alternatives.count > Self.maximumAlternatives {
      log.warn("only the first \(Self.maximumAlternatives) alternatives of `security` are taken", at: pointer)
    }
    for alternative in (alternatives ?? []).prefix(Self.maximumAlternatives) {
      let demands = alternative.object?.members.prefix(Self.maximumAlternatives) ?? []
      var together: [AuthRequirement] = []
      let none = AuthRequirement(scheme: "none")
      if demands.allSatisfy({ ofConnections.contains($0.key) }), !result.contains(none) { result.append(none) }
      for demand in demands where !ofConnections.contains(demand.key) {
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

  /// The alternatives in `security`; `nil` if it is missing.
  private func alternatives(_ security: DocumentValue?, at pointer: String) throws(ImportError) -> [DocumentValue]? {
    guard let security, security != .null else { return nil }
    if let list = security.list { return list }
    if log.isStrict { throw .invalid("`security` must be a list", at: pointer) }
    guard security.object != nil else {
      log.warn("`security` must be a list; it is left out", at: pointer)
      return nil
    }
    log.warn("`security` must be a list; it is read as a list of this one", at: pointer)
    return [security]
  }
}
