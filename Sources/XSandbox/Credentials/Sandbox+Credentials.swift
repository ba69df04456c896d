import Foundation

extension Sandbox {
  /// What an OAuth 1.0a access token may do.
  public enum Permission: Sendable, Hashable {
    /// Reading only: writes are answered with 403.
    case read
    /// Reading and writing.
    case readWrite
  }

  /// A developer's app that the sandbox knows. Descriptions leave the secrets out.
  public struct App: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The consumer key (API key) of OAuth 1.0a.
    public let consumerKey: String
    /// The consumer secret (API secret) of OAuth 1.0a.
    public let consumerSecret: String
    /// The app-only bearer token; `POST /oauth2/token` answers with it until it is invalidated.
    public let bearerToken: String
    /// The client id of OAuth 2.0.
    public let clientID: String
    /// The client secret of OAuth 2.0; `nil` for a public client.
    public let clientSecret: String?

    /// The app without its secrets.
    public var description: String { "App(consumerKey: \(consumerKey), clientID: \(clientID))" }
    /// Shows no secrets.
    public var customMirror: Mirror {
      Mirror(self, children: ["consumerKey": consumerKey, "clientID": clientID])
    }
  }

  /// A user of the sandbox, with the tokens that the sandbox's app holds for them. Descriptions leave the secrets out.
  public struct User: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The numeric id, as the API writes it.
    public let id: String
    /// The handle, without `@`.
    public let username: String
    /// The display name.
    public let name: String
    /// What the user types on a login page.
    public let password: String
    /// The OAuth 1.0a access token.
    public let accessToken: String
    /// The secret of the OAuth 1.0a access token.
    public let accessTokenSecret: String
    /// An OAuth 2.0 user access token with all scopes.
    public let oauth2AccessToken: String

    /// The user without password and tokens.
    public var description: String { "User(id: \(id), username: \(username))" }
    /// Shows neither password nor tokens.
    public var customMirror: Mirror { Mirror(self, children: ["id": id, "username": username, "name": name]) }
  }

  /// The users that every sandbox begins with. None follows another, and none has posted.
  public struct Users: Sendable {
    /// Alice, `@alice`.
    public let alice: User
    /// Bob, `@bob`.
    public let bob: User
    /// Carol, `@carol`.
    public let carol: User
  }
}
