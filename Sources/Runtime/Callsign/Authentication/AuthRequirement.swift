import CallsignHTTP
import CallsignSupport

/// One kind of credentials that an endpoint accepts: a scheme and, for OAuth 2.0, the scopes that it must cover.
public struct AuthRequirement: Sendable, Hashable, CustomStringConvertible {
  /// `oauth1`, `oauth1_consumer`, `oauth2`, `bearer`, `basic`, `digest`, `none`, or a catalogue's own word.
  public var scheme: String
  /// The scopes that are needed, all of them.
  public var scopes: [String]
  /// Further credentials that must go along; mostly none.
  public var others: [AuthRequirement]

  /// States a requirement.
  ///
  /// - Parameters:
  ///   - scheme: The kind of credentials.
  ///   - scopes: The scopes that are needed. Default: none.
  ///   - others: Further credentials that must go along. Default: none.
  public init(scheme: String, scopes: [String] = [], others: [AuthRequirement] = []) {
    self.scheme = scheme
    self.scopes = scopes
    self.others = others
  }

  /// As generated code writes it: `oauth2(pets.write pets.read)`, and `app_id + app_key` for what goes together.
  public var description: String {
    let own = scopes.isEmpty ? scheme : "\(scheme)(\(scopes.joined(separator: " ")))"
    return ([own] + others.map(\.description)).joined(separator: " + ")
  }

  /// Reads alternatives separated by `|`, as ``Endpoint/auth`` has them. Empty text has none.
  static func alternatives(_ text: String) -> [AuthRequirement] {
    text.split(separator: "|").compactMap { alternative in
      let parts: [Substring] = alternative.split(separator: " + ")
      let together = parts.compactMap(one)
      guard var first = together.first else { return nil }
      first.others = Array(together.dropFirst())
      return first
    }
  }

  /// Reads a scheme and its scopes, if it has any.
  private static func one(_ text: Substring) -> AuthRequirement? {
    let parts = text.split(separator: "(", maxSplits: 1)
    guard let scheme = parts.first?.split(separator: " ").first else { return nil }
    let scopes = parts.dropFirst().first?.split { " ),".contains($0) } ?? []
    return AuthRequirement(scheme: String(scheme), scopes: scopes.map(String.init))
  }
}
