import CallsignSupport
import Foundation

/// An OAuth 1.0a signature, split into its parts for a person to read. Tokens, verifiers and the signature itself are masked.
struct SignatureTrace: Sendable {
  /// Whether the signature and its parameters were accepted.
  var isValid: Bool
  /// The reason in one sentence.
  var verdict: String
  /// The OAuth parameters as received.
  var parameters: [RequestParameter]
  /// The method, URL and parameters as the sandbox read them.
  var parts: SignatureBaseString
  /// The base string as the sandbox computes it.
  var computed: String
  /// The base string that the client signed, if its mistake is known.
  var signed: String?

  /// Whether a request may have a signature. This check is cheap, because it runs for every request.
  static func isSigned(_ request: IncomingRequest) -> Bool {
    request.header("Authorization").map { $0.prefix(6).lowercased() == "oauth " }
      ?? (request.query.contains("oauth_signature") || request.hasFormBody)
  }

  private static func signedParameters(
    _ request: IncomingRequest, _ date: Date
  ) -> (parameters: [RequestParameter], place: OAuth1Verification.ParameterLocation)? {
    if let text = request.header("Authorization") {
      guard case .oauth(let parameters)? = try? AuthorizationHeader(text) else { return nil }
      return (parameters, .header)
    }
    let verification = OAuth1Verification(
      request: request, scheme: "http", registry: CredentialRegistry(), date: date, role: .none)
    guard let (parameters, place) = verification.parametersOutsideHeader,
      parameters.contains(where: { $0.nameText == "oauth_signature" })
    else { return nil }
    return (parameters, place)
  }

  /// Analyzes the signature of a request that has its response; `nil` if the request has no signature.
  init?(_ request: IncomingRequest, _ registry: CredentialRegistry, at date: Date, status: Int) {
    guard let (parameters, place) = Self.signedParameters(request, date) else { return nil }
    let baseString = SignatureBaseString(
      request: request, scheme: "http", protocolParameters: parameters, place: place)
    parts = baseString.redacted
    computed = Self.masked(baseString.text)
    self.parameters = parameters.map(Redaction.shownParameter)
    func value(_ name: String) -> String { parameters.first { $0.nameText == name }?.valueText ?? "" }
    isValid = false
    let key = value("oauth_consumer_key")
    let token = value("oauth_token")
    guard let app = registry.apps[key]?.app else {
      verdict = "No app of the sandbox has this consumer key, so the signature cannot be verified."
      return
    }
    let secret = registry.accessTokens[token]?.secret ?? registry.requestTokens[token]?.secret
    guard let tokenSecret = token.isEmpty ? "" : secret else {
      verdict = "The sandbox knows no such token, so the signature cannot be verified."
      return
    }
    guard let method = SignatureMethod(rawValue: value("oauth_signature_method")),
      [.hmacSHA1, .hmacSHA256].contains(method)
    else {
      isValid = status != 401
      verdict =
        isValid ? "The signature is right." : "It is not made by HMAC: no base string of the client's can be found out."
      return
    }
    let signature = value("oauth_signature")
    let right = baseString.alsoAt(registry.publicURLs).first {
      let expected = Signature.compute(
        baseString: $0.text, consumerSecret: app.consumerSecret, tokenSecret: tokenSecret, method: method)
      return ConstantTime.equal(expected, signature)
    }
    if let right {
      parts = right.redacted
      computed = Self.masked(right.text)
      isValid = true
      verdict =
        status == 401
        ? "The signature is right; something else was refused, such as the nonce, the timestamp or the token."
        : "The signature is right."
      return
    }
    let finding = SignatureDiagnosis(
      correct: baseString, request: request, consumerSecret: app.consumerSecret, tokenSecret: tokenSecret,
      signature: signature, method: method
    ).finding
    verdict =
      finding?.explanation
      ?? "No known mistake explains the signature: check both secrets, then compare the base strings."
    signed = finding.map { Self.masked($0.baseString) }
  }

  /// A base string without the values of tokens, verifiers and passwords.
  private static func masked(_ text: String) -> String {
    text.components(separatedBy: "%26").map { piece in
      guard let equals = piece.range(of: "%3D") else { return piece }
      let before = piece[..<equals.lowerBound]
      // The method and the URL come before the first parameter, and perhaps a query that was left in the URL.
      let name = before.components(separatedBy: "&").last?.components(separatedBy: "%3F").last ?? ""
      let masked = Redaction.signedParameter(RequestParameter(name, ""))
      return masked.value.isEmpty ? piece : before + "%3D" + masked.valueText
    }.joined(separator: "%26")
  }
}

// A program that prints its test's requests must not print base strings, because these name the app.
extension SignatureTrace: CustomStringConvertible, CustomReflectable {
  var description: String { "SignatureTrace(isValid: \(isValid))" }
  var customMirror: Mirror { Mirror(self, children: ["isValid": isValid]) }
}
