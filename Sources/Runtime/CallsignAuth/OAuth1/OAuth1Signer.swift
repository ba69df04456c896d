import CallsignHTTP
import CallsignSupport

/// Signs requests as RFC 5849 has it. ``OAuth1`` does so on every attempt of a call; this is for those who need
/// a signature by itself, or want to see the base string.
public struct OAuth1Signer: Sendable {
  /// The client's identifier, which is not secret.
  public let consumerKey: String
  /// The token's identifier; `nil` before there is one.
  public let token: String?
  /// How requests are signed.
  public let signatureMethod: OAuth1SignatureMethod
  /// The `realm` of the `Authorization` field, which is not signed.
  public let realm: String?
  /// The value of `oauth_version`; `nil` leaves the parameter out.
  public let version: String?
  private let constants: OAuth1Constants

  /// Makes a signer.
  ///
  /// - Parameters:
  ///   - consumerKey: The client's identifier.
  ///   - consumerSecret: The client's secret.
  ///   - token: The token's identifier, if there is one.
  ///   - tokenSecret: The token's secret, if there is one.
  ///   - signatureMethod: How to sign.
  ///   - realm: The protection realm to name.
  ///   - version: `oauth_version`; `nil` leaves it out.
  public init(
    consumerKey: String, consumerSecret: any SecretConvertible, token: String? = nil,
    tokenSecret: (any SecretConvertible)? = nil,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1, realm: String? = nil, version: String? = "1.0"
  ) {
    self.consumerKey = consumerKey
    self.token = token
    self.signatureMethod = signatureMethod
    self.realm = realm
    self.version = version
    var secrets: [UInt8] = []
    PercentEncoding.append(Secret(consumerSecret).reveal(), to: &secrets)
    secrets.append(UInt8(ascii: "&"))
    PercentEncoding.append(tokenSecret.map { Secret($0).reveal() } ?? "", to: &secrets)
    constants = OAuth1Constants(
      key: OAuth1Key(signatureMethod, secrets: secrets), consumerKey: consumerKey, token: token,
      method: signatureMethod.name, realm: realm, version: version)
  }

  /// Signs a request.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: The absolute URL exactly as it is sent, with its query.
  ///   - form: The parameters of a form body, not encoded. Bodies of other types are not signed.
  ///   - extra: Further protocol parameters, such as `oauth_callback` or `oauth_verifier`.
  ///   - nonce: A text that is used once with this timestamp.
  ///   - timestamp: Seconds since 1970.
  /// - Throws: ``OAuth1SigningError``.
  public func sign(
    method: String, url: String, form: [(name: String, value: String)] = [],
    extra: [(name: String, value: String)] = [], nonce: String, timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1Signature {
    let signed = try sign(method: method, url: url, form: form, extra: extra, nonce, timestamp)
    return OAuth1Signature(
      baseString: String(decoding: signed.baseString, as: UTF8.self), signature: signed.signature,
      authorization: signed.authorization)
  }

  /// Signs a request that is sent now, by any means, with a new nonce and the time of this machine.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: The absolute URL exactly as it is sent, with its query.
  ///   - form: The parameters of a form body, not encoded. Bodies of other types are not signed.
  ///   - extra: Further protocol parameters, such as `oauth_callback` or `oauth_verifier`.
  /// - Returns: The value of the `Authorization` field (RFC 5849 §3.5.1).
  /// - Throws: ``OAuth1SigningError``.
  public func authorization(
    method: String, url: String, form: [(name: String, value: String)] = [],
    extra: [(name: String, value: String)] = []
  ) throws(OAuth1SigningError) -> String {
    let nonce: String
    do throws(CryptographyError) { nonce = try SecureRandom.nonce() } catch { throw .cryptography(error) }
    return try sign(
      method: method, url: url, form: form, extra: extra, nonce, String(Int(Date().timeIntervalSince1970))
    ).authorization
  }

  private func sign(
    method: String, url: String, form: [(name: String, value: String)], extra: [(name: String, value: String)],
    _ nonce: String, _ timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    var url = url
    let signed = url.withUTF8 { url -> Result<OAuth1SignedRequest, OAuth1SigningError>? in
      guard let url = AbsoluteURLBytes(url), url.isLowercase else { return nil }
      return sign(method: method, url, extra, nonce, timestamp) { parameters in
        for (name, value) in form { parameters.add(name, value) }
      }
    }
    if let signed { return try signed.get() }
    guard let url = AbsoluteURL(url) else { throw .url }
    return try url.withBytes { url in
      sign(method: method, url, extra, nonce, timestamp) { parameters in
        for (name, value) in form { parameters.add(name, value) }
      }
    }.get()
  }

  /// The names of the protocol parameters that it puts on a request, besides further ones.
  var protocolNames: Set<String> {
    let names = constants.names.before + constants.names.between + constants.names.after
    return Set(names.map(\.name) + ["oauth_nonce", "oauth_signature", "oauth_timestamp"])
  }

  /// Signs a request whose form body is still encoded.
  func sign(
    method: String, url: AbsoluteURL, formBody: Data, extra: [(name: String, value: String)] = [], nonce: String,
    timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    try url.withBytes { url in
      sign(method: method, url, extra, nonce, timestamp) { parameters in
        parameters.add(urlEncoded: formBody)
      }
    }.get()
  }

  /// - Parameter url: Its scheme and host in lower case.
  private func sign(
    method: String, _ url: AbsoluteURLBytes, _ extra: [(name: String, value: String)], _ nonce: String,
    _ timestamp: String, _ addForm: (inout OAuth1Parameters) -> Void
  ) -> Result<OAuth1SignedRequest, OAuth1SigningError> {
    if let realm, !OAuth1Header.canQuote(realm) { return .failure(.realm) }
    var parameters = constants.parameters
    addForm(&parameters)
    if let query = url.query { parameters.add(urlEncoded: query) }
    parameters.add("oauth_nonce", nonce)
    parameters.add("oauth_timestamp", timestamp)
    for (name, value) in extra { parameters.add(name, value) }
    let baseString = OAuth1BaseString.make(method: method, url: url, parameters: parameters)
    do throws(CryptographyError) {
      return .success(
        OAuth1SignedRequest(
          constants: constants, nonce: nonce, timestamp: timestamp, extra: extra, baseString: baseString,
          signature: try constants.key.signature(of: baseString)))
    } catch { return .failure(.cryptography(error)) }
  }
}

extension OAuth1Signer: RedactedStringConvertible {}
