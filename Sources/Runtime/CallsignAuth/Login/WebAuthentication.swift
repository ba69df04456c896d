import CallsignHTTP

#if canImport(AuthenticationServices) && !os(tvOS) && !os(watchOS)
  import AuthenticationServices
  #if canImport(UIKit)
    import UIKit
  #elseif canImport(AppKit)
    import AppKit
  #endif

  /// Shows a login's page in the system's own web session, and brings back the redirect. For logins by OAuth 1.0a and by
  /// OAuth 2.0.
  ///
  /// ```swift
  /// let redirect = try await WebAuthentication.redirect(from: login.url, to: "myapp://login")
  /// ```
  @MainActor
  public final class WebAuthentication: NSObject, ASWebAuthenticationPresentationContextProviding {
    private let anchor: ASPresentationAnchor
    private var session: ASWebAuthenticationSession?
    private var continuation: CheckedContinuation<Result<URL, LoginError>, Never>?

    private init(anchor: ASPresentationAnchor) { self.anchor = anchor }

    /// Shows a page and waits for the person.
    ///
    /// - Parameters:
    ///   - page: The page to show.
    ///   - redirectURI: Where the provider redirects the person to: a URL with a custom scheme of the app or, from iOS
    ///     17.4 and macOS 14.4, an https URL whose host is among the app's associated domains, as
    ///     `webcredentials:HOST`.
    ///   - anchor: The window over which the page appears. By default, the system finds the window that the person is
    ///     working in, because SwiftUI code has no window at hand.
    ///   - prefersEphemeralSession: Whether the page starts without the browser's cookies, so that the person must log
    ///     in to the provider again, for instance with another account.
    /// - Returns: The URL that the provider redirected the person to.
    /// - Throws: ``LoginError/cancelled`` if the person closes the page or the task is cancelled, or
    ///   ``LoginError/invalidSetup(_:)``.
    ///   ``LoginError/invalidSetup(_:)``.
    public static func redirect(
      from page: URL, to redirectURI: String, anchor: ASPresentationAnchor? = nil, prefersEphemeralSession: Bool = false
    ) async throws(LoginError) -> URL {
      let scheme = redirectURI.prefix { $0 != ":" }.lowercased()
      guard scheme != "http" else {
        throw .invalidSetup("a web session cannot come back to a loopback address; use a scheme of the app's own")
      }
      let authentication = WebAuthentication(anchor: anchor ?? ASPresentationAnchor.ofPerson)
      let result = await withTaskCancellationHandler {
        await withCheckedContinuation { continuation in
          authentication.continuation = continuation
          authentication.start(page, redirectURI, scheme, prefersEphemeralSession)
        }
      } onCancel: {
        Task { @MainActor in authentication.cancel() }
      }
      return try result.get()
    }

    private func start(_ page: URL, _ redirectURI: String, _ scheme: String, _ isEphemeral: Bool) {
      guard !Task.isCancelled else { return finish(.failure(.cancelled)) }
      // Called on a thread of the system's choice; without `@Sendable` it would count as the main actor's.
      let completion: @Sendable (URL?, (any Error)?) -> Void = { url, error in
        let result: Result<URL, LoginError> = url.map { .success($0) } ?? .failure(Self.loginError(error, scheme))
        Task { @MainActor in self.finish(result) }
      }
      let session: ASWebAuthenticationSession
      if scheme == "https" {
        guard #available(iOS 17.4, macOS 14.4, visionOS 1.1, *), let url = AbsoluteURL(redirectURI) else {
          let advice = "https redirect URIs need iOS 17.4 or macOS 14.4; use a scheme of the app's own before that"
          return finish(.failure(.invalidSetup(advice)))
        }
        session = ASWebAuthenticationSession(
          url: page, callback: .https(host: url.host, path: url.path), completionHandler: completion)
      } else {
        session = ASWebAuthenticationSession(url: page, callbackURLScheme: scheme, completionHandler: completion)
      }
      session.prefersEphemeralWebBrowserSession = isEphemeral
      session.presentationContextProvider = self
      self.session = session
      if !session.start() {
        finish(.failure(.invalidSetup("the web session cannot start; the anchor must be a window that is shown")))
      }
    }

    private func cancel() {
      session?.cancel()
      finish(.failure(.cancelled))
    }

    private func finish(_ result: Result<URL, LoginError>) {
      continuation?.resume(returning: result)
      continuation = nil
      session = nil
    }

    private nonisolated static func loginError(_ error: (any Error)?, _ scheme: String) -> LoginError {
      let error = error as? ASWebAuthenticationSessionError
      return switch error?.code {
      // A person who closes the page leaves no explanation; the system has one where it refuses to show the page.
      case .canceledLogin? where scheme == "https" && error?.userInfo.isEmpty == false:
        .invalidSetup(
          "the web session was refused; list the redirect URI's host in the app's associated domains as "
            + "webcredentials:HOST, and serve the host's apple-app-site-association file")
      case .canceledLogin?: .cancelled
      case .presentationContextNotProvided?, .presentationContextInvalid?:
        .invalidSetup("the web session has no window to appear over; pass one that is shown as the anchor")
      default: .unexpectedResponse("the web session ended without a redirect; start the login again", nil)
      }
    }

    /// The window over which the page appears.
    public func presentationAnchor(for session: ASWebAuthenticationSession) -> ASPresentationAnchor { anchor }
  }

  extension ASPresentationAnchor {
    /// The window that the user works in; a hidden one if there is none, for example in an extension.
    @MainActor fileprivate static var ofPerson: ASPresentationAnchor {
      #if canImport(UIKit)
        // Not `UIApplication.shared`, which code for extensions cannot name.
        let application = UIApplication.value(forKey: "sharedApplication") as? UIApplication
        let scenes = application?.connectedScenes.compactMap { $0 as? UIWindowScene } ?? []
        let scene = scenes.first { $0.activationState == .foregroundActive } ?? scenes.first
        return scene?.windows.first { $0.isKeyWindow } ?? scene?.windows.first ?? ASPresentationAnchor()
      #elseif canImport(AppKit)
        return NSApplication.shared.keyWindow ?? NSApplication.shared.mainWindow ?? ASPresentationAnchor()
      #endif
    }
  }
#endif
