import Foundation

/// Replaces credentials in the request log and in explanations.
enum Redaction {
  static let placeholder = "‹redacted›"

  private static let secretHeaders: Set<String> = [
    "cookie", "proxy-authorization", "x-verify-credentials-authorization",
  ]
  private static let secretParameters: Set<String> = [
    "oauth_consumer_key", "oauth_token", "oauth_signature", "oauth_token_secret", "oauth_verifier", "access_token",
    "refresh_token", "subject_token", "client_secret", "code", "code_verifier", "code_challenge", "token", "password",
    "x_auth_password", "x_reverse_auth_parameters", "denied", LoginPage.passwordField, LoginPage.authenticityField,
  ]

  /// Tokens, verifiers and passwords. Other signed parameters are shown, because they help to find mistakes.
  private static let secretSignedParameters = secretParameters.subtracting(["oauth_consumer_key"])

  static func signedParameter(_ parameter: RequestParameter) -> RequestParameter {
    secretSignedParameters.contains(parameter.nameText.lowercased())
      ? RequestParameter(name: parameter.name, value: Array("redacted".utf8)) : parameter
  }

  /// A request parameter for display.
  static func shownParameter(_ parameter: RequestParameter) -> RequestParameter {
    isSecret(parameter) ? RequestParameter(name: parameter.name, value: Array(placeholder.utf8)) : parameter
  }

  static func header(_ field: HeaderField) -> String {
    switch field.name.lowercased() {
    case "authorization": authorization(field.value)
    case let name where secretHeaders.contains(name): placeholder
    default: field.value
    }
  }

  /// Keeps the scheme and, for OAuth 1.0a, the parameters that are not credentials.
  private static func authorization(_ text: String) -> String {
    guard case .oauth(let parameters) = try? AuthorizationHeader(text) else {
      let scheme = text.prefix { $0.isLetter }
      return scheme.count < text.count && text.dropFirst(scheme.count).hasPrefix(" ")
        ? "\(scheme) \(placeholder)" : placeholder
    }
    let shown = parameters.map { parameter in
      let value = isSecret(parameter) ? placeholder : PercentEncoding.encode(parameter.value)
      return "\(PercentEncoding.encode(parameter.name))=\"\(value)\""
    }
    return "OAuth " + shown.joined(separator: ", ")
  }

  static func query(of request: IncomingRequest) -> [(name: String, value: String)] {
    request.queryParameters.map { parameter in
      (parameter.nameText, isSecret(parameter) ? placeholder : parameter.valueText)
    }
  }

  /// The maximum number of bytes to keep of a body other than a form, because a large upload must not stay in memory.
  static let bodyLimit = 256 << 10

  static func body(of request: IncomingRequest) -> Data {
    guard request.hasFormBody else { return Data(request.body.prefix(bodyLimit)) }
    let parameters = request.formParameters
    guard parameters.contains(where: isSecret) else { return request.body }
    let shown = parameters.map { parameter in
      PercentEncoding.encode(parameter.name) + "="
        + (isSecret(parameter) ? placeholder : PercentEncoding.encode(parameter.value))
    }
    return Data(shown.joined(separator: "&").utf8)
  }

  private static func isSecret(_ parameter: RequestParameter) -> Bool {
    secretParameters.contains(parameter.nameText.lowercased())
  }
}
