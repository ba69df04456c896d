/// The page on which a user logs in and approves or refuses an app. Its fields have the names of X's.
struct LoginPage: Sendable {
  var appName: String
  /// The rights that the app asks for, in words.
  var rights: [String]
  /// The address to which the form is sent.
  var action: String
  /// The token that belongs to this page; without it the form is refused.
  var authenticityToken: String
  /// Further hidden fields.
  var hidden: [(name: String, value: String)] = []
  /// The initial text of the field for the user name.
  var username = ""
  /// The reason for which the last attempt failed.
  var errorMessage: String?

  static let usernameField = "session[username_or_email]"
  static let passwordField = "session[password]"
  static let authenticityField = "authenticity_token"
  static let cancelField = "cancel"

  var response: Response {
    let fields = ([(name: Self.authenticityField, value: authenticityToken)] + hidden)
      .map { "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">" }
    let list = rights.map { "<li>\(HTML.escape($0))</li>" }
    let alert = errorMessage.map { "<p role=\"alert\">\(HTML.escape($0))</p>\n" } ?? ""
    let body = """
      \(alert)<ul>
      \(list.joined(separator: "\n"))
      </ul>
      <form id="oauth_form" action="\(HTML.escape(action))" method="post">
      \(fields.joined(separator: "\n"))
      <label for="username_or_email">User name</label>
      <input id="username_or_email" name="\(Self.usernameField)" type="text" value="\(HTML.escape(username))">
      <label for="password">Password</label>
      <input id="password" name="\(Self.passwordField)" type="password">
      <input id="allow" type="submit" value="Authorize app">
      <input id="cancel" name="\(Self.cancelField)" type="submit" value="Cancel">
      </form>
      """
    return Response(page: HTML.page(title: "Authorize \(appName) to access your account?", body: body))
  }

  /// Shows the page again, after a wrong user name or password.
  func responseToFailedLogin(username: String) -> Response {
    var page = self
    page.username = username
    page.errorMessage = "The user name and password that you entered did not match our records. Try again."
    return page.response
  }

  /// The form that a user sent from such a page.
  struct Submission: Sendable {
    var authenticityToken: String
    var username: String
    var password: String
    var isCancelled: Bool

    init(_ form: RequestForm) {
      authenticityToken = form[LoginPage.authenticityField] ?? ""
      username = form[LoginPage.usernameField] ?? form["username_or_email"] ?? ""
      password = form[LoginPage.passwordField] ?? form["password"] ?? ""
      isCancelled = form.has(LoginPage.cancelField)
    }
  }
}

/// HTML text whose inserted values cannot become markup.
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

  /// - Parameter body: markup.
  static func page(title: String, body: String) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head><meta charset="utf-8"><title>\(escape(title))</title></head>
    <body>
    <h1>\(escape(title))</h1>
    \(body)
    </body>
    </html>

    """
  }

  /// A page with one sentence.
  static func message(title: String, _ text: String) -> String { page(title: title, body: "<p>\(escape(text))</p>") }
}
