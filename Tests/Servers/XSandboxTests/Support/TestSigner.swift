import Foundation

@testable import XSandbox

/// Signs requests as a client does; a test can change each part. It shares only HMAC-SHA1 with the sandbox, and that has its own
/// test vectors.
struct TestSigner {
  var consumerKey: String
  var consumerSecret: String
  var token: String?
  var tokenSecret: String
  var timestamp = String(Int(Date().timeIntervalSince1970))
  var nonce = String(UInt64.random(in: 1 ... .max), radix: 36)
  var version: String? = "1.0"
  var method = "HMAC-SHA1"
  /// Further protocol parameters, such as `oauth_callback`.
  var extra: [(String, String)] = []
  /// Changes the base string before it is signed.
  var alterBaseString: (String) -> String = { $0 }

  init(_ sandbox: Sandbox, _ user: Sandbox.User) {
    consumerKey = sandbox.app.consumerKey
    consumerSecret = sandbox.app.consumerSecret
    token = user.accessToken
    tokenSecret = user.accessTokenSecret
  }

  /// The protocol parameters with the signature.
  func parameters(method: String, url: String, form: String = "") -> [(String, String)] {
    var protocolParameters = [
      ("oauth_consumer_key", consumerKey), ("oauth_nonce", nonce), ("oauth_signature_method", self.method),
      ("oauth_timestamp", timestamp),
    ]
    protocolParameters += extra
    if let token { protocolParameters.append(("oauth_token", token)) }
    if let version { protocolParameters.append(("oauth_version", version)) }
    let parts = url.split(separator: "?", maxSplits: 1).map(String.init)
    let others = [parts.count > 1 ? parts[1] : "", form].filter { !$0.isEmpty }.flatMap(Self.decode)
    let normalized = (others + protocolParameters)
      .map { (Self.encode($0.0), Self.encode($0.1)) }
      .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
      .map { "\($0.0)=\($0.1)" }.joined(separator: "&")
    let base = [method, parts[0], normalized].map(Self.encode).joined(separator: "&")
    let key = "\(Self.encode(consumerSecret))&\(Self.encode(tokenSecret))"
    let signature = Data(
      HMACCode.sha1(of: Array(alterBaseString(base).utf8), key: Array(key.utf8))
    ).base64EncodedString()
    return protocolParameters + [("oauth_signature", signature)]
  }

  func header(method: String, url: String, form: String = "") -> String {
    Self.header(parameters(method: method, url: url, form: form))
  }

  static func header(_ parameters: [(String, String)]) -> String {
    "OAuth " + parameters.map { "\(encode($0.0))=\"\(encode($0.1))\"" }.joined(separator: ", ")
  }

  static func encode(_ text: String) -> String {
    text.addingPercentEncoding(
      withAllowedCharacters: CharacterSet(
        charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")) ?? text
  }

  private static func decode(_ form: String) -> [(String, String)] {
    form.split(separator: "&").map { pair in
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
        $0.replacingOccurrences(of: "+", with: " ").removingPercentEncoding ?? String($0)
      }
      return (parts[0], parts.count > 1 ? parts[1] : "")
    }
  }
}
