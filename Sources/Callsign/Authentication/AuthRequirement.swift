/// One kind of credentials that an endpoint accepts: a scheme and, for OAuth 2.0, the scopes that it must cover.
public struct AuthRequirement: Sendable, Hashable, CustomStringConvertible {
  /// `oauth1`, `oauth1_consumer`, `oauth2`, `bearer`, `basic`, `digest`, `none`, or a catalogue's own word.
  public var scheme: String
  /// The scopes that are needed, all of them.
  public var scopes: [String]

  /// States a requirement.
  public init(scheme: String, scopes: [String] = []) {
    self.scheme = scheme
    self.scopes = scopes
  }

  /// As the catalogue writes it: `oauth2(list.write tweet.read)`.
  public var description: String { scopes.isEmpty ? scheme : "\(scheme)(\(scopes.joined(separator: " ")))" }

  /// Reads alternatives separated by `|`, as ``Endpoint/auth`` has them. Empty text has none.
  static func alternatives(_ text: String) -> [AuthRequirement] {
    text.split(separator: "|").compactMap { alternative in
      let parts = alternative.split(separator: "(", maxSplits: 1)
      guard let scheme = parts.first?.split(separator: " ").first else { return nil }
      let scopes = parts.count == 2 ? parts[1].split { $0 == " " || $0 == ")" || $0 == "," } : []
      return AuthRequirement(scheme: String(scheme), scopes: scopes.map(String.init))
    }
  }
}
