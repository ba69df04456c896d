import CallsignHTTP

/// A generated API: a client, and the base URLs that its catalogue names.
public protocol APIClient: Sendable {
  /// The client that sends the calls.
  var client: Client { get }
  /// Shares a client, and with it connections and credentials, with others.
  init(client: Client)
  /// The catalogue's hosts, the default one first, such as `https://api.example.com`. A relative path of an
  /// untyped call is resolved against the first; credentials go to no others.
  static var baseURLs: [StaticString] { get }
  /// The API's conventions for limits and errors. Default: those of most APIs.
  static var conventions: any APIConventions { get }
}

extension APIClient {
  /// As most APIs do.
  public static var conventions: any APIConventions { .standard }

  /// The API's base URLs as this client calls them: with the values of their variables.
  package var ownBaseURLs: [String] {
    Self.baseURLs.map { HostTemplate.filled($0, client.configuration.hostVariables) }
  }

  /// The same API for another account: a client with other credentials that shares everything else.
  ///
  /// ```swift
  /// let bob = pets.with(auth: .oauth2(oauth2.account("bob")))
  /// ```
  ///
  /// - Parameter auth: The credentials, best first.
  public func with(auth: [any Authenticator]) -> Self { Self(client: client.with(auth: auth)) }

  /// The same API for another account: a client with other credentials that shares everything else.
  ///
  /// - Parameter auth: The credentials.
  public func with(auth: some Authenticator) -> Self { with(auth: [auth]) }
}
