import CallsignSupport
import Foundation

/// Reverse auth: an app gets a token through the device's account, which belongs to another app.
enum ReverseAuthentication {
  /// Handles the first step: returns parameters signed for the app, which the device's account forwards.
  static func begin(
    _ request: IncomingRequest, _ app: CredentialRegistry.RegisteredApp, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    guard app.configuration.isEntitledToXAuth else { throw .notEntitledToXAuth }
    let nonce = server.generator.text(length: 42)
    var parameters = [
      RequestParameter("oauth_nonce", nonce), RequestParameter("oauth_signature_method", "HMAC-SHA1"),
      RequestParameter("oauth_timestamp", String(Int(server.now.timeIntervalSince1970))),
      RequestParameter("oauth_consumer_key", app.app.consumerKey), RequestParameter("oauth_version", "1.0"),
    ]
    var target = request
    target.path = "/oauth/access_token"
    (target.query, target.body) = ("", Data())
    let baseString = SignatureBaseString(request: target, scheme: "http", protocolParameters: parameters)
    parameters.append(
      RequestParameter(
        "oauth_signature",
        Signature.compute(baseString: baseString.text, consumerSecret: app.app.consumerSecret, tokenSecret: "")))
    let text =
      "OAuth "
      + parameters.map { "\($0.nameText)=\"\(PercentEncoding.encode($0.value))\"" }.joined(separator: ", ")
    server.registry.reverseAuthentications[nonce] = ReverseAuthenticationRequest(
      consumerKey: app.app.consumerKey, text: text,
      expiry: server.now.addingTimeInterval(server.configuration.requestTokenLifetime))
    return Response(text: text)
  }

  /// Handles the second step, signed with the token of the device's account: returns a token for the target app.
  static func finish(
    _ request: IncomingRequest, _ form: RequestForm, _ server: inout AuthorizationServer
  ) throws(Problem) -> Response {
    let verified = try server.verify(request, signedBy: .accessToken)
    guard let device = server.registry.accessTokens[verified.token] else { throw .unauthorized }
    guard let target = form["x_reverse_auth_target"] else { throw .missingParameter("x_reverse_auth_target") }
    guard let text = form["x_reverse_auth_parameters"] else { throw .missingParameter("x_reverse_auth_parameters") }
    guard case .oauth(let parameters) = try? AuthorizationHeader(text),
      let nonce = parameters.first(where: { $0.nameText == "oauth_nonce" })?.valueText,
      let begun = server.registry.reverseAuthentications[nonce]
    else { throw refusal("`x_reverse_auth_parameters` is not what the first step responded, or was used before.") }
    guard ConstantTime.equal(begun.text, text) else {
      throw refusal("`x_reverse_auth_parameters` must be passed on as the first step responded it.")
    }
    guard begun.expiry > server.now else { throw refusal("The response of the first step has expired.") }
    guard begun.consumerKey == target, let app = server.registry.apps[target] else {
      throw refusal("`x_reverse_auth_target` must be the consumer key that signed the first step.")
    }
    server.registry.reverseAuthentications[nonce] = nil
    return AccessTokenEndpoint.response(
      device.user, consumerKey: target, permission: app.configuration.permission, &server)
  }

  private static func refusal(_ detail: String) -> Problem {
    Problem.v1(401, 32, "Error processing your OAuth request: Reverse auth credentials are invalid")
      .explained("reverse_auth_invalid", ["detail": .string(detail)])
  }
}
