import CallsignHTTP
import CallsignSupport

/// A request's signature and what it belongs to, before it is put anywhere.
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
