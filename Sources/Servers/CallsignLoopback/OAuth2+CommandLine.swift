import Callsign
import CallsignAuth
import Foundation

extension OAuth2 {
  /// Logs a person in from a command line: listens on loopback, has the page opened, waits, and keeps the token.
  ///
  /// ```swift
  /// try await oauth2.logInOnCommandLine(scopes: ["photos.read", .offlineAccess]) { url in
  ///   print("Open this page to log in:\n\(url.absoluteString)")
  /// }
  /// ```
  ///
  /// Where the browser is on another machine, let the person paste the URL at which it ended:
  /// `pasted: LoopbackRedirect.standardInput`.
  ///
  /// - Parameters:
  ///   - scopes: The scopes to ask for.
  ///   - port: The port of the redirect URI `http://127.0.0.1:PORT/callback`, ``LoopbackRedirect/defaultPort`` by default.
  ///     Register the redirect URI with the provider. 0 takes any that is free, for providers that do not compare ports.
  ///   - path: The path of the redirect URI.
  ///   - limit: How long to wait for the person; five minutes by default.
  ///   - configuration: The transport for the requests, and where base URLs really lead.
  ///   - pasted: Gives the redirect as the person pastes it; see
  ///     ``LoopbackRedirect/complete(_:within:pasted:)->StoredToken``.
  ///   - open: Shows the URL to the person, or opens a browser.
  /// - Returns: The token that is in the store now.
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
    // At once, since the one who opens the page may wait until it says how the login ended.
    let opening = Task { await open(login.url) }
    defer { opening.cancel() }
    return try await loopback.complete(login, within: limit, pasted: pasted)
  }
}
