import CallsignHTTP
import CallsignSupport

/// A request's signature and its protocol parameters, before they are placed in the request.
struct OAuth1SignedRequest: Sendable {
  let constants: OAuth1Constants
  let nonce: String
  let timestamp: String
  let extra: [(name: String, value: String)]
  let baseString: [UInt8]
  /// `oauth_signature`, not encoded.
  let signature: String

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
    var text = constants.beforeNonce
    PercentEncoding.append(nonce, to: &text)
    text += constants.beforeTimestamp
    PercentEncoding.append(timestamp, to: &text)
    text += constants.afterTimestamp
    text += OAuth1Header.following(extra + [("oauth_signature", signature)])
    return String(decoding: text, as: UTF8.self)
  }
}
