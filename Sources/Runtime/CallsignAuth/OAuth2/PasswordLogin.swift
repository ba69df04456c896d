import Callsign
import CallsignHTTP
import CallsignSupport

extension OAuth2 {
  /// Logs a person in with the name and the password that the provider knows (RFC 6749 §4.3), and saves the tokens as
  /// for any login. The password is not stored.
  ///
  /// ```swift
  /// let provider = OAuth2Provider(tokenURL: "/login", relativeTo: "https://tickets.example")
  /// let oauth2 = OAuth2(clientID: "", store: .default, provider: provider)
  /// try await oauth2.logIn(username: "alice", password: password)
  /// ```
  ///
  /// Use this only for providers that have no page where the person decides, because the app gets to see the password.
  /// If the token comes without a refresh token, the person must log in again once it has expired.
  ///
  /// - Parameters:
  ///   - username: The person's name.
  ///   - password: The person's password.
  ///   - scopes: The scopes to ask for. By default, the provider chooses.
  ///   - configuration: The transport for the request, and the hosts that base URLs are redirected to.
  /// - Returns: The token that is now in the store.
  /// - Throws: ``LoginError``: ``LoginError/refused(code:description:)`` for a wrong name or password
  ///   (`invalid_grant`), or ``LoginError/call(_:)`` if the provider reports that in its own way;
  ///   ``LoginError/notKept(_:_:)`` with the token if the store failed; ``LoginError/store(_:)`` if the store's lease
  ///   was not available; ``LoginError/unexpectedResponse(_:_:)`` if the response is not that of a token endpoint; and
  ///   ``LoginError/cancelled`` if the task is cancelled, after which the login may still be stored.
  @discardableResult
  public func logIn(
    username: String, password: Secret, scopes: [OAuth2Scope] = [],
    configuration: ClientConfiguration = ClientConfiguration()
  ) async throws(LoginError) -> StoredToken {
    try checkCopies(asking: scopes)
    guard !username.isEmpty else { throw .invalidSetup("the name is empty") }
    guard !password.reveal().isEmpty else { throw .invalidSetup("the password is empty") }
    var fields: [(name: String, value: String)] = [
      ("grant_type", "password"), ("username", username), ("password", password.reveal()),
    ]
    if !scopes.isEmpty { fields.append(("scope", scopes.map(\.rawValue).joined(separator: " "))) }
    return try await logIn(
      by: fields, userID: nil, username: username, scopes: scopes, configuration, refused: { $0.asLoginError })
  }
}
