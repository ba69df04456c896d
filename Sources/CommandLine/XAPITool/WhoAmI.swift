import ArgumentParser
import Callsign
import CallsignCommandLine
import CallsignX
import Foundation

/// `xapi whoami`
struct WhoAmI: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "whoami",
    abstract: "Shows whose credentials the calls have.",
    discussion: """
      Asks X with `getUsersMe`, and takes its options. For an app without a user, it prints that once \
      X has accepted it: {"app":true}.
      """)

  @Argument(parsing: .captureForPassthrough)
  var words: [String] = []

  func run() async throws {
    // The operation itself reports problems with the words or the credentials.
    if let options = try? CallWords(words, isFlag: { _ in false }).options,
      !options.isHelp, !options.isDryRun, !options.printsCurl, let credentials = try? XCredentials(options),
      let auth = await credentials.ofAppAlone()
    {
      let status = await CommandRun().run { try await ask(credentials, auth, options) }
      throw ExitCode(status.rawValue)
    }
    let status = await OperationCommand(name: "getUsersMe").run(words)
    throw ExitCode(status.rawValue)
  }

  /// Makes a call that an app can make without a user and that changes nothing.
  private func ask(
    _ credentials: XCredentials, _ auth: [any Authenticator], _ options: CallWords.Options
  ) async throws {
    let terminal = Terminal()
    var configuration = ClientConfiguration()
    configuration.deadline = options.timeout.map { Duration.seconds($0) }
    if let place = try credentials.place() { configuration.hosts = .all(to: place) }
    if options.isVerbose { configuration.middleware = [CallCommand.trace(terminal)] }
    let x = XAPI(auth: auth, configuration: configuration)
    _ = try await x.call(.get, Diagnosis.appPath, auth: .accepting("bearer"))
    terminal.report("These are the credentials of the app, which act for no user.")
    let writer = ResultWriter(
      options.format ?? .json, fields: options.fields, terminal: terminal, filter: options.filter,
      writesRawText: options.writesRawText)
    try writer.write(["app": true], items: nil)
  }
}

extension XCredentials {
  /// The credentials, if they belong only to an app and not to a user; `nil` if they do not, or there are none.
  fileprivate func ofAppAlone() async -> [any Authenticator]? {
    guard let api = try? Self.api(), let source = try? await source(api), !isNobody(source),
      let auth = try? await authenticators(api), Self.areOfAppAlone(auth, of: source),
      auth.contains(where: { $0.satisfies(AuthRequirement(scheme: "bearer")) })
    else { return nil }
    return auth
  }

  private func isNobody(_ source: Source) -> Bool {
    if case .none = source { true } else { false }
  }

  /// Whether none of the credentials from a source acts for a user.
  static func areOfAppAlone(_ auth: [any Authenticator], of source: Source) -> Bool {
    switch source {
    case .profile(let profile): profile.oauth2 == nil && profile.oauth1 == nil
    case .file, .environment: !CredentialSources.actForUser(auth)
    case .account:
      !auth.contains {
        $0.satisfies(AuthRequirement(scheme: "oauth2")) || $0.satisfies(AuthRequirement(scheme: "oauth1"))
      }
    case .none: false
    }
  }
}
