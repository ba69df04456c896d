import CallsignHTTP

/// A token of another kind that a provider takes in exchange for a login's own (`subject_token` of RFC 8693 §2.1).
///
/// ```swift
/// try await oauth2.exchange(OAuth2SubjectToken(idToken, kind: .idToken))
/// ```
public struct OAuth2SubjectToken: Sendable, Equatable {
  /// A kind of token: a URI (RFC 8693 §3), written as a string literal if it has no name here.
  public struct Kind: RawRepresentable, Sendable, Hashable, ExpressibleByStringLiteral, CustomStringConvertible {
    /// As it is sent, `subject_token_type`.
    public let rawValue: String

    /// Names a kind as it is sent.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Names a kind as it is sent.
    public init(stringLiteral value: String) { self.init(rawValue: value) }

    /// As it is sent.
    public var description: String { rawValue.printable }
  }

  /// The token.
  public var token: Secret
  /// The kind of token.
  public var kind: Kind
  /// Further parameters that belong to the token and are as secret as it, by their names.
  public var parameters: [String: Secret]

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - kind: The kind of token; the provider says which it takes.
  ///   - parameters: Further parameters that belong to the token, such as `actor_token`.
  public init(_ token: any SecretConvertible, kind: Kind, parameters: [String: any SecretConvertible] = [:]) {
    self.token = Secret(token)
    self.kind = kind
    self.parameters = parameters.mapValues { Secret($0) }
  }
}

extension OAuth2SubjectToken: RedactedStringConvertible {}

extension OAuth2SubjectToken.Kind {
  /// An access token of OAuth 2.0.
  public static let accessToken: Self = "urn:ietf:params:oauth:token-type:access_token"
  /// A refresh token of OAuth 2.0.
  public static let refreshToken: Self = "urn:ietf:params:oauth:token-type:refresh_token"
  /// An ID token of OpenID Connect.
  public static let idToken: Self = "urn:ietf:params:oauth:token-type:id_token"
  /// A JSON Web Token.
  public static let jwt: Self = "urn:ietf:params:oauth:token-type:jwt"
  /// A SAML 1.1 assertion, base64url-encoded.
  public static let saml1: Self = "urn:ietf:params:oauth:token-type:saml1"
  /// A SAML 2.0 assertion, base64url-encoded.
  public static let saml2: Self = "urn:ietf:params:oauth:token-type:saml2"
}
