import ArgumentParser
import Callsign
import CallsignAuth
import CallsignCLICredentials
import CallsignCommandLine
import CallsignX
import Foundation

/// `xapi logout`
struct Logout: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Gives a login's tokens back to X, and forgets it.",
    discussion: """
      The tokens are forgotten here in any case. Those of xurl and twurl are theirs. An app's own token stays good at X until \
      it is made invalid in the developer portal.
      """)

  @Option(help: ArgumentHelp("Which login.", valueName: "name"))
  var profile: String?

  @Flag(help: "All of them.")
  var all = false

  @Flag(help: "Forget it here alone, without telling X.")
  var local = false

  func run() async throws {
    let status = await CommandRun().run {
      let profiles = XCredentials.profiles
      guard all else { return try await logOut(try profiles.chosenName(profile), profiles) }
      let names = profiles.names
      if names.isEmpty { return StandardError.write("There is no login.") }
      var failure: (any Error)?
      for name in names {
        do { try await logOut(name, profiles) } catch {
          if failure != nil { StandardError.write("error: \(name): \(error)") }
          failure = failure ?? error
        }
      }
      if let failure { throw failure }
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  private func logOut(_ name: String, _ profiles: ProfileFolder) async throws {
    guard let profile = try profiles.loadForLogout(name) else {
      return StandardError.write("There is no login \(name).")
    }
    let store = profiles.store
    var configuration = ClientConfiguration()
    if let place = profile.baseURL { configuration.hosts = .all(to: place) }
    var failure: (any Error)?
    func attempt(_ body: () async throws -> Void) async { do { try await body() } catch { failure = failure ?? error } }
    if let oauth2 = profile.oauth2(in: store) {
      if local {
        await attempt { try await store.delete(oauth2.key) }
      } else {
        await attempt { try await oauth2.deauthorize(configuration: configuration) }
      }
    }
    if let oauth1 = profile.oauth1(in: store, configuration) {
      if !local { await attempt { try await oauth1.invalidate() } }
      await attempt { try await oauth1.deauthorize() }
    }
    if let app = profile.appOnly(in: store) {
      // The same app's token may be another profile's, too.
      let others = profiles.names.filter { $0 != name }.compactMap { try? profiles.load($0) }
      if !others.contains(where: { $0.app?.key == app.consumerKey }) {
        await attempt { try await store.delete(app.key) }
      }
    }
    try profiles.remove(name)
    StandardError.write("Logged out: profile \(name)\(profile.username.map { " (@\($0))" } ?? "").")
    if let failure {
      StandardError.write("X could not be told; remove the app at https://x.com/settings/connected_apps")
      throw failure
    }
  }
}

/// `xapi accounts`
struct Accounts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the logins of this machine, and the accounts of X's other command-line tools.",
    discussion: "What is used without --profile and --account has a star. Nothing is sent; `xapi whoami` asks X.")

  func run() async throws {
    let status = await CommandRun().run {
      let terminal = Terminal()
      let profiles = XCredentials.profiles
      let chosen = try profiles.chosenName(nil)
      var lines: [String] = []
      for name in profiles.names {
        let mark = name == chosen ? "* " : "  "
        do throws(CommandLineError) {
          guard let profile = try profiles.load(name) else { continue }
          lines.append(mark + (await line(profile, profiles.store)))
        } catch { lines.append("\(mark)\(name): cannot be used: \(error)") }
      }
      let hasProfile = profiles.names.contains(chosen)
      do throws(CLIAccountError) {
        for account in try await CLIAccounts.read() {
          lines.append((account.isDefault && !hasProfile ? "* " : "  ") + account.label)
        }
      } catch {
        guard case .missingFile = error.reason else {
          terminal.report("error: \(error)")
          throw ExitStatus.noPermission
        }
      }
      guard !lines.isEmpty else {
        terminal.report("error: nobody is logged in; `xapi login` does, and accounts of xurl and twurl are used, too")
        throw ExitStatus.noPermission
      }
      try terminal.write(lines.map { $0.printable + "\n" }.joined())
    }
    if status != .success { throw ExitCode(status.rawValue) }
  }

  /// `default  @ann  OAuth 2.0 (until 17:30), app only`
  private func line(_ profile: Profile, _ store: FileTokenStore) async -> String {
    var kinds = profile.kinds
    if let oauth2 = profile.oauth2(in: store) {
      let state: String
      do throws(TokenStoreError) {
        let token = try await store.token(for: oauth2.key)
        state = token.map(Self.state) ?? "logged out"
      } catch { state = "cannot be read" }
      kinds[0] += " (\(state))"
    }
    let who = profile.username.map { "@\($0)" } ?? "the app"
    let place = profile.baseURL.map { ", at \($0)" } ?? ""
    return "\(profile.name): \(who), \(kinds.joined(separator: ", "))\(place)"
  }

  /// The time that a token is good, in words.
  static func state(_ token: StoredToken) -> String {
    if token.refreshToken != nil { return "renews itself" }
    guard let expires = token.expires else { return "no end known" }
    return expires > Date() ? "until \(expires.formatted(.iso8601))" : "expired"
  }
}
