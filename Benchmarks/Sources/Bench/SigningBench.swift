import Callgrind
import Callsign
import CallsignAuth
import Foundation
import Workload

/// Signs a client's most frequent request: a timeline, with six query parameters. The comparisons are a bare libcrypto HMAC of the
/// same text with a cached key schedule, which no signature can beat, and Python's oauthlib. It uses the same nonce and timestamp,
/// so that the signatures can be compared.
enum SigningBench {
  static let url =
    "https://api.x.com/2/users/2244994945/timelines/reverse_chronological?max_results=100&exclude=replies%2Cretweets"
    + "&tweet.fields=created_at%2Cpublic_metrics%2Centities&expansions=author_id&user.fields=name%2Cusername"
    + "&pagination_token=7140dibdnow9c7btw3w29n4v5mtag9kegr0gr7y26pnw3"
  static let signer = OAuth1Signer(
    consumerKey: "xvz1evFS4wEEPTGEFPHBog", consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    token: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
    tokenSecret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE")

  static func work(_ name: String) throws -> Work? {
    switch name {
    case "sign": { for _ in 0..<$0 { _ = try sign() } }
    case "authorization": { for _ in 0..<$0 { _ = try authorization() } }
    case "bare-hmac": try bareHMAC()
    default: nil
    }
  }

  private static func authorization() throws -> String { try signer.authorization(method: "GET", url: url) }

  static func sign() throws -> OAuth1Signature {
    try signer.sign(
      method: "GET", url: url, nonce: "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg", timestamp: "1318622958")
  }

  /// libcrypto's HMAC of the same text, with the signer's key.
  private static func bareHMAC() throws -> Work {
    let signature = try sign()
    let message = Array(signature.baseString.utf8)
    let key = Array(
      "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw&LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE".utf8)
    return { count in
      guard let context = bare_hmac_make(key, Int32(key.count)) else { throw Unexpected() }
      defer { bare_hmac_free(context) }
      var code = [UInt8](repeating: 0, count: 20)
      for _ in 0..<count { _ = bare_hmac_sign(context, message, message.count, &code) }
      guard Data(code).base64EncodedString() == signature.signature else { throw Unexpected() }
    }
  }
}
