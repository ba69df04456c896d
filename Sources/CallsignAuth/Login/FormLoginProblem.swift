/// Why ``FormLogin`` cannot go on with a provider's page.
public enum FormLoginProblem: Error, Sendable, Hashable {
  /// The page, a redirect or a form leads to a host that the caller did not name.
  case foreignHost(String)
  /// The page, a redirect or a form leads to where the password would travel unencrypted.
  case unencrypted(String)
  /// The answer is no HTML page that can be read; the number is its status.
  case noPage(status: Int)
  /// The page has no form.
  case noForm
  /// The page has several forms with a password field.
  case severalForms
  /// The page's form has no password field.
  case noPasswordField
  /// The page's form has no field for the username.
  case noUsernameField
  /// The form is sent in a way that no login form is: as `multipart/form-data`, or by a `GET` request, which would put the
  /// password into the URL.
  case unusableForm
  /// After the login, the page shows neither a PIN nor a redirect.
  case noResult
  /// The provider redirects, or asks, without end.
  case tooManyPages
}

extension FormLoginProblem: CustomStringConvertible {
  /// What is wrong and what to do, in one line.
  public var description: String {
    switch self {
    case .foreignHost(let host):
      "the login leads to \(host.printable), which was not named; add it to the hosts if it may see the password"
    case .unencrypted(let host):
      "the login leads to \(host.printable) unencrypted; use https, or a host of this machine"
    case .noPage(let status): "the provider answered with status \(status) and no page; check the authorize URL"
    case .noForm: "the page has no form, perhaps because a script makes it; log in with a browser"
    case .severalForms: "the page has several login forms; log in with a browser"
    case .noPasswordField: "the page's form has no password field; log in with a browser"
    case .noUsernameField: "the page's form has no field for the username; log in with a browser"
    case .unusableForm: "the page's form is not sent as login forms are; log in with a browser"
    case .noResult: "the page after the login shows neither a PIN nor a redirect; log in with a browser"
    case .tooManyPages: "the login leads through too many pages; log in with a browser"
    }
  }
}
