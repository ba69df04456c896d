extension Client {
  /// A client with other credentials that shares everything else: transport, connections, settings.
  ///
  /// - Parameter auth: The credentials, best first.
  public func with(auth: [any Authenticator]) -> Client {
    Client(auth: auth, configuration: configuration, conventions: conventions, state: state)
  }

  /// A client for an API of other conventions that shares everything else: credentials, transport, connections, settings.
  ///
  /// - Parameter conventions: How the called API states limits and errors.
  public func with(conventions: any APIConventions) -> Client {
    Client(auth: authenticators, configuration: configuration, conventions: conventions, state: state)
  }

  /// A client with other credentials that shares everything else: transport, connections, settings.
  ///
  /// - Parameter auth: The credentials.
  public func with(auth: some Authenticator) -> Client { with(auth: [auth]) }
}

extension APIClient {
  /// The same API for another account: a client with other credentials that shares everything else.
  ///
  /// ```swift
  /// let bob = x.with(auth: .oauth2(oauth2.account("bob")))
  /// ```
  ///
  /// - Parameter auth: The credentials, best first.
  public func with(auth: [any Authenticator]) -> Self { Self(client: client.with(auth: auth)) }

  /// The same API for another account: a client with other credentials that shares everything else.
  ///
  /// - Parameter auth: The credentials.
  public func with(auth: some Authenticator) -> Self { with(auth: [auth]) }
}
