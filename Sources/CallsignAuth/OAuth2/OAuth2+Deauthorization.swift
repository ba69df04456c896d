import Callsign

extension OAuth2 {
  /// Logs out: revokes refresh and access token at the provider (RFC 7009) and forgets them.
  ///
  /// The token is forgotten here in any case. Without a login nothing happens.
  ///
  /// - Parameter configuration: What carries the requests, and where base URLs really lead.
  /// - Throws: ``LoginError`` when the provider could not be told, which leaves the token good until it expires, or the
  ///   store could not be changed.
  public func deauthorize(configuration: ClientConfiguration = ClientConfiguration()) async throws(LoginError) {
    let failure: LoginError?
    do throws(TokenStoreError) {
      let lock = try await store.lock(key)
      defer { lock.release() }
      let unsaved = state.withLock { state in
        state.generation += 1
        return state.unsavedAfter == nil ? nil : state.token
      }
      let stored = try await store.load(key)
      guard let token = unsaved ?? stored else {
        state.withLock { $0.forget(ifStill: $0.generation) }
        return
      }
      // Forgotten first: if this process ends now, nobody is left logged in by mistake.
      try await store.delete(key)
      state.withLock { $0 = OAuth2State(generation: $0.generation + 1) }
      failure = await revoke(token, TokenRequestEnvironment(configuration))
    } catch { throw error.reason == .cancelled ? .cancelled : .store(error) }
    if let failure { throw failure }
  }

  /// Gives both tokens back, and says what went wrong first.
  private func revoke(_ token: StoredToken, _ environment: TokenRequestEnvironment) async -> LoginError? {
    guard let url = provider.revokeURL, token.kind == .oauth2 else { return nil }
    let endpoint = TokenEndpoint(url: url, client: client, environment: environment)
    var failure: LoginError?
    // The refresh token first: with it gone, the other is good for hours at most.
    for (secret, hint) in [(token.refreshToken, "refresh_token"), (token.accessToken, "access_token")] {
      guard let secret else { continue }
      do throws(TokenEndpointError) {
        _ = try await endpoint.post([("token", secret.reveal()), ("token_type_hint", hint)])
      } catch {
        // What the provider does not know any more needs no revoking.
        if case .refused(let code, _, _) = error, code == "invalid_token" || code == "invalid_grant" { continue }
        failure = failure ?? error.asLoginError
      }
    }
    return failure
  }
}
