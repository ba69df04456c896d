import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignCatalogue
import CallsignCommandLine
import CallsignX
import Foundation
import XCatalogue

/// The options for credentials and the base URL, for commands that are not operations.
struct AccessOptions: ParsableArguments {
  @Option(help: ArgumentHelp("Send everything there, such as to a sandbox.", valueName: "url"))
  var baseURL: String?

  @Option(help: ArgumentHelp("The credentials of that login.", valueName: "name"))
  var profile: String?

  @Option(help: ArgumentHelp("A JSON file with credentials.", valueName: "file"))
  var credentials: String?

  @Option(help: ArgumentHelp("Whose credentials of a file, of xurl or of twurl.", valueName: "name"))
  var account: String?

  func validate() throws {
    try CallWords.validate(baseURL: baseURL)
  }
}

/// Finds credentials for `xapi`. It uses the first of these that exists: a named file, a named profile or account, the environment,
/// the profile `default`, the accounts of X's other command-line tools.
struct XCredentials: Sendable {
  let file: String?
  let account: String?
  let profile: String?
  let baseURL: String?

  static var profiles: ProfileFolder { ProfileFolder(api: "x", prefix: "X") }

  init(file: String?, account: String?, profile: String?, baseURL: String?) {
    self.file = file
    self.account = account
    self.profile = profile
    self.baseURL = baseURL
  }

  init(_ options: CallWords.Options) throws(CommandLineError) {
    self.init(file: options.credentials, account: options.account, profile: options.profile, baseURL: options.baseURL)
    try check()
  }

  init(_ options: AccessOptions) throws(CommandLineError) {
    self.init(file: options.credentials, account: options.account, profile: options.profile, baseURL: options.baseURL)
    try check()
  }

  private func check() throws(CommandLineError) {
    guard profile == nil || (file == nil && account == nil) else {
      throw CommandLineError("--profile names credentials by itself; leave --credentials and --account out")
    }
  }

  /// The facts about X's API, for its schemes.
  static func api() throws(CommandLineError) -> API {
    guard let api = EmbeddedCatalogue.x2.catalogue(of: ["getUsersMe"])?.api else {
      throw CommandLineError("the catalogue of this program cannot be read")
    }
    return api
  }

  /// The possible sources of credentials.
  enum Source {
    case file(String)
    case profile(Profile)
    case environment
    case account(CLIAccount)
    case none
  }

  /// The source to take credentials from.
  ///
  /// - Throws: `CommandLineError` if a named source does not exist or cannot be used.
  func source(_ api: API) async throws(CommandLineError) -> Source {
    if let file { return .file(file) }
    let profiles = Self.profiles
    if account == nil {
      if profiles.isChosen(profile), let chosen = try profiles.profile(profile) { return .profile(chosen) }
      if Self.environmentActs { return .environment }
      if let profile = try profiles.profile(nil) { return .profile(profile) }
      if !CredentialSources(prefix: "X").environmentCredentials(api).isEmpty { return .environment }
    }
    do throws(CLIAccountError) {
      let accounts = try await CLIAccounts.read()
      guard let account else { return .account(try accounts.preferred()) }
      return .account(try accounts.account(named: account))
    } catch {
      if case .missingFile = error.reason, account == nil { return .none }
      throw CommandLineError("\(error)")
    }
  }

  /// The credentials, in the order in which they are tried.
  func authenticators(_ api: API) async throws -> [any Authenticator] {
    switch try await source(api) {
    case .file(let file): return try CredentialSources(prefix: "X").credentials(ofFile: file, account: account, api)
    case .environment: return CredentialSources(prefix: "X").environmentCredentials(api)
    case .account(let account):
      do throws(CLIAccountError) { return try account.authenticators() } catch { throw CommandLineError("\(error)") }
    case .profile(let profile):
      _ = try profile.place(baseURL)
      return profile.authenticators(in: Self.profiles.store, api)
    case .none:
      StandardError.write("note: nobody is logged in; run `xapi login`")
      return []
    }
  }

  /// The base URL for calls: the one used when the profile was logged in, or the sandbox that wrote the file, unless the user gives
  /// one.
  func place() throws(CommandLineError) -> String? {
    // A sandbox's keys are useless elsewhere.
    if let baseURL, file != nil { return baseURL }
    if let file { return try CredentialSources.place(ofFile: file) }
    guard account == nil else { return baseURL }
    let profiles = Self.profiles
    if profiles.isChosen(profile) { return try profiles.profile(profile)?.place(baseURL) ?? baseURL }
    if baseURL != nil || Self.environmentActs { return baseURL }
    return try profiles.profile(nil)?.baseURL
  }

  /// Whether the environment contains a token. An app's key on its own only starts logins, so the profile is still used.
  private static var environmentActs: Bool {
    let environment = ProcessInfo.processInfo.environment
    return ["X_OAUTH2_ACCESS_TOKEN", "X_BEARER_TOKEN", "X_OAUTH1_TOKEN"].contains { environment[$0]?.isEmpty == false }
  }

  /// The variables with credentials.
  static let variables: Set<String> = [
    "X_OAUTH2_ACCESS_TOKEN", "X_BEARER_TOKEN", "X_CONSUMER_KEY", "X_CONSUMER_SECRET", "X_OAUTH1_TOKEN",
    "X_OAUTH1_TOKEN_SECRET",
  ]
}

extension Profile {
  /// The profile's OAuth 2.0 login.
  func oauth2(in store: some TokenStore) -> OAuth2? {
    oauth2.map { OAuth2(clientID: $0.id, clientSecret: $0.secret, store: store, account: account) }
  }

  /// The profile's OAuth 1.0a login.
  func oauth1(in store: FileTokenStore, _ configuration: ClientConfiguration = ClientConfiguration()) -> OAuth1Account?
  {
    oauth1.map {
      OAuth1App(.x, key: $0.key, secret: $0.secret, configuration: configuration).account(account, store: store)
    }
  }

  /// The profile's app-only login.
  func appOnly(in store: FileTokenStore) -> AppOnly? {
    app.map { AppOnly(consumerKey: $0.key, consumerSecret: $0.secret, store: store) }
  }

  /// All of them. Those that act for a user come first.
  func authenticators(in store: FileTokenStore, _ api: API) -> [any Authenticator] {
    let own: [(any Authenticator)?] = [oauth2(in: store), oauth1(in: store), appOnly(in: store)]
    return own.compactMap { $0 } + CredentialSources.credentials(of: self, api)
  }
}
