import Foundation

/// Verifies signatures of OAuth 1.0a (RFC 5849 §3.4) with code independent of the client, including HMAC and SHA-1.
struct SignatureJudge {
  let consumerSecret: String

  /// Names and values of a request: query, form, texts of a multipart form, and those of the `Authorization` field.
  typealias Parameters = [(name: String, value: String)]

  /// Whether a signature belongs to the request.
  func accepts(_ signature: String, method: String, url: String, _ parameters: Parameters, tokenSecret: String) -> Bool
  {
    let sorted = parameters.filter { $0.name != "oauth_signature" && $0.name != "realm" }
      .map { (Self.encode($0.name), Self.encode($0.value)) }
      .sorted { Array($0.0.utf8) == Array($1.0.utf8) ? bytes($0.1, before: $1.1) : bytes($0.0, before: $1.0) }
      .map { "\($0)=\($1)" }.joined(separator: "&")
    let text = [method, url, sorted].map(Self.encode).joined(separator: "&")
    let key = "\(Self.encode(consumerSecret))&\(Self.encode(tokenSecret))"
    return Data(Self.hmac(key: Array(key.utf8), Array(text.utf8))).base64EncodedString() == signature
  }

  private func bytes(_ first: String, before second: String) -> Bool {
    first.utf8.lexicographicallyPrecedes(second.utf8)
  }

  /// RFC 5849 §3.6
  static func encode(_ text: String) -> String {
    text.utf8.map { byte in
      switch byte {
      case 0x41...0x5A, 0x61...0x7A, 0x30...0x39, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
      default: "%" + String(byte >> 4, radix: 16, uppercase: true) + String(byte & 15, radix: 16, uppercase: true)
      }
    }.joined()
  }

  /// A form's or query's pairs.
  static func pairs(_ text: String) -> Parameters {
    text.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacing("+", with: " ").removingPercentEncoding ?? ""
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  /// The parameters of an `Authorization` field (§3.5.1).
  static func authorization(_ field: String) -> Parameters {
    guard field.hasPrefix("OAuth ") else { return [] }
    return field.dropFirst(6).split(separator: ",").map { part in
      let pair = part.trimmingCharacters(in: .whitespaces).split(separator: "=", maxSplits: 1)
      let value = pair.count > 1 ? pair[1].trimmingCharacters(in: ["\""]) : ""
      return (String(pair[0]), value.removingPercentEncoding ?? "")
    }
  }

  /// RFC 2104
  static func hmac(key: [UInt8], _ message: [UInt8]) -> [UInt8] {
    var key = key.count > 64 ? sha1(key) : key
    key += [UInt8](repeating: 0, count: 64 - key.count)
    return sha1(key.map { $0 ^ 0x5C } + sha1(key.map { $0 ^ 0x36 } + message))
  }

  /// FIPS 180-4 §6.1
  static func sha1(_ message: [UInt8]) -> [UInt8] {
    var bytes = message + [0x80]
    while bytes.count % 64 != 56 { bytes.append(0) }
    bytes += (0..<8).reversed().map { UInt8(truncatingIfNeeded: (message.count * 8) >> ($0 * 8)) }
    var hash: [UInt32] = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0]
    func rotate(_ value: UInt32, _ count: UInt32) -> UInt32 { value << count | value >> (32 - count) }
    for start in stride(from: 0, to: bytes.count, by: 64) {
      var words = (0..<16).map { word in
        (0..<4).reduce(UInt32(0)) { $0 << 8 | UInt32(bytes[start + word * 4 + $1]) }
      }
      for index in 16..<80 {
        words.append(rotate(words[index - 3] ^ words[index - 8] ^ words[index - 14] ^ words[index - 16], 1))
      }
      var (a, b, c, d, e) = (hash[0], hash[1], hash[2], hash[3], hash[4])
      for (index, word) in words.enumerated() {
        let (f, k): (UInt32, UInt32) =
          switch index {
          case ..<20: (b & c | ~b & d, 0x5A82_7999)
          case ..<40: (b ^ c ^ d, 0x6ED9_EBA1)
          case ..<60: (b & c | b & d | c & d, 0x8F1B_BCDC)
          default: (b ^ c ^ d, 0xCA62_C1D6)
          }
        (a, b, c, d, e) = (rotate(a, 5) &+ f &+ e &+ k &+ word, a, rotate(b, 30), c, d)
      }
      hash = zip(hash, [a, b, c, d, e]).map { $0 &+ $1 }
    }
    return hash.flatMap { word in [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: word >> $0) } }
  }
}
