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
    guard let url = AbsoluteURL(url) else { throw .url }
    let signed = try sign(
      method: method, url: url, bodyParameters: parameters, extra: extra, nonce: nonce, timestamp: timestamp)
    return OAuth1Signature(
      baseString: String(decoding: signed.baseString, as: UTF8.self), signature: signed.signature,
      authorization: OAuth1Header.value(signed.parameters, realm: realm))
  }

  /// Signs a request whose form body is still encoded.
  func sign(
    method: String, url: AbsoluteURL, formBody: Data, extra: [(name: String, value: String)] = [], nonce: String,
    timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    var parameters = OAuth1Parameters()
    formBody.withUnsafeBytes { parameters.add(urlEncoded: $0.assumingMemoryBound(to: UInt8.self)) }
    return try sign(
      method: method, url: url, bodyParameters: parameters, extra: extra, nonce: nonce, timestamp: timestamp)
  }

  private func sign(
    method: String, url: AbsoluteURL, bodyParameters: OAuth1Parameters, extra: [(name: String, value: String)],
    nonce: String, timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
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

extension OAuth1Signer: RedactedStringConvertible {}

/// How a request is signed (RFC 5849 §3.4).
public enum OAuth1SignatureMethod: Sendable {
  /// HMAC-SHA1 (RFC 5849 §3.4.2), which every provider takes.
  case hmacSHA1
  /// HMAC-SHA256, the same with a better hash, for providers that take it.
  case hmacSHA256
  /// RSA-SHA1 (RFC 5849 §3.4.3). The shared secrets play no part in it.
  case rsaSHA1(RSAPrivateKey)
  /// PLAINTEXT (RFC 5849 §3.4.4): the secrets themselves, so over TLS or to this machine only.
  case plaintext

  /// The value of `oauth_signature_method`.
  public var name: String {
    switch self {
    case .hmacSHA1: "HMAC-SHA1"
    case .hmacSHA256: "HMAC-SHA256"
    case .rsaSHA1: "RSA-SHA1"
    case .plaintext: "PLAINTEXT"
    }
  }
}

/// The key of a signature method.
enum OAuth1Key: Sendable {
  case shared(MessageAuthenticationKey)
  case rsa(RSAPrivateKey)
  /// The two secrets themselves.
  case plaintext([UInt8])

  /// - Parameters:
  ///   - method: How to sign.
  ///   - secrets: The two secrets, encoded and joined by `&` (RFC 5849 §3.4.2).
  init(_ method: OAuth1SignatureMethod, secrets: [UInt8]) {
    self =
      switch method {
      case .hmacSHA1: .shared(MessageAuthenticationKey(secrets, hash: .sha1))
      case .hmacSHA256: .shared(MessageAuthenticationKey(secrets, hash: .sha256))
      case .rsaSHA1(let key): .rsa(key)
      case .plaintext: .plaintext(secrets)
      }
  }

  /// The signature of a base string.
  func signature(of baseString: [UInt8]) throws(CryptographyError) -> String {
    switch self {
    case .shared(let key): try Data(key.code(of: baseString)).base64EncodedString()
    case .rsa(let key): try Data(key.signature(of: baseString)).base64EncodedString()
    case .plaintext(let secrets): String(decoding: secrets, as: UTF8.self)
    }
  }
}

/// A signed request's parts.
public struct OAuth1Signature: Sendable, Hashable {
  /// The text that was signed (RFC 5849 §3.4.1). It holds the request's parameters, but no secret.
  public let baseString: String
  /// `oauth_signature`, not encoded.
  public let signature: String
  /// The value of the `Authorization` field.
  public let authorization: String
}

extension OAuth1Signature: RedactedStringConvertible {}

/// Why a request cannot be signed.
public enum OAuth1SigningError: Error, Sendable, Hashable {
  /// The URL is not absolute, or has a port that is none.
  case url
  /// The realm has a control character.
  case realm
  /// The key or the hash function cannot be used.
  case cryptography(CryptographyError)
}

extension OAuth1SigningError: CustomStringConvertible, LocalizedError {
  /// The problem and the advice, in one line.
  public var description: String {
    switch self {
    case .url: "the URL cannot be signed; \(advice)"
    case .realm: "the realm has a control character; \(advice)"
    case .cryptography(let error): error.description
    }
  }

  /// How to go on, in one sentence.
  public var advice: String {
    switch self {
    case .url: "give an absolute one, such as https://api.example/path"
    case .realm: "remove it"
    case .cryptography(let error): error.advice
    }
  }

  /// The same as ``description``.
  public var errorDescription: String? { description }
  /// The same as ``advice``.
  public var recoverySuggestion: String? { advice }
}

/// The result of signing a request, before it is put anywhere.
struct OAuth1SignedRequest: Sendable {
  let baseString: [UInt8]
  let signature: String
  /// The protocol parameters, the signature last.
  let parameters: [(name: String, value: String)]

  /// The protocol parameters as a query or a form body holds them.
  var urlEncoded: String { FormFields.encode(parameters) }
}

/// The `Authorization` field of OAuth 1.0 (RFC 5849 §3.5.1).
enum OAuth1Header {
  /// `OAuth realm="…", name="value", …`: names and values encoded, the realm quoted as HTTP quotes.
  static func value(_ parameters: [(name: String, value: String)], realm: String?) -> String {
    var output = Array("OAuth ".utf8)
    output.reserveCapacity(512)
    if let realm {
      output.append(contentsOf: "realm=\"".utf8)
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
      }
      output.append(contentsOf: "\", ".utf8)
    }
    var isFirst = true
    for (name, value) in parameters {
      if !isFirst { output.append(contentsOf: ", ".utf8) }
      isFirst = false
      PercentEncoding.append(name, to: &output)
      output.append(contentsOf: "=\"".utf8)
      PercentEncoding.append(value, to: &output)
      output.append(UInt8(ascii: "\""))
    }
    return String(decoding: output, as: UTF8.self)
  }

  /// Whether a realm can stand in a quoted string (RFC 9110 §5.6.4).
  static func canQuote(_ realm: String) -> Bool {
    realm.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}
