import Callsign
import CallsignAuth
import Foundation

extension OAuth2 {
  /// Logs a user in from a command line: listens on loopback, lets `open` show the page, waits, and stores the token.
  ///
  /// ```swift
  /// try await oauth2.logInOnCommandLine(scopes: ["photos.read", .offlineAccess]) { url in
  ///   print("Open this page to log in:\n\(url.absoluteString)")
  /// }
  /// ```
  ///
  /// If the browser is on another machine, let the user paste the URL of the last page: `pasted: LoopbackRedirect.standardInput`.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to request.
  ///   - port: The port of the redirect URI `http://127.0.0.1:PORT/callback`, ``LoopbackRedirect/defaultPort`` by default. Register
  ///     the redirect URI with the provider. 0 takes any free port, for providers that do not compare ports.
  ///   - path: The path of the redirect URI.
  ///   - limit: How long to wait for the user; five minutes by default.
  ///   - configuration: The transport for the requests, and redirections of base URLs.
  ///   - pasted: Returns the redirect that the user pastes; see ``LoopbackRedirect/complete(_:within:pasted:)->StoredToken``.
  ///   - open: Shows the URL to the user, or opens a browser.
  /// - Returns: The token that is now in the store.
  /// - Throws: ``LoginError``.
  @discardableResult
  public func logInOnCommandLine(
    scopes: [OAuth2Scope], port: UInt16 = LoopbackRedirect.defaultPort, path: String = "/callback",
    within limit: Duration = .seconds(300), configuration: ClientConfiguration = ClientConfiguration(),
    pasted: (@Sendable () async -> String?)? = nil, open: @escaping @Sendable (URL) async -> Void
  ) async throws(LoginError) -> StoredToken {
    let loopback = try await LoopbackRedirect.start(port: port, path: path)
    let login: OAuth2Authorization
    do throws(LoginError) {
      login = try beginLogin(scopes: scopes, redirectURI: loopback.uri, configuration: configuration)
    } catch {
      await loopback.stop()
      throw error
    }
    // Runs concurrently, because code that opens the page may wait until the page shows how the login ended.
    let opening = Task { await open(login.url) }
    defer { opening.cancel() }
    return try await loopback.complete(login, within: limit, pasted: pasted)
  }
}
