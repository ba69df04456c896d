import Callsign
import CallsignAuth
import CallsignCatalogue
import Foundation

/// Credentials as a command line gets them: from a file, or from the environment. Never from arguments, which every
/// process of the machine can read.
package struct CredentialSources: Sendable {
  /// The beginning of the variables' names, such as `X`.
  package let prefix: String
  private let environment: [String: String]

  /// - Parameters:
  ///   - prefix: The beginning of the variables' names: `X` for `X_BEARER_TOKEN`.
  ///   - environment: The process's own by default.
  package init(prefix: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.prefix = prefix
    self.environment = environment
  }

  /// The credentials of the environment, for an API's schemes.
  ///
  /// `PREFIX_OAUTH2_ACCESS_TOKEN`; `PREFIX_CONSUMER_KEY` with `_CONSUMER_SECRET`, and perhaps `_OAUTH1_TOKEN` and
  /// `_OAUTH1_TOKEN_SECRET`; `PREFIX_BEARER_TOKEN`; `PREFIX_USERNAME` with `_PASSWORD`; and `PREFIX_KEY_SCHEME` for
  /// each API key.
  package func environmentCredentials(_ api: API) -> [any Authenticator] {
    func value(_ name: String) -> String? { environment["\(prefix)_\(name)"].flatMap { $0.isEmpty ? nil : $0 } }
    var secrets = Secrets()
    secrets.accessToken = value("OAUTH2_ACCESS_TOKEN")
    secrets.bearerToken = value("BEARER_TOKEN")
    secrets.consumerKey = value("CONSUMER_KEY")
    secrets.consumerSecret = value("CONSUMER_SECRET")
    secrets.token = value("OAUTH1_TOKEN")
    secrets.tokenSecret = value("OAUTH1_TOKEN_SECRET")
    secrets.username = value("USERNAME")
    secrets.password = value("PASSWORD")
    for scheme in api.schemes where scheme.key != nil {
      let name = String(scheme.name.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
      secrets.keys[scheme.name] = value("KEY_\(name)")
    }
    return secrets.authenticators(api)
  }

  /// The credentials of a file: a JSON object with the members `bearer_token`, `oauth2_access_token`,
  /// `consumer_key`, `consumer_secret`, `oauth1_token`, `oauth1_token_secret`, `username`, `password` and `keys` (an
  /// object of API keys by their schemes); or what `xapi sandbox --credentials` wrote.
  ///
  /// - Parameter account: The user whose tokens are taken of a sandbox's file; its first by default.
  package func credentials(
    ofFile path: String, account: String?, _ api: API
  ) throws(CommandLineError) -> [any Authenticator] {
    let url = URL(fileURLWithPath: (path as NSString).expandingTildeInPath)
    guard let data = try? Data(contentsOf: url) else {
      throw CommandLineError("the credentials' file \(path) cannot be read")
    }
    // The system's user is the only one who may read secrets.
    // The file's: a link's own permissions say nothing.
    let file = url.resolvingSymlinksInPath().path
    let mode = (try? FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? NSNumber)?.intValue
    if let mode, mode & 0o077 != 0 {
      throw CommandLineError("others can read the credentials' file \(path); run `chmod 600` on it")
    }
    guard let value = try? JSONValue(jsonData: data), let members = value.object else {
      throw CommandLineError("the credentials' file \(path) is not a JSON object")
    }
    var secrets = Secrets(members)
    if let app = members["app"] {
      let users = members["users"]?.array ?? []
      let user = account.map { name in users.first { $0["username"]?.string == name } } ?? users.first
      guard let user else { throw CommandLineError("the credentials' file has no user \(account ?? "")") }
      secrets = Secrets(app.object ?? [:])
      secrets.token = user["access_token"]?.string
      secrets.tokenSecret = user["access_token_secret"]?.string
      secrets.accessToken = user["oauth2_access_token"]?.string
    } else if let account {
      throw CommandLineError("the credentials' file \(path) has no users, and so no \(account); leave --account out")
    }
    return secrets.authenticators(api)
  }

  /// The secrets that there are.
  private struct Secrets {
    var accessToken: String?
    var bearerToken: String?
    var consumerKey: String?
    var consumerSecret: String?
    var token: String?
    var tokenSecret: String?
    var username: String?
    var password: String?
    var keys: [String: String] = [:]

    init() {}

    init(_ members: [String: JSONValue]) {
      func text(_ name: String) -> String? { members[name]?.string }
      accessToken = text("oauth2_access_token")
      bearerToken = text("bearer_token")
      consumerKey = text("consumer_key")
      consumerSecret = text("consumer_secret")
      token = text("oauth1_token")
      tokenSecret = text("oauth1_token_secret")
      username = text("username")
      password = text("password")
      for (name, value) in members["keys"]?.object ?? [:] { keys[name] = value.string }
    }

    /// Those that act for a user first.
    func authenticators(_ api: API) -> [any Authenticator] {
      var authenticators: [any Authenticator] = []
      if let accessToken { authenticators.append(UserToken(Secret(accessToken))) }
      if let consumerKey, let consumerSecret {
        if let token, let tokenSecret {
          authenticators.append(
            OAuth1(
              consumerKey: consumerKey, consumerSecret: Secret(consumerSecret), token: token,
              tokenSecret: Secret(tokenSecret)))
        }
        authenticators.append(OAuth1(consumerKey: consumerKey, consumerSecret: Secret(consumerSecret)))
      }
      if let bearerToken { authenticators.append(Bearer(Secret(bearerToken))) }
      if let username, let password {
        authenticators.append(HTTPBasic(username: username, password: Secret(password)))
      }
      for scheme in api.schemes {
        guard let place = scheme.key, let key = keys[scheme.name] else { continue }
        let position: APIKey.Place =
          switch place.part {
          case .header: .header(place.name)
          case .query: .query(place.name)
          case .cookie: .cookie(place.name)
          }
        authenticators.append(
          APIKey(Secret(key), in: position, prefix: place.prefix ?? "", scheme: scheme.name))
      }
      return authenticators
    }
  }
}
