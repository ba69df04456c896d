import CallsignHTTP
import CallsignJSON
import Foundation

/// A token as a ``TokenStore`` keeps it. Its secrets print as `‹redacted›`.
public struct StoredToken: Sendable, Equatable {
  /// What kind of token it is.
  public enum Kind: String, Sendable, Hashable {
    /// An access token of OAuth 1.0, with a secret.
    case oauth1
    /// An access token of OAuth 2.0 that acts for a user.
    case oauth2
    /// An app's bearer token.
    case bearer
  }

  /// What kind of token it is.
  public var kind: Kind
  /// The access token; in OAuth 1.0 its identifier.
  public var accessToken: Secret
  /// The secret of an OAuth 1.0 token.
  public var tokenSecret: Secret?
  /// What an OAuth 2.0 token is refreshed with; good for one use where the provider rotates it.
  public var refreshToken: Secret?
  /// When the access token stops being accepted; `nil` when it is not known to.
  public var expires: Date?
  /// What an OAuth 2.0 token permits; `nil` when that is not known.
  public var scopes: Set<String>?
  /// The client or consumer key that it was issued to, which is no secret.
  public var clientID: String?
  /// The account's id, where the provider told it.
  public var userID: String?
  /// The account's name, where the provider told it.
  public var username: String?
  /// What the encoded form held that this version of the library does not know. It is written again, so that a newer
  /// version finds it.
  var unknownMembers: [String: JSONValue] = [:]

  /// Describes a token.
  ///
  /// - Parameters:
  ///   - kind: What kind of token it is.
  ///   - accessToken: The access token.
  ///   - tokenSecret: The secret of an OAuth 1.0 token.
  ///   - refreshToken: What it is refreshed with.
  ///   - expires: When it stops being accepted.
  ///   - scopes: What it permits.
  ///   - clientID: What it was issued to.
  ///   - userID: The account's id.
  ///   - username: The account's name.
  public init(
    kind: Kind, accessToken: Secret, tokenSecret: Secret? = nil, refreshToken: Secret? = nil, expires: Date? = nil,
    scopes: Set<String>? = nil, clientID: String? = nil, userID: String? = nil, username: String? = nil
  ) {
    self.kind = kind
    self.accessToken = accessToken
    self.tokenSecret = tokenSecret
    self.refreshToken = refreshToken
    self.expires = expires
    self.scopes = scopes
    self.clientID = clientID
    self.userID = userID
    self.username = username
  }
}

extension StoredToken: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind alone.
  public var description: String { "StoredToken(\(kind.rawValue), \(Secret.redacted))" }
  /// The kind alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
