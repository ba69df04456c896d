import CallsignHTTP
import CallsignSupport

/// The response to a challenge, for one request (RFC 7616 §3.4).
struct DigestAuthorization {
  let challenge: DigestChallenge
  let session: DigestSession
  let username: String
  /// The number of times that the nonce has been used, this time included.
  let nonceCount: UInt32
  let cnonce: String
  let method: String
  /// The request's target as it is sent.
  let uri: String
  /// `nil` in the older form without `qop`.
  let protection: DigestProtection?
  /// The hash of the body, for a response that covers it.
  let bodyHash: String?

  /// `00000001`: eight hexadecimal digits.
  private var count: String {
    let digits = String(nonceCount, radix: 16)
    return String(repeating: "0", count: 8 - digits.count) + digits
  }

  /// `response` (RFC 7616 §3.4.1).
  func response() throws(CryptographyError) -> String {
    let algorithm = challenge.algorithm
    var request = "\(method):\(uri)"
    if let bodyHash { request += ":\(bodyHash)" }
    let requestHash = try algorithm.hash(request)
    guard let protection else { return try algorithm.hash(session.key, challenge.nonce, requestHash) }
    return try algorithm.hash(session.key, challenge.nonce, count, cnonce, protection.rawValue, requestHash)
  }

  /// The value of the `Authorization` field.
  ///
  /// - Throws: ``CryptographyError`` if a hash function is forbidden.
  /// - Returns: `nil` if the realm, a nonce or the name contains a control character.
  func authorization() throws(CryptographyError) -> String? {
    var fields: [(name: String, value: String?)] = []
    if challenge.hashesUsername {
      fields.append(("username", try challenge.algorithm.hash(username, challenge.realm).httpQuoted))
    } else if challenge.isUTF8, !username.utf8.allSatisfy({ $0 < 0x80 }) {
      // RFC 8187, which marks the encoding; only a server that says UTF-8 is sure to read it.
      fields.append(("username*", "UTF-8''" + PercentEncoding.encode(username)))
    } else {
      fields.append(("username", username.httpQuoted))
    }
    fields.append(("realm", challenge.realm.httpQuoted))
    fields.append(("uri", uri.httpQuoted))
    if let name = challenge.algorithmName { fields.append(("algorithm", name)) }
    fields.append(("nonce", challenge.nonce.httpQuoted))
    if let protection {
      fields += [("nc", count), ("cnonce", cnonce.httpQuoted), ("qop", protection.rawValue)]
    } else if challenge.algorithm.isPerSession {
      fields.append(("cnonce", cnonce.httpQuoted))
    }
    fields.append(("response", try response().httpQuoted))
    if let opaque = challenge.opaque { fields.append(("opaque", opaque.httpQuoted)) }
    if challenge.hashesUsername { fields.append(("userhash", "true")) }

    var parts: [String] = []
    for (name, value) in fields {
      guard let value else { return nil }
      parts.append("\(name)=\(value)")
    }
    return "Digest " + parts.joined(separator: ", ")
  }
}
