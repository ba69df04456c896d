import CallsignYAML
import Foundation

/// The URLs by which people log in by OAuth 2.0, as an OpenAPI or Swagger document names them; catalogues leave them
/// out.
struct ProviderPages {
  let authorizeURL: String
  let tokenURL: String
  /// The URL at which tokens are revoked, where the document says so (`x-revocation-url` of some).
  let revokeURL: String?

  /// - Returns: `nil` where the document has no flow with a code.
  init?(document path: String) {
    // A folder with a catalogue has no contents of its own, and nothing is wrong with that.
    guard let bytes = FileManager.default.contents(atPath: path),
      let root = try? YAMLDocument([UInt8](bytes), rules: .init(maximumDepth: 200, aliases: .refused)).root
    else { return nil }
    let schemes =
      Self.member(Self.member(root, "components"), "securitySchemes") ?? Self.member(root, "securityDefinitions")
    for scheme in Self.members(schemes) {
      let flow: YAMLNode? =
        Self.text(scheme.value, "flow") == "accessCode"
        ? scheme.value : Self.member(Self.member(scheme.value, "flows"), "authorizationCode")
      guard Self.text(scheme.value, "type") == "oauth2", let authorizeURL = Self.text(flow, "authorizationUrl"),
        let tokenURL = Self.text(flow, "tokenUrl")
      else { continue }
      self.authorizeURL = authorizeURL
      self.tokenURL = tokenURL
      revokeURL = Self.text(flow, "x-revocation-url")
      return
    }
    return nil
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
