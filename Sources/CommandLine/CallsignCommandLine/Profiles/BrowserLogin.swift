import Callsign
import CallsignAuth
import CallsignLoopback
import Foundation

/// An OAuth 2.0 login from a terminal, in the browser of this machine or of another one. In the latter case, the user pastes the
/// last URL.
package struct BrowserLogin: Sendable {
  private let terminal: Terminal
  private let port: UInt16
  private let opensBrowser: Bool

  /// - Parameters:
  ///   - port: The port of the redirect URI `http://127.0.0.1:PORT/callback`, which must be registered.
  ///   - opensBrowser: Whether this machine has a browser. If not, nothing listens, and the redirect is pasted.
  package init(port: UInt16, opensBrowser: Bool, terminal: Terminal) {
    self.port = port
    self.opensBrowser = opensBrowser
    self.terminal = terminal
  }

  /// Logs a user in. The token is then in the store.
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

  /// Opens a page with the program in `BROWSER`, or otherwise the system's browser.
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
    // A browser's own messages must not mix with the login's.
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return false }
    // A missing program ends immediately. One that keeps running is the browser.
    for _ in 0..<20 where process.isRunning { usleep(50_000) }
    return process.isRunning || process.terminationStatus == 0
  }
}
