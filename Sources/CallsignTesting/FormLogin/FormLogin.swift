import Callsign
import CallsignAuth
import CallsignHTTP
import Foundation

/// Logs in without a browser: fetches a provider's authorize page, fills username and password into its form, sends it
/// with the hidden fields, and reads what the login comes to. It serves pages of OAuth 1.0a and OAuth 2.0 alike.
///
/// It is meant for test servers, and for providers that a machine without a browser has to use. The app gets to see the
/// password, which OAuth is there to avoid; many providers, X among them, forbid it, and change their pages without
/// notice. Nothing in this library uses it by itself.
///
/// ```swift
/// let authorization = try await login.begin(.pin)
/// let pin = try await FormLogin(hosts: ["login.example"]).pin(
///   at: authorization.url, username: "alice", password: password)
/// let token = try await authorization.complete(pin: pin)
/// ```
///
/// Every request goes over TLS or to this machine, and to the named hosts only. Cookies are kept for one login. Scripts are
/// not run.
public struct FormLogin: Sendable {
  private let hosts: AllowedHosts
  private let configuration: ClientConfiguration

  /// The most forms that are sent for one login: the login itself, and pages that ask whether to go on.
  private static let formLimit = 4

  /// Prepares logins.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that may see the password, as in ``AllowedHosts``: `api.x.com`, `*.example.com`, or with a port.
  ///   - configuration: Transport, timeouts, hosts, logging. Middleware is not called.
  public init(hosts: [String], configuration: ClientConfiguration = ClientConfiguration()) {
    self.hosts = AllowedHosts(hosts)
    self.configuration = configuration
  }

  /// Logs in on a page that then shows a PIN.
  ///
  /// - Parameters:
  ///   - page: The authorize page.
  ///   - username: The account's name.
  ///   - password: The account's password, which is not kept.
  /// - Returns: The PIN.
  /// - Throws: ``LoginError``: ``LoginError/wrongPassword(_:)`` when the page asks again; ``LoginError/page(_:)``;
  ///   ``LoginError/cancelled``; or why a request failed.
  public func pin(at page: URL, username: String, password: consuming Secret) async throws(LoginError) -> String {
    try await run(page, callback: nil, username: username, password: password)
  }

  /// Logs in on a page that then redirects to the app.
  ///
  /// - Parameters:
  ///   - page: The authorize page.
  ///   - callback: The callback URL, or redirect URI, that the login was begun with. No request is sent to it.
  ///   - username: The account's name.
  ///   - password: The account's password, which is not kept.
  /// - Returns: The whole URL that the provider redirects to, for the login to complete with.
  /// - Throws: ``LoginError``, as ``pin(at:username:password:)`` does.
  public func redirect(
    at page: URL, to callback: String, username: String, password: consuming Secret
  ) async throws(LoginError) -> String {
    guard let callback = CallbackURL(callback) else {
      throw .invalidSetup("the callback is not a URL; give the one that the login was begun with")
    }
    return try await run(page, callback: callback, username: username, password: password)
  }

  private func run(
    _ page: URL, callback: CallbackURL?, username: String, password: Secret
  ) async throws(LoginError) -> String {
    guard let start = AbsoluteURL(page.absoluteString) else {
      throw .invalidSetup("the page's URL is not absolute; give the one that the login was begun with")
    }
    var loader = PageLoader(hosts: hosts, configuration: configuration, callback: callback)
    var outcome = try await loader.load(start)
    var formsSent = 0
    while true {
      guard case .page(let answer, let url) = outcome else { return try redirect(outcome) }
      let page = HTMLPage(answer.body)
      if let result = try result(of: page, answer, loader) { return result }
      if let target = page.refresh.flatMap(url.following), formsSent > 0 {
        outcome = try await loader.load(target, from: url)
        continue
      }
      guard formsSent < Self.formLimit else { throw .page(.tooManyPages) }
      let form: HTMLForm
      var filled: [String: String] = [:]
      if formsSent == 0 {
        form = try loginForm(of: page, answer)
        guard let name = form.username?.name, !name.isEmpty else { throw .page(.noUsernameField) }
        for control in form.passwords { filled[control.name] = password.reveal() }
        filled[name] = username
      } else {
        form = try furtherForm(of: page, answer)
      }
      formsSent += 1
      outcome = try await send(form, fields: form.fields(filled: filled), from: url, &loader)
    }
  }

  private func redirect(_ outcome: PageLoader.Outcome) throws(LoginError) -> String {
    guard case .callback(let url) = outcome else { throw .page(.noResult) }
    return url
  }

  private func send(
    _ form: HTMLForm, fields: [(name: String, value: String)], from page: AbsoluteURL, _ loader: inout PageLoader
  ) async throws(LoginError) -> PageLoader.Outcome {
    guard var target = page.following(form.action?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") else {
      throw .page(.unusableForm)
    }
    if form.action?.isEmpty ?? true { target = page }
    if form.method == "post" { return try await loader.load(target, form: fields, from: page) }
    target.query = FormFields.encode(fields)
    return try await loader.load(target, from: page)
  }
}
