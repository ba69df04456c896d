import Callsign
import CallsignAuth
import Foundation
import XCore

/// An account whose credentials a command-line tool stores on this machine. Its secrets print as `‹redacted›`.
public struct CLIAccount: Sendable {
  /// The tool that stores the account.
  public enum Source: String, Sendable, Hashable {
    /// X's `xurl`, in `~/.xurl`.
    case xurl
    /// X's older `twurl`, in `~/.twurlrc`.
    case twurl
  }

  /// The tool that stores the account.
  public let source: Source
  /// The account's name without `@`; `nil` if the tool stores the credentials without one. `xurl` does so for OAuth 1.0 tokens, and
  /// both tools do so for an app's bearer token.
  public let username: String?
  /// The account's ID, if an OAuth 1.0 token starts with it.
  public let userID: String?
  /// The name of the app in `xurl`; `nil` in older files, which had only one app, and in `twurl`'s.
  public let app: String?
  /// The app's consumer key or client ID, if known. It is not a secret.
  public let clientID: String?
  /// Whether the tool uses this account if none is named.
  public let isDefault: Bool
  /// The OAuth 1.0 credentials, complete or not.
  let oauth1: OAuth1Parts?
  /// An OAuth 2.0 access token.
  let oauth2: OAuth2Part?
  /// An app's bearer token.
  let bearer: Secret?

  /// The members of an OAuth 1.0 token that exist.
  struct OAuth1Parts: Sendable {
    var consumerKey: String?
    var consumerSecret: Secret?
    var token: String?
    var tokenSecret: Secret?

    /// The names of the missing members, as spelled in the file.
    let missing: [String]
  }

  struct OAuth2Part: Sendable {
    var accessToken: Secret
    var expires: Date?
  }

  /// The kinds of its credentials. OAuth 1.0 is included even if incomplete.
  public var kinds: Set<StoredToken.Kind> {
    var kinds: Set<StoredToken.Kind> = []
    if oauth1 != nil { kinds.insert(.oauth1) }
    if oauth2 != nil { kinds.insert(.oauth2) }
    if bearer != nil { kinds.insert(.bearer) }
    return kinds
  }

  /// When the OAuth 2.0 access token expires; `nil` if there is none, or the file does not say.
  public var expires: Date? { oauth2?.expires }

  /// A line that people can choose the account by: `@ann (xurl, app my-app)`.
  public var label: String {
    let who = username.map { "@\($0)" } ?? userID.map { "user \($0)" } ?? "app only"
    return "\(who) (\(source.rawValue)\(app.map { ", app \($0)" } ?? ""))".filter { !$0.isNewline }
  }
}

extension CLIAccount: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// ``label``.
  public var description: String { label }
  /// ``label``.
  public var debugDescription: String { label }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}

extension CLIAccount {
  /// X's hosts. The credentials of its tools are for these.
  public static let hosts: AllowedHosts = .x

  /// Creates authenticators from the account's credentials, if they exist, in this order: OAuth 2.0, OAuth 1.0, the app's bearer
  /// token. For each endpoint, a client uses the first one that the endpoint accepts.
  ///
  /// Nothing is refreshed or written, because the tool's refresh token can be used only once. If an access token has expired, renew
  /// it with `xurl token`.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that the credentials are for. Default: X's.
  ///   - now: The current time. An access token that has expired is left out if there are other credentials.
  /// - Throws: ``CLIAccountError``: ``CLIAccountError/Reason/incomplete`` if a part of the credentials is missing,
  ///   ``CLIAccountError/Reason/expired`` if there is only an expired access token.
  public func authenticators(
    hosts: AllowedHosts = Self.hosts, at now: Date = Date()
  ) throws(CLIAccountError) -> [any Authenticator] {
    var authenticators: [any Authenticator] = []
    let isExpired = oauth2?.expires.map { $0 <= now } ?? false
    if let oauth2, !isExpired {
      // Its scopes are not known, so it is tried wherever a user's token is accepted.
      authenticators.append(
        UserToken(oauth2.accessToken, expires: oauth2.expires, hosts: hosts, expiryAdvice: renewal))
    }
    if let oauth1 { authenticators.append(try authenticator(oauth1, hosts)) }
    if let bearer { authenticators.append(Bearer(bearer, hosts: hosts)) }
    // An app's token does not act for the user, so it cannot replace one that has expired.
    guard !isExpired || oauth1 != nil else {
      throw CLIAccountError(.expired, advice: "the access token of \(label) has expired; \(renewal)")
    }
    return authenticators
  }

  /// The command that renews the access token.
  private var renewal: String {
    let user = username.map { " -u \($0)" } ?? ""
    return "run `xurl token\(app.map { " --app \($0)" } ?? "")\(user)` to renew it, and read the accounts again"
      .filter { !$0.isNewline }
  }

  private func authenticator(_ parts: OAuth1Parts, _ hosts: AllowedHosts) throws(CLIAccountError) -> OAuth1 {
    guard let consumerKey = parts.consumerKey, let consumerSecret = parts.consumerSecret, let token = parts.token,
      let tokenSecret = parts.tokenSecret
    else {
      let command = source == .xurl ? "xurl auth oauth1" : "twurl authorize"
      let missing = parts.missing.map { "`\($0)`" }.joined(separator: ", ")
      throw CLIAccountError(
        .incomplete, advice: "the OAuth 1.0 credentials of \(label) lack \(missing); run `\(command)` again")
    }
    return OAuth1(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, tokenSecret: tokenSecret, hosts: hosts)
  }
}
