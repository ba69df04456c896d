import Foundation

/// `/i/oauth2/authorize`, and `/i/oauth2_start_flow`, which opens the same on a phone.
enum OAuth2AuthorizePage {
  static let endpoints = ["/i/oauth2/authorize", "/i/oauth2_start_flow"].flatMap { path in
    [
      AuthorizationEndpoint("GET", path) { (request, server) throws(Problem) in show(request, &server) },
      AuthorizationEndpoint("POST", path) { (request, server) throws(Problem) in decide(request, &server) },
    ]
  }

  private static func show(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Answer {
    switch server.beginAuthorization(RequestForm(request, includingQuery: true)) {
    case .refused(let reason): refusal(reason)
    case .returned(let address): Answer(redirectTo: address)
    case .page(let token):
      page(request.path, token, server)?.answer ?? refusal("The request has expired.")
    }
  }

  private static func decide(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Answer {
    let submission = LoginPage.Submission(RequestForm(request))
    let token = submission.authenticityToken
    guard var page = page(request.path, token, server) else {
      return refusal("This form is not from the login page, was sent before, or has expired.")
    }
    if submission.isCancelled { return answer(server.denyAuthorization(token)) }
    guard let account = server.account(username: submission.username, password: submission.password) else {
      page.username = submission.username
      page.complaint = "The user name and password that you entered did not match our records. Try again."
      return page.answer
    }
    return answer(server.approveAuthorization(token, user: account.id))
  }

  private static func page(
    _ path: String, _ token: String, _ server: AuthorizationServer
  ) -> LoginPage? {
    guard let pending = server.pendingAuthorization(token), let app = server.registry.apps[pending.consumerKey] else {
      return nil
    }
    return LoginPage(
      appName: app.configuration.name, rights: pending.scopes, action: path, authenticityToken: token)
  }

  private static func answer(_ address: String?) -> Answer {
    address.map(Answer.init(redirectTo:)) ?? refusal("The request has expired.")
  }

  /// RFC 6749 §4.1.2.1: nobody is sent to an address that may not be the client's.
  private static func refusal(_ reason: String) -> Answer {
    Answer(
      status: 400,
      page: HTML.message(
        title: "Something went wrong",
        "You weren't able to give access to the App. Go back and try logging in again. (\(reason))"))
  }
}
