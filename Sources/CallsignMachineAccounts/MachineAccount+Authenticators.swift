import Callsign
import CallsignAuth
import Foundation

extension MachineAccount {
  /// X's hosts, which the credentials of its tools are for.
  public static let hosts: AllowedHosts = .x

  /// What puts the account's credentials on requests: OAuth 2.0, OAuth 1.0 and the app's bearer token, as far as they
  /// are there, in this order. A client takes for each endpoint the first that it accepts.
  ///
  /// Nothing is refreshed and nothing written, since the tool's refresh token is good for one use: `xurl token` renews
  /// an access token that has expired.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that the credentials are for; X's by default.
  ///   - now: The time, to leave out an access token that has expired where there are other credentials.
  /// - Throws: ``MachineAccountError``: ``MachineAccountError/Reason/incomplete`` when a part of the credentials is
  ///   missing, ``MachineAccountError/Reason/expired`` when there is but an access token that has expired.
  public func authenticators(
    hosts: AllowedHosts = Self.hosts, at now: Date = Date()
  ) throws(MachineAccountError) -> [any Authenticator] {
    var authenticators: [any Authenticator] = []
    let isExpired = oauth2?.expires.map { $0 <= now } ?? false
    if let oauth2, !isExpired {
      authenticators.append(UserAccessToken(oauth2, hosts: hosts, renewal: renewal))
    }
    if let oauth1 { authenticators.append(try authenticator(oauth1, hosts)) }
    if let bearer { authenticators.append(Bearer(bearer, hosts: hosts)) }
    // An app's own token does not act for the user, so it does not stand in for one that has expired.
    guard !isExpired || oauth1 != nil else {
      throw MachineAccountError(.expired, advice: "the access token of \(label) has expired; \(renewal)")
    }
    return authenticators
  }

  /// The command that renews the access token.
  private var renewal: String {
    let user = username.map { " -u \($0)" } ?? ""
    return "run `xurl token\(app.map { " --app \($0)" } ?? "")\(user)` to renew it, and read the accounts again"
      .filter { !$0.isNewline }
  }

  private func authenticator(_ parts: OAuth1Parts, _ hosts: AllowedHosts) throws(MachineAccountError) -> OAuth1 {
    guard let consumerKey = parts.consumerKey, let consumerSecret = parts.consumerSecret, let token = parts.token,
      let tokenSecret = parts.tokenSecret
    else {
      let command = source == .xurl ? "xurl auth oauth1" : "twurl authorize"
      let missing = parts.missing.map { "`\($0)`" }.joined(separator: ", ")
      throw MachineAccountError(
        .incomplete, advice: "the OAuth 1.0 credentials of \(label) lack \(missing); run `\(command)` again")
    }
    return OAuth1(
      consumerKey: consumerKey, consumerSecret: consumerSecret, token: token, tokenSecret: tokenSecret, hosts: hosts)
  }
}
