import CallsignMockServer
import Foundation
import LoopbackSockets

/// The page for the user to log in and to approve or refuse an app. Its fields have the same names as X's.
struct LoginPage: Sendable {
  /// A right that the app requests.
  struct Right: Sendable {
    /// The right as text.
    var text: String
    /// The scope; `nil` if the right is not a scope.
    var scope: String?
  }

  var appName: String
  var rights: [Right]
  /// The URL that the form is sent to.
  var action: String
  /// The URL that the browser goes to afterwards; `nil` for a PIN.
  var callback: String?
  /// The token that belongs to this page. The form is refused without it.
  var authenticityToken: String
  /// The user names that can be chosen without a password; none unless the page was opened on this machine.
  var accounts: [String] = []
  /// Further hidden fields.
  var hidden: [(name: String, value: String)] = []
  /// The initial text of the user name field.
  var username = ""
  /// The reason why the last attempt failed.
  var errorMessage: String?

  static let usernameField = "session[username_or_email]"
  static let passwordField = "session[password]"
  static let authenticityField = "authenticity_token"
  static let accountField = "account"
  static let cancelField = "cancel"

  var response: Response {
    let fields = ([(name: Self.authenticityField, value: authenticityToken)] + hidden)
      .map { "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">" }
    let list = rights.map { right in
      "<li>\(HTML.escape(right.text))\(right.scope.map { " <small>\(HTML.escape($0))</small>" } ?? "")</li>"
    }
    let alert = errorMessage.map { "<p role=\"alert\" class=\"wrong\">\(HTML.escape($0))</p>\n" } ?? ""
    let body = """
      <p class="quiet">This is a sandbox on your own machine, not X.</p>
      \(alert)<h2>The app will be able to</h2>
      <ul>
      \(list.joined(separator: "\n"))
      </ul>
      <form id="oauth_form" action="\(HTML.escape(action))" method="post">
      \(fields.joined(separator: "\n"))
      \(loginFields)
      <div class="decide">
      <input id="allow" class="main" type="submit" value="Authorize app">
      <input id="cancel" name="\(Self.cancelField)" type="submit" value="Cancel">
      </div>
      </form>
      """
    return Response(
      page: HTML.page(title: "Authorize \(appName) to access your account?", body: body),
      formTargets: ["'self'"] + (callback.map(Self.formTargets) ?? []))
  }

  /// The choice of an account, and fields for user name and password, which are collapsed if there is a choice.
  private var loginFields: String {
    let hinted = accounts.first { $0.lowercased() == username.lowercased() }
    let typed = hinted == nil ? username : ""
    let fields = """
      <label for="username_or_email">User name</label>
      <input id="username_or_email" name="\(Self.usernameField)" type="text" value="\(HTML.escape(typed))" \
      autocomplete="username" autocapitalize="none" spellcheck="false">
      <label for="password">Password</label>
      <input id="password" name="\(Self.passwordField)" type="password" autocomplete="current-password">
      """
    guard !accounts.isEmpty else { return fields }
    let choices = accounts.enumerated().map { index, name in
      let isChosen = hinted == nil ? index == 0 : name == hinted
      return """
        <label class="choice"><input type="radio" name="\(Self.accountField)" value="\(HTML.escape(name))"\
        \(isChosen ? " checked" : "")> @\(HTML.escape(name))</label>
        """
    }
    let isOpen = !typed.isEmpty || errorMessage != nil
    return """
      <fieldset><legend>Log in as</legend>
      \(choices.joined(separator: "\n"))
      </fieldset>
      <details\(isOpen ? " open" : "")><summary>With a user name and a password</summary>
      \(fields)
      </details>
      """
  }

  /// The sources that the form's response may lead to (CSP 3 §6.4.2), because browsers count redirects as targets of the form. An
  /// app's URL on this machine may lead to another one there.
  private static func formTargets(_ callback: String) -> [String] {
    guard let components = URLComponents(string: callback), let scheme = components.scheme?.lowercased(),
      scheme.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || $0 == UInt8(ascii: "+") })
    else { return [] }
    guard ["http", "https"].contains(scheme), let host = components.encodedHost, !host.isEmpty else {
      return ["\(scheme):"]
    }
    guard host.utf8.allSatisfy({ PercentEncoding.isUnreserved($0) || "[]:".utf8.contains($0) }) else { return [] }
    let origin = "\(scheme)://\(host)" + (components.port.map { ":\($0)" } ?? "")
    return [origin] + (LoopbackAuthority.isLoopback(host) ? ["http://127.0.0.1:*", "http://localhost:*"] : [])
  }

  /// Shows the page again after a wrong user name or password.
  func responseToFailedLogin(username: String) -> Response {
    var page = self
    page.username = username
    page.errorMessage = "The user name and password that you entered did not match our records. Try again."
    return page.response
  }

  /// The form that a user submitted from such a page.
  struct Submission: Sendable {
    var authenticityToken: String
    var username: String
    var password: String
    /// The account chosen instead of a user name and password.
    var account: String?
    var isCancelled: Bool

    init(_ form: RequestForm) {
      authenticityToken = form[LoginPage.authenticityField] ?? ""
      username = form[LoginPage.usernameField] ?? form["username_or_email"] ?? ""
      password = form[LoginPage.passwordField] ?? form["password"] ?? ""
      account = username.isEmpty && password.isEmpty ? form[LoginPage.accountField] : nil
      isCancelled = form.has(LoginPage.cancelField)
    }
  }
}

/// HTML text in which inserted values cannot become markup.
enum HTML {
  static func escape(_ text: String) -> String {
    var output = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      case "'": output += "&#39;"
      default: output.unicodeScalars.append(character)
      }
    }
    return output
  }

  /// - Parameter body: The markup.
  static func page(title: String, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark"><title>\(escape(title))</title>
    <link rel="stylesheet" href="\(ConsoleServer.stylePath)"></head>
    <body>
    <main class="login"><section>
    <h1>\(escape(title))</h1>
    \(body)
    </section></main>
    </body>
    </html>

    """
  }

  /// A page with a single sentence.
  static func message(title: String, _ text: String) -> String { page(title: title, body: "<p>\(escape(text))</p>") }
}
