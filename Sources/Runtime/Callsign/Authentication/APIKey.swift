import CallsignHTTP
import HTTPTypes

/// Sends an API key: in a header field, in the query or in a cookie.
///
/// A generated API has a function for each key in its catalogue, which knows where the key goes:
///
/// ```swift
/// let weather = Weather(auth: Weather.appID("…"))
/// let other = Client(auth: APIKey("…", in: .header("X-API-Key")))
/// ```
///
/// The key is sent only to the API's own hosts, over https or to this machine. It never appears in logs and curl
/// commands, whatever its name. It does not appear in cassettes either, unless the API itself repeats it in a response:
/// in that case, name its parameter in ``Redaction/hiddenParameters``.
public struct APIKey: Authenticator {
  /// The part of a request that carries a key.
  public enum Place: Sendable, Hashable {
    /// In a header field of this name.
    case header(String)
    /// In a query parameter with this name. It replaces an existing one.
    case query(String)
    /// In a cookie with this name, next to other cookies.
    case cookie(String)
  }

  /// The part of the request that carries the key.
  public let place: Place
  /// The name of the key's scheme in the catalogue.
  public let scheme: String
  /// The hosts that the key is for.
  public let hosts: AllowedHosts
  /// A hash of the key.
  public let identity: CredentialIdentity
  private let key: Secret
  private let prefix: String
  /// The advice on a key that is empty or was not copied correctly; `nil` for a correct one.
  private let copyingProblem: String?

  /// Keeps a key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - place: The part of the request that carries it.
  ///   - prefix: A text before the key, such as `Token ` with a space, if the key does not already begin with it.
  ///     Default: none.
  ///   - scheme: The name of the key's scheme in the catalogue. Default: `api_key`.
  ///   - hosts: The hosts that it is for.
  public init(
    _ key: any SecretConvertible, in place: Place, prefix: String = "", scheme: String = "api_key",
    hosts: AllowedHosts = .catalogue
  ) {
    let key = Secret(key)
    self.key = key
    self.place = place
    self.prefix = prefix
    self.scheme = scheme
    self.hosts = hosts
    identity = CredentialIdentity(scheme, hashing: [key.reveal()])
    copyingProblem = key.isEmpty ? "the API key is empty; give one" : CopiedText.problem(["API key": key.reveal()])
  }

  /// Its own scheme.
  public func satisfies(_ requirement: AuthRequirement) -> Bool { requirement.scheme == scheme }

  /// Adds the key to the request.
  ///
  /// - Throws: ``CallError/authorization(_:)`` if the key would travel unencrypted, has white space around it, or has
  ///   characters that its place does not allow.
  public func authenticate(
    _ request: inout TransportRequest, context: AuthenticationContext
  ) async throws(CallError) {
    if let copyingProblem { throw .authorization(AuthorizationError(.unavailable, advice: copyingProblem)) }
    try request.refuseUnencryptedCredentials("the API key")
    // A key may have been copied together with its prefix.
    let value = key.reveal().hasPrefix(prefix) ? key.reveal() : prefix + key.reveal()
    switch place {
    case .header(let name):
      guard let field = HTTPField.Name(name) else { throw Self.unusable("cannot be in a header field of that name") }
      do throws(TransportError) { try TransportRequest.validate(fieldName: name, value: value) } catch {
        throw Self.unusable("has a character that a header field cannot have")
      }
      request.headerFields[field] = value
    case .query(let name):
      request.url.removeQueryParameter(name)
      request.url.addQueryParameter(name, value)
    case .cookie(let name):
      // RFC 6265 §4.1.1: the characters of a cookie's value.
      guard value.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"\",;\\".utf8.contains($0) }) else {
        throw Self.unusable("has a character that a cookie cannot have")
      }
      let cookie = "\(name)=\(value)"
      // Another cookie with this name would come before the key, and servers would mostly use that.
      let others = (request.headerFields[.cookie] ?? "").split(separator: ";").map { $0.trimmingWhitespace() }
        .filter { !$0.isEmpty && !$0.utf8.starts(with: "\(name)=".utf8) }
      let whole = (others + [cookie]).joined(separator: "; ")
      // Setting it as text would split it into several fields, but there must be only one (RFC 6265 §5.4).
      request.headerFields[fields: .cookie] = [HTTPField(name: .cookie, value: whole)]
    }
  }

  private static func unusable(_ why: String) -> CallError {
    .authorization(AuthorizationError(.unavailable, advice: "the API key \(why); copy it again"))
  }

  /// The query parameter with the key; `nil` if the key is elsewhere.
  var queryParameter: String? { if case .query(let name) = place { name } else { nil } }
}

extension AbsoluteURL {
  /// Removes keys that a server has put into a link: they are added again, and are not stored.
  package mutating func removeKeys(of authenticators: [any Authenticator]) {
    for authenticator in authenticators {
      if let name = (authenticator as? APIKey)?.queryParameter { removeQueryParameter(name) }
    }
  }
}

extension APIKey: RedactedStringConvertible {}

extension Authenticator where Self == APIKey {
  /// An API key.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - place: The part of the request that carries it.
  ///   - scheme: The name of the key's scheme in the catalogue. Default: `api_key`.
  public static func apiKey(
    _ key: any SecretConvertible, in place: APIKey.Place, scheme: String = "api_key"
  ) -> APIKey {
    APIKey(key, in: place, scheme: scheme)
  }
}
