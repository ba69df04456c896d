import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignHTTP
import CallsignSupport
import Foundation

/// Credentials for a command line, from a file or the environment. They never come from arguments, which every process on the
/// machine can read.
package struct CredentialSources: Sendable {
  /// The prefix of the variables, such as `X`.
  package let prefix: String
  private let environment: [String: String]

  ///   - prefix: The prefix of the variables: `X` for `X_BEARER_TOKEN`.
  ///   - environment: The environment. Default: that of the process.
  ///   - environment: The process's own by default.
  package init(prefix: String, environment: [String: String] = ProcessInfo.processInfo.environment) {
    self.prefix = prefix
    self.environment = environment
  }

  /// The credentials in the environment, for an API's schemes.
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
      let variable = Self.keyVariable(scheme.name, prefix: prefix)
      secrets.keys[scheme.name] = environment[variable].flatMap { $0.isEmpty ? nil : $0 }
    }
    return secrets.authenticators(api)
  }

  /// Whether credentials from a file or the environment act for a user instead of only the app.
  package static func actForUser(_ authenticators: [any Authenticator]) -> Bool {
    // OAuth 1.0a credentials with a user's token are listed a second time without the token.
    authenticators.contains { $0.satisfies(AuthRequirement(scheme: "oauth2")) }
      || authenticators.count { $0 is OAuth1 } > 1
  }

  /// The variable for the API key of a scheme: `PREFIX_KEY_SCHEME`.
  package static func keyVariable(_ scheme: String, prefix: String) -> String {
    "\(prefix)_KEY_" + String(scheme.uppercased().map { $0.isLetter || $0.isNumber ? $0 : "_" })
  }

  /// How to provide the credentials that an operation accepts: environment variables, and a login.
  ///
  /// - Parameter login: The command that logs in; `nil` if it stores none of these kinds.
  func ways(to operation: CallsignCatalogue.Endpoint, of api: API, login: String?) -> String {
    let sets = operation.auth.compactMap { alternative -> String? in
      let names = alternative.all.flatMap { variables(of: $0.scheme, api) }
      return names.isEmpty ? nil : names.joined(separator: " and ")
    }
    let ways = sets.map { "set \($0)" } + (login.map { ["log in by `\($0)`"] } ?? [])
    return ways.isEmpty ? "a command line has none of these kinds" : ways.joined(separator: ", or ")
  }

  /// The variables for the credentials of a scheme.
  private func variables(of scheme: String, _ api: API) -> [String] {
    if api.schemes.contains(where: { $0.name == scheme && $0.key != nil }) {
      return [Self.keyVariable(scheme, prefix: prefix)]
    }
    let own: [String] =
      switch scheme {
      case "bearer": ["BEARER_TOKEN"]
      case "basic": ["USERNAME", "PASSWORD"]
      case "oauth1": ["CONSUMER_KEY", "CONSUMER_SECRET", "OAUTH1_TOKEN", "OAUTH1_TOKEN_SECRET"]
      case "oauth2": ["OAUTH2_ACCESS_TOKEN"]
      default: []
      }
    return own.map { "\(prefix)_\($0)" }
  }

  /// The credentials in a file: a JSON object with the members `bearer_token`, `oauth2_access_token`, `consumer_key`,
  /// `consumer_secret`, `oauth1_token`, `oauth1_token_secret`, `username`, `password` and `keys` (an object with API keys by
  /// scheme); or the output of `xapi sandbox --credentials`.
  ///
  /// - Parameter account: The user whose tokens to take from a sandbox's file. Default: the first one.
  package func credentials(
    ofFile path: String, account: String?, _ api: API
  ) throws(CommandLineError) -> [any Authenticator] {
    let members = try Self.members(ofFile: path)
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
      throw CommandLineError("the credentials' file \(path) has no users, so it has no \(account); leave --account out")
    }
    return secrets.authenticators(api)
  }

  /// The URL of the sandbox that wrote the file; `nil` for other files.
  package static func place(ofFile path: String) throws(CommandLineError) -> String? {
    let members = try members(ofFile: path)
    guard members["app"] != nil, let url = members["url"]?.string else { return nil }
    guard AbsoluteURL(url) != nil else {
      throw CommandLineError("the credentials' file \(path) has no address as its url")
    }
    return url
  }

  /// The contents of pipes, by path, because the URL and the credentials are read separately.
  private static let readOnce = Locked<[String: [String: JSONValue]]>([:])

  private static func members(ofFile path: String) throws(CommandLineError) -> [String: JSONValue] {
    if let known = readOnce.withLock({ $0[path] }) { return known }
    let place = (path as NSString).expandingTildeInPath
    let isReadOnce = PrivateFile.isReadOnce(place)
    guard let data = try PrivateFile.read(place, as: "the credentials' file") else {
      throw CommandLineError("the credentials' file \(path) cannot be read: there is none", .noInput)
    }
    guard let value = try? JSONValue(jsonData: data), let members = value.object else {
      throw CommandLineError("the credentials' file \(path) is not a JSON object", .invalidInput)
    }
    if isReadOnce { readOnce.withLock { $0[path] = members } }
    return members
  }

  /// The static credentials of a profile: keys, a bearer token, and a user name with its password.
  package static func credentials(of profile: Profile, _ api: API) -> [any Authenticator] {
    var secrets = Secrets()
    secrets.bearerToken = profile.bearerToken?.reveal()
    secrets.username = profile.basicUsername
    secrets.password = profile.basicPassword?.reveal()
    secrets.keys = profile.keys.mapValues { $0.reveal() }
    return secrets.authenticators(api)
  }

  /// The available secrets.
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

    /// Credentials that act for a user come first.
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
