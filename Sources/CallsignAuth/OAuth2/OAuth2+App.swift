import Callsign

#if canImport(UIKit) && !os(watchOS)
  import UIKit

  extension OAuth2 {
    /// Begins a login in the provider's app where that is installed, and otherwise in its web page. For X, `twitter` has
    /// to be among `LSApplicationQueriesSchemes` in `Info.plist`.
    ///
    /// ```swift
    /// let login = try oauth2.beginLogin(inAppFor: [.tweetRead, .usersRead], redirectURI: "myapp://login")
    /// if login.opensApp {
    ///   try await login.openInApp()          // and complete(redirect:) with the URL that the scene is given
    /// } else {
    ///   try await login.present(over: window)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - scopes: What the token is to permit.
    ///   - redirectURI: A URL of a scheme of the app's own, as registered.
    ///   - configuration: What carries the requests, and where base URLs really lead.
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
    /// Leaves for the provider's app, or for the browser. The person comes back by the redirect URI, with which the
    /// system calls this app.
    ///
    /// - Throws: ``LoginError/invalidSetup(_:)`` when nothing can open the URL.
    @MainActor
    @available(iOSApplicationExtension, unavailable)
    @available(tvOSApplicationExtension, unavailable)
    @available(visionOSApplicationExtension, unavailable)
    public func openInApp() async throws(LoginError) {
      guard await UIApplication.shared.open(url) else {
        throw .invalidSetup("neither app nor browser can be opened; begin a login in the web page")
      }
    }
  }
#endif
