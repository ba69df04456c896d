import Callsign
import CallsignYAML
import Foundation

/// `xurl`'s file: since version 1 a mapping of apps, before that one app's tokens in JSON, which is also YAML.
///
/// ```yaml
/// apps:
///   my-app:
///     client_id: …
///     default_user: ann
///     oauth2_tokens:
///       ann: {type: oauth2, oauth2: {access_token: …, refresh_token: …, expiration_time: 1795255200}}
///     oauth1_token: {type: oauth1, oauth1: {access_token: …, token_secret: …, consumer_key: …, consumer_secret: …}}
///     bearer_token: {type: bearer, bearer: …}
/// default_app: my-app
/// ```
struct XurlFile {
  let file: CLIAccountFile

  func accounts(in tree: YAMLNode) throws(CLIAccountError) -> [CLIAccount] {
    guard let members = tree.members else { throw file.malformed("is not a mapping") }
    guard let apps = tree["apps"] else {
      let isOld = members.contains { ["oauth2_tokens", "oauth1_tokens", "bearer_token"].contains($0.name) }
      guard isOld || members.isEmpty else { throw file.malformed("has no `apps`") }
      return try accounts(ofApp: nil, tree, isDefault: true)
    }
    guard let apps = apps.members else { throw file.malformed("has `apps` that are not a mapping") }
    let named = tree["default_app"]?.text
    let defaultApp = apps.contains { $0.name == named } ? named : apps.first?.name
    var accounts: [CLIAccount] = []
    for (name, app) in apps {
      accounts += try self.accounts(ofApp: name, app, isDefault: name == defaultApp)
    }
    return accounts
  }

  private func accounts(
    ofApp name: String?, _ app: YAMLNode, isDefault: Bool
  ) throws(CLIAccountError) -> [CLIAccount] {
    let place = name.map { "the app \($0)" } ?? "the file"
    guard app.members != nil else { throw file.malformed("has in \(place) no mapping") }
    let tokens = app["oauth2_tokens"]
    guard let users = tokens == nil ? [] : tokens?.members else {
      throw file.malformed("has in \(place) `oauth2_tokens` that are not a mapping")
    }
    let bearer = try token(app["bearer_token"], "bearer", place)?.text.map { Secret($0) }
    let oauth1 = try token(app["oauth1_token"] ?? app["oauth1_tokens"], "oauth1", place).map(Self.oauth1)
    let clientID = app["client_id"]?.text
    let namedUser = app["default_user"]?.text
    let defaultUser = users.contains { $0.name == namedUser } ? namedUser : users.first?.name

    var accounts: [CLIAccount] = []
    for (user, value) in users {
      guard let token = try token(value, "oauth2", place) else { continue }
      guard let accessToken = token["access_token"]?.text else {
        throw file.malformed("has in \(place) a token of \(user) without `access_token`")
      }
      // The tool writes zero if the server did not say.
      let expires = token["expiration_time"]?.text.flatMap(Double.init).flatMap { $0 > 0 ? $0 : nil }
      accounts.append(
        CLIAccount(
          source: .xurl, username: user.isEmpty || user.contains(" ") ? nil : user, userID: nil, app: name,
          clientID: clientID, isDefault: isDefault && user == defaultUser, oauth1: nil,
          oauth2: .init(
            accessToken: Secret(accessToken), expires: expires.map(Date.init(timeIntervalSince1970:))),
          bearer: bearer))
    }
    if oauth1 != nil || (accounts.isEmpty && bearer != nil) {
      accounts.append(
        CLIAccount(
          source: .xurl, username: nil, userID: oauth1?.userID, app: name, clientID: oauth1?.consumerKey ?? clientID,
          isDefault: isDefault && accounts.isEmpty, oauth1: oauth1, oauth2: nil, bearer: bearer))
    }
    return accounts
  }

  /// The members of a token, under the name of its type; `nil` if there is no token.
  private func token(
    _ value: YAMLNode?, _ type: String, _ place: String
  ) throws(CLIAccountError) -> YAMLNode? {
    guard let value else { return nil }
    guard let members = value.members else { throw file.malformed("has in \(place) a token that is not a mapping") }
    if members.isEmpty { return nil }
    guard let token = value[type] else {
      throw file.malformed("has in \(place) a token of another type than \(type)")
    }
    return token
  }

  private static func oauth1(_ token: YAMLNode) -> CLIAccount.OAuth1Parts {
    CLIAccount.OAuth1Parts(
      token, consumerKey: "consumer_key", consumerSecret: "consumer_secret", token: "access_token",
      tokenSecret: "token_secret")
  }
}

extension CLIAccount.OAuth1Parts {
  /// - Parameters:
  ///   - mapping: The mapping with the members. Any of them can be missing.
  ///   - consumerKey: The name of the member in the mapping; likewise for the others.
  init(_ mapping: YAMLNode, consumerKey: String, consumerSecret: String, token: String, tokenSecret: String) {
    let missing = [consumerKey, consumerSecret, token, tokenSecret].filter { mapping[$0]?.text == nil }
    self.init(
      consumerKey: mapping[consumerKey]?.text, consumerSecret: mapping[consumerSecret]?.text.map { Secret($0) },
      token: mapping[token]?.text, tokenSecret: mapping[tokenSecret]?.text.map { Secret($0) }, missing: missing)
  }

  /// X's tokens start with the user's ID and a hyphen.
  var userID: String? {
    guard let parts = token?.split(separator: "-", maxSplits: 1), parts.count == 2,
      parts[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return String(parts[0])
  }
}
