import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport
import Foundation

/// Logs in without a browser. It fetches a provider's authorize page, fills username and password into the form, sends
/// it with the hidden fields, and reads the resulting PIN or redirect. It works with OAuth 1.0a and OAuth 2.0 pages.
///
/// It is meant for test servers, and for providers that a machine without a browser has to use. The app sees the
/// password, which OAuth is designed to avoid; many providers forbid this, and change their pages without notice.
/// Nothing in this library uses it automatically.
///
/// ```swift
/// let login = try await app.pin()
/// let pin = try await FormLogin(hosts: ["login.example"]).pin(
///   at: login.url, username: "alice", password: password)
/// let token = try await login.complete(pin: pin)
/// ```
///
/// Every request goes over TLS or to this machine, and only to the hosts that you name. Cookies are kept for one login.
/// Scripts are not run.
public struct FormLogin: Sendable {
  private let hosts: AllowedHosts
  private let configuration: ClientConfiguration

  /// The maximum number of forms for one login: the login itself, and pages that ask whether to continue.
  private static let formLimit = 4

  /// Prepares logins.
  ///
  /// - Parameters:
  ///   - hosts: The hosts that may see the password, as in ``AllowedHosts``: `login.example.com`, `*.example.com`, or
  ///     with a port.
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
  /// - Throws: ``FormLoginError``.
  public func pin(at page: URL, username: String, password: consuming Secret) async throws(FormLoginError) -> String {
    try await run(page, callback: nil, username: username, password: password)
  }

  /// Logs in on a page that then redirects to the app.
  ///
  /// - Parameters:
  ///   - page: The authorize page.
  ///   - callback: The callback URL, or redirect URI, that the login began with. No request is sent to it.
  ///   - username: The account's name.
  ///   - password: The account's password, which is not kept.
  /// - Returns: The whole URL that the provider redirects to; complete the login with it.
  /// - Throws: ``FormLoginError``.
  public func redirect(
    at page: URL, to callback: String, username: String, password: consuming Secret
  ) async throws(FormLoginError) -> String {
    guard let callback = CallbackURL(callback) else {
      throw .invalidSetup("the callback is not a URL; give the one that the login began with")
    }
    return try await run(page, callback: callback, username: username, password: password)
  }

  private func run(
    _ page: URL, callback: CallbackURL?, username: String, password: Secret
  ) async throws(FormLoginError) -> String {
    guard let start = AbsoluteURL(page.absoluteString) else {
      throw .invalidSetup("the page's URL is not absolute; give the one that the login began with")
    }
    var loader = PageLoader(hosts: hosts, configuration: configuration, callback: callback)
    var outcome = try await loader.load(start)
    var formsSent = 0
    while true {
      guard case .page(let response, let url) = outcome else { return try redirect(outcome) }
      let page = HTMLPage(response.body)
      if let result = try result(of: page, response, loader) { return result }
      if let target = page.refresh.flatMap(url.resolving), formsSent > 0 {
        outcome = try await loader.load(target, from: url)
        continue
      }
      guard formsSent < Self.formLimit else { throw .tooManyPages }
      let form: HTMLForm
      var filled: [String: String] = [:]
      if formsSent == 0 {
        form = try loginForm(of: page, response)
        guard let name = form.username?.name, !name.isEmpty else { throw .noUsernameField }
        for control in form.passwords { filled[control.name] = password.reveal() }
        filled[name] = username
      } else {
        form = try furtherForm(of: page, response)
      }
      formsSent += 1
      outcome = try await send(form, fields: form.fields(filled: filled), from: url, &loader)
    }
  }

  private func redirect(_ outcome: PageLoader.Outcome) throws(FormLoginError) -> String {
    guard case .callback(let url) = outcome else { throw .noResult }
    return url
  }

  private func send(
    _ form: HTMLForm, fields: [(name: String, value: String)], from page: AbsoluteURL, _ loader: inout PageLoader
  ) async throws(FormLoginError) -> PageLoader.Outcome {
    guard var target = page.resolving(form.action?.trimmingCharacters(in: .whitespacesAndNewlines) ?? "") else {
      throw .unusableForm
    }
    if form.action?.isEmpty ?? true { target = page }
    if form.method == "post" { return try await loader.load(target, form: fields, from: page) }
    target.query = FormFields.encode(fields)
    return try await loader.load(target, from: page)
  }
}

