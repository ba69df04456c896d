import CallsignSupport

/// `/oauth/authorize` and `/oauth/authenticate`: the pages that ask the user about a request token.
///
/// The sandbox keeps no sessions, so `authenticate` always asks, as with `force_login`.
enum OAuth1AuthorizePage {
  static let endpoints = ["/oauth/authorize", "/oauth/authenticate"].flatMap { path in
    [
      AuthorizationEndpoint("GET", path) { (request, server) throws(Problem) in show(request, &server) },
      AuthorizationEndpoint("POST", path) { (request, server) throws(Problem) in decide(request, &server) },
    ]
  }

  private static func show(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Response {
    let form = RequestForm(request, includingQuery: true)
    guard let token = form["oauth_token"], let page = page(request, token, server) else { return unknownToken }
    var shown = page
    shown.username = form["screen_name"] ?? ""
    return shown.response
  }

  private static func decide(_ request: IncomingRequest, _ server: inout AuthorizationServer) -> Response {
    let form = RequestForm(request)
    let submission = LoginPage.Submission(form)
    guard let token = form["oauth_token"], let page = page(request, token, server) else { return unknownToken }
    guard ConstantTime.equal(page.authenticityToken, submission.authenticityToken) else {
      return Response(
        status: 403,
        page: HTML.message(
          title: "This form is not from the login page", "Open the login page again and send the form that it shows."))
    }
    if submission.isCancelled { return response(server.deny(requestToken: token)) }
    guard let account = server.account(of: submission, on: page) else {
      return page.responseToFailedLogin(username: submission.username)
    }
    return response(server.approve(requestToken: token, user: account.id))
  }

  private static func page(_ request: IncomingRequest, _ token: String, _ server: AuthorizationServer) -> LoginPage? {
    guard let grant = server.pendingRequestToken(token), let app = server.registry.apps[grant.consumerKey] else {
      return nil
    }
    return LoginPage(
      appName: app.configuration.name,
      rights: grant.permission.rights, action: request.path, callback: grant.isOutOfBand ? nil : grant.callback,
      authenticityToken: grant.authenticityToken, accounts: server.accountsToChoose(for: request),
      hidden: [("oauth_token", token)])
  }

  private static var unknownToken: Response {
    Response(
      status: 403,
      page: HTML.message(
        title: "Whoa there!",
        "The request token for this page is invalid. It may already have been used, or expired because it is too old. "
          + "Go back to the app that sent you here and try again."))
  }

  private static func response(_ decision: AuthorizationServer.Decision?) -> Response {
    switch decision {
    case nil: unknownToken
    case .redirect(let address): Response(redirectTo: address)
    case .pin(let pin):
      Response(
        page: HTML.page(
          title: "You have authorized the app",
          body: "<p>Go back to the app, and enter this PIN:</p>\n<kbd><code>\(HTML.escape(pin))</code></kbd>"))
    case .refusedWithoutCallback:
      Response(page: HTML.message(title: "You have not authorized the app", "Go back to the app."))
    }
  }
}
