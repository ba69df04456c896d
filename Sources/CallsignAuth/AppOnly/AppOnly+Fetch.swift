import Callsign
import CallsignHTTP
import Foundation

extension AppOnly {
  /// A token other than the one that is refused or old: from the store, or else from the provider. All who wait share
  /// one request.
  func fetched(
    replacing old: Secret?, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let result: Result<StoredToken, CallError>
    do throws(CancellationError) {
      result = try await fetching.value { [self] in
        do throws(CallError) { return .success(try await fetch(replacing: old, environment)) } catch {
          return .failure(error)
        }
      }
    } catch { throw .cancelled }
    return try result.get()
  }

  private func fetch(
    replacing old: Secret?, _ environment: TokenRequestEnvironment
  ) async throws(CallError) -> StoredToken {
    let now = environment.time.now()
    // Another call may have fetched it since this one looked.
    if let current = state.withLock({ $0.token }), isGood(current, now), current.accessToken != old { return current }

    let (lock, stored): (TokenLock, StoredToken?)
    do throws(TokenStoreError) {
      lock = try await store.lock(key)
      stored = try await store.load(key)
    } catch { throw OAuth2.unavailable(error) }
    defer { lock.release() }
    if let stored, isGood(stored, now), stored.accessToken != old {
      state.withLock { $0.token = stored }
      return stored
    }

    let answer: TokenResponse
    do throws(TokenEndpointError) {
      answer = try await endpoint(provider.tokenURL, environment).token([("grant_type", "client_credentials")])
    } catch { throw Self.failed(error) }
    let next = answer.stored(kind: .bearer, clientID: consumerKey, asked: now, requested: nil)
    state.withLock { $0.token = next }
    do throws(TokenStoreError) { try await store.save(next, for: key) } catch {
      // Nothing is lost: the next process asks for another.
      environment.logger.warning(
        "an app's token could not be kept", metadata: ["token": "\(key)", "error": "\(error)"])
    }
    return next
  }

  private func isGood(_ token: StoredToken, _ now: Date) -> Bool {
    token.kind == .bearer && token.clientID == consumerKey && token.isFresh(now)
  }

  private func endpoint(_ url: String, _ environment: TokenRequestEnvironment) -> TokenEndpoint {
    TokenEndpoint(url: url, client: client, environment: environment)
  }

  private static func signer(_ owner: any Authenticator, _ context: AuthenticationContext) -> TokenEndpoint.Signer {
    { (request: inout TransportRequest) async throws(CallError) in
      try await owner.authenticate(&request, context: context)
    }
  }

  /// What it means for a call that there is no token.
  private static func failed(_ error: TokenEndpointError) -> CallError {
    let advice = "the provider does not accept the app's key and secret; copy them again from its developer pages"
    switch error {
    case .refused(_, _, let answer):
      return .authorization(AuthorizationError(.refused, advice: advice, response: answer))
    case .call(.api(let answer)) where (400..<500).contains(answer.status.code):
      return .authorization(AuthorizationError(.refused, advice: advice, response: answer))
    default: return error.asCallError
    }
  }

  /// Gives the token back, so that nobody can use it any more (X: `POST oauth2/invalidate_token`). The next call
  /// fetches another. Without a token nothing happens.
  ///
  /// - Parameters:
  ///   - owner: For providers that want it signed by the app's owner: their ``OAuth1``. By default the request carries
  ///     consumer key and secret.
  ///   - configuration: What carries the request, and where base URLs really lead.
  /// - Throws: ``LoginError``; then the token stays where it is.
  public func invalidate(
    owner: (any Authenticator)? = nil, configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(LoginError) {
    let environment = TokenRequestEnvironment(configuration)
    let (lock, stored): (TokenLock, StoredToken?)
    do throws(TokenStoreError) {
      lock = try await store.lock(key)
      stored = try await store.load(key)
    } catch { throw .store(error) }
    defer { lock.release() }
    guard let token = stored ?? state.withLock({ $0.token }) else { return }

    if let url = provider.invalidateURL {
      let context = AuthenticationContext(
        endpoint: "oauth2/invalidate_token", requirement: nil, attempt: 1, transport: environment.transport,
        hosts: environment.hosts, time: environment.time, logger: environment.logger)
      do throws(TokenEndpointError) {
        _ = try await endpoint(url, environment).post(
          [("access_token", token.accessToken.reveal())],
          signedBy: owner.map { Self.signer($0, context) })
      } catch { throw error.asLoginError }
    }
    state.withLock { $0.token = nil }
    do throws(TokenStoreError) { try await store.delete(key) } catch { throw .store(error) }
  }
}
