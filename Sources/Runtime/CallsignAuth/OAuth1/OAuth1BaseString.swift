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
    var method = method.utf8.allSatisfy { $0 < UInt8(ascii: "a") } ? method : method.uppercased()
    var port = ""
    if let number = url.port,
      number != AbsoluteURL.defaultPort(String(decoding: url.scheme, as: UTF8.self))
    {
      port = ":\(number)"
    }
    let origin = method.utf8.count + url.scheme.count + url.host.count + port.utf8.count
    let bound = 3 * (origin + url.path.count) + parameters.baseStringBound + 32 + OAuth1Output.slack
    return [UInt8](unsafeUninitializedCapacity: bound) { room, count in
      var output = OAuth1Output(room)
      method.withUTF8 { output.append(encoding: $0) }
      output.append("&")
      output.append(encoding: url.scheme)
      output.append("%3A%2F%2F")
      output.append(encoding: url.host)
      port.withUTF8 { output.append(encoding: $0) }
      if url.path.isEmpty { output.append("%2F") } else { output.append(encoding: url.path) }
      output.append("&")
      parameters.sortAndWrite(to: &output)
      count = output.count
    }
  }
}
