import CallsignHTTP
import CallsignSupport

/// Signs requests as RFC 5849 has it. ``OAuth1`` does so on every attempt of a call; this is for those who need
/// a signature by itself, or want to see the base string.
public struct OAuth1Signer: Sendable {
  /// The client's identifier, which is no secret.
  public let consumerKey: String
  /// The token's identifier; `nil` before there is one.
  public let token: String?
  /// The method by which requests are signed.
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
    consumerKey: String, consumerSecret: Secret, token: String? = nil, tokenSecret: Secret? = nil,
    signatureMethod: OAuth1SignatureMethod = .hmacSHA1, realm: String? = nil, version: String? = "1.0"
  ) {
    self.consumerKey = consumerKey
    self.token = token
    self.signatureMethod = signatureMethod
    self.realm = realm
    self.version = version
    var secrets: [UInt8] = []
    PercentEncoding.append(consumerSecret.reveal(), to: &secrets)
    secrets.append(UInt8(ascii: "&"))
    PercentEncoding.append(tokenSecret?.reveal() ?? "", to: &secrets)
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

  /// Signs a request that is sent now, by whatever means: with a nonce of its own, and the time of this machine.
  ///
  /// - Parameters:
  ///   - method: The HTTP method.
  ///   - url: The absolute URL exactly as it is sent, with its query.
  ///   - form: The parameters of a form body, not encoded. Bodies of other types are not signed.
  ///   - extra: Further protocol parameters, such as `oauth_callback` or `oauth_verifier`.
  /// - Returns: The value of the `Authorization` field (RFC 5849 §3.5.1).
  /// - Throws: ``OAuth1SigningError``.
  @_optimize(speed)
  public func authorization(
    method: String, url: String, form: [(name: String, value: String)] = [],
    extra: [(name: String, value: String)] = []
  ) throws(OAuth1SigningError) -> String {
    let nonce: String
    do throws(CryptographyError) { nonce = try SecureRandom.requestNonce() } catch { throw .cryptography(error) }
    return try sign(
      method: method, url: url, form: form, extra: extra, nonce, String(Int(Date().timeIntervalSince1970))
    ).authorization
  }

  @_optimize(speed)
  private func sign(
    method: String, url: String, form: [(name: String, value: String)], extra: [(name: String, value: String)],
    _ nonce: String, _ timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    var url = url
    let signed = url.withUTF8 { url -> Result<OAuth1SignedRequest, OAuth1SigningError>? in
      guard let url = AbsoluteURLBytes(url), url.isLowercase else { return nil }
      return sign(method: method, url, extra, nonce, timestamp, formCount: 0) { parameters in
        for (name, value) in form { parameters.add(name, value) }
      }
    }
    if let signed { return try signed.get() }
    guard let url = AbsoluteURL(url) else { throw .url }
    return try url.withBytes { url in
      sign(method: method, url, extra, nonce, timestamp, formCount: 0) { parameters in
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
  @_optimize(speed)
  func sign(
    method: String, url: AbsoluteURL, formBody: Data, extra: [(name: String, value: String)] = [], nonce: String,
    timestamp: String
  ) throws(OAuth1SigningError) -> OAuth1SignedRequest {
    try url.withBytes { url in
      sign(method: method, url, extra, nonce, timestamp, formCount: formBody.count) { parameters in
        if formBody.isEmpty { return }
        formBody.withUnsafeBytes { $0.withMemoryRebound(to: UInt8.self) { parameters.add(urlEncoded: $0) } }
      }
    }.get()
  }

  /// - Parameter url: Its scheme and host in lower case.
  @_optimize(speed)
  private func sign(
    method: String, _ url: AbsoluteURLBytes, _ extra: [(name: String, value: String)], _ nonce: String,
    _ timestamp: String, formCount: Int, _ addForm: (inout OAuth1Parameters) -> Void
  ) -> Result<OAuth1SignedRequest, OAuth1SigningError> {
    if let realm, !OAuth1Header.canQuote(realm) { return .failure(.realm) }
    var parameters = OAuth1Parameters(
      expecting: (url.query?.count ?? 0) + formCount + 128, beside: constants.parameters)
    addForm(&parameters)
    if let query = url.query { parameters.add(urlEncoded: query) }
    parameters.add(unreserved: "oauth_nonce", nonce)
    parameters.add(unreserved: "oauth_timestamp", timestamp)
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

/// All of a signer's requests that is the same, worked out once.
final class OAuth1Constants: Sendable {
  let key: OAuth1Key
  /// The protocol parameters that never change, encoded.
  let parameters: OAuth1Parameters
  /// The `Authorization` field up to the nonce, from there to the timestamp, and behind that to further parameters.
  let beforeNonce: [UInt8]
  let beforeTimestamp: [UInt8]
  let afterTimestamp: [UInt8]
  /// The same parameters, not encoded, as they stand before the nonce, before the timestamp and behind it.
  let names:
    (
      before: [(name: String, value: String)], between: [(name: String, value: String)],
      after: [(name: String, value: String)]
    )

  init(key: OAuth1Key, consumerKey: String, token: String?, method: String, realm: String?, version: String?) {
    self.key = key
    let before = [(name: "oauth_consumer_key", value: consumerKey)]
    let between = [(name: "oauth_signature_method", value: method)]
    var after: [(name: String, value: String)] = []
    if let token { after.append(("oauth_token", token)) }
    if let version { after.append(("oauth_version", version)) }
    names = (before, between, after)
    var parameters = OAuth1Parameters()
    for (name, value) in before + between + after { parameters.add(name, value) }
    self.parameters = parameters
    beforeNonce = OAuth1Header.begin(realm: realm, before) + Array(", oauth_nonce=\"".utf8)
    beforeTimestamp = Array("\"".utf8) + OAuth1Header.following(between) + Array(", oauth_timestamp=\"".utf8)
    afterTimestamp = Array("\"".utf8) + OAuth1Header.following(after)
  }
}

extension OAuth1Signer: RedactedStringConvertible {}

/// A method by which requests are signed (RFC 5849 §3.4).
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
  @_optimize(speed)
  func signature(of baseString: [UInt8]) throws(CryptographyError) -> String {
    switch self {
    case .shared(let key):
      var signature = ""
      try baseString.withUnsafeBufferPointer { baseString in
        Result { () throws(CryptographyError) in
          try key.withCode(of: baseString) { signature = Base64.text($0) }
        }
      }.get()
      return signature
    case .rsa(let key): return try Data(key.signature(of: baseString)).base64EncodedString()
    case .plaintext(let secrets): return String(decoding: secrets, as: UTF8.self)
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

/// The error of a request that cannot be signed.
public enum OAuth1SigningError: Error, Sendable, Hashable {
  /// The URL is not absolute, or its port is not valid.
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

  /// Advice on how to go on, in one sentence.
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

/// A request's signature and what it belongs to, before it is put anywhere.
struct OAuth1SignedRequest: Sendable {
  fileprivate let constants: OAuth1Constants
  fileprivate let nonce: String
  fileprivate let timestamp: String
  fileprivate let extra: [(name: String, value: String)]
  let baseString: [UInt8]
  /// `oauth_signature`, not encoded.
  let signature: String

  fileprivate init(
    constants: OAuth1Constants, nonce: String, timestamp: String, extra: [(name: String, value: String)],
    baseString: [UInt8], signature: String
  ) {
    self.constants = constants
    self.nonce = nonce
    self.timestamp = timestamp
    self.extra = extra
    self.baseString = baseString
    self.signature = signature
  }

  /// The protocol parameters, the signature last.
  private var parameters: [(name: String, value: String)] {
    let names = constants.names
    return names.before + [("oauth_nonce", nonce)] + names.between + [("oauth_timestamp", timestamp)] + names.after
      + extra
      + [("oauth_signature", signature)]
  }

  /// The protocol parameters as a query or a form body holds them.
  var urlEncoded: String { FormFields.encode(parameters) }

  /// The `Authorization` field of OAuth 1.0 (RFC 5849 §3.5.1): `OAuth realm="…", name="value", …`.
  var authorization: String {
    var bound = constants.beforeNonce.count + constants.beforeTimestamp.count + constants.afterTimestamp.count + 32
    bound += 3 * (nonce.utf8.count + timestamp.utf8.count + signature.utf8.count)
    for (name, value) in extra { bound += 3 * (name.utf8.count + value.utf8.count) + 8 }
    return String(unsafeUninitializedCapacity: bound) { room in
      var output = OAuth1Output(room)
      output.append(constants.beforeNonce)
      output.append(encoding: nonce)
      output.append(constants.beforeTimestamp)
      output.append(encoding: timestamp)
      output.append(constants.afterTimestamp)
      for (name, value) in extra {
        output.append(", ")
        output.append(encoding: name)
        output.append("=\"")
        output.append(encoding: value)
        output.append("\"")
      }
      output.append(", oauth_signature=\"")
      output.append(encoding: signature)
      output.append("\"")
      return output.count
    }
  }
}

/// The parts of OAuth 1.0's `Authorization` field (RFC 5849 §3.5.1): names and values encoded, the realm quoted as HTTP
/// quotes.
enum OAuth1Header {
  /// `OAuth realm="…", name="value", …`
  static func begin(realm: String?, _ parameters: [(name: String, value: String)]) -> [UInt8] {
    var output = Array("OAuth ".utf8)
    if let realm {
      output.append(contentsOf: "realm=\"".utf8)
      for byte in realm.utf8 {
        if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { output.append(UInt8(ascii: "\\")) }
        output.append(byte)
      }
      output.append(contentsOf: "\", ".utf8)
    }
    return output + following(parameters).dropFirst(2)
  }

  /// `, name="value", …`
  @_optimize(speed)
  static func following(_ parameters: [(name: String, value: String)]) -> [UInt8] {
    var output: [UInt8] = []
    append(parameters, to: &output)
    return output
  }

  static func append(_ parameters: [(name: String, value: String)], to output: inout [UInt8]) {
    for (name, value) in parameters { append(name, value, to: &output) }
  }

  @_optimize(speed)
  static func append(_ name: String, _ value: String, to output: inout [UInt8]) {
    output.append(contentsOf: ", ".utf8)
    PercentEncoding.append(name, to: &output)
    output.append(contentsOf: "=\"".utf8)
    PercentEncoding.append(value, to: &output)
    output.append(UInt8(ascii: "\""))
  }

  /// Whether a realm can stand in a quoted string (RFC 9110 §5.6.4).
  static func canQuote(_ realm: String) -> Bool {
    realm.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
  }
}

/// Base64 with padding (RFC 4648 §4), without a detour through other types.
enum Base64 {
  @_optimize(speed)
  static func text(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    let count = (bytes.count + 2) / 3 * 4
    return String(unsafeUninitializedCapacity: count) { text in
      let digits: StaticString = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
      var place = 0
      @inline(__always) func put(_ group: UInt32, _ count: Int) {
        var shift: UInt32 = 18
        for index in 0..<count {
          text[place &+ index] = digits.utf8Start[Int(group &>> shift & 63)]
          shift &-= 6
        }
        place &+= count
      }
      var index = 0
      while bytes.count - index >= 3 {
        put(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4)
        index += 3
      }
      let left = bytes.count - index
      if left > 0 {
        put(UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0), left + 1)
        while place < count {
          text[place] = UInt8(ascii: "=")
          place += 1
        }
      }
      return place
    }
  }
}
