import Callsign
import CallsignAuth
import CallsignHTTP
import CallsignSupport

extension OAuth1App {
  /// Exchanges a username and password for a token, once (X's xAuth, `x_auth_mode=client_auth`).
  ///
  /// Only apps that the provider has allowed may do so; X no longer allows new ones. The password is sent in the form
  /// body of one signed request, over TLS or to this machine, and is not kept: neither the app nor the token contains
  /// it. Middleware in the app's configuration sees the request, including the password.
  ///
  /// - Parameters:
  ///   - username: The account's name, or its e-mail address.
  ///   - password: The account's password.
  /// - Throws: ``LoginError``: ``LoginError/wrongPassword(_:)``; ``LoginError/notEntitled(_:)`` if the app may not log
  ///   in this way; ``LoginError/refused(code:description:)`` with code 231 if the account needs a second step, which
  ///   only the provider's page can do; or why the request failed.
  public func xAuth(username: String, password: consuming Secret) async throws(LoginError) -> OAuth1Token {
    guard !username.isEmpty, !password.isEmpty else {
      throw .invalidSetup("the username or password is empty; ask for both")
    }
    let response: RawResponse
    do throws(LoginError) {
      response = try await request(
        "oauth/access_token", at: provider.accessTokenURL,
        fields: [
          ("x_auth_mode", "client_auth"), ("x_auth_password", password.reveal()), ("x_auth_username", username),
        ])
    } catch { throw Self.explainedXAuth(error) }
    return try token(of: response)
  }

  /// The error for a refusal. X gives the reason by code; earlier it used its own texts in XML.
  private static func explainedXAuth(_ error: LoginError) -> LoginError {
    guard let refusal = error.refusal, [400, 401, 403].contains(refusal.status.code) else { return error }
    let text = String(decoding: refusal.body.prefix(4096), as: UTF8.self).lowercased()
    if refusal.has(code: 87) || refusal.has(code: 220) || text.contains("not permitted") || text.contains("xauth") {
      return .notEntitled(refusal)
    }
    if refusal.has(code: 231) {
      return .refused(code: "231", description: "the account needs a second step; log in with the web page")
    }
    let isAboutRequest =
      [99, 135, 215].contains(where: refusal.has(code:)) || text.contains("signature") || text.contains("timestamp")
    return isAboutRequest || refusal.status.code == 400 ? error : .wrongPassword(refusal)
  }
}
