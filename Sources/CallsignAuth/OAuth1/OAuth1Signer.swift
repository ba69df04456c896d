import CallsignHTTP
import Foundation

/// Signs requests as RFC 5849 has it. ``OAuth1`` does so on every attempt of a call; this is for those who need
/// a signature by itself, or want to see the base string.
public struct OAuth1Signer: Sendable {
  /// The client's identifier, which is no secret.
  public let consumerKey: String
  /// The token's identifier; `nil` before there is one.
  public let token: String?
  /// How requests are signed.
  public let signatureMethod: OAuth1SignatureMethod
  /// The `realm` of the `Authorization` field, which is not signed.
  public let realm: String?
  /// The value of `oauth_version`; `nil` leaves the parameter out.
  public let version: String?
  private let key: OAuth1Key

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
    consumerKey: String, consumerSecret: Secret, token: String? = nil, tokenSecret: Secret? = nil,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1, realm: String? = nil, version: String? = "1.0"
  ) {
    self.consumerKey = consumerKey
    self.token = token
    self.signatureMethod = signatureMethod
    self.realm = realm
    self.version = version
    var bytes: [UInt8] = []
    PercentEncoding.append(consumerSecret.reveal(), to: &bytes)
    bytes.append(UInt8(ascii: "&"))
    PercentEncoding.append(tokenSecret?.reveal() ?? "", to: &bytes)
    key = OAuth1Key(signatureMethod, secrets: bytes)
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
    var parameters = OAuth1Parameters()
    for (name, value) in form { parameters.add(name, value) }
    let signed = try sign(
      method: method, url: url, bodyParameters: parameters, extra: extra, nonce: nonce, timestamp: timestamp)
    return OAuth1Signature(
      baseString: String(decoding: signed.baseString, as: UTF8.self), signature: signed.signature,
      authorization: OAuth1Header.value(signed.parameters, realm: realm))
  }

  /// Signs a request whose form body is still encoded.
  func sign(
    method: String, url: String, formBody: Data, extra: [(name: String, value: String)] = [], nonce: String,
    timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    var parameters = OAuth1Parameters()
    formBody.withUnsafeBytes { parameters.add(urlEncoded: $0.assumingMemoryBound(to: UInt8.self)) }
    return try sign(
      method: method, url: url, bodyParameters: parameters, extra: extra, nonce: nonce, timestamp: timestamp)
  }

  private func sign(
    method: String, url text: String, bodyParameters: OAuth1Parameters, extra: [(name: String, value: String)],
    nonce: String, timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    guard let url = AbsoluteURL(text) else { throw .url }
    if let realm, !OAuth1Header.canQuote(realm) { throw .realm }
    var protocolParameters: [(name: String, value: String)] = [
      ("oauth_consumer_key", consumerKey), ("oauth_nonce", nonce),
      ("oauth_signature_method", signatureMethod.name), ("oauth_timestamp", timestamp),
    ]
    if let token { protocolParameters.append(("oauth_token", token)) }
    if let version { protocolParameters.append(("oauth_version", version)) }
    protocolParameters += extra

    var parameters = bodyParameters
    if var query = url.query { query.withUTF8 { parameters.add(urlEncoded: $0) } }
    for (name, value) in protocolParameters { parameters.add(name, value) }
    let baseString = OAuth1BaseString.make(method: method, url: url, parameters: parameters)
    let signature: String
    do { signature = try key.signature(of: baseString) } catch { throw .cryptography(error) }
    protocolParameters.append(("oauth_signature", signature))
    return OAuth1SignedRequest(baseString: baseString, signature: signature, parameters: protocolParameters)
  }
}

extension OAuth1Signer: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The type's name alone.
  public var description: String { "OAuth1Signer(\(Secret.redacted))" }
  /// The type's name alone.
  public var debugDescription: String { description }
  /// A mirror without children.
  public var customMirror: Mirror { Mirror(self, children: EmptyCollection<Mirror.Child>()) }
}
