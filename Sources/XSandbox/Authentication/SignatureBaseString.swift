/// The parts of which RFC 5849 §3.4.1 builds the text that is signed. They are kept apart so that a diagnosis can vary them.
struct SignatureBaseString: Sendable {
  var method: String
  var scheme: String
  /// Lower case, without port.
  var host: String
  var port: Int?
  /// Percent-encoded as it was sent.
  var path: String
  var queryParameters: [RequestParameter]
  var formParameters: [RequestParameter]
  /// Without `oauth_signature` and `realm`.
  var protocolParameters: [RequestParameter]

  var text: String {
    [method.uppercased(), baseURI, normalizedParameters].map { PercentEncoding.encode($0) }.joined(separator: "&")
  }

  /// §3.4.1.2: the port only if it isn't the scheme's own.
  var baseURI: String {
    let defaultPort = scheme == "https" ? 443 : 80
    let authority = port.flatMap { $0 == defaultPort ? nil : "\(host):\($0)" } ?? host
    return "\(scheme)://\(authority)\(path.isEmpty ? "/" : path)"
  }

  /// §3.4.1.3.2: encoded, sorted by name and then by value, byte by byte.
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
  /// As it may be shown: what is secret in it is replaced.
  var masked: SignatureBaseString {
    var copy = self
    copy.queryParameters = queryParameters.map(Masking.signedParameter)
    copy.formParameters = formParameters.map(Masking.signedParameter)
    copy.protocolParameters = protocolParameters.map(Masking.signedParameter)
    return copy
  }

  /// - Parameters:
  ///   - scheme: how the client reached the server; the request itself does not say it.
  ///   - place: where the protocol parameters were found; there they are not counted again.
  init(
    request: IncomingRequest, scheme: String, protocolParameters: [RequestParameter],
    place: OAuth1Verification.Place = .header
  ) {
    let (host, port) = Self.split(authority: request.header("Host") ?? "")
    self.init(
      method: request.method, scheme: scheme, host: host, port: port, path: request.path,
      queryParameters: RequestParameter.parse(form: request.query).filter {
        place != .query || !$0.isProtocolParameter
      },
      formParameters: request.hasFormBody
        ? RequestParameter.parse(form: String(decoding: request.body, as: UTF8.self))
          .filter { place != .form || !$0.isProtocolParameter } : [],
      protocolParameters: protocolParameters.filter { $0.nameText != "oauth_signature" })
  }

  private static func split(authority: String) -> (host: String, port: Int?) {
    let lowercased = authority.lowercased()
    guard let colon = lowercased.lastIndex(of: ":"), !lowercased[colon...].contains("]"),
      let port = Int(lowercased[lowercased.index(after: colon)...])
    else { return (lowercased, nil) }
    return (String(lowercased[..<colon]), port)
  }
}
