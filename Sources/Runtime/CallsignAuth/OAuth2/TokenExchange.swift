import Callsign
import CallsignHTTP
import CallsignSupport

extension OAuth2 {
  /// Exchanges a token of OAuth 1.0a for tokens of this client and the same person (RFC 8693), and keeps them as a login's.
  /// The person is not asked.
  ///
  /// ```swift
  /// if let token = try await oauth1Account.token() { try await oauth2.exchange(token) }
  /// ```
  ///
  /// The exchange holds the store's lease, so that after several exchanges, refreshes and logins on one store, the last one's
  /// tokens are kept. An exchange that has begun continues even if the task is cancelled, because it may end the previous tokens.
  /// The provider decides whether those, and the token of OAuth 1.0a, stay valid.
  ///
  /// - Parameters:
  ///   - token: The token, as it was issued to the same app.
  ///   - scopes: The scopes to ask for. By default all that the token permits.
  ///   - configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Returns: The token that is in the store now. It has the account's id and name, where `token` has them.
  /// - Throws: ``LoginError``:
  ///   ``LoginError/tokenRefused(description:)`` when the provider does not accept the token: the person has to log in;
  ///   ``LoginError/refused(code:description:)`` for its other errors, such as `invalid_client` and `invalid_scope`,
  ///   ``LoginError/call(_:)`` with ``CallError/rateLimited(_:_:)`` when there were too many,
  ///   ``LoginError/invalidSetup(_:)`` when the provider has no ``OAuth2Provider/oauth1Exchange``,
  ///   ``LoginError/notKept(_:_:)`` with the token when the store failed, ``LoginError/store(_:)`` when its lease could not
  ///   be had, ``LoginError/unexpectedResponse(_:_:)`` when the response is none of a token endpoint, and
  ///   ``LoginError/cancelled`` when the task is cancelled, after which the login may still come into the store.
  @discardableResult
  public func exchange(
    _ token: OAuth1Token, scopes: [OAuth2Scope] = [], configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(LoginError) -> StoredToken {
    guard let terms = provider.oauth1Exchange else {
      throw .invalidSetup(
        "the provider takes no tokens of OAuth 1.0a in exchange; start a login with beginLogin, or set oauth1Exchange")
    }
    var subject = OAuth2SubjectToken(token.token, kind: terms.kind)
    if let name = terms.secretParameter { subject.parameters[name] = token.secret }
    return try await exchange(subject, of: token, scopes, [:], configuration)
  }

  /// Exchanges a token of any kind that the provider takes, such as another provider's ID token, for tokens of this client
  /// (RFC 8693), and keeps them as a login's; see ``exchange(_:scopes:configuration:)``.
  ///
  /// - Parameters:
  ///   - subject: The token that is exchanged.
  ///   - scopes: The scopes to request. By default, the provider chooses.
  ///   - parameters: Further parameters that the provider accepts, such as `audience` and `resource`.
  ///   - configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Returns: The token that is now in the store.
  /// - Throws: The errors of ``exchange(_:scopes:configuration:)``.
  @discardableResult
  public func exchange(
    _ subject: OAuth2SubjectToken, scopes: [OAuth2Scope] = [], parameters: [String: String] = [:],
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(LoginError) -> StoredToken {
    try await exchange(subject, of: nil, scopes, parameters, configuration)
  }

  /// - Parameter person: The account that the token belongs to, if it is stated.
  private func exchange(
    _ subject: OAuth2SubjectToken, of person: OAuth1Token?, _ scopes: [OAuth2Scope], _ parameters: [String: String],
    _ configuration: ClientConfiguration
  ) async throws(LoginError) -> StoredToken {
    let fields = try exchangeFields(subject, scopes, parameters)
    return try await logIn(
      by: fields, userID: person?.userID, username: person?.screenName, scopes: scopes, configuration
    ) { error in
      // A token that is not good is an `invalid_request` by RFC 8693 §2.2.2, and an `invalid_grant` at most providers.
      if error.isAboutGrant, case .refused(_, let description, _) = error {
        return .tokenRefused(description: description)
      }
      return error.asLoginError
    }
  }

  /// Requests a login's tokens, and stores them under the store's lease. It continues even if the task is cancelled.
  ///
  /// - Parameter refused: The login's error for that of the token endpoint.
  func logIn(
    by fields: [(name: String, value: String)], userID: String?, username: String?, scopes: [OAuth2Scope],
    _ configuration: ClientConfiguration, refused: @escaping @Sendable (TokenEndpointError) -> LoginError
  ) async throws(LoginError) -> StoredToken {
    let requested = scopes.isEmpty ? nil : Set(scopes.map(\.rawValue))
    let environment = TokenRequestEnvironment(configuration)
    if Task.isCancelled { throw .cancelled }
    let request = Task { [self] () -> Result<StoredToken, LoginError> in
      do throws(LoginError) {
        return .success(
          try await keepTokens(
            by: fields, userID: userID, username: username, requested: requested, environment, refused: refused))
      } catch {
        return .failure(error)
      }
    }
    let result: Result<StoredToken, LoginError>
    do throws(CancellationError) { result = try await request.cancellableValue() } catch { throw .cancelled }
    return try result.get()
  }

  /// The form of the request.
  private func exchangeFields(
    _ subject: OAuth2SubjectToken, _ scopes: [OAuth2Scope], _ parameters: [String: String]
  ) throws(LoginError) -> [(name: String, value: String)] {
    try checkClient(asking: scopes)
    let token = subject.token.reveal()
    let secrets = FormFields.sorted(subject.parameters.mapValues { $0.reveal() })
    for (name, value) in [(name: "token to exchange", value: token)] + secrets {
      guard !value.isEmpty else {
        throw .invalidSetup("the \(name.printable) is empty; give it as the provider issued it")
      }
      if let problem = CopiedText.problem([name.printable: value]) { throw .invalidSetup(problem) }
    }
    var fields: [(name: String, value: String)] = [
      ("grant_type", "urn:ietf:params:oauth:grant-type:token-exchange"), ("subject_token", token),
      ("subject_token_type", subject.kind.rawValue),
    ]
    let own: Set = ["grant_type", "subject_token", "subject_token_type", "scope", "client_id", "client_secret"]
    for (name, value) in secrets + FormFields.sorted(parameters) {
      guard !own.contains(name) else {
        throw .invalidSetup("\(name.printable) is set by the exchange itself; leave it out of the parameters")
      }
      guard !fields.contains(where: { $0.name == name }) else {
        throw .invalidSetup("\(name.printable) is given twice; leave it out of one of the two lists of parameters")
      }
      fields.append((name, value))
    }
    if !scopes.isEmpty { fields.append(("scope", scopes.map(\.rawValue).joined(separator: " "))) }
    return fields
  }

  private func keepTokens(
    by fields: [(name: String, value: String)], userID: String?, username: String?, requested: Set<String>?,
    _ environment: TokenRequestEnvironment, refused: @Sendable (TokenEndpointError) -> LoginError
  ) async throws(LoginError) -> StoredToken {
    let mark = try Self.makeLoginMark()
    let endpoint = TokenEndpoint(url: provider.tokenURL, client: client, environment: environment)
    return try await store.withLease(key, failing: { (error: TokenStoreError) in LoginError(error) }) {
      (lease) throws(LoginError) -> StoredToken in
      let asked = environment.time.now()
      let response: TokenResponse
      do throws(TokenEndpointError) { response = try await endpoint.token(fields, attempts: 3) } catch {
        throw refused(error)
      }
      var token = response.stored(kind: .oauth2, clientID: clientID, asked: asked, requested: requested)
      (token.userID, token.username, token.login) = (userID, username, mark)
      try await keep(loggedIn: token, lifetime: response.lifetime, under: lease)
      return token
    }
  }
}
