import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCatalogue
import CallsignCommandLine
import CallsignHTTP
import CallsignLoopback
import Foundation

/// `callsign login CATALOGUE`
struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Saves the credentials of an API for later calls.",
    discussion: """
      Saves the credentials that the catalogue's schemes ask for: an API key, a bearer token, a username with its password, or a \
      login by OAuth 2.0 in the browser. The OpenAPI document names the pages for it; otherwise, give --authorize-url and --token-url. \
      With only a token URL, or if the document has no other flow, the app logs in as itself (client credentials). \
      With --username, or if the document has that flow, a person logs in by name and password; the password is not saved. \
      If the document names no server, give --base-url. \
      Choose one of several schemes with --scheme; each login is added to the profile. If the document does not name \
      credentials, choose them with --auth bearer, here and in calls.

        callsign login openapi.json
        callsign login Catalogue --scheme app_key --profile test

      The program asks for secrets without showing them, or takes them from the environment (CALLSIGN_KEY_SCHEME, \
      CALLSIGN_BEARER_TOKEN, CALLSIGN_PASSWORD, CALLSIGN_CLIENT_SECRET) or from the file that --secret-file names; never \
      from arguments, which every process can read.
      """)

  @Argument(
    help: "A folder of catalogue files, or an OpenAPI document: a file, an `https` URL, or - for standard input.",
    completion: .file())
  var catalogue: String

  @OptionGroup var references: ReferenceOptions

  @OptionGroup var auth: AuthOptions

  @Option(help: ArgumentHelp("One of the API's schemes, by its name or the document's.", valueName: "name"))
  var scheme: String?

  @Option(help: ArgumentHelp("The profile to save it in.", valueName: "name"))
  var profile: String?

  @Option(
    help: ArgumentHelp("A file with the secret that only its owner can read; - for standard input.", valueName: "file"))
  var secretFile: String?

  @Option(help: ArgumentHelp("For HTTP Basic, and OAuth 2.0 by password.", valueName: "name"))
  var username: String?

  @Option(help: ArgumentHelp("The app's OAuth 2.0 client id.", valueName: "id"))
  var clientID: String?

  @Option(help: ArgumentHelp("The page that asks the person to allow the app.", valueName: "url"))
  var authorizeURL: String?

  @Option(help: ArgumentHelp("The URL that exchanges codes for tokens.", valueName: "url"))
  var tokenURL: String?

  @Option(help: ArgumentHelp("The URL that revokes tokens.", valueName: "url"))
  var revokeURL: String?

  @Option(help: ArgumentHelp("The scopes to ask for, separated by commas; all unless given.", valueName: "scopes"))
  var scopes: String?

  @Flag(help: "Read the browser's last address from standard input instead of listening for it.")
  var noBrowser = false

  @Option(help: ArgumentHelp("The port of the redirect URI; 0 for one that is free.", valueName: "number"))
  var port: UInt16 = LoopbackRedirect.defaultPort

  @Option(help: ArgumentHelp("Use the login only for this server, such as a test server.", valueName: "url"))
  var baseURL: String?

  func validate() throws {
    try CallWords.validate(baseURL: baseURL)
    guard port > 0 || !noBrowser else { throw ValidationError("--no-browser needs the port that is registered.") }
  }

  func run() async throws {
    let requirements = try auth.requirements()
    let (loaded, document) = try await CatalogueInput.reading { [catalogue, folders = references.folders] in
      try CatalogueInput.catalogueAndDocument(at: catalogue, alsoIn: folders, auth: requirements)
    }
    let status = await CommandRun().run { try await logIn(loaded.api, document) }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// - Parameter document: The bytes of the API's document; empty for a catalogue.
  private func logIn(_ api: API, _ document: [UInt8]) async throws {
    let terminal = Terminal()
    let profiles = APICredentials.profiles(api)
    let name = try profiles.chosenName(profile)
    var profile = try profiles.loadForLogin(name)
    let hosts = APICredentials.hosts(api)
    if profile.isEmpty {
      profile.baseURL = try baseURL ?? neededBaseURL(api)
    } else {
      _ = try profile.place(baseURL)
      guard profile.hosts == hosts else {
        throw CommandLineError(
          "the profile \(name) is for \(profile.hosts.joined(separator: ", ")); choose another --profile")
      }
    }
    profile.hosts = hosts
    let scheme = try chosenScheme(api, document)
    let input = SecretInput()
    switch scheme.name {
    case _ where scheme.key != nil:
      let variable = CredentialSources.keyVariable(scheme.name, prefix: "CALLSIGN")
      profile.keys[scheme.name] = try needed(input.secret("API key", file: secretFile, variable: variable), variable)
    case "bearer":
      profile.bearerToken = try needed(
        input.secret("Bearer token", file: secretFile, variable: "CALLSIGN_BEARER_TOKEN"), "CALLSIGN_BEARER_TOKEN")
    case "basic":
      guard let username = try username ?? input.text("Username", variable: "CALLSIGN_USERNAME") else {
        throw CommandLineError("the username is missing; give --username")
      }
      profile.basicPassword = try needed(
        input.secret("Password", file: secretFile, variable: "CALLSIGN_PASSWORD"), "CALLSIGN_PASSWORD")
      profile.basicUsername = username
      profile.username = username
    case "oauth2": try await logInByOAuth2(&profile, scheme, of: api, document, profiles, terminal)
    default:
      throw CommandLineError(
        "the scheme \(scheme.name) cannot be saved; it has its own rules, or is OAuth 1.0a or Digest")
    }
    try profiles.save(profile)
    let isTried = scheme.name == "oauth2"
    terminal.report(
      "Kept for \(api.name), profile \(name) (\(profile.kinds.joined(separator: ", ")))."
        + (isTried ? "" : " Nothing was tried yet."))
  }

  /// The base URL of an API whose document names no server; `nil` if it names one.
  private func neededBaseURL(_ api: API) throws -> String? {
    guard !api.hosts.isEmpty, api.hosts.allSatisfy({ AbsoluteURL($0.sampleURL)?.host.hasSuffix(".invalid") == true })
    else { return nil }
    guard let url = try SecretInput().text("Base URL", variable: "CALLSIGN_BASE_URL") else {
      throw CommandLineError(
        "the document of \(api.name) names no server; give its URL, as in --base-url http://127.0.0.1:8000")
    }
    try CallWords.validate(baseURL: url)
    return url
  }

  /// Whether credentials of a scheme can be stored.
  static func keeps(_ scheme: String, of api: API) -> Bool {
    ["bearer", "basic", "oauth2"].contains(scheme) || api.schemes.contains { $0.name == scheme && $0.key != nil }
  }

  private func needed(_ secret: Secret?, _ variable: String) throws(CommandLineError) -> Secret {
    guard let secret else {
      throw CommandLineError("the secret is missing; set \(variable), or name a file with --secret-file")
    }
    return secret
  }

  private func chosenScheme(_ api: API, _ document: [UInt8]) throws(CommandLineError) -> Scheme {
    let schemes = api.schemes.filter { $0.name != "none" }
    let names = schemes.map(\.name).joined(separator: ", ")
    if let scheme {
      let meant = ProviderPages.catalogueName(ofScheme: scheme, document: document)
      func plain(_ name: String) -> String { name.lowercased().filter { $0.isLetter || $0.isNumber } }
      let found =
        schemes.first { $0.name == scheme } ?? schemes.first { $0.name == meant }
        ?? schemes.first { plain($0.name) == plain(scheme) }
      guard let found else {
        throw CommandLineError(
          "\(api.name) has no scheme \(scheme.printable); it has: \(names.isEmpty ? "none" : names)")
      }
      return found
    }
    guard let only = schemes.first else {
      throw CommandLineError(
        "the document of \(api.name) does not ask for credentials: call it without a login, or give --auth bearer")
    }
    guard schemes.count == 1 else {
      throw CommandLineError("\(api.name) has several schemes; choose by --scheme: \(names)")
    }
    return only
  }

  private func logInByOAuth2(
    _ profile: inout Profile, _ scheme: Scheme, of api: API, _ document: [UInt8], _ profiles: ProfileFolder,
    _ terminal: Terminal
  ) async throws {
    let input = SecretInput()
    let pages = ProviderPages(
      document: document, scheme: self.scheme,
      prefersPassword: username != nil || ProcessInfo.processInfo.environment["CALLSIGN_USERNAME"]?.isEmpty == false)
    // A scheme chosen by the document's name may differ from the one that is stored.
    let isNamed = self.scheme.map { ProviderPages.catalogueName(ofScheme: $0, document: document) != nil } ?? false
    let kept = isNamed ? nil : profile.oauth2
    let server = api.hosts.first?.sampleURL ?? ""
    func absolute(_ url: String) -> String { OAuth2Provider.absolute(url, at: server) }
    let authorizeURL = (authorizeURL ?? (kept.map { $0.authorizeURL } ?? pages?.authorizeURL)).map(absolute)
    guard let tokenURL = (tokenURL ?? kept?.tokenURL ?? pages?.tokenURL).map(absolute) else {
      throw CommandLineError(
        "the provider's pages are not known: give --authorize-url and --token-url, or only the latter for an app that acts "
          + "for itself, and with --username for a person's name and password; or set CALLSIGN_OAUTH2_ACCESS_TOKEN for calls"
      )
    }
    let revokeURL = (revokeURL ?? kept?.revokeURL ?? pages?.revokeURL).map(absolute)
    // Calls also get their tokens there.
    let hosts = profile.baseURL.map { BaseURLOverrides.all(to: $0, insteadOf: api.hosts) } ?? .identity
    let takesPassword = self.tokenURL == nil ? kept?.takesPassword ?? pages?.takesPassword ?? false : username != nil
    // A document can name any host.
    let foreign = Self.otherHosts(than: api.hosts.map { Self.host($0.sampleURL) }, of: [tokenURL])
    if takesPassword, authorizeURL == nil {
      if let foreign { terminal.report("The password and any client secret go to \(foreign).".printable) }
      return try await logInByPassword(&profile, scheme, tokenURL: tokenURL, hosts, profiles)
    }
    if let page = authorizeURL.map(Self.host) {
      if let places = Self.otherHosts(than: [page], of: [tokenURL, revokeURL].compactMap { $0 }) {
        terminal.report(
          "The page is at \(page). Its response, the tokens and the client's secret go to \(places).".printable)
      }
    } else if let foreign {
      terminal.report("The client's secret goes to \(foreign).".printable)
    }
    guard let id = try clientID ?? profile.oauth2?.id ?? input.text("Client id", variable: "CALLSIGN_CLIENT_ID") else {
      throw CommandLineError("the client id is missing; give --client-id or CALLSIGN_CLIENT_ID")
    }
    // A secret goes only to the token URL that it was given for.
    let isKnown =
      profile.oauth2?.id == id && profile.oauth2?.tokenURL == tokenURL && secretFile == nil
      && (authorizeURL != nil || profile.oauth2?.secret != nil)
    let secret =
      isKnown
      ? profile.oauth2?.secret
      : try input.secret(
        "Client secret", file: secretFile, variable: "CALLSIGN_CLIENT_SECRET", hint: "nothing for a public client")
    profile.oauth2 = Profile.OAuth2Client(
      id: id, secret: secret, authorizeURL: authorizeURL, tokenURL: tokenURL,
      revokeURL: revokeURL)
    let chosen = scopes?.split { $0 == "," || $0 == " " }.map(String.init) ?? scheme.scopes.map(\.name)
    guard let oauth2 = profile.login(in: profiles.store) else {
      profile.oauth2?.scopes = chosen
      guard let app = profile.appLogin(in: profiles.store) else {
        throw CommandLineError(
          "an app that acts for itself needs its client's secret: set CALLSIGN_CLIENT_SECRET, or name a file with "
            + "--secret-file; for a login in the browser give --authorize-url")
      }
      _ = try await app.refresh(configuration: ClientConfiguration(hosts: hosts))
      return
    }
    let login = BrowserLogin(port: port, opensBrowser: !noBrowser, terminal: terminal)
    let isRelative = pages?.authorizeURL.map { AbsoluteURL($0) == nil } ?? false
    _ = try await login.run(
      oauth2, scopes: chosen.map { OAuth2Scope(rawValue: $0) },
      configuration: ClientConfiguration(hosts: isRelative ? hosts : .identity))
  }

  /// Logs a user in with name and password. The client has an ID and a secret only if the user gives them.
  private func logInByPassword(
    _ profile: inout Profile, _ scheme: Scheme, tokenURL: String, _ hosts: BaseURLOverrides, _ profiles: ProfileFolder
  ) async throws {
    let input = SecretInput()
    let environment = ProcessInfo.processInfo.environment
    guard let name = try username ?? input.text("Username", variable: "CALLSIGN_USERNAME") else {
      throw CommandLineError("the username is missing; give --username, or set CALLSIGN_USERNAME")
    }
    let password = try needed(
      input.secret("Password", file: secretFile, variable: "CALLSIGN_PASSWORD"), "CALLSIGN_PASSWORD")
    let secret = environment["CALLSIGN_CLIENT_SECRET"].flatMap { $0.isEmpty ? nil : Secret($0) }
    // A secret goes only to the token URL that it was given for.
    let known = profile.oauth2.flatMap { $0.tokenURL == tokenURL ? $0.secret : nil }
    var client = Profile.OAuth2Client(
      id: clientID ?? environment["CALLSIGN_CLIENT_ID"] ?? profile.oauth2?.id ?? "",
      secret: secret ?? known,
      authorizeURL: nil, tokenURL: tokenURL, revokeURL: nil)
    client.takesPassword = true
    (profile.oauth2, profile.username) = (client, name)
    // The user may not have all scopes of a document.
    let chosen = scopes?.split { $0 == "," || $0 == " " }.map { OAuth2Scope(rawValue: String($0)) } ?? []
    _ = try await profile.login(in: profiles.store)?.logIn(
      username: name, password: password, scopes: chosen, configuration: ClientConfiguration(hosts: hosts))
  }

  private static func host(_ text: String) -> String { AbsoluteURL(text)?.authority ?? text.shownPath }

  /// The hosts of URLs that are not among the user's or the app's own, separated by commas; `nil` if there are none.
  private static func otherHosts(than own: [String], of urls: [String]) -> String? {
    let others = Set(urls.map(host)).subtracting(own)
    return others.isEmpty ? nil : others.sorted().joined(separator: ", ")
  }
}

/// `callsign logout CATALOGUE`
struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Forgets an API's credentials, and gives back the tokens of a login by OAuth 2.0.")

  @Argument(
    help: "A folder of catalogue files, or an OpenAPI document: a file, an `https` URL, or - for standard input.",
    completion: .file())
  var catalogue: String

  @OptionGroup var references: ReferenceOptions

  @Option(help: ArgumentHelp("Which login.", valueName: "name"))
  var profile: String?

  func run() async throws {
    let api = try await CatalogueInput.reading { [catalogue, folders = references.folders] in
      try CatalogueInput.catalogue(at: catalogue, alsoIn: folders, isQuiet: true).api
    }
    let status = await CommandRun().run {
      let profiles = APICredentials.profiles(api)
      let name = try profiles.chosenName(profile)
      guard let profile = try profiles.loadForLogout(name) else {
        return StandardError.write("\(api.name) has no login \(name).")
      }
      var failure: LoginError?
      do throws(LoginError) {
        try await profile.login(in: profiles.store)?.deauthorize()
        try await profile.appLogin(in: profiles.store)?.invalidate()
      } catch { failure = error }
      try profiles.remove(name)
      StandardError.write("Forgotten: \(api.name), profile \(name).")
      if let failure { throw failure }
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }
}
