import Callsign
import CallsignAuth
import Foundation
import XCore

/// An account whose credentials a command-line tool keeps on this machine. Its secrets print as `‹redacted›`.
public struct CLIAccount: Sendable {
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
  /// The account's id, where an OAuth 1.0 token begins with it.
  public let userID: String?
  /// The name that `xurl` keeps the app under; `nil` in files of before it had several, and in `twurl`'s.
  public let app: String?
  /// The app's consumer key or client id, where it is known. It is no secret.
  public let clientID: String?
  /// Whether the tool uses it where none is named.
  public let isDefault: Bool
  /// The OAuth 1.0 credentials, complete or not.
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

  /// The kinds of its credentials, OAuth 1.0 ones also where they are not complete.
  public var kinds: Set<StoredToken.Kind> {
    var kinds: Set<StoredToken.Kind> = []
    if oauth1 != nil { kinds.insert(.oauth1) }
    if oauth2 != nil { kinds.insert(.oauth2) }
    if bearer != nil { kinds.insert(.bearer) }
    return kinds
  }

  /// The time at which the access token of OAuth 2.0 expires; `nil` when there is none, or the file does not say.
  public var expires: Date? { oauth2?.expires }

  /// A line by which people choose the account: `@ann (xurl, app my-app)`.
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
  /// X's hosts, which the credentials of its tools are for.
  public static let hosts: AllowedHosts = .x

  /// Makes authenticators of the account's credentials: OAuth 2.0, OAuth 1.0 and the app's bearer token, as far as they
  /// are there, in this order. A client takes for each endpoint the first that it accepts.
  ///
  /// Nothing is refreshed and nothing written, since the tool's refresh token is good for one use: `xurl token` renews
  /// an access token that has expired.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that the credentials are for; X's by default.
  ///   - now: The time, to leave out an access token that has expired where there are other credentials.
  /// - Throws: ``CLIAccountError``: ``CLIAccountError/Reason/incomplete`` when a part of the credentials is
  ///   missing, ``CLIAccountError/Reason/expired`` when there is but an access token that has expired.
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
    // An app's own token does not act for the user, so it does not stand in for one that has expired.
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
