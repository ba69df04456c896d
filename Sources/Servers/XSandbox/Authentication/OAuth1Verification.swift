import CallsignSupport
import Foundation

/// The verification of one signed request (RFC 5849 §3.2).
struct OAuth1Verification {
  let request: IncomingRequest
  let scheme: String
  let registry: CredentialRegistry
  let date: Date
  let role: TokenRole

  /// How many seconds a client's timestamp may differ from the server's clock.
  static let timestampWindow = 300

  /// The kind of token whose secret is part of the signing key.
  enum TokenRole: Sendable {
    /// No token: the app signs for itself.
    case none
    case requestToken
    case accessToken
  }

  /// Where the protocol parameters are (§3.5).
  enum ParameterLocation: Sendable {
    case header
    case form
    case query
  }

  struct VerifiedRequest {
    var consumerKey: String
    /// The token; empty if the app signs for itself.
    var token: String
    var nonce: String
    var timestamp: Int
    /// All parameters of the request whose names begin with `oauth_`.
    var parameters: [String: String]
  }

  /// The protocol parameters of a request without any in its header: from its form body, otherwise from its query (§3.5.2, §3.5.3).
  var parametersOutsideHeader: ([RequestParameter], ParameterLocation)? {
    if formParameters.contains(where: Self.belongsToSignature) { return (formParameters, .form) }
    if queryParameters.contains(where: Self.belongsToSignature) { return (queryParameters, .query) }
    if !formParameters.isEmpty { return (formParameters, .form) }
    return queryParameters.isEmpty ? nil : (queryParameters, .query)
  }

  func verify(_ parameters: [RequestParameter], in place: ParameterLocation) throws(Problem) -> VerifiedRequest {
    let others = otherParameters(than: place)
    try checkPlacement(others)
    let values = try unique(parameters + others)
    if let version = values["oauth_version"], version != "1.0" {
      throw refusal("version_rejected", "`oauth_version` must be `1.0` or be left out; it is `\(version)`.")
    }
    let token = values["oauth_token", default: ""]
    let required =
      ["oauth_consumer_key"] + (role == .none ? [] : ["oauth_token"])
      + ["oauth_signature_method", "oauth_signature", "oauth_timestamp", "oauth_nonce"]
    let missing = required.filter { values[$0, default: ""].isEmpty }
    guard missing.isEmpty else {
      throw refusal(
        "parameter_absent", "Missing: \(missing.joined(separator: ", ")).",
        ["missing": .array(missing.map(JSON.string))])
    }
    guard let method = SignatureMethod(rawValue: values["oauth_signature_method", default: ""]) else {
      throw refusal(
        "signature_method_rejected", "The sandbox verifies HMAC-SHA1, HMAC-SHA256, RSA-SHA1 and PLAINTEXT.")
    }
    let consumerKey = values["oauth_consumer_key", default: ""]
    guard let record = registry.apps[consumerKey] else {
      throw refusal("consumer_key_unknown", "No app has this consumer key.")
    }
    let tokenSecret = try secret(of: token, consumerKey: consumerKey)
    let timestamp = try checkTimestamp(values["oauth_timestamp", default: ""])
    let signature = values["oauth_signature", default: ""]
    switch method {
    case .hmacSHA1, .hmacSHA256:
      try checkSignature(
        signature, parameters, in: place, method, consumerSecret: record.app.consumerSecret, tokenSecret: tokenSecret)
    case .rsaSHA1: try checkRSA(signature, parameters, in: place, key: record.configuration.publicKey)
    case .plaintext: try checkPlaintext(signature, consumerSecret: record.app.consumerSecret, tokenSecret: tokenSecret)
    }
    return VerifiedRequest(
      consumerKey: consumerKey, token: token, nonce: values["oauth_nonce", default: ""], timestamp: timestamp,
      parameters: values)
  }

  private func secret(of token: String, consumerKey: String) throws(Problem) -> String {
    switch role {
    case .none:
      guard token.isEmpty else { throw refusal("token_rejected", "This request is to be signed without a token.") }
      return ""
    case .requestToken:
      guard let grant = registry.requestTokens[token], grant.consumerKey == consumerKey else {
        throw refusal("token_rejected", "This app has no such request token; each can be exchanged once.")
      }
      if grant.expiry <= date { throw refusal("token_rejected", "The request token has expired; ask for a new one.") }
      return grant.secret
    case .accessToken:
      guard let grant = registry.accessTokens[token], grant.consumerKey == consumerKey else {
        throw refusal("token_rejected", "This app has no such access token.")
      }
      if grant.isRevoked { throw refusal("token_revoked", "The access token was revoked.") }
      return grant.secret
    }
  }

  private var now: Int { Int(date.timeIntervalSince1970) }

  private var queryParameters: [RequestParameter] { request.queryParameters.filter(\.isProtocolParameter) }

  private var formParameters: [RequestParameter] { request.formParameters.filter(\.isProtocolParameter) }

  private func otherParameters(than place: ParameterLocation) -> [RequestParameter] {
    (place == .form ? [] : formParameters) + (place == .query ? [] : queryParameters)
  }

