import CallsignSupport

/// Revokes the tokens of an account at its provider (RFC 7009). Those that could not be revoked are remembered, and tried
/// again with the next ones.
struct TokenRevocation: Sendable {
  /// The account.
  let owner: UnrevokedTokens.Owner
  let client: TokenClient

  /// Tokens that were deleted in this process, but that could not be revoked at the provider yet.
  private static let unrevoked = Locked(UnrevokedTokens())

  /// Remembers a token that is deleted, until it is revoked.
  func add(_ token: StoredToken) { Self.unrevoked.withLock { $0.add(token, of: owner) } }

  /// Revokes the remembered tokens.
  ///
  /// - Throws: The first error. The tokens that could not be revoked stay remembered.
  func run(_ environment: TokenRequestEnvironment) async throws(LoginError) {
    let tokens = Self.unrevoked.withLock { $0.take(of: owner) }
    let endpoint = TokenEndpoint(url: owner.revokeURL, client: client, environment: environment)
    var failure: LoginError?
    for token in tokens {
      guard let problem = await revoke(token, at: endpoint) else { continue }
      failure = failure ?? problem
      add(token)
    }
    if let failure { throw failure }
  }

  /// Revokes both tokens, and returns the first error.
  private func revoke(_ token: StoredToken, at endpoint: TokenEndpoint) async -> LoginError? {
    var failure: LoginError?
    // The refresh token first: without it, the access token is valid for hours at most.
    for (secret, hint) in [(token.refreshToken, "refresh_token"), (token.accessToken, "access_token")] {
      guard let secret else { continue }
      do throws(TokenEndpointError) {
        _ = try await endpoint.post([("token", secret.reveal()), ("token_type_hint", hint)])
      } catch {
        // The provider need not revoke access tokens at all (RFC 7009 §2.2.1): without the refresh token, they expire.
        if case .refused("unsupported_token_type", _, _) = error, hint == "access_token", token.refreshToken != nil {
          continue
        }
        // A token that the provider no longer knows need not be revoked.
        if !error.isAboutForgottenToken { failure = failure ?? error.asLoginError }
      }
    }
    return failure
  }
}
