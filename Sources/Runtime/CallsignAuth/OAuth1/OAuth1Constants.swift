import CallsignHTTP
import CallsignSupport

/// All of a signer's requests that is the same, worked out once.
final class OAuth1Constants: Sendable {
  let key: OAuth1Key
  /// The protocol parameters that never change, encoded.
  let parameters: OAuth1Parameters
  /// The `Authorization` field up to the nonce, from there to the timestamp, and behind that to further parameters.
  let beforeNonce: [UInt8]
  let beforeTimestamp: [UInt8]
  let afterTimestamp: [UInt8]
  /// The same parameters, not encoded: the parts before the nonce, before the timestamp and after it.
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