  /// The parameters of a login that can be separate from those of the signature, as ordinary parameters of the request.
  private static let loginParameters: Set<String> = ["oauth_callback", "oauth_verifier", "oauth_token"]

  private static func belongsToSignature(_ parameter: RequestParameter) -> Bool {
    !loginParameters.contains(parameter.nameText)
  }

  /// §3.5: all protocol parameters must be in one place.
  private func checkPlacement(_ others: [RequestParameter]) throws(Problem) {
    guard role == .accessToken ? others.isEmpty : !others.contains(where: Self.belongsToSignature) else {
      throw refusal("parameter_placement", "OAuth parameters are in more than one of header, form body and query.")
    }
  }

  private func unique(_ parameters: [RequestParameter]) throws(Problem) -> [String: String] {
    var values: [String: String] = [:]
    for parameter in parameters where values.updateValue(parameter.valueText, forKey: parameter.nameText) != nil {
      throw refusal("parameter_duplicated", "`\(parameter.nameText)` appears more than once.")
    }
    return values
  }

  private func checkTimestamp(_ text: String) throws(Problem) -> Int {
    guard let timestamp = Int(text), timestamp > 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw refusal("timestamp_malformed", "`oauth_timestamp` must be the seconds since 1970 as a positive integer.")
    }
    let window = Self.timestampWindow
    guard (now - window...now + window).contains(timestamp) else {
      throw refusal(
        "timestamp_refused",
        "`oauth_timestamp` is more than \(window) s off; compare the client's clock with the Date header.",
        ["server_time": .integer(now), "accepted_seconds": .integer(window)])
    }
    return timestamp
  }

  private func checkSignature(
    _ signature: String, _ parameters: [RequestParameter], in place: ParameterLocation, _ method: SignatureMethod,
    consumerSecret: String, tokenSecret: String
  ) throws(Problem) {
    let baseString = SignatureBaseString(
      request: request, scheme: scheme, protocolParameters: parameters, place: place)
    let isRight = baseString.alsoAt(registry.publicURLs).contains {
      let expected = Signature.compute(
        baseString: $0.text, consumerSecret: consumerSecret, tokenSecret: tokenSecret, method: method)
      return ConstantTime.equal(expected, signature)
    }
    if isRight { return }
    let finding = SignatureDiagnosis(
      correct: baseString, request: request, consumerSecret: consumerSecret, tokenSecret: tokenSecret,
      signature: signature, method: method
    ).finding
    let shown = baseString.redacted
    throw refusal(
      "signature_invalid",
      finding?.explanation
        ?? "No known mistake explains it: check both secrets, then compare the base string with the client's.",
      [
        "base_string": .string(shown.text), "differs_in": finding.map { .string($0.part) } ?? .null,
        "base_string_parts": [
          "method": .string(shown.method), "address": .string(shown.baseURI),
          "parameters": .string(shown.normalizedParameters),
        ],
      ])
  }

  /// Checks the signature of a key that only the app has (§3.4.3).
  private func checkRSA(
    _ signature: String, _ parameters: [RequestParameter], in place: ParameterLocation, key: String?
  ) throws(Problem) {
    guard let key else {
      throw refusal(
        "signature_method_rejected", "The app has no public key; set `publicKey` in its configuration.")
    }
    let baseString = SignatureBaseString(request: request, scheme: scheme, protocolParameters: parameters, place: place)
    guard let bytes = Data(base64Encoded: signature),
      baseString.alsoAt(registry.publicURLs).contains(where: {
        RSASHA1.isSignature(bytes, of: Array($0.text.utf8), by: key)
      })
    else {
      throw refusal(
        "signature_invalid", "The app's public key does not verify it; compare the base string with the client's.",
        ["base_string": .string(baseString.redacted.text), "differs_in": .null])
    }
  }

  /// Compares the secrets themselves (§3.4.4).
  private func checkPlaintext(
    _ signature: String, consumerSecret: String, tokenSecret: String
  ) throws(Problem) {
    let expected = Signature.key(consumerSecret: consumerSecret, tokenSecret: tokenSecret)
    guard ConstantTime.equal(expected, signature) else {
      throw refusal("signature_invalid", "It is not the two secrets, each percent-encoded, with `&` between them.")
    }
  }

  private func refusal(_ reason: String, _ detail: String, _ details: [String: JSON] = [:]) -> Problem {
    Problem.unauthorized.explained(reason, details.merging(["detail": .string(detail)]) { $1 })
  }
}

/// The nonces of the last minutes (RFC 5849 §3.3). A nonce is dropped after its timestamp is no longer accepted.
struct NonceCache: Sendable {
  private struct Use: Hashable {
    var consumerKey: String
    var token: String
    var timestamp: Int
    var nonce: String
  }

  private var uses: Set<Use> = []
  private var sweptAt = 0

  /// - Returns: Whether this combination is new.
  mutating func insert(
    consumerKey: String, token: String, timestamp: Int, nonce: String, now: Int, window: Int
  ) -> Bool {
    if abs(now - sweptAt) > window {
      uses = uses.filter { abs(now - $0.timestamp) <= window }
      sweptAt = now
    }
    return uses.insert(Use(consumerKey: consumerKey, token: token, timestamp: timestamp, nonce: nonce)).inserted
  }
}
