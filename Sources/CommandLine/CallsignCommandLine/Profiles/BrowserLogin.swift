import Callsign
import CallsignAuth
import CallsignLoopback
import Foundation

/// A login by OAuth 2.0 from a terminal: in the browser of this machine, or of another, whose last address the person
/// pastes.
package struct BrowserLogin: Sendable {
  private let terminal: Terminal
  private let port: UInt16
  private let opensBrowser: Bool

  /// - Parameters:
  ///   - port: The port of the redirect URI `http://127.0.0.1:PORT/callback`, which has to be registered.
  ///   - opensBrowser: Whether there is a browser on this machine; else nothing listens, and the redirect is pasted.
  package init(port: UInt16, opensBrowser: Bool, terminal: Terminal) {
    self.port = port
    self.opensBrowser = opensBrowser
    self.terminal = terminal
  }

  /// Logs a person in. The token is in the store then.
  package func run(
    _ oauth2: OAuth2, scopes: [OAuth2Scope], configuration: ClientConfiguration
  ) async throws -> StoredToken {
    if opensBrowser {
      return try await oauth2.logInOnCommandLine(scopes: scopes, port: port, configuration: configuration) { url in
        terminal.report(
          "Allow the app in the browser. If no browser opens, open this page:\n\n  \(url.absoluteString)\n")
        if !Self.open(url) { terminal.report("No browser could be started.") }
      }
    }
    let login = try oauth2.beginLogin(
      scopes: scopes, redirectURI: "http://127.0.0.1:\(port)/callback", configuration: configuration)
    terminal.report(
      """
      Open this page in any browser:

        \(login.url.absoluteString)

      Afterwards the browser is at an address that begins with \(login.redirectURI) and may not be shown.
      Paste that address here:
      """)
    while let line = await LoopbackRedirect.standardInput() {
      let text = line.trimmingCharacters(in: .whitespaces)
      if text.isEmpty { continue }
      guard let url = URL(string: text), login.isCompleted(by: url) else {
        terminal.report("That is not the response to this login. Paste the whole address:")
        continue
      }
      return try await login.complete(redirect: url)
    }
    throw CommandLineError(
      "standard input ended before the address; run the login where you can paste it", .noPermission)
  }

  /// Opens a page: by the program that `BROWSER` names, else by the system's.
  private static func open(_ url: URL) -> Bool {
    let environment = ProcessInfo.processInfo.environment
    #if os(macOS)
      let system = "open"
    #else
      let system = "xdg-open"
    #endif
    // A list is separated by colons.
    let named = (environment["BROWSER"] ?? "").split(separator: ":").first.map(String.init)
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [named ?? system, url.absoluteString]
    process.standardInput = FileHandle.nullDevice
    // A browser's own messages are not the login's.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    // A program that is missing ends at once; one that goes on is the browser.
    for _ in 0..<20 where process.isRunning { usleep(50_000) }
    return process.isRunning || process.terminationStatus == 0
  }
}
