import Callsign
import CallsignHTTP
import CallsignSupport

extension OAuth2 {
  /// Logs a person in by the name and the password that the provider knows (RFC 6749 §4.3), and keeps the tokens as any
  /// login's. The password is not kept.
  ///
  /// ```swift
  /// let provider = OAuth2Provider(tokenURL: "/login", relativeTo: "https://tickets.example")
  /// let oauth2 = OAuth2(clientID: "", store: .default, provider: provider)
  /// try await oauth2.logIn(username: "alice", password: password)
  /// ```
  ///
  /// For providers that have no page on which the person decides: the app gets to know the password. Where the token comes
  /// without a refresh token, the person has to log in again once it has expired.
  ///
  /// - Parameters:
  ///   - username: The person's name.
  ///   - password: The person's password.
  ///   - scopes: The scopes to ask for. By default what the provider gives.
  ///   - configuration: The transport for the request, and where base URLs really lead.
  /// - Returns: The token that is in the store now.
  /// - Throws: ``LoginError``: ``LoginError/refused(code:description:)`` for a wrong name or password (`invalid_grant`), or
  ///   ``LoginError/call(_:)`` where the provider says it in its own way; ``LoginError/notKept(_:_:)`` with the token when the
  ///   store failed, ``LoginError/store(_:)`` when its lease could not be had, ``LoginError/unexpectedResponse(_:_:)`` when the
  ///   response is none of a token endpoint, and ``LoginError/cancelled`` when the task is cancelled, after which the login
  ///   may still come into the store.
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
