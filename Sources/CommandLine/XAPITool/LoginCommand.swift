import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCommandLine
import CallsignLoopback
import CallsignX
import Foundation

extension Profile {
  /// Whether its logins are known to belong to another person.
  fileprivate func isOfAnother(than user: String) -> Bool { userID.map { $0 != user } ?? false }
}

/// `xapi login`
struct Login: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Logs in, and saves the credentials for later calls.",
    discussion: """
      Without further options it opens a browser (OAuth 2.0 with PKCE). The app must have the redirect URI \
      http://127.0.0.1:8765/callback at X. --no-browser is for a machine without one: the last address is pasted.

        xapi login --client-id ID
        xapi login --pin --profile work          OAuth 1.0a, which v1.1 needs; X shows a PIN
        xapi login --app-only                    the app's own credentials, for what is public
        xapi login --xauth --username ann        for apps that X allows to take passwords
        xapi login --exchange --client-id ID     OAuth 2.0 for the profile's login by OAuth 1.0a, which stays

      Each kind is added to the profile, which is `default` unless --profile or X_PROFILE names another, and is one \
      person's. The program asks for secrets \
      without showing them, or come from X_CLIENT_SECRET, X_CONSUMER_SECRET and X_PASSWORD, or from the files that \
      --secret-file and --password-file name (- is standard input); never from arguments, which every process can read. \
      Ids, which are not secret, may be in X_CLIENT_ID and X_CONSUMER_KEY. --exchange takes a token of X_OAUTH1_TOKEN and \
      X_OAUTH1_TOKEN_SECRET in place of the profile's.
      """)

  @Flag(help: "OAuth 1.0a: X shows a PIN, which is typed in here.")
  var pin = false

  @Flag(help: "Only the app, by its consumer key and secret.")
  var appOnly = false

  @Flag(help: "OAuth 1.0a by username and password.")
  var xauth = false

  @Flag(help: "OAuth 2.0 in exchange for a token of OAuth 1.0a, without asking the person again.")
  var exchange = false

  @Flag(help: "Read the browser's last address from standard input instead of listening for it.")
  var noBrowser = false

  @Option(help: ArgumentHelp("The app's OAuth 2.0 client id.", valueName: "id"))
  var clientID: String?

  @Option(help: ArgumentHelp("The app's consumer key (API key).", valueName: "key"))
  var consumerKey: String?

  @Option(
    help: ArgumentHelp(
      "A file with the app's secret that only its owner can read; - for standard input.", valueName: "file"))
  var secretFile: String?

  @Option(help: ArgumentHelp("With --xauth: the account's name.", valueName: "name"))
  var username: String?

  @Option(help: ArgumentHelp("With --xauth: a file with the password; - for standard input.", valueName: "file"))
  var passwordFile: String?

  @Option(
    help: ArgumentHelp(
      "The scopes to ask for, separated by commas; all but users.email unless given.", valueName: "scopes"))
  var scopes: String?

  @Flag(help: "Ask for the scopes that read, and no others.")
  var readOnly = false

  @Option(
    help: ArgumentHelp("The port of the redirect URI; 0 for one that is free, for sandboxes.", valueName: "number"))
  var port: UInt16 = LoopbackRedirect.defaultPort

  @Option(help: ArgumentHelp("The profile to save it in.", valueName: "name"))
  var profile: String?

  @Option(help: ArgumentHelp("Log in there, such as at a sandbox.", valueName: "url"))
  var baseURL: String?

  func validate() throws {
    guard [pin, appOnly, xauth, exchange].filter({ $0 }).count <= 1 else {
      throw ValidationError("Choose one of --pin, --app-only, --xauth and --exchange.")
    }
    if exchange, noBrowser || port != LoopbackRedirect.defaultPort {
      throw ValidationError("--exchange needs no browser; leave --port and --no-browser out.")
    }
    if exchange, readOnly { throw ValidationError("--exchange takes --scopes, and not --read-only.") }
    try CallWords.validate(baseURL: baseURL)
    if scopes != nil, readOnly { throw ValidationError("--scopes and --read-only exclude each other.") }
    guard port > 0 || !noBrowser else { throw ValidationError("--no-browser needs the port that is registered.") }
  }

  func run() async throws {
    let status = await CommandRun().run { try await logIn() }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func logIn() async throws {
    let terminal = Terminal()
    let profiles = XCredentials.profiles
    let name = try profiles.chosenName(profile)
    var profile = try profiles.loadForLogin(name)
    if profile.isEmpty {
      profile.baseURL = baseURL
    } else if profile.baseURL != baseURL, baseURL != nil || profile.baseURL != nil {
      _ = try profile.place(baseURL)
    }
    var configuration = ClientConfiguration()
    if let place = profile.baseURL { configuration.hosts = .all(to: place) }
    if pin || xauth {
      try await logInByOAuth1(&profile, configuration, terminal)
    } else if appOnly {
      let consumer = try consumer(profile)
      let app = AppOnly(consumerKey: consumer.key, consumerSecret: consumer.secret, store: profiles.store)
      // X may no longer accept an existing token.
      _ = try await app.refresh(configuration: configuration)
      profile.app = consumer
    } else {
      try await logInByOAuth2(&profile, configuration, terminal)
    }
    try profiles.save(profile)
    let who = profile.username.map { "@\($0)" } ?? "the app"
    terminal.report(
      "Logged in as \(appOnly ? "the app" : who), profile \(name) (\(profile.kinds.joined(separator: ", "))).")
  }

  // MARK: OAuth 2.0

  private func logInByOAuth2(
    _ profile: inout Profile, _ configuration: ClientConfiguration, _ terminal: Terminal
  ) async throws {
    let input = SecretInput()
    let subject = try await exchange ? tokenToExchange(profile) : nil
    guard
      let id = try clientID ?? profile.oauth2?.id ?? input.text("OAuth 2.0 client id", variable: "X_CLIENT_ID")
    else {
      throw CommandLineError(
        "the app's client id is missing; give --client-id or X_CLIENT_ID (developer portal, Keys and tokens)")
    }
    let isKnown = profile.oauth2?.id == id && secretFile == nil
    let secret =
      isKnown
      ? profile.oauth2?.secret
      : try input.secret(
        "Client secret", file: secretFile, variable: "X_CLIENT_SECRET", hint: "nothing for a public client")
    let provider = OAuth2Provider.x
    profile.oauth2 = Profile.OAuth2Client(
      id: id, secret: secret, authorizeURL: provider.authorizeURL, tokenURL: provider.tokenURL,
      revokeURL: provider.revokeURL)
    // The token does not identify its user. If it must not be another person's, it is stored only after that is known.
    let mayBeAnother = profile.oauth1 != nil
    let kept = XCredentials.profiles.store
    let store: any TokenStore = mayBeAnother ? MemoryTokenStore() : kept
    guard let oauth2 = profile.oauth2(in: store) else { return }
    if let subject {
      try await oauth2.exchange(
        subject, scopes: scopes == nil ? [] : chosenScopes(), configuration: configuration)
    } else {
      let login = BrowserLogin(port: port, opensBrowser: !noBrowser, terminal: terminal)
      _ = try await login.run(oauth2, scopes: try chosenScopes(), configuration: configuration)
    }
    let x = XAPI(auth: .oauth2(oauth2), configuration: configuration)
    var me: Response<XAPI.UserResponse>?
    var failure: CallError?
    do throws(CallError) { me = try await x.getUsersMe() } catch { failure = error }
    if mayBeAnother {
      if let id = me?.data.id ?? subject?.userID, profile.isOfAnother(than: id) {
        // Nobody would use it.
        try? await oauth2.deauthorize(configuration: configuration)
        throw another(than: profile, me?.data.username ?? subject?.screenName)
      }
      if let token = try await store.token(for: oauth2.key) { try await kept.save(token, for: oauth2.key) }
    }
    if let me {
      (profile.username, profile.userID) = (me.data.username, me.data.id)
    } else if let failure {
      (profile.username, profile.userID) = (subject?.screenName, subject?.userID)
      if profile.userID == nil {
        terminal.report("warning: the login was saved, but X does not say whose it is: \(failure)")
      }
    }
  }

  /// The environment's OAuth 1.0a token, or otherwise that of the profile's login.
  private func tokenToExchange(_ profile: Profile) async throws -> OAuth1Token {
    let environment = ProcessInfo.processInfo.environment
    if let token = environment["X_OAUTH1_TOKEN"], !token.isEmpty {
      guard let secret = environment["X_OAUTH1_TOKEN_SECRET"], !secret.isEmpty else {
        throw CommandLineError("X_OAUTH1_TOKEN is set without X_OAUTH1_TOKEN_SECRET; set both, or neither")
      }
      return OAuth1Token(token: Secret(token), secret: Secret(secret))
    }
    guard let token = try await profile.oauth1(in: XCredentials.profiles.store)?.token() else {
      throw CommandLineError(
        "the profile \(profile.name) has no login by OAuth 1.0a to exchange; set X_OAUTH1_TOKEN and "
          + "X_OAUTH1_TOKEN_SECRET, or log in without --exchange")
    }
    return token
  }

  /// The calls of a profile use whichever of its logins the endpoint accepts, so the logins must not belong to different people.
  private func another(than profile: Profile, _ username: String?) -> CommandLineError {
    func name(_ name: String?) -> String { name.map { "@\($0.printable)" } ?? "another account" }
    return CommandLineError(
      "this login is \(name(username))'s, and the profile \(profile.name) is \(name(profile.username))'s; "
        + "save it under another name with --profile, or log out first")
  }

  private func chosenScopes() throws(CommandLineError) -> [OAuth2Scope] {
    let known = try XCredentials.api().schemes.first { $0.name == "oauth2" }?.scopes.map(\.name) ?? []
    if readOnly {
      return known.filter { $0.hasSuffix(".read") }.map { OAuth2Scope(rawValue: $0) } + [.offlineAccess]
    }
    guard let scopes else { return known.map { OAuth2Scope(rawValue: $0) } }
    let chosen = scopes.split { $0 == "," || $0 == " " }.map(String.init)
    // No operation requires this scope, so the catalogue does not contain it; a field of the user requires it.
    let all = known + [OAuth2Scope.usersEmail.rawValue]
    if let unknown = chosen.first(where: { !all.contains($0) }) {
      throw CommandLineError("unknown scope \(unknown.printable); X has \(all.joined(separator: ", "))")
    }
    if !exchange, !chosen.contains("offline.access") {
      StandardError.write("note: without offline.access the login ends with the first access token, after two hours")
    }
    return chosen.map { OAuth2Scope(rawValue: $0) }
  }

  // MARK: OAuth 1.0a

  private func consumer(_ profile: Profile) throws -> Profile.Consumer {
    let input = SecretInput()
    let known = profile.oauth1 ?? profile.app
    guard let key = try consumerKey ?? known?.key ?? input.text("Consumer key (API key)", variable: "X_CONSUMER_KEY")
    else {
      throw CommandLineError(
        "the app's consumer key is missing; give --consumer-key or X_CONSUMER_KEY (developer portal, Keys and tokens)")
    }
    if let known, known.key == key, secretFile == nil { return known }
    guard let secret = try input.secret("Consumer secret", file: secretFile, variable: "X_CONSUMER_SECRET") else {
      throw CommandLineError(
        "the app's consumer secret is missing; set X_CONSUMER_SECRET, or name a file with --secret-file")
    }
    return Profile.Consumer(key: key, secret: secret)
  }

  private func logInByOAuth1(
    _ profile: inout Profile, _ configuration: ClientConfiguration, _ terminal: Terminal
  ) async throws {
    let consumer = try consumer(profile)
    let app = OAuth1App(.x, key: consumer.key, secret: consumer.secret, configuration: configuration)
    let token: OAuth1Token
    if xauth {
      let input = SecretInput()
      guard let username = try username ?? input.text("Username", variable: "X_USERNAME") else {
        throw CommandLineError("the username is missing; give --username")
      }
      guard let password = try input.secret("Password", file: passwordFile, variable: "X_PASSWORD") else {
        throw CommandLineError("the password is missing; set X_PASSWORD, or name a file with --password-file")
      }
      token = try await app.xAuth(username: username, password: password)
    } else {
      token = try await tokenByPIN(app, terminal)
    }
    if profile.oauth2 != nil, let user = token.userID, profile.isOfAnother(than: user) {
      throw another(than: profile, token.screenName)
    }
    profile.oauth1 = consumer
    try await app.account(profile.account, store: XCredentials.profiles.store).save(token)
    (profile.username, profile.userID) = (token.screenName ?? profile.username, token.userID ?? profile.userID)
  }

  private func tokenByPIN(_ app: OAuth1App, _ terminal: Terminal) async throws -> OAuth1Token {
    let login = try await app.pin()
    terminal.report(
      "Open this page, allow the app, and type in the PIN that X shows:\n\n  \(login.url.absoluteString)\n")
    for attempt in 1...3 {
      StandardError.write("PIN: ", terminator: "")
      guard let line = await LoopbackRedirect.standardInput() else {
        throw CommandLineError("standard input ended before the PIN; run the login where you can type it in")
      }
      do throws(LoginError) {
        return try await login.complete(pin: line.trimmingCharacters(in: .whitespaces))
      } catch {
        guard case .wrongPIN = error, attempt < 3 else { throw error }
        terminal.report("\(error)")
      }
    }
    throw LoginError.timedOut
  }
}
