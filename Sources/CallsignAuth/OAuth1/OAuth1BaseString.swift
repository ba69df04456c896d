import CallsignHTTP

/// What an OAuth 1.0 signature is made of (RFC 5849 §3.4.1).
enum OAuth1BaseString {
  /// Method, base string URI and normalized parameters, each encoded, joined by `&`.
  static func make(method: String, url: AbsoluteURL, parameters: OAuth1Parameters) -> [UInt8] {
    let normalized = parameters.normalized()
    var output: [UInt8] = []
    output.reserveCapacity(2 * normalized.count + 2 * url.path.utf8.count + 64)
    PercentEncoding.append(method.uppercased(), to: &output)
    output.append(UInt8(ascii: "&"))
    PercentEncoding.append(uri(of: url), to: &output)
    output.append(UInt8(ascii: "&"))
    normalized.withUnsafeBufferPointer { PercentEncoding.append($0, to: &output) }
    return output
  }

  /// Scheme and host in lower case, a port that is not the scheme's own, and the path as it is sent, without the query
  /// (RFC 5849 §3.4.1.2).
  static func uri(of url: AbsoluteURL) -> String {
    "\(url.scheme)://\(url.authority)\(url.path.isEmpty ? "/" : url.path)"
  }
}
