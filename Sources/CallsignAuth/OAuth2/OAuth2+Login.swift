import Callsign
import CallsignHTTP
import Foundation

extension OAuth2 {
  /// Begins a login: makes the URL that the person is to open. Nothing is sent.
  ///
  /// ```swift
  /// let login = try oauth2.beginLogin(scopes: [.tweetRead, .usersRead, .offlineAccess], redirectURI: "myapp://login")
  /// // … open login.url; the app is called with the redirect
  /// try await login.complete(redirect: redirect)
  /// ```
  ///
  /// - Parameters:
  ///   - scopes: What the token is to permit. X gives a refresh token only with ``OAuth2Scope/offlineAccess``.
  ///   - redirectURI: Where the provider sends the person back to, exactly as registered: a scheme of the app's own, an
  ///     https URL, or loopback (RFC 8252).
  ///   - parameters: What else the provider takes, such as `prompt`.
  ///   - configuration: What carries the requests, and where base URLs really lead.
  ///   - canOpen: Whether this device can open a URL, by which the provider's app is found; on iOS
  ///     `UIApplication.shared.canOpenURL`. By default it can open none, and the login is in the web page.
  /// - Throws: ``LoginError/invalidSetup(_:)``.
  public func beginLogin(
    scopes: [OAuth2Scope], redirectURI: String, parameters: [String: String] = [:],
    configuration: ClientConfiguration = ClientConfiguration(), canOpen: (URL) -> Bool = { _ in false }
  ) throws(LoginError) -> OAuth2Authorization {
    let redirect = try RedirectURI(checking: redirectURI)
    guard !clientID.isEmpty else { throw .invalidSetup("the client's identifier is empty; the provider issues it") }
    if let wrong = scopes.first(where: { !$0.isValid }) {
      throw .invalidSetup("a scope is one word without quotation marks, and \(wrong) is not")
    }
    let (verifier, state): (String, String)
    do throws(CryptographyError) {
      verifier = try SecureRandom.bytes(32).base64URL
      state = try SecureRandom.bytes(32).base64URL
    } catch { throw .invalidSetup("\(error)") }

    var fields = [
      ("response_type", "code"), ("client_id", clientID), ("redirect_uri", redirectURI),
      ("scope", scopes.map(\.rawValue).joined(separator: " ")), ("state", state),
      ("code_challenge", try Self.challenge(verifier)), ("code_challenge_method", "S256"),
    ]
    for (name, value) in parameters.sorted(by: { $0.key < $1.key }) {
      guard !fields.contains(where: { $0.0 == name }) else {
        throw .invalidSetup("\(name) is set by the login itself; leave it out of the parameters")
      }
      fields.append((name, value))
    }
    if scopes.isEmpty { fields.removeAll { $0.0 == "scope" } }

    let appURL = provider.appLink.flatMap { link in
      // The app calls back by the scheme alone, which web pages and loopback listeners have not.
      redirect.scheme != "http" && redirect.scheme != "https" && URL(string: link.probeURL).map(canOpen) == true
        ? link.startURL : nil
    }
    let url = try Self.url(appURL ?? provider.authorizeURL, fields, hosts: configuration.hosts)
    return OAuth2Authorization(
      url: url, opensApp: appURL != nil, oauth2: self, redirect: redirect, scopes: Set(scopes.map(\.rawValue)),
      verifier: Secret(verifier), state: Secret(state), environment: TokenRequestEnvironment(configuration))
  }

  /// `S256` of RFC 7636 §4.2.
  static func challenge(_ verifier: String) throws(LoginError) -> String {
    do throws(CryptographyError) { return try Digest.hash(verifier.utf8, .sha256).base64URL } catch {
      throw .invalidSetup("\(error)")
    }
  }

  private static func url(_ base: String, _ fields: [(String, String)], hosts: BaseURLOverrides) throws(LoginError)
    -> URL
  {
    let query = FormFields.encode(fields.map { (name: $0.0, value: $0.1) })
    guard let meant = AbsoluteURL(base), var address = hosts.resolve(meant) else {
      throw .invalidSetup("the provider's authorize URL is not absolute; write it with https:// and host")
    }
    guard address.scheme == "https" || address.isLoopback else {
      throw .invalidSetup("the provider's authorize URL is unencrypted; use https (RFC 6749 §3.1)")
    }
    address.query = [address.query, query].compactMap { $0 }.filter { !$0.isEmpty }.joined(separator: "&")
    guard let url = URL(string: address.origin + address.target) else {
      throw .invalidSetup("the provider's authorize URL cannot be read; write it percent-encoded")
    }
    return url
  }

  /// Keeps the token of a login in place of the one that may be there.
  func keep(loggedIn token: StoredToken, lifetime: TimeInterval?) async throws(TokenStoreError) {
    let lock = try await store.lock(key)
    defer { lock.release() }
    state.withLock { $0.generation += 1 }
    try await store.save(token, for: key)
    state.withLock { state in
      state = OAuth2State(token: token, lifetime: lifetime, generation: state.generation + 1)
    }
  }
}
