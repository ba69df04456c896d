import CallsignHTTP
import CallsignJSON
import CallsignSupport
import HTTPTypes

/// An access token (RFC 6749 §1.4), and what it permits.
public struct AccessToken: Sendable, Equatable {
  /// The token as it is sent.
  public let value: Secret
  /// The scopes that it permits; `nil` if they are not known.
  public let scopes: Set<String>?
  /// When it expires; `nil` if unknown.
  public let expires: Date?

  /// Creates a token.
  ///
  /// - Parameters:
  ///   - value: The token as it is sent.
  ///   - scopes: The scopes of the token, if they are known.
  ///   - expires: When it expires, if that is known.
  public init(_ value: any SecretConvertible, scopes: Set<String>? = nil, expires: Date? = nil) {
    let value = Secret(value)
    self.value = value
    self.scopes = scopes
    self.expires = expires
  }
}

/// Gives access tokens: fixed ones, stored ones, or new ones from a provider.
///
/// An authenticator that is a token source does not have to add its tokens to requests: ``Authenticator`` puts them in
/// the `Authorization` field. ``Bearer`` makes an authenticator of any source.
///
/// Many tasks may ask at once; a source that fetches or refreshes lets them all wait for one request.
public protocol TokenSource: Sendable {
  /// A token that is valid now, as far as the source can know.
  ///
  /// - Throws: ``CallError``, mostly ``CallError/authorization(_:)``; the call fails with it.
  func token(_ context: AuthenticationContext) async throws(CallError) -> AccessToken

  /// The token to use after the API has refused one with status 401.
  ///
  /// - Returns: `nil` if there is no other token, or another would not help. The default returns `nil`.
  /// - Throws: ``CallError``, which replaces the error of the response.
  func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken?
}

extension TokenSource {
  /// Has no other token.
  public func token(after refused: Secret, _ context: AuthenticationContext) async throws(CallError) -> AccessToken? {
    nil
  }
}

extension Authenticator where Self: TokenSource {
  /// Sets `Authorization: Bearer …` (RFC 6750 §2.1).
  ///
  /// - Throws: ``CallError/authorization(_:)`` if the request would travel unencrypted to another machine (RFC 6750
  ///   §5.3), if the token lacks a scope that the endpoint needs, or if it is not a token; and whatever the source
  ///   throws.
  public func authenticate(_ request: inout TransportRequest, context: AuthenticationContext) async throws(CallError) {
    try request.refuseUnencryptedCredentials("an access token")
    try request.carry(try await token(context), scopes: context.requirement?.scopes ?? [])
  }

  /// After a 401, tries again if the source has a different token from the refused one.
  ///
  /// - Throws: The errors of the source.
  public func rejected(
    _ rejection: Rejection, context: AuthenticationContext
  ) async throws(CallError) -> RejectionRecovery {
    guard rejection.rawResponse.status == .unauthorized, let field = rejection.request.headerFields[.authorization],
      field.hasPrefix("Bearer ")
    else { return .giveUp }
    return try await token(after: Secret(String(field.dropFirst(7))), context) == nil ? .giveUp : .tryAgain
  }
}

extension TransportRequest {
  /// Sets `Authorization: Bearer …`, the same for tokens of all sources.
  fileprivate mutating func carry(_ token: AccessToken, scopes needed: [String]) throws(CallError) {
    let missing = token.scopes.map { granted in Set(needed.filter { !granted.contains($0) }) } ?? []
    guard missing.isEmpty else {
      let missing = Array(missing).sortedAsNames()
      throw .authorization(
        AuthorizationError(
          .missingScopes(missing),
          advice: """
            the login lacks the scopes \(missing.joined(separator: ", ").printable); ask for them too and log in again
            """))
    }
    guard !token.value.isEmpty, token.value.isVisible else {
      throw .authorization(
        AuthorizationError(
          .unavailable,
          advice: CopiedText.problem(["bearer token": token.value.reveal()])
            ?? "the bearer token is empty or has a space or line break in it; copy it again"))
    }
    let value = token.value.revealed(after: "Bearer ")
    // To append is less work than to set, which looks for others to replace.
    if headerFields.contains(.authorization) {
      headerFields[.authorization] = value
    } else {
      headerFields.append(HTTPField(name: .authorization, value: value))
    }
  }
}
