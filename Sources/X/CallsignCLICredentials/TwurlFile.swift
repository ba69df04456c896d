import Callsign
import CallsignYAML
import Foundation

/// `twurl`'s file.
///
/// ```yaml
/// profiles:
///   ann:
///     consumer-key: {username: ann, consumer_key: …, consumer_secret: …, token: …, secret: …}
/// configuration:
///   default_profile: [ann, consumer-key]
/// bearer_tokens:
///   consumer-key: …
/// ```
struct TwurlFile {
  let file: CLIAccountFile

  func accounts(in tree: YAMLNode) throws(CLIAccountError) -> [CLIAccount] {
    guard let members = tree.members else { throw file.malformed("is not a mapping") }
    guard members.isEmpty || tree["profiles"] != nil || tree["bearer_tokens"] != nil else {
      throw file.malformed("has no `profiles`")
    }
    let profiles = try mapping(tree["profiles"], "`profiles`")
    let bearers = try mapping(tree["bearer_tokens"], "`bearer_tokens`")
    let defaultProfile = try defaultProfile(tree)

    var accounts: [CLIAccount] = []
    for (username, keys) in profiles {
      for (key, profile) in try mapping(keys, "the profile of \(username)") {
        guard profile.members != nil else { throw file.malformed("has a profile of \(username) that is not a mapping") }
        let parts = CLIAccount.OAuth1Parts(
          profile, consumerKey: "consumer_key", consumerSecret: "consumer_secret", token: "token",
          tokenSecret: "secret")
        accounts.append(
          CLIAccount(
            source: .twurl, username: username, userID: parts.userID, app: nil, clientID: key,
            isDefault: defaultProfile.map { $0 == [username, key] } ?? accounts.isEmpty, oauth1: parts, oauth2: nil,
            bearer: bearers.first { $0.name == key }?.value.text.map { Secret($0) }))
      }
    }
    for (key, value) in bearers where !accounts.contains(where: { $0.clientID == key }) {
      guard let token = value.text else { throw file.malformed("has a bearer token that is not a text") }
      accounts.append(
        CLIAccount(
          source: .twurl, username: nil, userID: nil, app: nil, clientID: key, isDefault: false, oauth1: nil,
          oauth2: nil, bearer: Secret(token)))
    }
    return accounts
  }

  /// The username and consumer key; `nil` if no default is chosen.
  private func defaultProfile(_ tree: YAMLNode) throws(CLIAccountError) -> [String]? {
    guard let value = tree["configuration"]?["default_profile"] else { return nil }
    guard case .list(let elements) = value.content, elements.count == 2 else {
      throw file.malformed("has a `default_profile` that is not a username and a consumer key")
    }
    return elements.compactMap(\.text)
  }

  private func mapping(
    _ tree: YAMLNode?, _ name: String
  ) throws(CLIAccountError) -> [(name: String, value: YAMLNode)] {
    guard let tree else { return [] }
    guard let members = tree.members else { throw file.malformed("has in \(name) no mapping") }
    return members
  }
}
