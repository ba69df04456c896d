// Sound: the bytes are copied in the closure that gets them.

import CallsignHTTP

/// The text that an OAuth 1.0 signature signs (RFC 5849 §3.4.1).
enum OAuth1BaseString {
  /// Method, base string URI and normalized parameters, each encoded, joined by `&`.
  ///
  /// The URI (RFC 5849 §3.4.1.2) is scheme and host in lower case, a port that is not the scheme's own, and the path as it is
  /// sent, without the query.
  ///
  /// - Parameter url: Its scheme and host in lower case.
  static func make(method: String, url: AbsoluteURLBytes, parameters: consuming OAuth1Parameters) -> [UInt8] {
    var text: [UInt8] = []
    PercentEncoding.append(method.uppercased(), to: &text)
    text.append(UInt8(ascii: "&"))
    PercentEncoding.append(url.scheme, to: &text)
    PercentEncoding.append("://", to: &text)
    PercentEncoding.append(url.host, to: &text)
    if let port = url.port, port != AbsoluteURL.defaultPort(String(decoding: url.scheme, as: UTF8.self)) {
      PercentEncoding.append(":\(port)", to: &text)
    }
    if url.path.isEmpty { PercentEncoding.append("/", to: &text) } else { PercentEncoding.append(url.path, to: &text) }
    text.append(UInt8(ascii: "&"))
    let parameters = parameters.normalized()
    text.reserveCapacity(text.count + 2 * parameters.count)
    parameters.withUnsafeBufferPointer { PercentEncoding.append($0, to: &text) }
    return text
  }
}
