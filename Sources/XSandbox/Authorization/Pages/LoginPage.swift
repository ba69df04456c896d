/// The page on which a user logs in and lets an app act for them, or does not. Its fields are named as X's are.
struct LoginPage: Sendable {
  var appName: String
  /// What the app will be able to do, in words.
  var rights: [String]
  /// Where the form is sent.
  var action: String
  /// Belongs to this page; without it the form is refused.
  var authenticityToken: String
  /// Further hidden fields.
  var hidden: [(name: String, value: String)] = []
  /// Stands in the field for the user name.
  var username = ""
  /// Why the last attempt failed.
  var complaint: String?

  static let usernameField = "session[username_or_email]"
  static let passwordField = "session[password]"
  static let authenticityField = "authenticity_token"
  static let cancelField = "cancel"

  var answer: Answer {
    let fields = ([(name: Self.authenticityField, value: authenticityToken)] + hidden)
      .map { "<input type=\"hidden\" name=\"\(HTML.escape($0.name))\" value=\"\(HTML.escape($0.value))\">" }
    let list = rights.map { "<li>\(HTML.escape($0))</li>" }
    let alert = complaint.map { "<p role=\"alert\">\(HTML.escape($0))</p>\n" } ?? ""
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
    return Answer(page: HTML.page(title: "Authorize \(appName) to access your account?", body: body))
  }

  /// What a user sent from such a page.
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
