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
    abstract: "Revokes a login's tokens at X, and forgets the login.",
    discussion: """
      The tokens are always forgotten on this machine. Those of xurl and twurl stay. An app's own token stays valid at X until \
      you invalidate it in the developer portal.
      """)

  @Option(help: ArgumentHelp("Which login.", valueName: "name"))
  var profile: String?

  @Flag(help: "All of them.")
  var all = false

  @Flag(help: "Only forget it here, without revoking it at X.")
  var local = false

  func run() async throws {
    let status = await CommandRun().run {
      let profiles = XCredentials.profiles
      guard all else { return try await logOut(try profiles.chosenName(profile), profiles) }
      let names = profiles.names
      if names.isEmpty { return StandardError.write("Nobody is logged in.") }
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
      return StandardError.write("The profile \(name) has no login.")
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
      // Another profile may also use the same app's token.
      let others = profiles.names.filter { $0 != name }.compactMap { try? profiles.load($0) }
      if !others.contains(where: { $0.app?.key == app.consumerKey }) {
        await attempt { try await store.delete(app.key) }
      }
    }
    try profiles.remove(name)
    StandardError.write("Logged out: profile \(name)\(profile.username.map { " (@\($0))" } ?? "").")
    if let failure {
      StandardError.write(
        "The tokens could not be revoked at X; remove the app at https://x.com/settings/connected_apps")
      throw failure
    }
  }
}

/// `xapi accounts`
struct Accounts: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Lists the logins of this machine, and the accounts of X's other command-line tools.",
    discussion:
      "A star marks the one that is used without --profile and --account. Nothing is sent; `xapi whoami` asks X.")

  @Option(name: .shortAndLong, help: "json, lines, table, yaml or csv, instead of lines to read.")
  var output: OutputFormat?

  func run() async throws {
    let status = await CommandRun().run {
      let terminal = Terminal()
      let profiles = XCredentials.profiles
      let chosen = try profiles.chosenName(nil)
      var lines: [String] = []
      var rows: [JSONValue] = []
      for name in profiles.names {
        let mark = name == chosen ? "* " : "  "
        do throws(CommandLineError) {
          guard let profile = try profiles.load(name) else { continue }
          lines.append(mark + (await line(profile, profiles.store)))
          rows.append(row(profile, isChosen: name == chosen))
        } catch {
          lines.append("\(mark)\(name): cannot be used: \(error)")
          rows.append(["profile": .string(name), "chosen": .bool(name == chosen), "problem": .string("\(error)")])
        }
      }
      let hasProfile = profiles.names.contains(chosen)
      do throws(CLIAccountError) {
        for account in try await CLIAccounts.read() {
          let isChosen = account.isDefault && !hasProfile
          lines.append((isChosen ? "* " : "  ") + account.label)
          rows.append(["account": .string(account.label), "chosen": .bool(isChosen)])
        }
      } catch {
        guard case .missingFile = error.reason else {
          terminal.report("error: \(error)")
          throw ExitStatus.noPermission
        }
      }
      if let output {
        let isColumns = output == .table || output == .csv
        let columns = isColumns ? ["profile", "account", "username", "logins", "chosen", "base_url", "problem"] : []
        return try ResultWriter(output, fields: columns, terminal: terminal).write(.array(rows), items: rows)
      }
      guard !lines.isEmpty else {
        terminal.report("error: nobody is logged in; run `xapi login`, or log in with xurl or twurl")
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

  private func row(_ profile: Profile, isChosen: Bool) -> JSONValue {
    var members: [String: JSONValue] = [
      "profile": .string(profile.name), "chosen": .bool(isChosen),
      "logins": .array(profile.kinds.map { .string($0) }),
    ]
    members["username"] = profile.username.map { .string($0) }
    members["base_url"] = profile.baseURL.map { .string($0) }
    return .object(members)
  }

  /// The time that a token is good, in words.
  static func state(_ token: StoredToken) -> String {
    if token.refreshToken != nil { return "renews itself" }
    guard let expires = token.expires else { return "no end known" }
    return expires > Date() ? "until \(expires.formatted(.iso8601))" : "expired"
  }
}
