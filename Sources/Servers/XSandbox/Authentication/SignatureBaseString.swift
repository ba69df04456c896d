import Foundation

/// The signature base string (RFC 5849 §3.4.1), split into parts so that a diagnosis can vary them.
struct SignatureBaseString: Sendable {
  var method: String
  var scheme: String
  /// The host in lowercase, without the port.
  var host: String
  var port: Int?
  /// The path as sent, percent-encoded.
  var path: String
  var queryParameters: [RequestParameter]
  var formParameters: [RequestParameter]
  /// The protocol parameters, without `oauth_signature` and `realm`.
  var protocolParameters: [RequestParameter]

  var text: String {
    [method.uppercased(), baseURI, normalizedParameters].map { PercentEncoding.encode($0) }.joined(separator: "&")
  }

  /// §3.4.1.2: includes the port only if it is not the scheme's default.
  var baseURI: String {
    let defaultPort = scheme == "https" ? 443 : 80
    let authority = port.flatMap { $0 == defaultPort ? nil : "\(host):\($0)" } ?? host
    return "\(scheme)://\(authority)\(path.isEmpty ? "/" : path)"
  }

  /// §3.4.1.3.2: encoded, then sorted by the bytes of the name and then of the value.
  var normalizedParameters: String {
    (queryParameters + formParameters + protocolParameters)
      .map { (PercentEncoding.encode($0.name), PercentEncoding.encode($0.value)) }
      .sorted { left, right in
        left.0 == right.0
          ? left.1.utf8.lexicographicallyPrecedes(right.1.utf8) : left.0.utf8.lexicographicallyPrecedes(right.0.utf8)
      }
      .map { "\($0.0)=\($0.1)" }
      .joined(separator: "&")
  }
}

extension SignatureBaseString {
  /// The base string without its secrets, for display.
  var redacted: SignatureBaseString {
    var copy = self
    copy.queryParameters = queryParameters.map(Redaction.signedParameter)
    copy.formParameters = formParameters.map(Redaction.signedParameter)
    copy.protocolParameters = protocolParameters.map(Redaction.signedParameter)
    return copy
  }

  /// - Parameters:
  ///   - scheme: The scheme that the client used to reach the server. The request does not contain it.
  ///   - place: Where the protocol parameters are, which are not counted there again.
  init(
    request: IncomingRequest, scheme: String, protocolParameters: [RequestParameter],
    place: OAuth1Verification.ParameterLocation = .header
  ) {
    let (host, port) = Self.split(authority: request.header("Host") ?? "")
    self.init(
      method: request.method, scheme: scheme, host: host, port: port, path: request.path,
      queryParameters: request.queryParameters.filter { place != .query || !$0.isProtocolParameter },
      formParameters: request.formParameters.filter { place != .form || !$0.isProtocolParameter },
      protocolParameters: protocolParameters.filter { $0.nameText != "oauth_signature" })
  }

  /// This base string, and those of the same request at other URLs.
  func alsoAt(_ addresses: [URL]) -> [SignatureBaseString] {
    [self]
      + addresses.compactMap { address in
        guard let scheme = address.scheme?.lowercased(), let host = address.host?.lowercased() else { return nil }
        var copy = self
        (copy.scheme, copy.host, copy.port) = (scheme, host, address.port)
        return copy
      }
  }

  private static func split(authority: String) -> (host: String, port: Int?) {
    let lowercased = authority.lowercased()
    guard let colon = lowercased.lastIndex(of: ":"), !lowercased[colon...].contains("]"),
      let port = Int(lowercased[lowercased.index(after: colon)...])
    else { return (lowercased, nil) }
    return (String(lowercased[..<colon]), port)
  }
}

/// The signature methods of OAuth 1.0 (RFC 5849 §3.4), and HMAC-SHA256, which X's documents also name.
enum SignatureMethod: String {
  case hmacSHA1 = "HMAC-SHA1"
  case hmacSHA256 = "HMAC-SHA256"
  case rsaSHA1 = "RSA-SHA1"
  case plaintext = "PLAINTEXT"
}

/// Signatures made with the shared secrets.
enum Signature {
  static func compute(
    baseString: String, consumerSecret: String, tokenSecret: String, method: SignatureMethod = .hmacSHA1
  ) -> String {
    compute(baseString: baseString, key: key(consumerSecret: consumerSecret, tokenSecret: tokenSecret), method: method)
  }

  static func key(consumerSecret: String, tokenSecret: String) -> String {
    PercentEncoding.encode(consumerSecret) + "&" + PercentEncoding.encode(tokenSecret)
  }

  /// The signature; `nil` for RSA, because only the client has the key.
  static func compute(baseString: String, key: String, method: SignatureMethod = .hmacSHA1) -> String {
    let (message, key) = (Array(baseString.utf8), Array(key.utf8))
    return switch method {
    case .hmacSHA1: Data(HMACCode.sha1(of: message, key: key)).base64EncodedString()
    case .hmacSHA256: Data(HMACCode.sha256(of: message, key: key)).base64EncodedString()
    case .plaintext: String(decoding: key, as: UTF8.self)
    case .rsaSHA1: ""
    }
  }
}
