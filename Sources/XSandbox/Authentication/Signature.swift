import Foundation

/// HMAC-SHA1 signatures (RFC 5849 §3.4.2).
enum Signature {
  static func compute(baseString: String, consumerSecret: String, tokenSecret: String) -> String {
    compute(
      baseString: baseString,
      key: PercentEncoding.encode(consumerSecret) + "&" + PercentEncoding.encode(tokenSecret))
  }

  static func compute(baseString: String, key: String) -> String {
    Data(HMACSHA1.authenticationCode(of: Array(baseString.utf8), key: Array(key.utf8))).base64EncodedString()
  }
}
