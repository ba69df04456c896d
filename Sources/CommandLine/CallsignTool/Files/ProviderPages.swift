import CallsignYAML

/// The URLs for OAuth 2.0 logins of users and apps, from an OpenAPI or Swagger document. Catalogues do not contain them.
struct ProviderPages {
  /// The page that asks the user; `nil` if the document has none.
  let authorizeURL: String?
  /// Whether a user's name and password are exchanged for the token (RFC 6749 §4.3). If not, and without a page, the app acts for
  /// itself.
  let takesPassword: Bool
  let tokenURL: String
  /// The URL for revoking tokens, if the document states one (some use `x-revocation-url`).
  let revokeURL: String?

  /// - Parameters:
  ///   - bytes: The document; empty for a catalogue.
  ///   - scheme: The document's name for the scheme, if the user chose one; `nil` for any.
  ///   - prefersPassword: Whether a login with name and password takes precedence over the others instead of coming last.
  /// - Returns: `nil` if the document has no flow with a code, a password or an app's own credentials.
  init?(document bytes: [UInt8], scheme name: String? = nil, prefersPassword: Bool = false) {
    let all = Self.schemes(ofDocument: bytes).filter { Self.text($0.value, "type") == "oauth2" }
    let chosen = all.filter { $0.name == name }
    let schemes = (chosen.isEmpty ? all : chosen).map(\.value)
    func tokenURL(_ flow: String, _ swaggerName: String) -> String? {
      schemes.lazy.compactMap { Self.text(Self.flow(of: $0, flow, swaggerName), "tokenUrl") }.first
    }
    let byPassword = tokenURL("password", "password")
    if prefersPassword, let byPassword {
      (authorizeURL, self.tokenURL, revokeURL, takesPassword) = (nil, byPassword, nil, true)
      return
    }
    for scheme in schemes {
      guard let flow = Self.flow(of: scheme, "authorizationCode", "accessCode"),
        let authorizeURL = Self.text(flow, "authorizationUrl"), let tokenURL = Self.text(flow, "tokenUrl")
      else { continue }
      self.authorizeURL = authorizeURL
      self.tokenURL = tokenURL
      revokeURL = Self.text(flow, "x-revocation-url")
      takesPassword = false
      return
    }
    let ofApp = tokenURL("clientCredentials", "application")
    guard let found = ofApp ?? byPassword else { return nil }
    (authorizeURL, self.tokenURL, revokeURL, takesPassword) = (nil, found, nil, ofApp == nil)
  }

  /// The catalogue's name for a scheme of a document; `nil` if the document has no such scheme, or the name is the same.
  static func catalogueName(ofScheme name: String, document bytes: [UInt8]) -> String? {
    guard let scheme = schemes(ofDocument: bytes).first(where: { $0.name == name })?.value else { return nil }
    return switch text(scheme, "type") {
    case "oauth2", "openIdConnect": "oauth2"
    case "basic": "basic"
    case "http": text(scheme, "scheme")?.lowercased()
    default: nil
    }
  }

  private static func flow(of scheme: YAMLNode, _ name: String, _ swaggerName: String) -> YAMLNode? {
    text(scheme, "flow") == swaggerName ? scheme : member(member(scheme, "flows"), name)
  }

  private static func schemes(ofDocument bytes: [UInt8]) -> [(name: String, value: YAMLNode)] {
    guard !bytes.isEmpty,
      let root = try? YAMLDocument(bytes, rules: .init(maximumDepth: 200, aliases: .refused)).root
    else { return [] }
    return members(member(member(root, "components"), "securitySchemes") ?? member(root, "securityDefinitions"))
  }

  private static func members(_ node: YAMLNode?) -> [(name: String, value: YAMLNode)] {
    guard case .mapping(let mapping)? = node?.content else { return [] }
    return mapping.entries.compactMap { entry in
      guard case .scalar(let name) = entry.key.content else { return nil }
      return (name.text, entry.value)
    }
  }

  private static func member(_ node: YAMLNode?, _ name: String) -> YAMLNode? {
    members(node).first { $0.name == name }?.value
  }

  private static func text(_ node: YAMLNode?, _ name: String) -> String? {
    guard case .scalar(let scalar)? = member(node, name)?.content else { return nil }
    return scalar.text.isEmpty ? nil : scalar.text
  }
}
