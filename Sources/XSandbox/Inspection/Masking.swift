import Foundation

/// Takes credentials out of what the request log keeps.
enum Masking {
  static let mask = "‹redacted›"

  private static let secretHeaders: Set<String> = [
    "cookie", "proxy-authorization", "x-verify-credentials-authorization",
  ]
  private static let secretParameters: Set<String> = [
    "oauth_consumer_key", "oauth_token", "oauth_signature", "oauth_token_secret", "oauth_verifier", "access_token",
    "refresh_token", "client_secret", "code", "code_verifier", "code_challenge", "token", "password",
    "x_auth_password", "x_reverse_auth_parameters", "denied", LoginPage.passwordField, LoginPage.authenticityField,
  ]

  /// Tokens, verifiers and passwords; what else is signed may be shown to whoever looks for a mistake in it.
  private static let secretSignedParameters = secretParameters.subtracting(["oauth_consumer_key"])

  static func signedParameter(_ parameter: RequestParameter) -> RequestParameter {
    secretSignedParameters.contains(parameter.nameText.lowercased())
      ? RequestParameter(name: parameter.name, value: Array("redacted".utf8)) : parameter
  }

  static func header(_ field: IncomingRequest.HeaderField) -> String {
    switch field.name.lowercased() {
    case "authorization": authorization(field.value)
    case let name where secretHeaders.contains(name): mask
    default: field.value
    }
  }

  /// The scheme stays, and of OAuth 1.0a also the parameters that are no credentials.
  private static func authorization(_ text: String) -> String {
    guard case .oauth(let parameters) = try? AuthorizationHeader(text) else {
      let scheme = text.prefix { $0.isLetter }
      return scheme.count < text.count && text.dropFirst(scheme.count).hasPrefix(" ") ? "\(scheme) \(mask)" : mask
    }
    let shown = parameters.map { parameter in
      let value = isSecret(parameter) ? mask : PercentEncoding.encode(parameter.value)
      return "\(PercentEncoding.encode(parameter.name))=\"\(value)\""
    }
    return "OAuth " + shown.joined(separator: ", ")
  }

  static func query(_ query: String) -> [Sandbox.Request.Parameter] {
    RequestParameter.parse(form: query).map { parameter in
      .init(name: parameter.nameText, value: isSecret(parameter) ? mask : parameter.valueText)
    }
  }

  /// Of what is not a form, so much is kept: a large upload must not stay in memory.
  static let bodyLimit = 256 << 10

  static func body(of request: IncomingRequest) -> Data {
    guard request.hasFormBody else { return Data(request.body.prefix(bodyLimit)) }
    let parameters = RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self))
    guard parameters.contains(where: isSecret) else { return request.body }
    let shown = parameters.map { parameter in
      PercentEncoding.encode(parameter.name) + "="
        + (isSecret(parameter) ? mask : PercentEncoding.encode(parameter.value))
    }
    return Data(shown.joined(separator: "&").utf8)
  }

  private static func isSecret(_ parameter: RequestParameter) -> Bool {
    secretParameters.contains(parameter.nameText.lowercased())
  }
}
