#if canImport(UIKit) && !os(watchOS)
  import Callsign
  import CallsignHTTP
  import UIKit

  extension OAuth2 {
    /// Begins a login in the provider's app if it is installed, else on its web page. The scheme of
    /// ``OAuth2Provider/AppLink/probeURL`` must be listed under `LSApplicationQueriesSchemes` in `Info.plist`.
    ///
    /// ```swift
    /// let login = try oauth2.beginLogin(inAppFor: ["photos.read"], redirectURI: "myapp://login")
    /// try await login.openInApp()          // and complete(redirect:) with the URL that the scene is given
    /// ```
    ///
    /// The system may end this app while the person is in the other one: store ``OAuth2Authorization/pending``, and
    /// continue with ``OAuth2/resume(_:configuration:)``.
    ///
    /// - Parameters:
    ///   - scopes: The scopes to ask for.
    ///   - redirectURI: A URL with a custom scheme of the app, as registered.
    ///   - configuration: The transport for the requests, and the hosts that base URLs are redirected to.
    /// - Throws: ``LoginError/invalidSetup(_:)``.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func beginLogin(
      inAppFor scopes: [OAuth2Scope], redirectURI: String, configuration: ClientConfiguration = ClientConfiguration()
    ) throws(LoginError) -> OAuth2Authorization {
      try beginLogin(scopes: scopes, redirectURI: redirectURI, configuration: configuration) {
        UIApplication.shared.canOpenURL($0)
      }
    }
  }

  extension OAuth2Authorization {
    /// Switches to the provider's app or, if no such app opens the URL, to its page in the browser. The user returns through the
    /// redirect URI, which the system passes to this app.
    ///
    /// - Throws: ``LoginError/invalidSetup(_:)`` if nothing can open the URL.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func openInApp() async throws(LoginError) {
      // A link of the web's would be shown by the browser, as a page that only the app understands.
      if opensApp, await UIApplication.shared.open(url, options: [.universalLinksOnly: true]) { return }
      if opensApp, url.scheme?.hasPrefix("http") == false, await UIApplication.shared.open(url) { return }
      guard await UIApplication.shared.open(browserURL) else {
        throw .invalidSetup("neither app nor browser can be opened; start a login in the web page")
      }
    }
  }
#endif

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  import AuthenticationServices
  import Callsign
  import CallsignHTTP

  extension OAuth2Authorization {
    /// Shows the page in the system's own web session, and completes the login.
    ///
    /// - Parameters:
    ///   - anchor: The window over which the page appears; by default the one that the person is working in.
    ///   - prefersEphemeralSession: Whether the page starts without the browser's cookies.
    /// - Returns: The token that is in the store now.
    /// - Throws: ``LoginError``; see ``complete(redirect:)``.
    @MainActor @discardableResult
    public func present(
      over anchor: ASPresentationAnchor? = nil, prefersEphemeralSession: Bool = false
    ) async throws(LoginError) -> StoredToken {
      // A web session shows web pages, even if the login was begun for the app.
      let redirect = try await WebAuthentication.redirect(
        from: browserURL, to: redirectURI, anchor: anchor, prefersEphemeralSession: prefersEphemeralSession)
      return try await complete(redirect: redirect)
    }
  }

  extension OAuth2 {
    /// Logs a person in: shows the provider's page in the system's own web session, over the window that they are working
    /// in, and keeps the token.
    ///
    /// ```swift
    /// Button("Log in") { Task { try await oauth2.logIn(scopes: ["photos.read"], redirectURI: "myapp://login") } }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: The scopes to ask for.
    ///   - redirectURI: Where the provider sends the person back to: a URL of a scheme of the app's own, or an https URL
    ///     whose host is among the app's associated domains.
    ///   - prefersEphemeralSession: Whether the page starts without the browser's cookies.
    ///   - configuration: The transport for the requests, and the hosts that base URLs are redirected to.
    /// - Returns: The token that is in the store now.
    /// - Throws: ``LoginError``.
    @MainActor @discardableResult
    public func logIn(
      scopes: [OAuth2Scope], redirectURI: String, prefersEphemeralSession: Bool = false,
      configuration: ClientConfiguration = ClientConfiguration()
    ) async throws(LoginError) -> StoredToken {
      try await beginLogin(scopes: scopes, redirectURI: redirectURI, configuration: configuration)
        .present(prefersEphemeralSession: prefersEphemeralSession)
    }
  }
#endif