// Reading the pages of a login.
extension FormLogin {
  /// The PIN that the page shows, or the link that leads back to the app.
  func result(of page: HTMLPage, _ response: RawResponse, _ loader: PageLoader) throws(FormLoginError) -> String? {
    guard page.forms.allSatisfy(\.passwords.isEmpty) else { return nil }
    // A link that leads back without any parameters is for users who refuse.
    guard loader.callback == nil else { return page.links.first { loader.isCallback($0) && Self.isAgreement($0) } }
    guard response.status.kind == .successful else { return nil }
    // Simple implementations respond with the verifier as a form, without a page around it.
    let fields = ContentKind(response.body) == .other ? FormFields(String(decoding: response.body, as: UTF8.self)) : nil
    return fields?.value("oauth_verifier") ?? page.pin
  }

  private static func isAgreement(_ url: String) -> Bool {
    guard let query = CallbackURL(url)?.query else { return false }
    return query.value("oauth_verifier") != nil || query.value("code") != nil
  }

  func loginForm(of page: HTMLPage, _ response: RawResponse) throws(FormLoginError) -> HTMLForm {
    let forms = page.forms.filter { !$0.passwords.isEmpty }
    guard let form = forms.first else {
      if response.status.kind != .successful { throw .noPage(status: response.status.code) }
      throw page.forms.isEmpty ? .noForm : .noPasswordField
    }
    guard forms.count == 1 else { throw .severalForms }
    // A form with two password fields is for registration, and a password in a URL ends up in logs.
    guard form.method == "post", !form.isMultipart, form.passwords.count == 1, form.passwords.first?.name != "" else {
      throw .unusableForm
    }
    return form
  }

  /// The form of a page after the login, which asks whether to allow the app.
  func furtherForm(of page: HTMLPage, _ response: RawResponse) throws(FormLoginError) -> HTMLForm {
    let asksAgain = page.forms.contains { !$0.passwords.isEmpty }
    if asksAgain || response.status == .unauthorized || response.status == .forbidden {
      throw .wrongPassword(APIError(rawResponse: response))
    }
    if response.status.kind != .successful { throw .noPage(status: response.status.code) }
    guard page.forms.count == 1, let form = page.forms.first, form.agreeing != nil, !form.isMultipart else {
      throw .noResult
    }
    return form
  }
}

/// Why a ``FormLogin`` did not get a PIN or a redirect.
public enum FormLoginError: Error, Sendable {
  /// The task was cancelled.
  case cancelled
  /// The page asks for the password again, or refuses it.
  case wrongPassword(APIError)
  /// The page, a redirect or a form leads to a host that the caller did not name.
  case foreignHost(String)
  /// The page, a redirect or a form leads to a URL where the password would travel unencrypted.
  case unencrypted(String)
  /// The response is not a readable HTML page; the number is its status.
  case noPage(status: Int)
  /// The page has no form.
  case noForm
  /// The page has several forms with a password field.
  case severalForms
  /// The page's form has no password field.
  case noPasswordField
  /// The page's form has no field for the username.
  case noUsernameField
  /// The form is sent in a way that no login form uses: as `multipart/form-data`, or by a `GET` request, which would
  /// put the password into the URL.
  case unusableForm
  /// After the login, the page shows neither a PIN nor a redirect.
  case noResult
  /// The provider redirects, or asks, endlessly.
  case tooManyPages
  /// The login cannot begin with these settings; the text says what to change.
  case invalidSetup(String)
  /// A request failed.
  case transport(TransportError)
}

extension FormLoginError: CallsignError {
  /// The problem and the advice, in one line without secrets.
  public var description: String { problem.isEmpty ? advice : "\(problem); \(advice)" }
  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice as String }

  /// Advice on what to do, in one sentence.
  public var advice: String { words.advice }
  private var problem: String { words.problem }

  private var words: (problem: String, advice: String) {
    let browser = "log in with a browser"
    return switch self {
    case .cancelled: ("the login was cancelled", "start it again when the user wants to")
    case .wrongPassword(let error):
      ("the username or password is wrong (\(error.summary))", "ask for them again")
    case .foreignHost(let host):
      (
        "the login leads to \(host.printable), a host that you did not name",
        "add it to the hosts if it may see the password"
      )
    case .unencrypted(let host):
      ("the login leads to \(host.printable) unencrypted", "use https, or a host of this machine")
    case .noPage(let status):
      ("the provider responded with status \(status) and without a page", "check the authorize URL")
    case .noForm: ("the page has no form, perhaps because a script creates it", browser)
    case .severalForms: ("the page has several login forms", browser)
    case .noPasswordField: ("the page's form has no password field", browser)
    case .noUsernameField: ("the page's form has no field for the username", browser)
    case .unusableForm: ("the page's form is not sent like a login form", browser)
    case .noResult: ("the page after the login shows neither a PIN nor a redirect", browser)
    case .tooManyPages: ("the login leads through too many pages", browser)
    case .invalidSetup(let advice): ("", advice)
    case .transport(let error): ("\(error)", "try again when the provider can be reached")
    }
  }
}
