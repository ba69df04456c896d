import Foundation

/// The server's half of RFC 5849 §3.2 for one request.
struct OAuth1Verification {
  let request: IncomingRequest
  let scheme: String
  let registry: CredentialRegistry
  /// Seconds since 1970.
  let now: Int

  struct Verified {
    var caller: Caller
    var token: String
    var nonce: String
    var timestamp: Int
  }

  /// The protocol parameters of a request that has none in its header: from its form body, or else from its query (§3.5.2, §3.5.3).
  var parametersOutsideHeader: [RequestParameter]? {
    let places = [formParameters, queryParameters].filter { !$0.isEmpty }
    return places.isEmpty ? nil : places.flatMap { $0 }
  }

  func verify(_ parameters: [RequestParameter]) throws(Problem) -> Verified {
    try checkPlacement(parameters)
    let values = try unique(parameters)
    if let version = values["oauth_version"], version != "1.0" {
      throw refusal("version_rejected", "`oauth_version` must be `1.0` or be left out; it is `\(version)`.")
    }
    let missing = [
      "oauth_consumer_key", "oauth_token", "oauth_signature_method", "oauth_signature", "oauth_timestamp",
      "oauth_nonce",
    ].filter { values[$0, default: ""].isEmpty }
    guard missing.isEmpty else {
      throw refusal(
        "parameter_absent", "Missing: \(missing.joined(separator: ", ")).",
        ["missing": .array(missing.map(JSON.string))])
    }
    guard values["oauth_signature_method"] == "HMAC-SHA1" else {
      throw refusal("signature_method_rejected", "The sandbox verifies HMAC-SHA1.")
    }
    let consumerKey = values["oauth_consumer_key", default: ""]
    let token = values["oauth_token", default: ""]
    guard let consumerSecret = registry.consumerSecrets[consumerKey] else {
      throw refusal("consumer_key_unknown", "No app has this consumer key.")
    }
    guard let grant = registry.accessTokens[token], grant.consumerKey == consumerKey else {
      throw refusal("token_rejected", "This app has no such access token.")
    }
    if grant.isRevoked { throw refusal("token_revoked", "The access token was revoked.") }
    let timestamp = try checkTimestamp(values["oauth_timestamp", default: ""])
    try checkSignature(
      values["oauth_signature", default: ""], parameters, consumerSecret: consumerSecret, tokenSecret: grant.secret)
    return Verified(
      caller: Caller(
        kind: .oauth1, consumerKey: consumerKey, user: grant.user, mayWrite: grant.permission == .readWrite),
      token: token, nonce: values["oauth_nonce", default: ""], timestamp: timestamp)
  }

  private var queryParameters: [RequestParameter] {
    RequestParameter.parse(form: request.query).filter(\.isProtocolParameter)
  }

  private var formParameters: [RequestParameter] {
    guard request.hasFormBody else { return [] }
    return RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self)).filter(\.isProtocolParameter)
  }

  /// §3.5: all protocol parameters come in one place.
  private func checkPlacement(_ parameters: [RequestParameter]) throws(Problem) {
    let hasHeader = request.header("Authorization") != nil
    let places = [hasHeader, !formParameters.isEmpty, !queryParameters.isEmpty].filter { $0 }
    guard places.count <= 1 else {
      throw refusal("parameter_placement", "OAuth parameters are in more than one of header, form body and query.")
    }
  }

  private func unique(_ parameters: [RequestParameter]) throws(Problem) -> [String: String] {
    var values: [String: String] = [:]
    for parameter in parameters where values.updateValue(parameter.valueText, forKey: parameter.nameText) != nil {
      throw refusal("parameter_duplicated", "`\(parameter.nameText)` is there more than once.")
    }
    return values
  }

  private func checkTimestamp(_ text: String) throws(Problem) -> Int {
    guard let timestamp = Int(text), timestamp > 0, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
      throw refusal("timestamp_malformed", "`oauth_timestamp` must be the seconds since 1970 as a positive integer.")
    }
    let window = Authority.timestampWindow
    guard (now - window...now + window).contains(timestamp) else {
      throw refusal(
        "timestamp_refused",
        "`oauth_timestamp` is more than \(window) s off; compare the client's clock with the Date header.",
        ["server_time": .integer(now), "accepted_seconds": .integer(window)])
    }
    return timestamp
  }

  private func checkSignature(
    _ signature: String, _ parameters: [RequestParameter], consumerSecret: String, tokenSecret: String
  ) throws(Problem) {
    let baseString = SignatureBaseString(request: request, scheme: scheme, protocolParameters: parameters)
    let text = baseString.text
    let expected = Signature.compute(baseString: text, consumerSecret: consumerSecret, tokenSecret: tokenSecret)
    if ConstantTime.equal(Array(expected.utf8), Array(signature.utf8)) { return }
    let finding = SignatureDiagnosis(
      correct: baseString, request: request, consumerSecret: consumerSecret, tokenSecret: tokenSecret,
      signature: signature
    ).finding
    throw refusal(
      "signature_invalid",
      finding?.explanation
        ?? "No known mistake explains it: check both secrets, then compare the base string with the client's.",
      [
        "base_string": .string(text), "differs_in": finding.map { .string($0.part) } ?? .null,
        "base_string_parts": [
          "method": .string(baseString.method), "address": .string(baseString.baseURI),
          "parameters": .string(baseString.normalizedParameters),
        ],
      ])
  }

  private func refusal(_ reason: String, _ detail: String, _ details: [String: JSON] = [:]) -> Problem {
    Problem.unauthorized.explained(reason, details.merging(["detail": .string(detail)]) { $1 })
  }
}
