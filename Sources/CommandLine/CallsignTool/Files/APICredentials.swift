import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignCommandLine
import Foundation

/// Finds an API's credentials for `callsign`. It uses the first of these that exists: a named file, a named profile, the
/// environment, the profile `default`.
struct APICredentials: Sendable {
  let api: API
  let file: String?
  let account: String?
  let profile: String?
  let baseURL: String?

  init(_ api: API, file: String?, account: String?, profile: String?, baseURL: String?) throws(CommandLineError) {
    self.api = api
    self.file = file
    self.account = account
    self.profile = profile
    self.baseURL = baseURL
    if account != nil, file == nil { throw CommandLineError("--account goes with --credentials and a sandbox's file") }
    if profile != nil, file != nil {
      throw CommandLineError("--profile names credentials by itself; leave --credentials out")
    }
  }

  static func profiles(_ api: API) -> ProfileFolder { ProfileFolder(api: api.name, prefix: "CALLSIGN") }

  /// The base URLs that this API's credentials are for.
  static func hosts(_ api: API) -> [String] { api.hosts.map(\.url).sorted() }

  /// A document itself says which hosts it calls, so `CALLSIGN_HOSTS` must say which hosts the environment's credentials are for.
  private func checkEnvironmentHosts() throws(CommandLineError) {
    guard let text = ProcessInfo.processInfo.environment["CALLSIGN_HOSTS"], !text.isEmpty else { return }
    let allowed = Set(text.lowercased().split(whereSeparator: { $0 == "," || $0.isWhitespace }).map(String.init))
    for url in baseURL.map({ [$0] }) ?? Self.hosts(api) {
      let authority = Self.authority(url.lowercased())
      guard allowed.contains(authority) || allowed.contains(String(authority.prefix { $0 != ":" })) else {
        throw CommandLineError(
          "the credentials in the environment are for \(allowed.sorted().joined(separator: ", ")), as CALLSIGN_HOSTS says, "
            + "and this call goes to \(authority.printable); log in for it with --profile")
      }
    }
  }

  /// The host and port of a base URL, which may contain variables.
  private static func authority(_ url: String) -> String {
    let scheme = url.firstRange(of: "://")
    return String(url[(scheme?.upperBound ?? url.startIndex)...].prefix { !"/?#\\".contains($0) })
  }

  /// The profile to use; `nil` if the credentials come from elsewhere.
  private func chosen() throws(CommandLineError) -> Profile? {
    guard file == nil else { return nil }
    let profiles = Self.profiles(api)
    if !profiles.isChosen(profile), !CredentialSources(prefix: "CALLSIGN").environmentCredentials(api).isEmpty {
      return nil
    }
    guard let profile = try profiles.profile(profile) else { return nil }
    // Another API may have the same name and must not get this one's keys.
    guard profile.hosts == Self.hosts(api) else {
      throw CommandLineError(
        "the profile \(profile.name) is for \(profile.hosts.joined(separator: ", ")), and this catalogue calls "
          + "\(Self.hosts(api).joined(separator: ", ")); log in for it with another --profile")
    }
    return profile
  }

  /// A message about credentials that no call uses because the API declares none; `nil` if there are none, or the API declares
  /// some.
  static func noteOnUnused(_ credentials: [any Authenticator], _ api: API) -> String? {
    guard !credentials.isEmpty, api.schemes.allSatisfy({ $0.name == "none" }) else { return nil }
    return "note: the credentials are not sent, because the document of \(api.name) does not ask for any; give --auth "
      + "bearer with an OpenAPI document, or say `api: {schemes: {bearer: }, auth: [bearer]}` in its overlay"
  }

  func place() throws(CommandLineError) -> String? {
    if let baseURL, file != nil { return baseURL }
    if let file { return try CredentialSources.place(ofFile: file) }
    guard let profile = try chosen() else { return baseURL }
    return try profile.place(baseURL)
  }

  func authenticators() throws(CommandLineError) -> [any Authenticator] {
    let sources = CredentialSources(prefix: "CALLSIGN")
    if let file { return try sources.credentials(ofFile: file, account: account, api) }
    guard let profile = try chosen() else {
      let credentials = sources.environmentCredentials(api)
      if !credentials.isEmpty { try checkEnvironmentHosts() }
      return credentials
    }
    let store = Self.profiles(api).store
    let own: [(any Authenticator)?] = [profile.login(in: store), profile.appLogin(in: store)]
    return own.compactMap { $0 } + CredentialSources.credentials(of: profile, api)
  }
}

extension Profile {
  /// A user's OAuth 2.0 login.
  func login(in store: FileTokenStore) -> OAuth2? {
    guard let client = oauth2, client.authorizeURL != nil || client.takesPassword else { return nil }
    return OAuth2(
      clientID: client.id, clientSecret: client.secret, store: store, account: account,
      provider: OAuth2Provider(
        authorizeURL: client.authorizeURL ?? "", tokenURL: client.tokenURL, revokeURL: client.revokeURL))
  }

  /// The login of an app that acts for itself.
  func appLogin(in store: FileTokenStore) -> AppOnly? {
    guard let client = oauth2, client.authorizeURL == nil, !client.takesPassword, let secret = client.secret else {
      return nil
    }
    // Another profile of the same client may have other scopes or another base URL.
    let provider = AppOnly.Provider(
      tokenURL: client.tokenURL, service: "\(client.tokenURL) \(account)", scheme: "oauth2",
      scopes: client.scopes.map { OAuth2Scope(rawValue: $0) })
    return AppOnly(consumerKey: client.id, consumerSecret: secret, store: store, provider: provider)
  }
}
