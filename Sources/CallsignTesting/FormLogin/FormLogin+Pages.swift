import Callsign
import CallsignAuth

// What a page means in the course of a login.
extension FormLogin {
  /// The PIN that the page shows, or the link by which it leads back to the app.
  func result(of page: HTMLPage, _ answer: RawResponse, _ loader: PageLoader) throws(LoginError) -> String? {
    guard page.forms.allSatisfy(\.passwords.isEmpty) else { return nil }
    // A link that leads back without anything is the one for those who refuse.
    guard loader.callback == nil else { return page.links.first { loader.isCallback($0) && Self.isAgreement($0) } }
    guard answer.status.kind == .successful else { return nil }
    // Bare implementations answer with the verifier as a form, and no page round it.
    let fields = ContentKind(answer.body) == .other ? FormFields(String(decoding: answer.body, as: UTF8.self)) : nil
    return fields?.value("oauth_verifier") ?? page.pin
  }

  private static func isAgreement(_ url: String) -> Bool {
    guard let query = CallbackURL(url)?.query else { return false }
    return query.value("oauth_verifier") != nil || query.value("code") != nil
  }

  func loginForm(of page: HTMLPage, _ answer: RawResponse) throws(LoginError) -> HTMLForm {
    let forms = page.forms.filter { !$0.passwords.isEmpty }
    guard let form = forms.first else {
      if answer.status.kind != .successful { throw .page(.noPage(status: answer.status.code)) }
      throw .page(page.forms.isEmpty ? .noForm : .noPasswordField)
    }
    guard forms.count == 1 else { throw .page(.severalForms) }
    // Two password fields make a form for those who register, and a password in a URL ends up in logs.
    guard form.method == "post", !form.isMultipart, form.passwords.count == 1, form.passwords.first?.name != "" else {
      throw .page(.unusableForm)
    }
    return form
  }

  /// The form of a page that comes after the login: whether to allow the app.
  func furtherForm(of page: HTMLPage, _ answer: RawResponse) throws(LoginError) -> HTMLForm {
    let asksAgain = page.forms.contains { !$0.passwords.isEmpty }
    if asksAgain || answer.status == .unauthorized || answer.status == .forbidden {
      throw .wrongPassword(APIError(answer: answer))
    }
    if answer.status.kind != .successful { throw .page(.noPage(status: answer.status.code)) }
    guard page.forms.count == 1, let form = page.forms.first, form.agreeing != nil, !form.isMultipart else {
      throw .page(.noResult)
    }
    return form
  }
}
