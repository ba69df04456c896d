import Callsign
import CallsignAuth
import Foundation

extension OAuth2 {
  /// Logs a person in from a command line: listens on loopback, has the page opened, waits, and keeps the token.
  ///
  /// ```swift
  /// try await oauth2.logInOnCommandLine(scopes: ["photos.read", .offlineAccess], port: 8765) { url in
  ///   print("Open this page to log in:\n\(url.absoluteString)")
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - scopes: The scopes to ask for.
  ///   - port: The port of the redirect URI `http://127.0.0.1:PORT/callback`; 0, the default, takes any that is free.
  ///     Where the provider compares redirect URIs exactly, register the one with the port that you choose.
  ///   - path: The path of the redirect URI.
  ///   - limit: How long to wait for the person; five minutes by default.
  ///   - configuration: The transport for the requests, and where base URLs really lead.
  ///   - open: Shows the URL to the person, or opens a browser.
  /// - Returns: The token that is in the store now.
  /// - Throws: ``LoginError``.
  @discardableResult
  public func logInOnCommandLine(
    scopes: [OAuth2Scope], port: UInt16 = 0, path: String = "/callback", within limit: Duration = .seconds(300),
    configuration: ClientConfiguration = ClientConfiguration(), open: @Sendable (URL) async -> Void
  ) async throws(LoginError) -> StoredToken {
    let loopback = try await LoopbackRedirect.start(port: port, path: path)
    let login: OAuth2Authorization
    do throws(LoginError) {
      login = try beginLogin(scopes: scopes, redirectURI: loopback.uri, configuration: configuration)
    } catch {
      await loopback.stop()
      throw error
    }
    await open(login.url)
    return try await login.complete(redirect: try await loopback.redirect(within: limit))
  }
}
