import Callsign
import CallsignAuth
import Foundation

/// An account whose credentials a command-line tool keeps on this machine. Its secrets print as `‹redacted›`.
public struct MachineAccount: Sendable {
  /// The tool that keeps it.
  public enum Source: String, Sendable, Hashable {
    /// X's `xurl`, in `~/.xurl`.
    case xurl
    /// X's older `twurl`, in `~/.twurlrc`.
    case twurl
  }

  /// The tool that keeps it.
  public let source: Source
  /// The account's name without `@`; `nil` where the tool keeps credentials without one: `xurl` its OAuth 1.0 tokens,
  /// and both an app's bearer token.
  public let username: String?
  /// The account's id, where an OAuth 1.0 token tells it.
  public let userID: String?
  /// The name that `xurl` keeps the app under; `nil` in files of before it had several, and in `twurl`'s.
  public let app: String?
  /// The app's consumer key or client id, where it is known. It is no secret.
  public let clientID: String?
  /// Whether the tool uses it where none is named.
  public let isDefault: Bool
  /// What there is of OAuth 1.0, complete or not.
  let oauth1: OAuth1Parts?
  /// An access token of OAuth 2.0.
  let oauth2: OAuth2Part?
  /// An app's bearer token.
  let bearer: Secret?

  /// The members of an OAuth 1.0 token, as far as they are there.
  struct OAuth1Parts: Sendable {
    var consumerKey: String?
    var consumerSecret: Secret?
    var token: String?
    var tokenSecret: Secret?

    /// The names of the members that are not there, as the file spells them.
    let missing: [String]
  }

  struct OAuth2Part: Sendable {
    var accessToken: Secret
    var expires: Date?
  }

  /// Which kinds of credentials there are.
  public var kinds: Set<StoredToken.Kind> {
    var kinds: Set<StoredToken.Kind> = []
    if oauth1 != nil { kinds.insert(.oauth1) }
    if oauth2 != nil { kinds.insert(.oauth2) }
    if bearer != nil { kinds.insert(.bearer) }
    return kinds
  }

  /// When the access token of OAuth 2.0 expires; `nil` when there is none, or the file does not say.
  public var expires: Date? { oauth2?.expires }

  /// What tells the account apart when people choose: `@ann (xurl, app my-app)`.
  public var label: String {
    let who = username.map { "@\($0)" } ?? userID.map { "user \($0)" } ?? "app only"
    return "\(who) (\(source.rawValue)\(app.map { ", app \($0)" } ?? ""))".filter { !$0.isNewline }
  }
}

extension MachineAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// ``label``.
  public var description: String { label }
  /// ``label``.
  public var debugDescription: String { label }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
