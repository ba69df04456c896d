/// A generated API: a client, and the base URLs that its catalogue names.
public protocol APIClient: Sendable {
  /// What sends the calls.
  var client: Client { get }
  /// Shares a client, and with it connections and credentials, with others.
  init(client: Client)
  /// The catalogue's hosts, the default one first, such as `https://api.x.com`. A relative path of a free call is
  /// resolved against the first; credentials go to no others.
  static var baseURLs: [StaticString] { get }
  /// How the API states limits and errors. Default: as most APIs do.
  static var conventions: any APIConventions { get }
}

extension APIClient {
  /// As most APIs do.
  public static var conventions: any APIConventions { .standard }
}
