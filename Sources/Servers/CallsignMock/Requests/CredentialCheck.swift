import CallsignCatalogue
import HTTPTypes

/// Checks that a request has credentials of a kind that the operation accepts. It does not check whether they are valid.
struct CredentialCheck: Sendable {
  private let schemes: [String: Scheme]
  /// The names of query parameters, header fields and cookies that carry keys, in lowercase.
  let secretNames: Set<String>
  /// The names of query parameters that carry keys.
  let queryNames: Set<String>

  init(_ api: API) {
    schemes = Dictionary(api.schemes.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    secretNames = Set(api.schemes.compactMap { $0.key?.name.lowercased() })
    queryNames = Set(api.schemes.compactMap(\.key).filter { $0.part == .query }.map(\.name))
  }

  func isSatisfied(_ request: IncomingRequest, _ endpoint: Endpoint) -> Bool {
    endpoint.auth.isEmpty || endpoint.auth.contains { $0.all.allSatisfy { has($0.scheme, request) } }
  }

  /// The challenges of a 401 response (RFC 9110 §11.6.1), one for each kind.
  func challenges(_ endpoint: Endpoint) -> [String] {
    var challenges: [String] = []
    for scheme in endpoint.auth.flatMap(\.all) {
      let challenge =
        switch scheme.scheme {
        case "oauth1": "OAuth realm=\"mock\""
        case "basic": "Basic realm=\"mock\""
        // RFC 7616 §3.3
        case "digest": "Digest realm=\"mock\", qop=\"auth\", algorithm=SHA-256, nonce=\"6d6f636b\""
        case "oauth2" where !scheme.scopes.isEmpty:
          "Bearer realm=\"mock\", scope=\"\(scheme.scopes.joined(separator: " "))\""
        default:
          schemes[scheme.scheme]?.key.map { "ApiKey realm=\"mock\", in=\"\($0.part.rawValue)\", name=\"\($0.name)\"" }
            ?? "Bearer realm=\"mock\""
        }
      if !challenges.contains(challenge) { challenges.append(challenge) }
    }
    return challenges
  }

  /// The accepted kinds as text.
  func phrase(_ endpoint: Endpoint) -> String {
    endpoint.auth.map { requirement in
      requirement.all.map { part in
        schemes[part.scheme]?.key.map { "\(part.scheme) (\($0.part.rawValue) `\($0.name)`)" } ?? part.scheme
      }.joined(separator: " with ")
    }.joined(separator: ", or ")
  }

  /// The place of the key for a scheme in the request; `nil` if the scheme does not use a key.
  func keyPlace(_ name: String) -> KeyPlace? { schemes[name]?.key }

  private func has(_ name: String, _ request: IncomingRequest) -> Bool {
    if let key = schemes[name]?.key { return has(key, request) }
    let authorization = request.headers[.authorization] ?? ""
    func begins(_ scheme: String) -> Bool {
      let parts = authorization.split(separator: " ", maxSplits: 1)
      return parts.count == 2 && parts[0].lowercased() == scheme && parts[1].contains { $0 != " " }
    }
    switch name {
    case "none": return true
    case "oauth1":
      if begins("oauth") {
        return authorization.contains("oauth_consumer_key=") && authorization.contains("oauth_signature=")
      }
      let form =
        request.mediaType == "application/x-www-form-urlencoded" ? String(decoding: request.body, as: UTF8.self) : ""
      return FormText.pairs(request.query ?? "").contains { $0.name == "oauth_signature" }
        || FormText.pairs(form).contains { $0.name == "oauth_signature" }
    case "oauth2", "bearer": return begins("bearer")
    case "basic", "digest": return begins(name)
    // A scheme that the API defines itself can be anywhere.
    default: return true
    }
  }

  private func has(_ key: KeyPlace, _ request: IncomingRequest) -> Bool {
    let value: String?
    switch key.part {
    case .header: value = HTTPField.Name(key.name).flatMap { request.headers[$0] }
    case .query: value = FormText.pairs(request.query ?? "").first { $0.name == key.name }?.value
    case .cookie: value = request.cookie(key.name)
    }
    guard let value else { return false }
    let prefix = key.prefix ?? ""
    return value.hasPrefix(prefix) && value.count > prefix.count
  }
}
