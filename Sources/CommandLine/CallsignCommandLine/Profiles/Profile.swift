import Callsign
import CallsignAuth
import Foundation

/// The result of a login: the credentials, the API that they are for, and how their tokens are obtained and refreshed. Tokens from
/// a provider are stored separately, in a token store.
package struct Profile: Sendable {
  /// An app registered with an OAuth 2.0 provider.
  package struct OAuth2Client: Sendable {
    package var id: String
    package var secret: Secret?
    /// The page for a user's login; `nil` for an app that acts for itself with its client credentials.
    package var authorizeURL: String?
    package var tokenURL: String
    package var revokeURL: String?
    /// The scopes to request for an app that acts for itself.
    package var scopes: [String] = []
    /// Whether the token was issued for a user's name and password, which are not stored.
    package var takesPassword = false

    package init(
      id: String, secret: Secret?, authorizeURL: String?, tokenURL: String, revokeURL: String?
    ) {
      self.id = id
      self.secret = secret
      self.authorizeURL = authorizeURL
      self.tokenURL = tokenURL
      self.revokeURL = revokeURL
    }
  }

  /// An app registered with a provider of OAuth 1.0a or app-only tokens.
  package struct Consumer: Sendable {
    package var key: String
    package var secret: Secret

    package init(key: String, secret: Secret) {
      self.key = key
      self.secret = secret
    }
  }

  /// The name that the user chooses it by.
  package let name: String
  /// The base URL that was used when it was created, such as a sandbox's; `nil` for the API itself.
  package var baseURL: String?
  /// The API's base URLs. The credentials are not sent to another API with the same name.
  package var hosts: [String] = []
  /// The account's name and ID, if known.
  package var username: String?
  package var userID: String?
  /// A user's OAuth 2.0 login, or an app's own.
  package var oauth2: OAuth2Client?
  /// A user's OAuth 1.0a login.
  package var oauth1: Consumer?
  /// An app-only login.
  package var app: Consumer?
  /// Static credentials.
  package var bearerToken: Secret?
  package var basicUsername: String?
  package var basicPassword: Secret?
  /// API keys by scheme.
  package var keys: [String: Secret] = [:]

  package init(name: String) { self.name = name }

  /// The name of its tokens in a store. A sandbox's tokens are separate from the API's.
  package var account: String { "profile:\(name)" + (baseURL.map { "@\($0)" } ?? "") }

  /// The kinds of credentials, in the order in which they are tried.
  package var kinds: [String] {
    [
      oauth2.map { $0.authorizeURL == nil && !$0.takesPassword ? "OAuth 2.0 client credentials" : "OAuth 2.0" },
      oauth1.map { _ in "OAuth 1.0a" }, app.map { _ in "app only" },
      bearerToken.map { _ in "bearer token" }, basicPassword.map { _ in "username and password" },
    ].compactMap { $0 } + keys.keys.sorted().map { "key \($0)" }
  }

  package var isEmpty: Bool { kinds.isEmpty }
}

extension Profile: CustomStringConvertible {
  /// The name and the kinds, without secrets.
  package var description: String { "Profile(\(name): \(kinds.joined(separator: ", ")))" }
}

// MARK: File format

extension Profile {
  private static let version = 1

  /// Parses what ``document`` wrote.
  init(name: String, document value: JSONValue) throws(CommandLineError) {
    self.init(name: name)
    guard let version = value["version"]?.int else {
      throw CommandLineError("the profile \(name) is damaged; log in again")
    }
    guard version <= Self.version else {
      throw CommandLineError("the profile \(name) was written by a newer version; update this program, or log in again")
    }
    func consumer(_ name: String) -> Consumer? {
      guard let key = value[name]?["key"]?.string, let secret = value[name]?["secret"]?.string else { return nil }
      return Consumer(key: key, secret: Secret(secret))
    }
    baseURL = value["base_url"]?.string
    hosts = value["hosts"]?.array?.compactMap(\.string) ?? []
    username = value["username"]?.string
    userID = value["user_id"]?.string
    oauth1 = consumer("oauth1")
    app = consumer("app")
    if let client = value["oauth2"], let id = client["client_id"]?.string,
      let tokenURL = client["token_url"]?.string
    {
      oauth2 = OAuth2Client(
        id: id, secret: client["client_secret"]?.string.map { Secret($0) },
        authorizeURL: client["authorize_url"]?.string, tokenURL: tokenURL, revokeURL: client["revoke_url"]?.string)
      oauth2?.scopes = client["scopes"]?.array?.compactMap(\.string) ?? []
      oauth2?.takesPassword = client["grant"]?.string == "password"
    }
    bearerToken = value["bearer_token"]?.string.map { Secret($0) }
    basicUsername = value["basic"]?["username"]?.string
    basicPassword = value["basic"]?["password"]?.string.map { Secret($0) }
    for (scheme, key) in value["keys"]?.object ?? [:] { keys[scheme] = key.string.map { Secret($0) } }
  }

  /// The profile as JSON, including its secrets.
  var document: JSONValue {
    func text(_ text: String?) -> JSONValue? { text.map(JSONValue.string) }
    func consumer(_ consumer: Consumer?) -> JSONValue? {
      consumer.map { ["key": .string($0.key), "secret": .string($0.secret.reveal())] }
    }
    func object(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }
    return object([
      "version": .integer(Self.version), "base_url": text(baseURL), "hosts": .array(hosts.map(JSONValue.string)),
      "username": text(username), "user_id": text(userID), "oauth1": consumer(oauth1), "app": consumer(app),
      "oauth2": oauth2.map { client in
        object([
          "client_id": .string(client.id), "client_secret": text(client.secret?.reveal()),
          "authorize_url": text(client.authorizeURL), "token_url": .string(client.tokenURL),
          "revoke_url": text(client.revokeURL),
          "grant": client.takesPassword ? "password" : nil,
          "scopes": client.scopes.isEmpty ? nil : .array(client.scopes.map(JSONValue.string)),
        ])
      },
      "bearer_token": text(bearerToken?.reveal()),
      "basic": basicPassword.map { object(["username": text(basicUsername), "password": .string($0.reveal())]) },
      "keys": keys.isEmpty ? nil : .object(keys.mapValues { .string($0.reveal()) }),
    ])
  }
}
